import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import { GatewayError } from '../../../../src/shared/errors.js';
import type { BusMessage } from '../../../../src/shared/ports/ports.js';
import { cleanly, echo, type Json, json } from './helpers.js';
import { actionMessage, commandMessage, openScene } from './site.js';

type Scene = Awaited<ReturnType<typeof openScene>>;

const answer = (scene: Scene, message: Json) =>
  scene.inbox.json(
    'answer',
    (body, topic) => topic.endsWith('/2/ack') && body.commandId === message.actions[0].actionId,
  );

const basisOf = (state: Json) => ({ sessionId: state.sessionId, stateHeaderId: state.headerId });

/** Presses the emergency stop; resolves with the state that tells of it, published in the same millisecond. */
async function latched(scene: Scene): Promise<Json> {
  await settled(scene);
  const from = scene.inbox.messages.length;
  scene.dispatcher.latch('REMOTE');
  const isNew = (message: BusMessage) => scene.inbox.messages.indexOf(message) >= from;
  const told = await scene.inbox.first(
    'latched',
    (message) => isNew(message) && json(message)?.safetyState?.activeEmergencyStop === 'REMOTE',
  );
  return json(told);
}

test('stop, pause, halt and emergency stop are obeyed, whoever sends them and however often', () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    const id = randomUUID();
    const stops = [
      actionMessage('cancelOrder', {}, id),
      actionMessage('startPause'),
      actionMessage('haltCat1'),
      actionMessage('emergencyStop'),
      actionMessage('cancelOrder', {}, id),
    ];
    for (const message of stops) await scene.say('2/instantActions', message, { qos: 1 });
    await answer(scene, stops[3]);
    await echo(scene.witness);
    await echo(scene.bus);
    assert.deepEqual(
      scene.dispatcher.stops.map(({ kind }) => kind),
      ['stop', 'stop', 'halt', 'estop', 'stop'],
    );
    // The stop itself is told at once, what became of the action with the next state.
    await scene.inbox.json('latched', (body) => body?.safetyState?.activeEmergencyStop === 'REMOTE');
    scene.clock.advance(200);
    await scene.inbox.json('told', (body) =>
      body?.instantActionStates?.some(
        ({ actionType, actionStatus }: Json) => actionType === 'emergencyStop' && actionStatus === 'FINISHED',
      ),
    );
  }));

/** Lets a test say when the latch of each emergency stop is on the disk, in the order of the stops. */
function slowDisk(scene: Scene): { end: () => void; fail: (error: Error) => void }[] {
  const saves: ReturnType<typeof slowDisk> = [];
  scene.dispatcher.latchSaved = () => new Promise((end, fail) => saves.push({ end, fail }));
  return saves;
}

/** The answers of the cart to an action, of those that have arrived. */
const answersTo = (scene: Scene, { actions: [{ actionId }] }: Json): string[] =>
  scene.inbox.messages
    .filter(({ topic }) => topic.endsWith('/2/ack'))
    .map((message) => JSON.parse(message.payload.toString()))
    .filter(({ commandId }) => commandId === actionId)
    .map(({ state }) => state);

/** What has been said to the cart and by it until now has arrived. */
async function settled({ witness, bus }: Scene): Promise<void> {
  for (const each of [witness, bus, witness]) await echo(each);
}

const toldOf = (state: Json, { actions: [{ actionId }] }: Json): string[] =>
  state.instantActionStates
    .filter((told: Json) => told.actionId === actionId)
    .map(({ actionStatus }: Json) => actionStatus);

/** The next state of the cart. */
async function nextState(scene: Scene): Promise<Json> {
  const from = scene.inbox.messages.length;
  scene.clock.advance(1000);
  await settled(scene);
  const { payload } =
    scene.inbox.messages.slice(from).findLast(({ topic }) => topic.endsWith('/2/state')) ?? {};
  return JSON.parse(String(payload));
}

test('an emergency stop stops at once, runs while its latch is being saved, and is finished when that is on disk', () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    const saves = slowDisk(scene);
    for (const topic of ['2/instantActions', '_all/instantActions']) {
      const stop = actionMessage('emergencyStop');
      scene.dispatcher.stops.length = 0;
      await scene.say(topic, stop, { qos: 1 });
      await settled(scene);
      assert.deepEqual(
        scene.dispatcher.stops.map(({ kind }) => kind),
        ['estop'],
      );
      assert.deepEqual(answersTo(scene, stop), []);
      assert.deepEqual(toldOf(await nextState(scene), stop), ['RUNNING']);
      saves.shift()?.end();
      assert.equal((await answer(scene, stop)).state, 'FINISHED');
      assert.deepEqual(toldOf(await nextState(scene), stop), ['FINISHED']);
    }
  }));

