import assert from 'node:assert/strict';
import { test } from 'uvu';
import { Command, originView } from '../../../../../src/carts/command/command.js';
import { encodeMessage } from '../../../../../src/carts/mqtt/messages/encode.js';
import {
  checkAck,
  checkCommand,
  checkInstantActions,
  checkState,
} from '../../../../../src/carts/mqtt/messages/read.js';
import { stateBody } from '../../../../../src/carts/mqtt/messages/state.js';
import { ackBody, action, commandBody } from '../../../../../src/carts/mqtt/messages/write.js';
import { actorName, keyActor } from '../../../../../src/shared/actor.js';
import type { Checker } from '../../../../../src/shared/validation/validate.js';
import { FakeClock } from '../../../../helpers/fake-clock.js';
import { FakeDispatcher } from '../fake-dispatcher.js';
import { order } from '../test-fleet.js';

/** A key may have a name of 64 characters, each of which is two code units long. */
const KEY = keyActor('😀'.repeat(64));
const LONG = actorName(KEY);
const origin = { source: 'http', gatewayId: 'gw-1', actor: KEY } as const;
const header = { headerId: 1, cartID: 2, gatewayId: 'gw-1', sessionId: 'session-1' };

function received<T>(check: Checker<T>, payload: string): T {
  const result = check(JSON.parse(payload));
  if ('value' in result) return result.value;
  assert.fail(JSON.stringify(result.faults));
}

// Fault case 66
test("truncates the name of a stop's sender to the length that carts accept", () => {
  const actions = [action('emergencyStop', 'a1')];
  const sent = received(
    checkInstantActions,
    encodeMessage('instantActions', { ...header, origin: originView(origin), actions }),
  );
  assert.equal(sent.origin?.principal, `key ${'😀'.repeat(60)}`);
});

test("truncates the name of a command's sender", () => {
  const basis = { sessionId: 'session-2', stateHeaderId: 1 };
  const payload = encodeMessage('command', { ...header, ...commandBody(order(), origin, 1, basis) });
  assert.equal([...received(checkCommand, payload).origin.principal].length, 64);
});

test('truncates the reason in an acknowledgement', () => {
  const clock = new FakeClock();
  const command = new Command(order(), origin, { destination: 'serial', simulated: true, clock });
  command.end('FAILED', { code: 'CONTROLLER_FAILED', text: 'é'.repeat(2000) });
  const sent = received(checkAck, encodeMessage('ack', { ...header, ...ackBody(command) }));
  assert.equal(sent.reason?.text, 'é'.repeat(512));
});

test('an acknowledgement contains the zone that ended a command, and nothing that is not for programs', () => {
  const command = new Command(order(), origin, {
    destination: 'serial',
    simulated: true,
    clock: new FakeClock(),
  });
  const reason = { code: 'ZONE_BLOCKED', text: 'stairs', zoneId: 'z1', freeDistanceMm: 700 } as const;
  command.end('FAILED', { ...reason, hint: 'Choose another way' } as typeof reason);
  const sent = received(checkAck, encodeMessage('ack', { ...header, ...ackBody(command) }));
  assert.deepEqual(sent.reason, reason);
});

test("truncates every text in a cart's state", () => {
  const { view } = new FakeDispatcher(new FakeClock(), {
    name: LONG,
    controlledBy: LONG,
    faults: [{ path: 'p'.repeat(600), message: 'm'.repeat(600) }],
  });
  const safety = { ...view.safety, stoppedBy: 's'.repeat(600), code: 'C'.repeat(70) };
  const body = stateBody({ view: { ...view, safety }, commands: [], actions: [], refused: [] });
  const { x } = received(checkState, encodeMessage('state', { ...header, ...body }));
  assert.equal(x?.controlledBy, `key ${'😀'.repeat(60)}`);
  assert.equal(x?.safety?.stoppedBy?.length, 512);
});

test('does not change short texts in a message', () => {
  const message = {
    ...header,
    origin: { ...originView(origin), principal: 'anna' },
    actions: [action('haltCat1', 'a1')],
  };
  assert.equal(encodeMessage('instantActions', message), JSON.stringify(message));
});

test.run();
