import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import { GatewayError } from '../../src/util/errors.js';
import { cleanly, echo, type Json } from './helpers.js';
import { actionMessage, commandMessage, openScene } from './site.js';

type Scene = Awaited<ReturnType<typeof openScene>>;

const answer = (scene: Scene, message: Json) =>
  scene.inbox.json(
    'answer',
    (body, topic) => topic.endsWith('/2/ack') && body.commandId === message.actions[0].actionId,
  );

const basisOf = (state: Json) => ({ sessionId: state.sessionId, stateHeaderId: state.headerId });

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
      scene.desk.stops.map(({ kind }) => kind),
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

test('38: to every cart only stops may be sent; a motion there is refused and told', () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    const stop = actionMessage('emergencyStop');
    await scene.say('_all/instantActions', stop, { qos: 1 });
    await answer(scene, stop);
    assert.equal(scene.desk.stops.length, 1);
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
    assert.equal(scene.desk.begun.length, 0);
    assert.equal(scene.desk.resets.length, 0);
  }));

test('a reset is taken with a fresh basis, once, on the own topic; a late or replayed one is refused', () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    scene.desk.latch('REMOTE');
    const reset = actionMessage('emergencyStopReset', { basis: basisOf(scene.state) });
    await scene.say('2/instantActions', reset);
    assert.equal((await answer(scene, reset)).state, 'FINISHED');
    scene.desk.latch('REMOTE');
    await scene.say('2/instantActions', reset);
    const blind = actionMessage('emergencyStopReset');
    await scene.say('2/instantActions', blind);
    assert.equal((await answer(scene, blind)).reason.code, 'VALIDATION_FAILURE');
    scene.clock.advance(3001);
    const late = actionMessage('emergencyStopReset', { basis: basisOf(scene.state) });
    await scene.say('2/instantActions', late);
    assert.equal((await answer(scene, late)).reason.code, 'EXPIRED');
    assert.equal(scene.desk.resets.length, 1);
    assert.equal(scene.desk.view.safety.emergencyStop, 'REMOTE');
  }));

test('12: a reset that the cart refuses is told with its reason', () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    scene.desk.refusal = new GatewayError('RESET_FORBIDDEN', 'reset it at the cart');
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

test("32: a retained instant action is refused, and its own gateway's echo ignored", () =>
  cleanly(async (later) => {
    const scene = await openScene(later);
    const stop = { ...actionMessage('cancelOrder'), gatewayId: 'gw-2' };
    await scene.say('2/instantActions', stop, { retain: true, qos: 1 });
    await echo(scene.bus);
    assert.equal(scene.desk.stops.length, 0);
    scene.bus.subscribe('cart/v1/site1/+/instantActions', () => {});
    await echo(scene.bus);
    scene.clock.advance(1000);
    await scene.inbox.json('told', (body) =>
      body?.errors?.some(({ errorType }: Json) => errorType === 'RETAINED'),
    );
    assert.equal(scene.desk.stops.length, 0);
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
    assert.equal(scene.desk.begun.length, 1);
    assert.equal(scene.desk.stops.length, 1);
  }));

test.run();