test('an emergency stop whose latch cannot be saved has failed with the reason, and the cart stays stopped', () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    const saves = slowDisk(scene);
    const stop = actionMessage('emergencyStop');
    await scene.say('2/instantActions', stop, { qos: 1 });
    await settled(scene);
    saves.shift()?.fail(new GatewayError('WRITE_FAILED', 'the cart is stopped, but the card is read-only'));
    const { state, actionStatus, reason } = await answer(scene, stop);
    assert.deepEqual([state, actionStatus], ['FAILED', 'FAILED']);
    assert.deepEqual(reason, {
      code: 'WRITE_FAILED',
      text: 'the cart is stopped, but the card is read-only',
    });
    const told = await nextState(scene);
    assert.deepEqual(toldOf(told, stop), ['FAILED']);
    assert.equal(told.safetyState.activeEmergencyStop, 'REMOTE');
  }));

test('a copy of an emergency stop stops again and waits for its own latch; stops of the other kinds wait for none', () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    const saves = slowDisk(scene);
    const stop = actionMessage('emergencyStop');
    await scene.say('2/instantActions', stop, { qos: 1 });
    await scene.say('2/instantActions', stop, { qos: 1 });
    const halt = actionMessage('haltCat1');
    await scene.say('2/instantActions', halt, { qos: 1 });
    await answer(scene, halt);
    assert.equal(scene.dispatcher.stops.length, 3);
    assert.deepEqual(answersTo(scene, stop), []);
    assert.deepEqual(toldOf(await nextState(scene), stop), ['RUNNING', 'RUNNING']);
    saves.shift()?.end();
    await settled(scene);
    assert.deepEqual(answersTo(scene, stop), ['FINISHED']);
    assert.deepEqual(toldOf(await nextState(scene), stop).toSorted(), ['FINISHED', 'RUNNING']);
    saves.shift()?.end();
    await settled(scene);
    assert.deepEqual(answersTo(scene, stop), ['FINISHED', 'FINISHED']);
    assert.deepEqual(toldOf(await nextState(scene), stop), ['FINISHED', 'FINISHED']);
  }));

test('on a disk that hangs a flood of emergency stops is obeyed, but no more than a hundred wait', () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    const saves = slowDisk(scene);
    const stops = Array.from({ length: 102 }, () => actionMessage('emergencyStop'));
    for (const stop of stops) await scene.say('2/instantActions', stop, { qos: 1 });
    const { state, reason } = await answer(scene, stops[101]);
    assert.deepEqual([state, reason.code], ['FAILED', 'BUSY']);
    assert.equal(scene.dispatcher.stops.length, 102);
    assert.equal(saves.length, 100);
    for (const save of saves) save.end();
    assert.equal((await answer(scene, stops[0])).state, 'FINISHED');
  }));

// Fault case 38
test('to every cart only stops may be sent; a motion there is refused and told', () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    const stop = actionMessage('emergencyStop');
    await scene.say('_all/instantActions', stop, { qos: 1 });
    await answer(scene, stop);
    assert.equal(scene.dispatcher.stops.length, 1);
    const forbidden = ['emergencyStopReset', 'stopPause', 'move', 'stateRequest', 'constructor'];
    for (const type of forbidden) {
      const message = actionMessage(type, { basis: basisOf(scene.state) });
      await scene.say('_all/instantActions', message);
      assert.equal((await answer(scene, message)).reason.code, 'INVALID_INSTANT_ACTION', type);
    }
    await scene.say('_all/command', commandMessage(scene.state));
    await scene.inbox.first('told', ({ topic }) => topic.endsWith('/_all/command'));
    await echo(scene.bus);
    scene.clock.advance(1000);
    const state = await scene.inbox.json('told', (body) =>
      body?.errors?.some(({ errorType }: Json) => errorType === 'VALIDATION_FAILURE'),
    );
    assert.match(JSON.stringify(state.errors), /no motion can be sent to every cart/);
    assert.equal(scene.dispatcher.begun.length, 0);
    assert.equal(scene.dispatcher.resets.length, 0);
  }));

test('a reset is taken with a fresh basis, once, on the own topic; a late or replayed one is refused', () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    const reset = actionMessage('emergencyStopReset', { basis: basisOf(await latched(scene)) });
    await scene.say('2/instantActions', reset);
    assert.equal((await answer(scene, reset)).state, 'FINISHED');
    const state = await latched(scene);
    await scene.say('2/instantActions', reset);
    const blind = actionMessage('emergencyStopReset');
    await scene.say('2/instantActions', blind);
    assert.equal((await answer(scene, blind)).reason.code, 'VALIDATION_FAILURE');
    scene.clock.advance(3001);
    const late = actionMessage('emergencyStopReset', { basis: basisOf(state) });
    await scene.say('2/instantActions', late);
    assert.equal((await answer(scene, late)).reason.code, 'EXPIRED');
    assert.equal(scene.dispatcher.resets.length, 1);
    assert.equal(scene.dispatcher.view.safety.emergencyStop, 'REMOTE');
  }));

