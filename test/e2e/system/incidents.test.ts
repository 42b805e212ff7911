import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { StoredIncident } from '../../../src/system/incidents/incident-store.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { unzip } from '../../helpers/unzip.js';

const test = suite('incidents');

let gateway: GatewayProcess;
test.before(async () => {
  gateway = await GatewayProcess.start();
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
});
test.after(async () => {
  await gateway.close();
});

async function newest(): Promise<{ box: StoredIncident; files: Map<string, string> }> {
  const { body } = await gateway.call<{ boxes: StoredIncident[] }>('GET', '/black-boxes');
  const [box] = body.boxes;
  assert.ok(box);
  const answer = await fetch(`${gateway.url}/black-boxes/${box.name}`);
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment/);
  const files = unzip(Buffer.from(await answer.arrayBuffer()));
  return { box, files: new Map([...files].map(([name, content]) => [name, content.toString('latin1')])) };
}

test('the recording made when the cable is unplugged contains the motion, frames, telemetry and image', async () => {
  assert.equal((await fetch(`${gateway.url}/camera/frame`)).status, 200);
  await gateway.move(1, 3000);
  await gateway.untilCart(1, ({ telemetry }) => (telemetry?.speedMmps ?? 0) > 100);
  await gateway.call('POST', '/simulator', { action: 'plug', on: false });
  await gateway.logged('black_box.saved', { cause: 'link-loss' });
  const { box, files } = await newest();
  assert.equal(box.cause, 'link-loss');
  const frames = files.get('frames.txt') ?? '';
  assert.match(frames, /Z out +MOVE .*distanceMm=3000 /);
  assert.match(frames, /Z in +STATUS .*state=RUNNING /);
  assert.match(frames, /Z out +HEARTBEAT .*armed=true /);
  const states = [...(files.get('commands.jsonl') ?? '').matchAll(/"state":"(\w+)","distanceID":3000/g)];
  assert.deepEqual(states.map(([, state]) => state).slice(-3), ['ACKNOWLEDGED', 'RUNNING', 'FAILED']);
  assert.match(files.get('telemetry.jsonl') ?? '', /"moving":true.*"speedMmps":/);
  assert.match(files.get('log.jsonl') ?? '', /"event":"link\.changed"/);
  assert.ok([...files.keys()].some((name) => name.startsWith('stills/')));
  await gateway.call('POST', '/simulator', { action: 'plug', on: true });
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
});

test('the recording of a latched stop survives a SIGKILL of the gateway', async () => {
  await gateway.call('POST', '/estop', { cartID: 1 });
  await gateway.logged('black_box.saved', { cause: 'estop' });
  const before = await newest();
  assert.match(before.files.get('frames.txt') ?? '', /Z out +ESTOP /);
  await gateway.kill('SIGKILL');
  await gateway.spawn();
  assert.deepEqual((await newest()).box, before.box);
});

/** Resets cart 1 and stops it again: pressing a button whose stop is latched is not a new incident. */
async function stopAgain(): Promise<void> {
  await gateway.untilCart(1, ({ safety }) => safety.resetNeeds === '');
  assert.equal((await gateway.call('POST', '/estop/reset', { cartID: 1 })).status, 200);
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
  await gateway.call('POST', '/estop', { cartID: 1 });
}

test('a stop in the last two seconds before the gateway exits is recorded', async () => {
  const before = await newest();
  await stopAgain();
  assert.equal(await gateway.kill('SIGTERM'), 0);
  await gateway.spawn();
  assert.notEqual((await newest()).box.name, before.box.name);
});

test("six latched stops of a stationary cart do not replace the first incident's recording", async () => {
  const list = async () =>
    (await gateway.call<{ boxes: StoredIncident[] }>('GET', '/black-boxes')).body.boxes;
  const first = (await list()).at(-1);
  for (let n = 0; n < 6; n += 1) {
    gateway.log.length = 0;
    await stopAgain();
    await gateway.logged('black_box.saved');
  }
  const boxes = await list();
  assert.deepEqual(boxes.at(-1), first);
  assert.ok(boxes.length <= 4, `${boxes.length} recordings`);
});

test('an anonymous request to pin an incident returns 401', async () => {
  const { box } = await newest();
  for (const change of ['pin', 'unpin'])
    assert.equal((await gateway.call('POST', `/black-boxes/${box.name}/${change}`)).status, 401);
  assert.equal((await newest()).box.pinned, false);
});

test('an unknown incident name returns 404, and only incident files can be downloaded', async () => {
  for (const name of ['nothing.zip', '..%2Fvariables.json', '..%2Fcartwright.db']) {
    assert.equal((await gateway.call('GET', `/black-boxes/${name}`)).status, 404, name);
  }
});

test.run();
