import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import { GatewayError } from '../../../../src/shared/errors.js';
import type { BusMessage } from '../../../../src/shared/ports/mqtt.js';
import { echo, type Json, json, withCleanup } from './test-bus.js';
import { actionMessage, commandMessage, openFixture } from './test-fleet.js';

type Fixture = Awaited<ReturnType<typeof openFixture>>;

const answer = (fixture: Fixture, message: Json) =>
  fixture.inbox.json(
    'answer',
    (body, topic) => topic.endsWith('/2/ack') && body.commandId === message.actions[0].actionId,
  );

const basisOf = (state: Json) => ({ sessionId: state.sessionId, stateHeaderId: state.headerId });

async function latched(fixture: Fixture): Promise<Json> {
  await settled(fixture);
  const from = fixture.inbox.messages.length;
  fixture.dispatcher.latch('REMOTE');
  const isNew = (message: BusMessage) => fixture.inbox.messages.indexOf(message) >= from;
  const reported = await fixture.inbox.first(
    'latched',
    (message) => isNew(message) && json(message)?.safetyState?.activeEmergencyStop === 'REMOTE',
  );
  return json(reported);
}

test('executes stops of every kind from any sender, including repeated messages', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const id = randomUUID();
    const stops = [
      actionMessage('cancelOrder', {}, id),
      actionMessage('startPause'),
      actionMessage('haltCat1'),
      actionMessage('emergencyStop'),
      actionMessage('cancelOrder', {}, id),
    ];
    for (const message of stops) await fixture.send('2/instantActions', message, { qos: 1 });
    await answer(fixture, stops[3]);
    await echo(fixture.observer);
    await echo(fixture.bus);
    assert.deepEqual(
      fixture.dispatcher.stops.map(({ kind }) => kind),
      ['stop', 'stop', 'halt', 'estop', 'stop'],
    );
    // The stop is published immediately; the action's outcome is published with the next state.
    await fixture.inbox.json('latched', (body) => body?.safetyState?.activeEmergencyStop === 'REMOTE');
    fixture.clock.advance(200);
    await fixture.inbox.json('reported', (body) =>
      body?.instantActionStates?.some(
        ({ actionType, actionStatus }: Json) => actionType === 'emergencyStop' && actionStatus === 'FINISHED',
      ),
    );
  }));

test('forwards the press ID of a latching stop, and stops the cart even if the ID is invalid', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    for (const pressId of ['press-1', 'press-1', 7, 'x'.repeat(65)])
      await fixture.send('2/instantActions', actionMessage('emergencyStop', { pressId }), { qos: 1 });
    await echo(fixture.observer);
    await echo(fixture.bus);
    assert.deepEqual(
      fixture.dispatcher.stops.map(({ kind, origin }) => [kind, origin.pressId]),
      [
        ['estop', 'press-1'],
        ['estop', 'press-1'],
        ['estop', undefined],
        ['estop', undefined],
      ],
    );
  }));

/** Delays saving each latch until the test calls `end` or `fail`. Returns one entry per stop, in order. */
function slowDisk(fixture: Fixture): { end: () => void; fail: (error: Error) => void }[] {
  const saves: ReturnType<typeof slowDisk> = [];
  fixture.dispatcher.latchSaved = () => new Promise((end, fail) => saves.push({ end, fail }));
  return saves;
}

/** Returns the responses to an action that have been received so far. */
const answersTo = (fixture: Fixture, { actions: [{ actionId }] }: Json): string[] =>
  fixture.inbox.messages
    .filter(({ topic }) => topic.endsWith('/2/ack'))
    .map((message) => JSON.parse(message.payload.toString()))
    .filter(({ commandId }) => commandId === actionId)
    .map(({ state }) => state);

/** Resolves when all messages sent so far in both directions have arrived. */
async function settled({ observer, bus }: Fixture): Promise<void> {
  for (const each of [observer, bus, observer]) await echo(each);
}

const statusesOf = (state: Json, { actions: [{ actionId }] }: Json): string[] =>
  state.instantActionStates
    .filter((reported: Json) => reported.actionId === actionId)
    .map(({ actionStatus }: Json) => actionStatus);

async function nextState(fixture: Fixture): Promise<Json> {
  const from = fixture.inbox.messages.length;
  fixture.clock.advance(1000);
  await settled(fixture);
  const { payload } =
    fixture.inbox.messages.slice(from).findLast(({ topic }) => topic.endsWith('/2/state')) ?? {};
  return JSON.parse(String(payload));
}

