import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beaconFastPath } from '../../../src/beacons/http/answers.js';
import { beaconApi } from '../../../src/beacons/http/openapi.js';
import { beaconRoutes } from '../../../src/beacons/http/routes.js';
import { Beacons } from '../../../src/beacons/registry/beacons.js';
import type { Beacon } from '../../../src/beacons/registry/schema.js';
import { errorHandler } from '../../../src/http/errors.js';
import { policyOf } from '../../../src/http/guard/policy.js';
import { fastExpress } from '../../../src/http/server/fast-express.js';
import { RouteTable } from '../../../src/http/server/route-table.js';
import { siteOriginOf } from '../../../src/plan/frame/site-frame.js';
import { systemClock } from '../../../src/shared/clock.js';
import { textOf } from '../../../src/shared/messages/message.js';
import type { Store } from '../../../src/shared/ports/store.js';
import { openStore } from '../../../src/store/store.js';
import { handlersOf } from '../../helpers/handlers-of.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { validateResponses } from '../../helpers/response-validation.js';

const WRITER = new URL('../../../src/app/writer-worker.js', import.meta.url);

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: unknown;
}

interface Call {
  /** The body is serialised as JSON unless it is a string or a buffer. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestApp {
  port: number;
  store: Store;
  beacons: Beacons;
  log: RecordingLog;
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** Adds beacons directly, not over HTTP. */
  add(...beacons: (Partial<Beacon> & { id: string })[]): Promise<void>;
}

export function withTestApp(test: (testApp: TestApp) => Promise<void>): () => Promise<void> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-beacons-'));
    const log = new RecordingLog();
    const store = await openStore({ dir, writer: WRITER, clock: systemClock, log });
    const beacons = new Beacons({ store, log, pathLoss: () => ({ exponent: 2, maxRangeM: 100 }) });
    const { app, server } = fastExpress({
      routes: new RouteTable(policyOf([beaconApi])),
      fastPath: beaconFastPath(beacons, () => true),
    });
    app.use(
      handlersOf(beaconRoutes({ beacons, origin: () => siteOriginOf(undefined, beacons.southWest()) })),
    );
    app.use(errorHandler(log, (_req, { body }) => textOf(body.message)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true });
    const call: TestApp['call'] = (method, path, options = {}) => send(agent, port, method, path, options);
    const add: TestApp['add'] = async (...rows) => {
      await beacons.importMany(
        rows.map((value) => ({ value })),
        { upsert: false },
      );
    };
    const undocumented = validateResponses(server);
    try {
      await test({ port, store, beacons, log, call, add });
      assert.deepEqual(undocumented(), []);
    } finally {
      agent.destroy();
      server.close();
      server.closeAllConnections();
      beacons.close();
      await store.close();
      rmSync(dir, { recursive: true });
    }
  };
}

async function send(agent: Agent, port: number, method: string, path: string, call: Call): Promise<Answer> {
  const { body, headers = {} } = call;
  const isSent = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  const text = isSent ? body : JSON.stringify(body);
  const type = text === undefined ? {} : { 'content-type': 'application/json' };
  const length = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
  const outgoing = request({
    agent,
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { ...type, ...length, ...headers },
  });
  outgoing.end(text);
  const [incoming] = await once(outgoing, 'response');
  let received = '';
  for await (const chunk of incoming.setEncoding('utf8')) received += chunk;
  const isJson = /json/.test(incoming.headers['content-type'] ?? '') && received !== '';
  const json: unknown = isJson ? JSON.parse(received) : undefined;
  return { status: incoming.statusCode, headers: incoming.headers, text: received, json };
}

/** Asserts an error response `{error, message, code}` with this status and code. */
export function assertError(answer: Answer, status: number, code: string, label = ''): void {
  const { error, message, code: actual } = answer.json as Record<string, unknown>;
  assert.deepEqual([answer.status, actual], [status, code], `${label} ${answer.text}`);
  assert.equal(typeof error, 'string');
  assert.ok(String(message).includes(' '), 'the message is not a sentence');
}

export function idsOf({ json }: Answer): string[] {
  assert.ok(Array.isArray(json), 'the body is not an array');
  return json.map(({ id }: { id: string }) => id);
}
