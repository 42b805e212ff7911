import assert from 'node:assert/strict';
import { test } from 'uvu';
import { userActor } from '../../../../src/shared/actor.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { echo, type Json, json, withCleanup } from './test-bus.js';
import { commandMessage, openFixture } from './test-fleet.js';

type Fixture = Awaited<ReturnType<typeof openFixture>>;

async function acks({ bus, observer, inbox }: Fixture, commandId: string): Promise<Json[]> {
  // Waits for two round trips through the broker: one for the messages to the cart, and one for the cart's
  // responses.
  for (const client of [observer, bus, observer]) await echo(client);
  return inbox.messages
    .filter(({ topic }) => topic.endsWith('/2/ack'))
    .map(json)
    .filter((ack) => ack.commandId === commandId);
}

const ackOf = (fixture: Fixture, commandId: string, state: string) =>
  fixture.inbox.json(
    `ack ${state}`,
    (body, topic) => topic.endsWith('/2/ack') && body.commandId === commandId && body.state === state,
  );

const errorsOf = async (fixture: Fixture): Promise<string[]> => {
  fixture.clock.advance(1000);
  await echo(fixture.bus);
  await echo(fixture.observer);
  const states = fixture.inbox.messages.filter(({ topic }) => topic.endsWith('/2/state'));
  const last = states.at(-1);
  return last ? json(last).errors.map(({ errorType }: Json) => errorType) : [];
};

test('acknowledges every state of an MQTT command with the corresponding VDA 5050 status', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const message = commandMessage(fixture.state, { distanceMm: 1200, angleDeg: -12.5, maxSpeed: 900 });
    await fixture.send('2/command', message);
    await ackOf(fixture, message.commandId, 'SENT');
    const [command] = fixture.dispatcher.begun;
    assert.deepEqual(
      [
        command?.order.distanceMm,
        command?.order.angleDdeg,
        command?.order.maxSpeedMmps,
        command?.order.ttlMs,
      ],
      [1200, -125, 300, 2000],
    );
    assert.deepEqual(command?.origin, {
      source: 'mqtt',
      gatewayId: 'gw-9',
      actor: userActor('bob'),
      claimed: true,
    });
    fixture.clock.advance(20);
    command?.advance('ACKNOWLEDGED', 'ack');
    command?.advance('RUNNING', 'status');
    fixture.dispatcher.finish();
    await ackOf(fixture, message.commandId, 'FINISHED');
    const copies = await acks(fixture, message.commandId);
    assert.deepEqual(
      copies.map(({ state, actionStatus }) => [state, actionStatus]),
      [
        ['SENT', 'INITIALIZING'],
        ['ACKNOWLEDGED', 'INITIALIZING'],
        ['RUNNING', 'RUNNING'],
        ['FINISHED', 'FINISHED'],
      ],
    );
    assert.deepEqual(copies.at(-1).result, { distanceMm: 990, angleDeg: 0, estimated: false });
    assert.deepEqual([copies.at(-1).latencyMs, copies.at(-1).simulated], [20, true]);
  }));

// Fault case 5
test("executes a command only once when the command arrives 50 times, and replies to each copy with the command's state", () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const message = commandMessage(fixture.state);
    await Promise.all(Array.from({ length: 50 }, () => fixture.send('2/command', message)));
    const copies = await acks(fixture, message.commandId);
    assert.equal(fixture.dispatcher.begun.length, 1);
    assert.equal(copies.length, 50);
    for (const ack of copies) assert.equal(ack.state, 'SENT');
    fixture.dispatcher.finish();
    await fixture.send('2/command', message);
    assert.deepEqual(
      (await acks(fixture, message.commandId)).slice(-2).map(({ state }) => state),
      ['FINISHED', 'FINISHED'],
    );
    assert.equal(fixture.dispatcher.begun.length, 1);
  }));

// Fault case 26
test('rejects a jog that arrives late, even if its message permits a longer time to live', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const jog = commandMessage(fixture.state, { kind: 'jog', distanceMm: 100, ttlMs: 10_000 });
    const move = commandMessage(fixture.state, { ttlMs: 10_000 });
    // States are published every second, so the basis of a jog may be up to 1.5 s old.
    fixture.clock.advance(1501);
    await fixture.send('2/command', jog);
    assert.equal((await ackOf(fixture, jog.commandId, 'REJECTED')).reason.code, 'EXPIRED');
    await fixture.send('2/command', { ...move, seq: jog.seq + 2 });
    await ackOf(fixture, move.commandId, 'SENT');
    assert.equal(fixture.dispatcher.begun.length, 1);
  }));

// Fault case 6
test('rejects a different command with a reused ID, and continues the first command', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const message = commandMessage(fixture.state);
    await fixture.send('2/command', message);
    await fixture.send('2/command', { ...message, seq: message.seq + 1, distanceMm: 5000 });
    const refused = await ackOf(fixture, message.commandId, 'REJECTED');
    assert.equal(refused.reason.code, 'ID_REUSED');
    assert.deepEqual(refused.inReplyTo, { gatewayId: 'gw-9', sessionId: 'session-9' });
    assert.equal(fixture.dispatcher.begun.length, 1);
    assert.equal(fixture.dispatcher.begun[0]?.state, 'SENT');
  }));

