import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { recordResponse } from './response-recorder.js';
import type { ValidationMessage } from './response-validation.js';

/**
 * Preloaded into a gateway under test. Sends every response to the test process, so that validation does not
 * slow down the gateway.
 */
const validator = connect(process.env.VALIDATION_SOCKET ?? '').unref();
// A failure to connect is fatal. Later errors are ignored, because the test may end before the gateway.
validator.once('connect', () => validator.on('error', () => undefined));
/** Last response body by method, path, status and content type; identical responses are validated once. */
const lastBodies = new Map<string, string | undefined>();
const report = (message: ValidationMessage): unknown => validator.write(`${JSON.stringify(message)}\n`);

subscribe('http.server.request.start', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  recordResponse(request, response, (answer) => {
    const { type, body } = answer;
    const kind = `${answer.method} ${answer.path} ${answer.status} ${type}`;
    const isKnown = body !== undefined && lastBodies.get(kind) === body;
    lastBodies.set(kind, body);
    // For other content types, only the presence of a body is checked.
    if (!isKnown) report({ ...answer, body: type.includes('json') ? body : body?.slice(0, 1) });
    for (const name in {})
      report({ fault: `${request.method} ${request.url} gave every object the member "${name}"` });
  });
});