test('executes a latching stop immediately, and finishes the action after the latch is saved', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const saves = slowDisk(fixture);
    for (const topic of ['2/instantActions', '_all/instantActions']) {
      const stop = actionMessage('emergencyStop');
      fixture.dispatcher.stops.length = 0;
      await fixture.send(topic, stop, { qos: 1 });
      await settled(fixture);
      assert.deepEqual(
        fixture.dispatcher.stops.map(({ kind }) => kind),
        ['estop'],
      );
      assert.deepEqual(answersTo(fixture, stop), []);
      assert.deepEqual(statusesOf(await nextState(fixture), stop), ['RUNNING']);
      saves.shift()?.end();
      assert.equal((await answer(fixture, stop)).state, 'FINISHED');
      assert.deepEqual(statusesOf(await nextState(fixture), stop), ['FINISHED']);
    }
  }));

test('keeps the cart stopped and fails the action when the latch cannot be saved', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const saves = slowDisk(fixture);
    const stop = actionMessage('emergencyStop');
    await fixture.send('2/instantActions', stop, { qos: 1 });
    await settled(fixture);
    saves.shift()?.fail(new GatewayError('WRITE_FAILED', 'the cart is stopped, but the card is read-only'));
    const { state, actionStatus, reason } = await answer(fixture, stop);
    assert.deepEqual([state, actionStatus], ['FAILED', 'FAILED']);
    assert.deepEqual(reason, {
      code: 'WRITE_FAILED',
      text: 'the cart is stopped, but the card is read-only',
    });
    const reported = await nextState(fixture);
    assert.deepEqual(statusesOf(reported, stop), ['FAILED']);
    assert.equal(reported.safetyState.activeEmergencyStop, 'REMOTE');
  }));

test('a repeated latching stop waits for its latch to be saved, but other repeated stops do not', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const saves = slowDisk(fixture);
    const stop = actionMessage('emergencyStop');
    await fixture.send('2/instantActions', stop, { qos: 1 });
    await fixture.send('2/instantActions', stop, { qos: 1 });
    const halt = actionMessage('haltCat1');
    await fixture.send('2/instantActions', halt, { qos: 1 });
    await answer(fixture, halt);
    assert.equal(fixture.dispatcher.stops.length, 3);
    assert.deepEqual(answersTo(fixture, stop), []);
    assert.deepEqual(statusesOf(await nextState(fixture), stop), ['RUNNING']);
    saves.shift()?.end();
    await settled(fixture);
    assert.deepEqual(answersTo(fixture, stop), []);
    assert.deepEqual(statusesOf(await nextState(fixture), stop), ['RUNNING']);
    saves.shift()?.end();
    await settled(fixture);
    assert.deepEqual(answersTo(fixture, stop), ['FINISHED']);
    assert.deepEqual(statusesOf(await nextState(fixture), stop), ['FINISHED']);
  }));

// Fault case 67
test("reports a repeated stop's own confirmation, not that of the earlier stop with the same ID", () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    for (const type of ['cancelOrder', 'haltCat1', 'emergencyStop']) {
      const stop = actionMessage(type);
      fixture.dispatcher.stopConfirmed = async () => undefined;
      await fixture.send('2/instantActions', stop, { qos: 1 });
      await settled(fixture);
      assert.deepEqual(statusesOf(await nextState(fixture), stop), ['FINISHED'], type);
      fixture.dispatcher.stopConfirmed = async () => {
        throw new GatewayError('SERIAL_DOWN', 'the controller is gone');
      };
      await fixture.send('2/instantActions', stop, { qos: 1 });
      await settled(fixture);
      assert.deepEqual(statusesOf(await nextState(fixture), stop), ['FAILED'], type);
      assert.deepEqual(answersTo(fixture, stop), ['FINISHED', 'FAILED'], type);
    }
  }));

test('executes every latching stop while the disk hangs, but at most 100 wait for their latch to be saved', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const saves = slowDisk(fixture);
    const stops = Array.from({ length: 102 }, () => actionMessage('emergencyStop'));
    for (const stop of stops) await fixture.send('2/instantActions', stop, { qos: 1 });
    const { state, reason } = await answer(fixture, stops[101]);
    assert.deepEqual([state, reason.code], ['FAILED', 'BUSY']);
    assert.equal(fixture.dispatcher.stops.length, 102);
    assert.equal(saves.length, 100);
    for (const save of saves) save.end();
    assert.equal((await answer(fixture, stops[0])).state, 'FINISHED');
  }));