test("returns the dispatcher's reason for rejecting a command", () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    fixture.dispatcher.refusal = new GatewayError('CONTROL_HELD', 'the cart is controlled by alice');
    const message = commandMessage(fixture.state);
    await fixture.send('2/command', message);
    const refused = await ackOf(fixture, message.commandId, 'REJECTED');
    assert.deepEqual(refused.reason, { code: 'CONTROL_HELD', text: 'the cart is controlled by alice' });
    assert.equal(refused.actionStatus, 'FAILED');
    assert.equal(fixture.dispatcher.begun.length, 0);
  }));

// Fault case 3
test("rejects a command that exceeds this cart's limits, regardless of the sender's limits", () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const message = commandMessage(fixture.state, { distanceMm: 10_001 });
    await fixture.send('2/command', message);
    assert.equal((await ackOf(fixture, message.commandId, 'REJECTED')).reason.code, 'RANGE');
  }));

// Fault case 32
test('rejects a retained command when it is published, and again as RETAINED on a new subscription', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const message = commandMessage(fixture.state);
    // A current subscriber receives the command without the retain flag; only a later subscription receives
    // it as retained.
    await fixture.send(
      '2/command',
      commandMessage({ sessionId: 'before', headerId: 1 }, { commandId: message.commandId }),
      { retain: true },
    );
    assert.equal((await ackOf(fixture, message.commandId, 'REJECTED')).reason.code, 'EXPIRED_SESSION');
    fixture.bus.subscribe('cart/v1/site1/+/command', () => {});
    const retained = await fixture.inbox.json(
      'retained',
      (body, topic) => topic.endsWith('/2/ack') && body.reason?.code === 'RETAINED',
    );
    assert.equal(retained.commandId, message.commandId);
    assert.equal(fixture.dispatcher.begun.length, 0);
    assert.ok((await errorsOf(fixture)).includes('RETAINED'));
  }));

// Fault case 32
test('rejects a replayed command that refers to an old state, a previous session or an unknown state', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const yesterday = commandMessage(fixture.state);
    const before = commandMessage({ sessionId: 'last session', headerId: 3 });
    const future = commandMessage({ ...fixture.state, headerId: fixture.state.headerId + 99 });
    for (let second = 0; second < 30; second++) fixture.clock.advance(1000);
    for (const message of [yesterday, before, future]) await fixture.send('2/command', message);
    assert.equal((await ackOf(fixture, yesterday.commandId, 'REJECTED')).reason.code, 'EXPIRED');
    assert.equal((await ackOf(fixture, before.commandId, 'REJECTED')).reason.code, 'EXPIRED_SESSION');
    assert.equal((await ackOf(fixture, future.commandId, 'REJECTED')).reason.code, 'EXPIRED');
    assert.equal(fixture.dispatcher.begun.length, 0);
  }));

// Fault cases 26, 32
test("rejects a command based on a state older than the command's TTL plus 1 s", () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const [late, inTime] = [500, 600].map((ttlMs) => commandMessage(fixture.state, { ttlMs }));
    fixture.clock.advance(1550);
    await fixture.send('2/command', late);
    await fixture.send('2/command', inTime);
    assert.equal((await ackOf(fixture, late.commandId, 'REJECTED')).reason.code, 'EXPIRED');
    await ackOf(fixture, inTime.commandId, 'SENT');
    assert.equal(fixture.dispatcher.begun.length, 1);
  }));

// Fault case 32
test('rejects a command based on a state from before a latched stop, even after the reset', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const [during, after] = [commandMessage(fixture.state), commandMessage(fixture.state)];
    fixture.dispatcher.latch('REMOTE');
    fixture.dispatcher.refusal = new GatewayError('ESTOP_ACTIVE', 'a reset is required');
    await fixture.send('2/command', during);
    assert.equal((await ackOf(fixture, during.commandId, 'REJECTED')).reason.code, 'ESTOP_ACTIVE');
    fixture.dispatcher.refusal = undefined;
    fixture.dispatcher.latch('NONE');
    await fixture.send('2/command', after);
    assert.equal((await ackOf(fixture, after.commandId, 'REJECTED')).reason.code, 'EXPIRED');
    assert.equal(fixture.dispatcher.begun.length, 0);
  }));

// Fault case 32
test("replies to a late copy of a running command with the command's state", () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const message = commandMessage(fixture.state);
    await fixture.send('2/command', message);
    await ackOf(fixture, message.commandId, 'SENT');
    fixture.clock.advance(20_000);
    await fixture.send('2/command', message);
    await fixture.send('2/command', { ...message, distanceMm: 'rubbish' });
    const states = (await acks(fixture, message.commandId)).map(({ state }) => state);
    assert.deepEqual([...new Set(states)], ['SENT']);
  }));

