import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import { loadConfig } from '../../../src/app/config.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { untilAnswer } from '../../helpers/until.js';

const test = suite('gateway without hardware');

let gateway: GatewayProcess;

test.before(async () => {
  gateway = await GatewayProcess.start();
});
// Waits for the carts, because a gateway on a busy machine may briefly lose a controller.
test.before.each(async () => {
  for (const cartID of [1, 2, 3]) await gateway.untilCart(cartID, ({ safety }) => safety.mayMove);
});
test.after(async () => {
  assert.equal(await gateway.close(), 0);
});

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

async function send(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const res = await fetch(`${gateway.url}${path}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  return { status: res.status, headers: res.headers, text: await res.text() };
}

const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

test('POST / with form data returns 200 and a page that shows the command', async () => {
  const { status, headers, text } = await send('POST', '/', 'cartID=1&distanceID=10&angleID=0', {
    ...FORM_TYPE,
    accept: 'text/html',
  });
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /text\/html/);
  assert.match(text, /<form/);
  assert.match(text, /SIMULATED/);
});

test('POST / with a JSON body returns a page unless the client requests JSON', async () => {
  const { status, headers, text } = await send('POST', '/', '{"cartID":1,"distanceID":10,"angleID":0}', {
    'content-type': 'application/json',
  });
  assert.equal(status, 200, text);
  assert.match(headers.get('content-type') ?? '', /text\/html/);
});

test('POST / returns the ID, state, destination and interpreted values as JSON', async () => {
  const { status, body } = await gateway.move(1, 20, { angleID: -5 });
  assert.equal(status, 200);
  assert.equal(body.destination, 'serial');
  assert.equal(body.distanceMm, 20);
  assert.equal(body.angleDeg, -5);
  assert.equal(body.simulated, true);
  assert.ok(['ACKNOWLEDGED', 'RUNNING', 'FINISHED'].includes(body.state), body.state);
});

test('sends a command for a remote cart over MQTT, and the cart finishes it', async () => {
  const { status, body } = await gateway.moveToEnd(2, 50);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.destination, 'mqtt');
  assert.equal(body.state, 'FINISHED');
});

// Fault case 1
test('returns 400 for an empty or malformed body, 413 for an oversized body and 415 for an unsupported type', async () => {
  assert.equal((await send('POST', '/', undefined, { accept: 'application/json' })).status, 400);
  assert.equal((await send('POST', '/', '{"cartID":', JSON_TYPE)).status, 400);
  assert.equal((await send('POST', '/', `{"x":"${'x'.repeat(2_000_000)}"}`, JSON_TYPE)).status, 413);
  const wrong = await send('POST', '/', 'cartID=1', {
    'content-type': 'text/plain',
    accept: 'application/json',
  });
  assert.equal(wrong.status, 415);
  assert.equal(JSON.parse(wrong.text).code, 'UNSUPPORTED_MEDIA_TYPE');
});

test('HTML error pages for API routes have the same security headers as other pages', async () => {
  const { status, headers } = await send('GET', '/beacon', undefined, { accept: 'text/html' });
  assert.equal(status, 400);
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('referrer-policy'), 'same-origin');
  assert.equal(headers.get('cache-control'), 'no-store');
});

// Fault cases 3, 4
test('rejects an invalid command, reports the field, limit and unit, and does not create a command', async () => {
  const before = (await gateway.call<unknown[]>('GET', '/commands')).body.length;
  const fraction = await gateway.call('POST', '/', { cartID: 1, distanceID: 1.5, angleID: 0 });
  assert.deepEqual(
    [fraction.status, fraction.body.code, fraction.body.field],
    [400, 'INVALID_INPUT', 'distanceID'],
  );
  const far = await gateway.call('POST', '/', { cartID: 1, distanceID: 10_001, angleID: 0 });
  assert.deepEqual([far.status, far.body.code, far.body.limit, far.body.unit], [400, 'RANGE', 10_000, 'mm']);
  const unknown = await gateway.call('POST', '/', { cartID: 99, distanceID: 1, angleID: 0 });
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'CART_UNKNOWN']);
  assert.equal(
    (await gateway.call('POST', '/', { cartID: '1/../2', distanceID: 1, angleID: 0 })).status,
    400,
  );
  assert.equal((await gateway.call<unknown[]>('GET', '/commands')).body.length, before);
});

// Fault case 5
test('treats concurrent requests with the same commandId or Idempotency-Key as one command', async () => {
  const copies = async () => {
    const commandId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, () => gateway.move(1, 30, { commandId })));
    return answers.map(({ status, body }) => ({ status, isOne: body.commandId === commandId, body }));
  };
  // The status is 5xx if the machine is too busy for the move.
  const answered = await untilAnswer(copies, (answers) => answers.every(({ status }) => status < 500));
  for (const { status, isOne, body } of answered)
    assert.deepEqual([status, isOne], [200, true], JSON.stringify(body));
  const key = 'aaaaaaaa-0000-4000-8000-00000000000b';
  const body = JSON.stringify({ cartID: 1, distanceID: 31, angleID: 0 });
  const answers = await Promise.all(
    [1, 2].map(() => send('POST', '/', body, { ...JSON_TYPE, 'idempotency-key': key })),
  );
  assert.deepEqual(
    answers.map(({ text }) => JSON.parse(text).commandId),
    [key, key],
  );
});

test('redirects a browser after a latching stop, and rejects commands until the stop is reset', async () => {
  assert.equal((await gateway.call('POST', '/carts/1/stop')).status, 200);
  const browser = await send('POST', '/estop', 'cartID=1', { ...FORM_TYPE, accept: 'text/html' });
  assert.deepEqual([browser.status, browser.headers.get('location')], [303, '/']);
  const refused = await gateway.move(1, 10);
  assert.deepEqual([refused.status, refused.body.code], [409, 'ESTOP_ACTIVE']);
  const reset = await gateway.reset(1);
  assert.deepEqual([reset.status, reset.body.emergencyStop], [200, 'NONE']);
  assert.equal((await gateway.move(1, 10)).status, 200);
});

test('a latching stop without a cart ID stops all carts, and each cart is reset individually', async () => {
  assert.equal((await gateway.call('POST', '/estop')).status, 200);
  for (const cartID of [1, 2, 3]) {
    await gateway.untilCart(cartID, ({ safety }) => safety.emergencyStop === 'REMOTE');
    const reset = await gateway.reset(cartID);
    assert.deepEqual([reset.status, reset.body.emergencyStop], [200, 'NONE'], JSON.stringify(reset.body));
    await gateway.untilCart(cartID, ({ safety }) => safety.emergencyStop === 'NONE');
  }
});

for (const pressId of ['press-7', 7, { a: 1 }, 'x'.repeat(65), null]) {
  test(`a latching stop with the press ID ${JSON.stringify(pressId).slice(0, 20)} stops all carts, which report the same press`, async () => {
    assert.equal((await gateway.call('POST', '/estop', { pressId })).status, 200);
    const reported: (string | undefined)[] = [];
    for (const cartID of [1, 2, 3]) {
      const { safety } = await gateway.untilCart(cartID, (cart) => cart.safety.emergencyStop === 'REMOTE');
      reported.push(safety.pressId);
    }
    assert.equal(new Set(reported).size, 1, reported.join());
    assert.ok(pressId === 'press-7' ? reported[0] === pressId : /^[0-9a-f-]{36}$/.test(reported[0] ?? ''));
    await gateway.resetCarts(1, 2, 3);
  });
}

// Fault case 12
test('POST /simulator places markers and enables faults of the camera', async () => {
  const simulate = (body: object) => gateway.call<Record<string, unknown>>('POST', '/simulator', body);
  const marker = { id: 5, sizeMm: 150, xMm: 1500, yMm: 0, headingDeg: 180 };
  assert.deepEqual((await simulate({ action: 'markers', markers: [marker] })).body.markers, [marker]);
  const on = await simulate({ action: 'cameraDrops', on: true, argument: 20 });
  assert.deepEqual(on.body.faults, ['cameraDrops']);
  assert.deepEqual((await simulate({ action: 'cameraDrops', on: false })).body.faults, []);
  for (const wrong of [{ id: 587 }, { id: 1.5 }, { sizeMm: 0 }, { xMm: 'far' }, { colour: 'red' }]) {
    const { status } = await simulate({ action: 'markers', markers: [{ ...marker, ...wrong }] });
    assert.equal(status, 400, JSON.stringify(wrong));
  }
  assert.deepEqual((await simulate({ action: 'markers' })).body.markers, [], 'the registered markers');
});

test('an E-stop triggered by the button can be reset only at the cart', async () => {
  await gateway.call('POST', '/simulator', { action: 'button', on: true });
  const pressed = await gateway.call('POST', '/estop/reset', { cartID: 1 });
  assert.deepEqual([pressed.status, pressed.body.code], [409, 'RESET_REFUSED']);
  await gateway.call('POST', '/simulator', { action: 'button', on: false });
  const released = await gateway.reset(1);
  assert.deepEqual([released.status, released.body.code], [403, 'RESET_FORBIDDEN']);
  assert.equal((await gateway.call('POST', '/simulator', { action: 'reset-here' })).status, 200);
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
});

test('GET /events sends a snapshot, followed by changes with increasing sequence numbers', async () => {
  const events: { event: string; data: Record<string, unknown> }[] = [];
  await new Promise<void>((resolve, reject) => {
    const call = request(`${gateway.url}/events`, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const fields = Object.fromEntries(
            block
              .split('\n')
              .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
          );
          if (fields.data) events.push({ event: fields.event ?? '', data: JSON.parse(fields.data) });
        }
        if (
          events.some(({ event }) => event === 'command') &&
          events.some(({ event }) => event === 'cart') &&
          events.some(({ event }) => event === 'beat')
        ) {
          call.destroy();
          resolve();
        }
      });
      void gateway.move(1, 40);
    });
    call.on('error', reject);
    call.end();
  });
  const [snapshot] = events;
  assert.equal(snapshot?.event, 'snapshot');
  const shown = snapshot?.data as { carts: unknown[]; gateway: { simulated: boolean } };
  assert.equal(shown.carts.length, 3);
  assert.equal(shown.gateway.simulated, true);
  const numbers = events.map(({ data }) => Number(data.seq));
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
});

test('shows SIMULATED on pages and in /readyz', async () => {
  for (const path of ['/', '/brokerSettings', '/cameraSettings', '/runCamera']) {
    const { status, text } = await send('GET', path, undefined, { accept: 'text/html' });
    assert.equal(status, 200, path);
    assert.match(text, /SIMULATED/, path);
  }
  assert.match((await send('GET', '/readyz')).text, /SIMULATED/);
});

test('POST /updateJson merges and applies settings, and returns index.html without secrets', async () => {
  await gateway.untilCart(1, ({ moving }) => !moving);
  const saved = await send(
    'POST',
    '/updateJson',
    '{"limits":{"maxDistanceMm":5000},"mqtt":{"password":"hunter2"}}',
    { 'content-type': 'application/json' },
  );
  assert.equal(saved.status, 200);
  assert.match(saved.headers.get('content-type') ?? '', /text\/html/);
  assert.equal((await gateway.move(1, 5001)).body.code, 'RANGE');
  const shown = await send('GET', '/variables.json');
  assert.equal(JSON.parse(shown.text).mqtt.password, '***');
  assert.ok(!shown.text.includes('hunter2'));
  const file = JSON.parse(await readFile(join(gateway.dir, 'data/variables.json'), 'utf8'));
  assert.equal(file.mqtt.password, 'hunter2');
  assert.equal((await stat(join(gateway.dir, 'data/variables.json'))).mode & 0o077, 0);
  await gateway.untilCart(2, ({ safety }) => safety.mayMove);
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
});

test('applies a changed driver immediately, including to the simulated controller', async () => {
  for (const driver of ['json-lines', 'roboclaw', 'cgw1']) {
    await gateway.call('POST', '/updateJson', { serial: { driver } });
    await gateway.untilCart(1, ({ link, safety }) => link?.driver === driver && safety.mayMove);
    const { body } = await gateway.moveToEnd(1, 20);
    assert.equal(body.state, 'FINISHED', JSON.stringify(body));
  }
});

test('POST /updateJson lists all errors with their paths', async () => {
  const many = await gateway.call('POST', '/updateJson', {
    limits: { maxDistanceMm: -1, ttlMs: 'soon' },
    nonsense: 1,
  });
  assert.equal(many.status, 400);
  assert.deepEqual((many.body.faults as { path: string }[]).map(({ path }) => path).toSorted(), [
    '/limits/maxDistanceMm',
    '/limits/ttlMs',
    '/nonsense',
  ]);
});

test('POST /updateJson rejects prototype keys', async () => {
  assert.equal((await send('POST', '/updateJson', '{"__proto__":{"x":1}}', JSON_TYPE)).status, 400);
  assert.equal((await send('POST', '/updateJson', '{"limits":{"constructor":{}}}', JSON_TYPE)).status, 400);
});

test('POST /updateJson rejects bodies that are nested too deeply or too large', async () => {
  assert.equal(
    (await send('POST', '/updateJson', `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`, JSON_TYPE)).status,
    400,
  );
  assert.equal(
    (await send('POST', '/updateJson', `{"x":"${'x'.repeat(1_000_000)}"}`, JSON_TYPE)).status,
    413,
  );
});

// Fault case 42
test('rejects changes to idle-only settings while the cart is moving', async () => {
  await gateway.move(1, 3000);
  const held = await gateway.call('POST', '/updateJson', { limits: { maxSpeedMmps: 200 } });
  assert.deepEqual([held.status, held.body.code], [409, 'NOT_IDLE']);
  await gateway.call('POST', '/carts/1/stop');
  await gateway.untilCart(1, ({ moving }) => !moving);
});

test('"Test connection" connects, or reports the reason for a failed connection', async () => {
  const port = Number(new URL(await gateway.untilBroker()).port);
  const good = await gateway.call('POST', '/brokerSettings/test', {
    mqtt: { host: '127.0.0.1', port, protocol: 'mqtt' },
  });
  assert.equal(good.body.ok, true, JSON.stringify(good.body));
  const bad = await gateway.call('POST', '/brokerSettings/test', {
    mqtt: { host: '127.0.0.1', port: 1, protocol: 'mqtt' },
  });
  assert.equal(bad.body.ok, false);
  assert.match(String(bad.body.reason), /refused|127\.0\.0\.1:1/);
});

test('returns 404 for an unknown path, as JSON or as a page', async () => {
  assert.deepEqual(Object.keys((await gateway.call('GET', '/nowhere')).body).slice(0, 3), [
    'error',
    'message',
    'code',
  ]);
  const page = await send('GET', '/nowhere', undefined, { accept: 'text/html' });
  assert.equal(page.status, 404);
  assert.match(page.text, /<html/);
});

test('returns 429 for a flood of commands but still accepts a stop', async () => {
  // Sets the lowest rate limit, so that even a slow machine can exceed it.
  for (const cartID of [1, 2, 3]) await gateway.untilCart(cartID, ({ moving }) => !moving);
  assert.equal((await gateway.call('POST', '/updateJson', { limits: { ratePerSec: 1 } })).status, 200);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, nth) => gateway.move(3, 100 + nth, {}, '?wait=accept')),
  );
  assert.ok(answers.some(({ status }) => status === 429));
  assert.equal((await gateway.call('POST', '/carts/3/stop')).status, 200);
});

test('reports all configuration errors with the file and field', async () => {
  const file = join(gateway.dir, 'bad.json');
  await writeFile(file, '{"port": 99999, "logLevel": "loud"}');
  assert.throws(
    () => loadConfig({ CARTWRIGHT_CONFIG: file, PORT: 'x', CARTWRIGHT_AUTH: 'maybe' }, gateway.dir),
    (error: Error) =>
      ['bad.json', 'port', 'logLevel', 'PORT', 'CARTWRIGHT_AUTH'].every((word) =>
        error.message.includes(word),
      ),
  );
});

// Fault case 42
test('starts from the last saved settings when variables.json is empty, and reports an error', async () => {
  const other = await GatewayProcess.start();
  try {
    await other.call('POST', '/updateJson', { gateway: { name: 'First' } });
    await other.call('POST', '/updateJson', { gateway: { name: 'Second' } });
    await other.kill('SIGKILL');
    await writeFile(join(other.dir, 'data/variables.json'), '');
    await other.spawn();
    const { body } = await other.call('GET', '/health');
    assert.ok(body.clockSynced === null || typeof body.clockSynced === 'boolean');
    assert.equal(body.name, 'Second');
    assert.ok((body.settingsFaults as unknown[]).length > 0);
  } finally {
    await other.close();
  }
});

test.run();
