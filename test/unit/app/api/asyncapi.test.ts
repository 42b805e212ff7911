import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { connect, type MqttClient } from 'mqtt';
import { suite } from 'uvu';
import { WebSocket } from 'ws';
import { asyncApi } from '../../../../src/app/api/asyncapi.js';
import { driveMessageSchemas } from '../../../../src/carts/manual-drive/schema.js';
import { TOPIC_NAMES } from '../../../../src/carts/mqtt/messages/topics.js';
import { ADMINISTRATOR_ENV, loggedIn } from '../../../e2e/store/administrator.js';
import { GatewayProcess } from '../../../helpers/gateway.js';
import { png } from '../../plan/images.js';

const test = suite('AsyncAPI document');

interface Message {
  examples?: { payload: object }[];
}
interface AsyncDocument {
  channels: Record<string, { messages: Record<string, Message> }>;
}

const document = asyncApi() as AsyncDocument;
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ ...document, $id: 'async' });
const compiled = new Map<string, ValidateFunction>();

function faultIn(channel: string, message: string, payload: unknown): string | undefined {
  if (!document.channels[channel]?.messages[message]) return `${channel} has no message ${message}`;
  const pointer = `async#/channels/${channel}/messages/${message}/payload`;
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: pointer });
  compiled.set(pointer, validate);
  return validate(payload) ? undefined : `${ajv.errorsText(validate.errors)}: ${JSON.stringify(payload)}`;
}

let gateway: GatewayProcess;

test.before(async () => {
  gateway = await GatewayProcess.start(
    { alarms: { mqtt: true } },
    {
      ...ADMINISTRATOR_ENV,
      CARTWRIGHT_AUTH: 'trusted-lan',
      CARTWRIGHT_SITE_KEY: 'a test key with more than 32 characters',
    },
  );
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
  await gateway.untilCart(2, ({ safety }) => safety.mayMove);
});
test.after(async () => {
  assert.equal(await gateway.close(), 0);
});

test('the AsyncAPI document conforms to AsyncAPI 3.0', () => {
  const { schemas } = createRequire(import.meta.url)('@asyncapi/specs') as {
    schemas: Record<string, object>;
  };
  // The AsyncAPI schema contains its own copy of the JSON Schema meta-schema.
  const format = new Ajv({ strict: false, validateFormats: false, meta: false, validateSchema: false });
  const validate = format.compile(schemas['3.0.0'] ?? {});
  assert.equal(validate(document), true, format.errorsText(validate.errors));
  assert.equal(validate({ ...document, channels: { state: { address: 7 } } }), false, 'detects a fault');
});

test('the AsyncAPI document contains every topic and every drive message', () => {
  const { events, drive, ...tree } = document.channels;
  assert.deepEqual(Object.keys(tree).toSorted(), [...TOPIC_NAMES, 'sitePlan'].toSorted());
  assert.deepEqual(
    Object.keys(drive?.messages ?? {}).toSorted(),
    ['state', ...Object.keys(driveMessageSchemas)].toSorted(),
  );
  assert.ok(events);
});

test('every example in the AsyncAPI document conforms to its schema', () => {
  const examples = Object.entries(document.channels).flatMap(([channel, { messages }]) =>
    Object.entries(messages).flatMap(([name, { examples = [] }]) =>
      examples.map(({ payload }) => ({ channel, name, payload })),
    ),
  );
  assert.equal(examples.length, TOPIC_NAMES.length + 1);
  for (const { channel, name, payload } of examples) assert.equal(faultIn(channel, name, payload), undefined);
});

test('messages on every MQTT topic conform to the AsyncAPI document', async () => {
  const client = connect(await gateway.untilBroker());
  const messages = listen(client);
  await client.subscribeAsync('cart/v1/site1/+/+');
  const corners = [
    [52.37, 4.89],
    [52.3701, 4.89],
    [52.37, 4.8902],
  ];
  for (const [at, [lat, long]] of corners.entries()) {
    await gateway.call('POST', '/beacon', { id: `corner-${at}`, txPower: -59, lat, long });
  }
  const sightings = corners.map((_, at) => ({ id: `corner-${at}`, rssi: -70 }));
  client.publish('cart/v1/site1/2/sightings', JSON.stringify({ sightings }));
  await gateway.move(2, 50, {}, '?wait=done');
  await gateway.call('POST', '/carts/2/stop');
  await gateway.call('POST', '/estop');
  await messages.until([...TOPIC_NAMES]);
  await client.endAsync(true);
  assert.deepEqual(messages.faults, []);
  await gateway.call('POST', '/estop/reset');
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
});

test('every event from /events conforms to the AsyncAPI document', async () => {
  const names = Object.keys(document.channels.events?.messages ?? {});
  const cut = new AbortController();
  const res = await fetch(`${gateway.url}/events`, { signal: cut.signal });
  // The event `firmware` requires a controller that is not simulated, so test/e2e/carts/firmware-update.test.ts covers
  // it.
  const missing = new Set(names.filter((name) => name !== 'firmware'));
  const faults: string[] = [];
  const triggered = triggerEvents();
  for await (const { name, data } of eventsOf(res)) {
    const fault = faultIn('events', name, data);
    if (fault) faults.push(fault);
    missing.delete(name);
    if (missing.size === 0) break;
  }
  cut.abort();
  await triggered;
  assert.deepEqual(faults, []);
});

async function triggerEvents(): Promise<void> {
  await gateway.move(1, 10, {}, '?wait=done');
  const client = connect(await gateway.untilBroker());
  await client.publishAsync(
    'cart/v1/site1/1/sightings',
    JSON.stringify({ sightings: [{ id: 'corner-0', rssi: -70 }] }),
  );
  await client.endAsync();
  const send = await loggedIn(gateway);
  await send('POST', '/site-plan/override', { reason: 'pallet in the way', seconds: 60 });
  await gateway.call('POST', '/updateJson?trial=1', { limits: { maxSpeedMmps: 310 } });
  await gateway.call('POST', '/updateJson', { camera: { enabled: false } });
  await fetch(`${gateway.url}/map/plan`, {
    method: 'PUT',
    headers: { 'content-type': 'image/png', origin: gateway.url },
    body: new Uint8Array(png(400, 300)),
  });
}

test('messages on /drive conform to the AsyncAPI document', async () => {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/drive`, {
    headers: { origin: gateway.url },
  });
  const faults: string[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data) => {
      const state = JSON.parse(String(data)) as { lease: number; driver: unknown };
      const fault = faultIn('drive', 'state', state);
      if (fault) faults.push(fault);
      if (state.lease > 0 && state.driver) resolve();
      else socket.send('{"say":"take"}');
    });
  });
  socket.close();
  assert.deepEqual(faults, []);
});

function listen(client: MqttClient) {
  const seen = new Set<string>();
  const faults: string[] = [];
  let wake = (): void => undefined;
  client.on('message', (topic, bytes) => {
    const name = topic.split('/').at(-1) ?? '';
    const fault = faultIn(name, name, JSON.parse(bytes.toString()));
    if (fault) faults.push(`${topic}: ${fault}`);
    seen.add(name);
    wake();
  });
  const until = async (names: readonly string[]): Promise<void> => {
    while (!names.every((name) => seen.has(name))) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { faults, until };
}

async function* eventsOf(res: Response): AsyncGenerator<{ name: string; data: unknown }> {
  let text = '';
  for await (const chunk of res.body ?? []) {
    text += Buffer.from(chunk).toString();
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, name] = /^event: (.*)$/m.exec(block) ?? [];
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      if (name && data) yield { name, data: JSON.parse(data) };
    }
  }
}

test.run();
