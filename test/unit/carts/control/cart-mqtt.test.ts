import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { MqttAgent } from '../../../../src/carts/mqtt/agent.js';
import { stateBody } from '../../../../src/carts/mqtt/messages/state.js';
import { latchFile } from '../../../../src/carts/safety/latch-store.js';
import type { BusMessage, MessageBus } from '../../../../src/shared/ports/mqtt.js';
import { CartHarness, OPERATOR, quietLog } from '../../../helpers/cart-harness.js';
import { actionMessage, identityOf } from '../mqtt/test-fleet.js';

// Fault case 8
test('pressing the E-stop button publishes the state after the stop frame is sent, and saves the latch', async () => {
  const harness = await CartHarness.ready();
  const dir = await mkdtemp(join(tmpdir(), 'latch-'));
  const file = latchFile(dir, { onFull: async () => {}, recorded: () => 'NONE', isRestored: false });
  harness.latch.save = (latch) => file.save(latch);
  const published: string[] = [];
  const note = (what: string) =>
    published.push(`${what}: enable ${harness.pins.enable}, then ${harness.wire.sent.at(-1)?.type}`);
  const agent = startAgent(harness, busTo(note));
  const command = harness.move(3000);
  await harness.run(1000);
  published.length = 0;
  command.onTransition(({ state }) => note(state));
  harness.pins.press();
  // When the state is published, the power is already off and the stop frame has been sent.
  assert.deepEqual(published, ['MANUAL: enable false, then ESTOP', 'FAILED: enable false, then ESTOP']);
  await harness.cart.interlocks.saved();
  assert.equal((await file.load()).kind, 'MANUAL');
  const closed = agent.close();
  await harness.run(1000);
  await closed;
  await harness.close();
  await rm(dir, { recursive: true });
});

/** Returns a bus that passes the `activeEmergencyStop` value of each published state to `note`. */
function busTo(note: (stop: string) => void): MessageBus {
  const status = { connected: true, reason: '', url: 'memory', embedded: true };
  const none = () => () => undefined;
  return {
    status: () => status,
    subscribe: none,
    onStatus: none,
    close: async () => undefined,
    async publish(topic, payload) {
      if (topic.endsWith('/state')) note(JSON.parse(payload).safetyState.activeEmergencyStop);
    },
  };
}

// Fault case 33
test("the published state contains the wall clock's synchronisation state, or null if it is unknown", async () => {
  const harness = await CartHarness.ready();
  const publishedFor = (clockSynced: boolean | undefined) => {
    const body = stateBody({
      view: harness.cart.view(),
      commands: [],
      actions: [],
      refused: [],
      clockSynced,
    });
    return (body as { x: { clockSynced: unknown } }).x.clockSynced;
  };
  assert.deepEqual([publishedFor(true), publishedFor(false), publishedFor(undefined)], [true, false, null]);
  await harness.close();
});

function startAgent(harness: CartHarness, bus: MessageBus): MqttAgent {
  const { dispatcher, clock } = harness;
  const identity = identityOf(1);
  const rules = () => harness.settings;
  const agent = new MqttAgent({
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

/** Publishes the harness's cart over MQTT, and records its emergency stops and acknowledgements. */
function publish(harness: CartHarness) {
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
  const agent = startAgent(harness, bus);
  const send = (to: string, action: object) => {
    const topic = `cart/v1/site1/${to}/instantActions`;
    topics.get(topic)?.({ topic, payload: Buffer.from(JSON.stringify(action)), retain: false });
  };
  const close = async () => {
    const closed = agent.close();
    await harness.run(1000);
    await closed;
    await harness.close();
  };
  return { published, send, close, newestState: () => basis };
}

test('a latching stop over MQTT stops the cart, and is reported as failed when its latch cannot be saved', async () => {
  const harness = await CartHarness.ready();
  harness.latch.save = async () => {
    throw new Error('EROFS');
  };
  const { published, send, close } = publish(harness);
  published.length = 0;
  send('_all', actionMessage('emergencyStop'));
  assert.equal(harness.wire.of('ESTOP').length, 1);
  await harness.run(50);
  assert.deepEqual(published, ['REMOTE', 'FAILED WRITE_FAILED']);
  assert.equal(harness.cart.view().safety.emergencyStop, 'REMOTE');
  await close();
});

test('a stale reset over MQTT does not reset a later stop', async () => {
  const again = {
    button: ({ pins }: CartHarness) => pins.press(),
    page: ({ dispatcher }: CartHarness) => dispatcher.stopOwn('estop', OPERATOR),
    controller: ({ controller }: CartHarness) => controller.pressEstop(),
  };
  for (const [name, press] of Object.entries(again)) {
    const harness = await CartHarness.ready();
    const { published, send, close, newestState } = publish(harness);
    harness.dispatcher.stopOwn('estop', OPERATOR);
    const stalled = actionMessage('emergencyStopReset', { basis: newestState() });
    await harness.run(500);
    const reset = harness.dispatcher.resetOwn(OPERATOR);
    await harness.run(100);
    await reset;
    assert.equal(harness.cart.view().safety.emergencyStop, 'NONE');
    press(harness);
    await harness.run(50);
    published.length = 0;
    send('1', stalled);
    await harness.run(10);
    assert.ok(published.includes('REJECTED EXPIRED'), `${name}: ${published}`);
    assert.notEqual(harness.cart.view().safety.emergencyStop, 'NONE', name);
    await close();
  }
});

test('a reset based on the state that reported a latched stop resets that stop', async () => {
  const harness = await CartHarness.ready();
  const { published, send, close, newestState } = publish(harness);
  const before = actionMessage('emergencyStopReset', { basis: newestState() });
  send('1', actionMessage('emergencyStop'));
  // Both states are published within the same millisecond.
  const reset = actionMessage('emergencyStopReset', { basis: newestState() });
  await harness.run(500);
  published.length = 0;
  send('1', before);
  send('1', reset);
  await harness.run(100);
  assert.deepEqual(
    published.filter((text) => text.includes(' ')),
    ['REJECTED EXPIRED', 'FINISHED undefined'],
  );
  assert.equal(harness.cart.view().safety.emergencyStop, 'NONE');
  await close();
});

test.run();
