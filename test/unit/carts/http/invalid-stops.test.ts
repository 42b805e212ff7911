import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { suite } from 'uvu';
import { WebSocket } from 'ws';
import type { Origin } from '../../../../src/carts/command/model.js';
import { commandRoutes } from '../../../../src/carts/http/command-routes.js';
import { DriveSocket } from '../../../../src/carts/http/drive-socket.js';
import { drivePage } from '../../../../src/carts/http/pages.js';
import { ManualDrive } from '../../../../src/carts/manual-drive/manual-drive.js';
import { errorHandler } from '../../../../src/http/errors.js';
import { Drawings, useDrawings } from '../../../../src/http/pages.js';
import { userActor } from '../../../../src/shared/actor.js';
import { CartHarness, quietLog, settle } from '../../../helpers/cart-harness.js';
import { handlersOf } from '../../../helpers/handlers-of.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { ROUNDS, StopFuzzer } from '../../../helpers/stop-fuzzer.js';
import { until } from '../../../helpers/until.js';

/** Sends stops with invalid fields to the routes and the drive socket of a gateway with one simulated cart. */
const test = suite('invalid stops');

const JSON_TYPE = 'application/json';
const origin: Origin = { source: 'http', gatewayId: 'gw-1', actor: userActor('anna') };

let harness: CartHarness;
let server: Server;
let drive: ManualDrive;
let socket: DriveSocket;
let url = '';
const log = new RecordingLog();