test('rejects a command that arrives after a newer command from the same gateway', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const [older, newer] = [commandMessage(fixture.state), commandMessage(fixture.state)];
    await fixture.send('2/command', newer);
    await fixture.send('2/command', older);
    assert.equal((await ackOf(fixture, older.commandId, 'REJECTED')).reason.code, 'SUPERSEDED');
    assert.deepEqual(
      fixture.dispatcher.begun.map(({ id }) => id),
      [newer.commandId],
    );
  }));

// Fault case 33
test("accepts and rejects commands independently of the sender's and the receiver's wall clocks", () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    fixture.clock.stepWallTime(3_600_000);
    const fast = commandMessage(fixture.state, { timestamp: '2031-01-01T00:00:00.000Z' });
    await fixture.send('2/command', fast);
    await ackOf(fixture, fast.commandId, 'SENT');
    fixture.clock.stepWallTime(-7_200_000);
    const slow = commandMessage(fixture.state, { timestamp: '1970-01-01T00:00:00.000Z' });
    await fixture.send('2/command', slow);
    await ackOf(fixture, slow.commandId, 'SENT');
    // A command with an outdated basis is rejected even if its timestamp is correct.
    fixture.clock.advance(4000);
    const old = commandMessage(fixture.state, {
      timestamp: new Date(fixture.clock.wallTime()).toISOString(),
    });
    await fixture.send('2/command', old);
    assert.equal((await ackOf(fixture, old.commandId, 'REJECTED')).reason.code, 'EXPIRED');
  }));

// Fault case 34
test("ignores a command for another cart, an echo of the gateway's command and a message from a bridge loop", () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const stranger = commandMessage(fixture.state, { cartID: 3 });
    const { gatewayId, sessionId } = fixture.identity;
    const own = commandMessage(fixture.state, { gatewayId, sessionId });
    const origin = { gatewayId: 'bridge', source: 'http', principal: 'x' };
    const looped = commandMessage(fixture.state, { gatewayId, sessionId, origin });
    for (const message of [stranger, own, looped]) await fixture.send('2/command', message);
    for (const message of [stranger, own, looped])
      assert.deepEqual(await acks(fixture, message.commandId), []);
    assert.equal(fixture.dispatcher.begun.length, 0);
    assert.deepEqual(await errorsOf(fixture), []);
    // The cart receives its own acknowledgements but sends only one response per command.
    const good = commandMessage(fixture.state);
    await fixture.send('2/command', good);
    assert.equal((await acks(fixture, good.commandId)).length, 1);
  }));

// Fault case 37
test('rejects invalid messages with VALIDATION_FAILURE and accepts the next command', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const named = { ...commandMessage(fixture.state), distanceMm: '1000' };
    const rubbish = [
      '',
      'not json',
      '\u0000'.repeat(100),
      'x'.repeat(8500),
      '['.repeat(5000),
      '{"a":{"b":{"c":{"d":{"e":{"f":{}}}}}}}',
      '{"__proto__":{"polluted":1}}',
      'null',
      '[]',
      '{}',
    ];
    for (const payload of rubbish) await fixture.send('2/command', payload);
    await fixture.send('2/command', named);
    assert.equal((await ackOf(fixture, named.commandId, 'REJECTED')).reason.code, 'VALIDATION_FAILURE');
    const errors = await errorsOf(fixture);
    assert.deepEqual([...new Set(errors)], ['VALIDATION_FAILURE']);
    // An empty message deletes a retained message and is not an error. The state lists the latest ten errors.
    assert.equal(errors.length, 10);
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
    const good = commandMessage(fixture.state);
    await fixture.send('2/command', good);
    await ackOf(fixture, good.commandId, 'SENT');
    fixture.clock.advance(60_000);
    assert.deepEqual(await errorsOf(fixture), []);
  }));

test('accepts a stop command regardless of the age of the state on which it is based', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const stop = commandMessage({ sessionId: 'before', headerId: 1 }, { distanceMm: 0, angleDeg: 0 });
    await fixture.send('2/command', stop);
    await ackOf(fixture, stop.commandId, 'SENT');
    assert.equal(fixture.dispatcher.begun[0]?.order.kind, 'stop');
  }));

test('detects a late command from each of the latest 200 senders', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const sender = (nth: number) => ({
      sessionId: `${'0'.repeat(8)}-0000-4000-8000-${String(nth).padStart(12, '0')}`,
    });
    const early = [0, 1].map((nth) => commandMessage(fixture.state, sender(nth)));
    for (let nth = 0; nth < 201; nth += 1) {
      await fixture.send('2/command', commandMessage(fixture.state, sender(nth)));
    }
    // The first sender's command is sent last, because it is accepted and would displace the second sender.
    for (const message of early.toReversed()) await fixture.send('2/command', message);
    const [first, second] = early.map(({ commandId }) => commandId);
    assert.equal((await ackOf(fixture, second ?? '', 'REJECTED')).reason.code, 'SUPERSEDED');
    await ackOf(fixture, first ?? '', 'SENT');
  }));

test.run();
