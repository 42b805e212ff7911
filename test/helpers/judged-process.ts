import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Told } from './judged.js';
import { watch } from './watched.js';

/**
 * Loaded into a gateway under test: tells every answer of every server to the judge, who sits in the process of the test
 * and takes none of this one's time.
 */
const judge = connect(process.env.JUDGE ?? '').unref();
// Who cannot reach the judge fails at once. Later the test may end before this process does.
judge.once('connect', () => judge.on('error', () => undefined));
/** The last body of each path: the same response is judged once. */
const lastBodies = new Map<string, string | undefined>();
const tell = (told: Told): unknown => judge.write(`${JSON.stringify(told)}\n`);

subscribe('http.server.request.start', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  watch(request, response, (answer) => {
    const { type, body } = answer;
    const kind = `${answer.method} ${answer.path} ${answer.status} ${type}`;
    const isKnown = body !== undefined && lastBodies.get(kind) === body;
    lastBodies.set(kind, body);
    // Of anything else only whether there is something is looked at.
    if (!isKnown) tell({ ...answer, body: type.includes('json') ? body : body?.slice(0, 1) });
    for (const name in {})
      tell({ fault: `${request.method} ${request.url} gave every object the member "${name}"` });
  });
});