// Fault case 38
test('accepts only stops on the topics for all carts, and reports rejected motion commands', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const stop = actionMessage('emergencyStop');
    await fixture.send('_all/instantActions', stop, { qos: 1 });
    await answer(fixture, stop);
    assert.equal(fixture.dispatcher.stops.length, 1);
    const forbidden = ['emergencyStopReset', 'stopPause', 'move', 'stateRequest', 'constructor'];
    for (const type of forbidden) {
      const message = actionMessage(type, { basis: basisOf(fixture.state) });
      await fixture.send('_all/instantActions', message);
      assert.equal((await answer(fixture, message)).reason.code, 'INVALID_INSTANT_ACTION', type);
    }
    await fixture.send('_all/command', commandMessage(fixture.state));
    await fixture.inbox.first('reported', ({ topic }) => topic.endsWith('/_all/command'));
    await echo(fixture.bus);
    fixture.clock.advance(1000);
    const state = await fixture.inbox.json('reported', (body) =>
      body?.errors?.some(({ errorType }: Json) => errorType === 'VALIDATION_FAILURE'),
    );
    assert.match(JSON.stringify(state.errors), /a motion command cannot be sent to all carts at once/);
    assert.equal(fixture.dispatcher.begun.length, 0);
    assert.equal(fixture.dispatcher.resets.length, 0);
  }));

test("accepts a recent reset on the cart's own topic, and rejects a late or replayed reset", () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const reset = actionMessage('emergencyStopReset', { basis: basisOf(await latched(fixture)) });
    await fixture.send('2/instantActions', reset);
    assert.equal((await answer(fixture, reset)).state, 'FINISHED');
    const state = await latched(fixture);
    await fixture.send('2/instantActions', reset);
    const blind = actionMessage('emergencyStopReset');
    await fixture.send('2/instantActions', blind);
    assert.equal((await answer(fixture, blind)).reason.code, 'VALIDATION_FAILURE');
    fixture.clock.advance(3001);
    const late = actionMessage('emergencyStopReset', { basis: basisOf(state) });
    await fixture.send('2/instantActions', late);
    assert.equal((await answer(fixture, late)).reason.code, 'EXPIRED');
    assert.equal(fixture.dispatcher.resets.length, 1);
    assert.equal(fixture.dispatcher.view.safety.emergencyStop, 'REMOTE');
  }));

test('rejects a reset that is based on a state from before the latest latched stop', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const state = await latched(fixture);
    const stalled = actionMessage('emergencyStopReset', { basis: basisOf(state) });
    fixture.clock.advance(1500);
    fixture.dispatcher.latch('NONE');
    fixture.clock.advance(700);
    const pressedAgain = await latched(fixture);
    fixture.clock.advance(500);
    await fixture.send('2/instantActions', stalled);
    const { state: outcome, reason } = await answer(fixture, stalled);
    assert.deepEqual([outcome, reason.code], ['REJECTED', 'EXPIRED']);
    assert.match(reason.text, /before the latest latched stop/);
    assert.equal(fixture.dispatcher.resets.length, 0);
    assert.equal(fixture.dispatcher.view.safety.emergencyStop, 'REMOTE');
    const meant = actionMessage('emergencyStopReset', { basis: basisOf(pressedAgain) });
    await fixture.send('2/instantActions', meant);
    assert.equal((await answer(fixture, meant)).state, 'FINISHED');
    assert.equal(fixture.dispatcher.view.safety.emergencyStop, 'NONE');
  }));

test("returns the cart's reason when a reset is rejected", () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    fixture.dispatcher.refusal = new GatewayError('RESET_FORBIDDEN', 'reset it at the cart');
    const reset = actionMessage('emergencyStopReset', { basis: basisOf(fixture.state) });
    await fixture.send('2/instantActions', reset);
    assert.deepEqual((await answer(fixture, reset)).reason, {
      code: 'RESET_FORBIDDEN',
      text: 'reset it at the cart',
    });
  }));