test('a reset that was under way when the emergency stop was pressed again does not end that one', () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    const state = await latched(scene);
    const stalled = actionMessage('emergencyStopReset', { basis: basisOf(state) });
    scene.clock.advance(1500);
    scene.dispatcher.latch('NONE');
    scene.clock.advance(700);
    const pressedAgain = await latched(scene);
    scene.clock.advance(500);
    await scene.say('2/instantActions', stalled);
    const { state: outcome, reason } = await answer(scene, stalled);
    assert.deepEqual([outcome, reason.code], ['REJECTED', 'EXPIRED']);
    assert.match(reason.text, /before the newest emergency stop/);
    assert.equal(scene.dispatcher.resets.length, 0);
    assert.equal(scene.dispatcher.view.safety.emergencyStop, 'REMOTE');
    const meant = actionMessage('emergencyStopReset', { basis: basisOf(pressedAgain) });
    await scene.say('2/instantActions', meant);
    assert.equal((await answer(scene, meant)).state, 'FINISHED');
    assert.equal(scene.dispatcher.view.safety.emergencyStop, 'NONE');
  }));

test('a reset that the cart refuses is told with its reason', () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    scene.dispatcher.refusal = new GatewayError('RESET_FORBIDDEN', 'reset it at the cart');
    const reset = actionMessage('emergencyStopReset', { basis: basisOf(scene.state) });
    await scene.say('2/instantActions', reset);
    assert.deepEqual((await answer(scene, reset)).reason, {
      code: 'RESET_FORBIDDEN',
      text: 'reset it at the cart',
    });
  }));

test('what cannot be done is refused in the words of VDA 5050', () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    for (const [type, code] of [
      ['stopPause', 'UNSUPPORTED_PARAMETER'],
      ['startCharging', 'INVALID_INSTANT_ACTION'],
    ] as const) {
      const message = actionMessage(type);
      await scene.say('2/instantActions', message);
      assert.equal((await answer(scene, message)).reason.code, code);
    }
  }));

test('state and factsheet are told when asked for', () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    const count = (name: string) =>
      scene.inbox.messages.filter(({ topic }) => topic.endsWith(`/2/${name}`)).length;
    await echo(scene.bus);
    await echo(scene.witness);
    const [states, sheets] = [count('state'), count('factsheet')];
    const [state, sheet] = [actionMessage('stateRequest'), actionMessage('factsheetRequest')];
    await scene.say('2/instantActions', state);
    await scene.say('2/instantActions', sheet);
    await answer(scene, sheet);
    await echo(scene.bus);
    await echo(scene.witness);
    assert.deepEqual([count('state') - states, count('factsheet') - sheets], [1, 1]);
  }));

// Fault case 32
test("a retained instant action is refused, and its own gateway's echo ignored", () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    const stop = { ...actionMessage('cancelOrder'), gatewayId: 'gw-2' };
    await scene.say('2/instantActions', stop, { retain: true, qos: 1 });
    await echo(scene.bus);
    assert.equal(scene.dispatcher.stops.length, 0);
    scene.bus.subscribe('cart/v1/site1/+/instantActions', () => {});
    await echo(scene.bus);
    scene.clock.advance(1000);
    await scene.inbox.json('told', (body) =>
      body?.errors?.some(({ errorType }: Json) => errorType === 'RETAINED'),
    );
    assert.equal(scene.dispatcher.stops.length, 0);
  }));

test('cancelling one command stops it; when it comes after its cancellation it does not start', () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    const running = commandMessage(scene.state);
    await scene.say('2/command', running);
    await scene.say('2/instantActions', actionMessage('cancelOrder', { orderId: running.commandId }), {
      qos: 1,
    });
    await scene.inbox.json(
      'cancelled',
      (body) => body?.commandId === running.commandId && body.state === 'CANCELLED',
    );
    const late = commandMessage(scene.state);
    const cancel = actionMessage('cancelOrder', { orderId: late.commandId });
    await scene.say('2/instantActions', cancel, { qos: 1 });
    assert.equal((await answer(scene, cancel)).reason.code, 'NO_ORDER_TO_CANCEL');
    await scene.say('2/command', late);
    const refused = await scene.inbox.json(
      'refused',
      (body) => body?.commandId === late.commandId && body.state === 'REJECTED',
    );
    assert.equal(refused.reason.code, 'CANCELLED');
    assert.equal(scene.dispatcher.begun.length, 1);
    assert.equal(scene.dispatcher.stops.length, 1);
  }));

test.run();
