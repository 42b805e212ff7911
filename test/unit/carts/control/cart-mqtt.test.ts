import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { TreeAgent } from '../../../../src/carts/mqtt/agent.js';
import { stateBody } from '../../../../src/carts/mqtt/messages/state.js';
import { latchFile } from '../../../../src/carts/safety/latch-store.js';
import type { BusMessage, MessageBus } from '../../../../src/shared/ports/ports.js';
import { OPERATOR, quietLog, Rig } from '../../../helpers/rig.js';
import { actionMessage, identityOf } from '../mqtt/site.js';

// Fault case 8
test('the emergency stop button saves the latch and publishes the state after the stop frame', async () => {
  const rig = await Rig.ready();
  const dir = await mkdtemp(join(tmpdir(), 'latch-'));
  const file = latchFile(dir, async () => {});
  rig.latch.save = (latch) => file.save(latch);
  const published: string[] = [];
  const note = (what: string) =>
    published.push(`${what}: enable ${rig.pins.enable}, then ${rig.wire.sent.at(-1)?.type}`);
  const agent = startAgent(rig, busTo(note));
  const command = rig.move(3000);
  await rig.run(1000);
  published.length = 0;
  command.onTransition(({ state }) => note(state));
  rig.pins.press();
  // When the state is published, power is off and the stop frame is sent.
  assert.deepEqual(published, ['MANUAL: enable false, then ESTOP', 'FAILED: enable false, then ESTOP']);
  await rig.cart.latchSaved();
  assert.equal((await file.load()).kind, 'MANUAL');
  const closed = agent.close();
  await rig.run(1000);
  await closed;
  await rig.close();
  await rm(dir, { recursive: true });
});

/** A bus that passes on the emergency stop of each published state. */
function busTo(note: (stop: string) => void): MessageBus {
  const status = { connected: true, reason: '', url: 'memory', embedded: true };
  const none = () => () => undefined;
  return {
    ...{ status: () => status, subscribe: none, onStatus: none, close: async () => undefined },
    async publish(topic, payload) {
      if (topic.endsWith('/state')) note(JSON.parse(payload).safetyState.activeEmergencyStop);
    },
  };
}

// Fault case 33
test('the published state reports whether the wall clock is set, and null when unknown', async () => {
  const rig = await Rig.ready();
  const publishedFor = (clockSynced: boolean | undefined) => {
    const body = stateBody({ view: rig.cart.view(), commands: [], actions: [], refused: [], clockSynced });
    return (body as { x: { clockSynced: unknown } }).x.clockSynced;
  };
  assert.deepEqual([publishedFor(true), publishedFor(false), publishedFor(undefined)], [true, false, null]);
  await rig.close();
});

function startAgent(rig: Rig, bus: MessageBus): TreeAgent {
  const { dispatcher, clock } = rig;
  const identity = identityOf(1);
  const rules = () => rig.settings;
  const agent = new TreeAgent({
    bus,
    dispatcher,
    identity,
    clock,
    log: quietLog,
    factsheet: () => ({}),
    rules,
  });
  agent.start();
  return agent;
}

/** Publishes the cart of a rig over MQTT; records its emergency stops and its acknowledgements. */
function publish(rig: Rig) {
  const published: string[] = [];
  const bus = busTo((stop) => published.push(stop));
  const topics = new Map<string, (message: BusMessage) => void>();
  bus.subscribe = (topic, listener) => {
    topics.set(topic, listener);
    return () => undefined;
  };
  const { publish: publishState } = bus;
  let basis = {};
  bus.publish = async (topic, payload, options) => {
    const { state, reason, sessionId, headerId } = JSON.parse(payload);
    if (topic.endsWith('/ack')) published.push(`${state} ${reason?.code}`);
    if (topic.endsWith('/state')) basis = { sessionId, stateHeaderId: headerId };
    await publishState(topic, payload, options);
  };
  const agent = startAgent(rig, bus);
  const send = (to: string, action: object) => {
    const topic = `cart/v1/site1/${to}/instantActions`;
    topics.get(topic)?.({ topic, payload: Buffer.from(JSON.stringify(action)), retain: false });
  };
  const close = async () => {
    const closed = agent.close();
    await rig.run(1000);
    await closed;
    await rig.close();
  };
  return { published, send, close, newestState: () => basis };
}

test('an emergency stop over MQTT is acknowledged only after its latch is saved', async () => {
  const rig = await Rig.ready();
  rig.latch.save = async () => {
    throw new Error('EROFS');
  };
  const { published, send, close } = publish(rig);
  published.length = 0;
  send('_all', actionMessage('emergencyStop'));
  assert.equal(rig.wire.of('ESTOP').length, 1);
  await rig.run(50);
  assert.deepEqual(published, ['REMOTE', 'FAILED WRITE_FAILED']);
  assert.equal(rig.cart.view().safety.emergencyStop, 'REMOTE');
  await close();
});

test('a stale reset over MQTT does not clear a later emergency stop', async () => {
  const again = {
    button: ({ pins }: Rig) => pins.press(),
    page: ({ dispatcher }: Rig) => dispatcher.stopOwn('estop', OPERATOR),
    controller: ({ controller }: Rig) => controller.pressEstop(),
  };
  for (const [name, press] of Object.entries(again)) {
    const rig = await Rig.ready();
    const { published, send, close, newestState } = publish(rig);
    rig.dispatcher.stopOwn('estop', OPERATOR);
    const stalled = actionMessage('emergencyStopReset', { basis: newestState() });
    await rig.run(500);
    const reset = rig.dispatcher.resetOwn(OPERATOR);
    await rig.run(100);
    await reset;
    assert.equal(rig.cart.view().safety.emergencyStop, 'NONE');
    press(rig);
    await rig.run(50);
    published.length = 0;
    send('1', stalled);
    await rig.run(10);
    assert.ok(published.includes('REJECTED EXPIRED'), `${name}: ${published}`);
    assert.notEqual(rig.cart.view().safety.emergencyStop, 'NONE', name);
    await close();
  }
});

test('a reset clears the emergency stop when it quotes the state that reported it', async () => {
  const rig = await Rig.ready();
  const { published, send, close, newestState } = publish(rig);
  const before = actionMessage('emergencyStopReset', { basis: newestState() });
  send('1', actionMessage('emergencyStop'));
  // Published within the same millisecond.
  const reset = actionMessage('emergencyStopReset', { basis: newestState() });
  await rig.run(500);
  published.length = 0;
  send('1', before);
  send('1', reset);
  await rig.run(100);
  assert.deepEqual(
    published.filter((text) => text.includes(' ')),
    ['REJECTED EXPIRED', 'FINISHED undefined'],
  );
  assert.equal(rig.cart.view().safety.emergencyStop, 'NONE');
  await close();
});

test.run();