test('rejects unsupported actions with VDA 5050 error types', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    for (const [type, code] of [
      ['stopPause', 'UNSUPPORTED_PARAMETER'],
      ['startCharging', 'INVALID_INSTANT_ACTION'],
    ] as const) {
      const message = actionMessage(type);
      await fixture.send('2/instantActions', message);
      assert.equal((await answer(fixture, message)).reason.code, code);
    }
  }));

test('publishes the state and the factsheet on request', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const count = (name: string) =>
      fixture.inbox.messages.filter(({ topic }) => topic.endsWith(`/2/${name}`)).length;
    await echo(fixture.bus);
    await echo(fixture.observer);
    const [states, sheets] = [count('state'), count('factsheet')];
    const [state, sheet] = [actionMessage('stateRequest'), actionMessage('factsheetRequest')];
    await fixture.send('2/instantActions', state);
    await fixture.send('2/instantActions', sheet);
    await answer(fixture, sheet);
    await echo(fixture.bus);
    await echo(fixture.observer);
    assert.deepEqual([count('state') - states, count('factsheet') - sheets], [1, 1]);
  }));

// Fault case 32
test("rejects a retained instant action and ignores echoes of the gateway's messages", () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const { gatewayId, sessionId } = fixture.identity;
    const stop = { ...actionMessage('cancelOrder'), gatewayId, sessionId };
    await fixture.send('2/instantActions', stop, { retain: true, qos: 1 });
    await echo(fixture.bus);
    assert.equal(fixture.dispatcher.stops.length, 0);
    fixture.bus.subscribe('cart/v1/site1/+/instantActions', () => {});
    await echo(fixture.bus);
    fixture.clock.advance(1000);
    await fixture.inbox.json('reported', (body) =>
      body?.errors?.some(({ errorType }: Json) => errorType === 'RETAINED'),
    );
    assert.equal(fixture.dispatcher.stops.length, 0);
  }));

// Fault case 61
test('executes a stop from another gateway with the same gatewayId, but never a copy of its own stop', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const { gatewayId, sessionId } = fixture.identity;
    await fixture.send('_all/instantActions', { ...actionMessage('haltCat1'), gatewayId, sessionId });
    await fixture.send('_all/instantActions', { ...actionMessage('emergencyStop'), gatewayId });
    await echo(fixture.bus);
    assert.deepEqual(
      fixture.dispatcher.stops.map(({ kind }) => kind),
      ['estop'],
    );
  }));

test('stops a cancelled command, and rejects a command that arrives after its cancellation', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const running = commandMessage(fixture.state);
    await fixture.send('2/command', running);
    await fixture.send('2/instantActions', actionMessage('cancelOrder', { orderId: running.commandId }), {
      qos: 1,
    });
    await fixture.inbox.json(
      'cancelled',
      (body) => body?.commandId === running.commandId && body.state === 'CANCELLED',
    );
    const late = commandMessage(fixture.state);
    const cancel = actionMessage('cancelOrder', { orderId: late.commandId });
    await fixture.send('2/instantActions', cancel, { qos: 1 });
    assert.equal((await answer(fixture, cancel)).reason.code, 'NO_ORDER_TO_CANCEL');
    await fixture.send('2/command', late);
    const refused = await fixture.inbox.json(
      'refused',
      (body) => body?.commandId === late.commandId && body.state === 'REJECTED',
    );
    assert.equal(refused.reason.code, 'CANCELLED');
    assert.equal(fixture.dispatcher.begun.length, 1);
    assert.equal(fixture.dispatcher.stops.length, 1);
  }));

test('keeps the IDs of the latest 200 cancelled commands', () =>
  withCleanup(async (later) => {
    const fixture = await openFixture(later);
    const cancel = (orderId: string) =>
      fixture.send('2/instantActions', actionMessage('cancelOrder', { orderId }), { qos: 1 });
    const [kept, forgotten] = [commandMessage(fixture.state), commandMessage(fixture.state)];
    await cancel(forgotten.commandId);
    await cancel(kept.commandId);
    for (let more = 1; more < 200; more += 1) await cancel(randomUUID());
    await fixture.send('2/command', kept);
    const refused = await fixture.inbox.json(
      'refused',
      (body) => body?.commandId === kept.commandId && body.state === 'REJECTED',
    );
    assert.equal(refused.reason.code, 'CANCELLED');
    await fixture.send('2/command', forgotten);
    await fixture.inbox.json(
      'executed',
      (body) => body?.commandId === forgotten.commandId && body.state !== 'REJECTED',
    );
  }));

test.run();