test.before(async () => {
  harness = await CartHarness.ready((settings) => {
    settings.limits.ratePerSec = 100;
  });
  const { dispatcher, clock } = harness;
  const app = express();
  const drawings = new Drawings();
  drawings.add(drivePage, (_req, { outcome }) => `<p>${outcome?.message}</p><p>${outcome?.hint ?? ''}</p>`);
  useDrawings(app, drawings);
  app.use(
    handlersOf(
      commandRoutes({
        dispatcher,
        drivers: { list: () => [] },
        originOf: () => origin,
        authorityOf: () => ({ id: 'session 1', isGood: () => true }),
        log,
      }),
    ),
  );
  const rules = () => harness.settings;
  drive = new ManualDrive({ cart: harness.cart, gatewayId: 'gw-1', dispatcher, rules, clock, log });
  const access = {
    isValid: () => true,
    keepAlive: () => true,
    stopTokens: { issue: () => undefined },
  } as unknown as ConstructorParameters<typeof DriveSocket>[0]['access'];
  socket = new DriveSocket({ drive, access, clock, log });
  app.use(handlersOf(socket.router()));
  app.use(errorHandler(quietLog, (_req, { body }) => `<p>${body.message}</p><p>${body.hint ?? ''}</p>`));
  server = createServer(app);
  socket.serve(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.after(async () => {
  socket.close();
  drive.close();
  server.close();
  server.closeAllConnections();
  await harness.close();
});

interface Answer {
  status: number;
  text: string;
  json: Record<string, unknown>;
  /** Numbers of stop and E-stop frames that the controller received. */
  stops: number;
  estops: number;
}

/** Sends a request, and advances the clock until the response has arrived. */
async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  harness.wire.sent.length = 0;
  let settled = false;
  const request = fetch(`http://${url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: JSON_TYPE, 'content-type': JSON_TYPE, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }).finally(() => (settled = true));
  while (!settled) {
    harness.clock.advance(1);
    await settle();
  }
  const response = await request;
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').startsWith(JSON_TYPE);
  return {
    status: response.status,
    text,
    json: isJson ? JSON.parse(text) : {},
    stops: harness.wire.of('STOP').length,
    estops: harness.wire.of('ESTOP').length,
  };
}

const CARTS = [{ cartID: 1, name: 'Cart 1', confirmed: true }];
const STILL = { cartID: 1, distanceID: 0, angleID: 0 };

for (const [what, path, body] of [
  ['an unknown field', '/', { ...STILL, colour: 'red' }],
  ['a forbidden field', '/', `{"cartID":1,"distanceID":0,"angleID":0,"constructor":{}}`],
  ['a fingerprint that is too long', '/', { ...STILL, meaning: 'm'.repeat(65) }],
  ['an ID that is not a UUID', '/', { ...STILL, commandId: 'stop-1' }],
  ['an invalid stage', '/?wait=forever', STILL],
  ['an invalid cart number', '/', { ...STILL, cartID: 0 }],
  ['no cart number', '/', { distanceID: '0', angleID: '0' }],
] as const) {
  // Fault case 68
  test(`POST / executes a stop with ${what}, and returns 400 with the carts that stopped`, async () => {
    const { status, json, stops } = await post(path, body);
    assert.equal(stops, 1);
    assert.deepEqual([status, json.code], [400, 'INVALID_INPUT']);
    assert.deepEqual([json.success, json.stopped, json.carts], [false, [1], CARTS]);
  });
}

test('POST / executes a stop even if an unexpected error occurs, and logs the error', async () => {
  const { dispatcher } = harness;
  dispatcher.submit = () => {
    throw new TypeError('x is not a function');
  };
  try {
    const { status, json, stops } = await post('/', STILL);
    assert.deepEqual([status, stops, json.code, json.carts], [500, 1, 'INTERNAL', CARTS]);
  } finally {
    Reflect.deleteProperty(dispatcher, 'submit');
  }
  const line = log.lines.find(({ event }) => event === 'request.failed');
  assert.match(String(line?.fields?.error), /x is not a function/);
});

test('POST / executes a stop whose Idempotency-Key is not a UUID, and returns 400 with the carts that stopped', async () => {
  const { status, json, stops } = await post('/', STILL, { 'idempotency-key': 'stop-1' });
  assert.deepEqual([status, stops, json.field, json.carts], [400, 1, 'Idempotency-Key', CARTS]);
});

test('POST / executes a stop whose commandId belongs to a move, and returns the carts that stopped', async () => {
  const commandId = 'aaaaaaaa-0000-4000-8000-000000000001';
  await post('/?wait=accept', { ...STILL, distanceID: 500, commandId });
  const { status, json, stops } = await post('/', { ...STILL, commandId });
  assert.ok(stops >= 1);
  assert.deepEqual([status, json.code, json.carts], [409, 'ID_REUSED', CARTS]);
});

test('POST / returns a page that lists the carts that stopped', async () => {
  const { status, text, stops } = await post('/', { ...STILL, colour: 'red' }, { accept: 'text/html' });
  assert.deepEqual([status, stops], [400, 1]);
  assert.match(text, /Stopped nevertheless: Cart 1\./);
});

test('POST / does not execute a stop for a malformed move or an unknown cart', async () => {
  const move = await post('/', { ...STILL, distanceID: 5, colour: 'red' });
  assert.deepEqual([move.status, move.stops, move.json.carts], [400, 0, undefined]);
  const unknown = await post('/', { ...STILL, cartID: 7 });
  assert.deepEqual([unknown.status, unknown.stops, unknown.json.carts], [404, 0, undefined]);
});

for (const [what, path, body, status] of [
  ['a body that is not JSON', '/estop', '{"cartID":', 400],
  ['an invalid cart number', '/estop', { cartID: 'one' }, 400],
  ['an unknown cart', '/estop', { cartID: 9 }, 404],
  ['a forbidden field', '/stop', '{"__proto__":1}', 400],
  ['a body that is too large', '/stop', { more: 'm'.repeat(20_000) }, 413],
  ['an invalid cart number', '/stop/mine', { cartID: 1.5 }, 400],
  ['a body that is not JSON', '/carts/1/stop', 'stop', 400],
] as const) {
  // Fault case 68
  test(`POST ${path} executes a stop with ${what}, and returns ${status} with the carts that stopped`, async () => {
    const { status: actual, json, stops, estops } = await post(path, body);
    const isMine = path === '/stop/mine';
    assert.equal(stops + estops, isMine ? 0 : 1);
    assert.equal(actual, status);
    assert.deepEqual(
      [json.success, json.stopped, json.carts],
      isMine ? [false, [], []] : [false, [1], CARTS],
    );
  });
}

test('POST /estop lists a cart that has not confirmed the stop of a malformed request', async () => {
  harness.wire.unplug();
  const { status, json } = await post('/estop', { cartID: 'one' });
  assert.deepEqual([status, json.stopped], [400, []]);
  const [cart] = json.carts as Record<string, unknown>[];
  assert.deepEqual([cart?.confirmed, cart?.code], [false, 'SERIAL_DOWN']);
  const page = await post('/estop', { cartID: 'one' }, { accept: 'text/html' });
  assert.match(page.text, /not confirmed by Cart 1/);
  harness.wire.plug();
  await harness.run(8000);
});

/** The limit on the body of `POST /`. */
const MAX_COMMAND_BYTES = 16 * 1024;

test('executes every random stop over HTTP, latching or not', async () => {
  const fuzzer = new StopFuzzer();
  for (let round = 0; round < ROUNDS; round++) {
    const path = fuzzer.pick(['/', '/?wait=done', '/?wait=x', '/estop', '/stop', '/carts/1/stop']);
    const isCommand = path.startsWith('/?') || path === '/';
    const optional = {
      commandId: crypto.randomUUID(),
      maxSpeed: 100,
      ttlMs: 500,
      onBusy: 'queue',
      mode: 'jog',
    };
    let body = fuzzer.changed({ cartID: 1, pressId: 'press', kind: 'halt', back: '/fleet' });
    // If a command is too large to be read, the gateway cannot recognise that it is a stop.
    if (isCommand)
      do body = fuzzer.changed({ ...STILL, ...optional, meaning: '0' }, ['cartID', 'distanceID', 'angleID']);
      while (Buffer.byteLength(JSON.stringify(body)) > MAX_COMMAND_BYTES);
    const key = fuzzer.random() < 0.2 ? { 'idempotency-key': 'k'.repeat(fuzzer.below(80)) } : {};
    const { stops, estops, status } = await post(path, body, key);
    const sent = `round ${round}: POST ${path} ${JSON.stringify(body)} ${status}`;
    assert.ok(path === '/estop' ? estops === 1 : stops >= 1, sent);
  }
});

async function openSocket(): Promise<WebSocket> {
  const client = new WebSocket(`ws://${url}/drive`);
  await once(client, 'message');
  return client;
}

for (const [what, message, kind] of [
  ['an unknown field', { say: 'stop', kind: 'estop', cartID: 1, colour: 'red' }, 'ESTOP'],
  ['an invalid cart number', { say: 'stop', kind: 'estop', cartID: 'one' }, 'ESTOP'],
  ['no cart number', { say: 'stop', kind: 'stop' }, 'STOP'],
  ['an unknown kind', { say: 'stop', kind: 'halt', cartID: null }, 'STOP'],
  [
    'a press ID of 5,000 characters',
    { say: 'stop', kind: 'estop', cartID: 1, pressId: 'p'.repeat(5000) },
    'ESTOP',
  ],
] as const) {
  // Fault case 66
  test(`the drive socket executes a stop with ${what}, and stays open`, async () => {
    const client = await openSocket();
    for (const _count of [1, 2]) {
      harness.wire.sent.length = 0;
      client.send(JSON.stringify(message));
      await until(() => harness.wire.of(kind).length > 0);
    }
    client.close();
    await once(client, 'close');
  });
}

test('the drive socket executes a stop that exceeds the message rate, or is sent as binary data', async () => {
  const stop = JSON.stringify({ say: 'stop', kind: 'stop', cartID: 1 });
  for (const flood of [
    (client: WebSocket) => {
      for (let count = 0; count < 60; count++) client.send('{"say":"leave"}');
      client.send(stop);
    },
    (client: WebSocket) => client.send(Buffer.from(stop)),
  ]) {
    const client = await openSocket();
    const before = harness.wire.of('STOP').length;
    flood(client);
    const [code] = await once(client, 'close');
    assert.ok(code === 1008 || code === 1003);
    assert.ok(harness.wire.of('STOP').length > before);
  }
});

test('executes every random stop on the drive socket, latching or not', async () => {
  const fuzzer = new StopFuzzer();
  const client = await openSocket();
  for (let round = 0; round < ROUNDS; round++) {
    // The socket accepts 50 messages a second.
    if (round % 40 === 39) harness.clock.advance(1000);
    const kind = fuzzer.pick(['stop', 'estop']);
    const stop = { say: 'stop', kind, cartID: 1, pressId: 'press' };
    const message = JSON.stringify(fuzzer.changed(stop, ['say', 'kind']));
    const of = kind === 'stop' ? 'STOP' : 'ESTOP';
    harness.wire.sent.length = 0;
    client.send(message);
    const answered = () => harness.wire.of(of).length > 0 || client.readyState !== client.OPEN;
    await until(answered);
    assert.equal(client.readyState, client.OPEN, `round ${round}: ${message}`);
    harness.clock.advance(1);
  }
  client.close();
  await once(client, 'close');
});

test.run();
