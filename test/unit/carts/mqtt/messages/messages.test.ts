import assert from 'node:assert/strict';
import { test } from 'uvu';
import { matches } from '../../../../../src/adapters/mqtt/subscriptions.js';
import { Command } from '../../../../../src/carts/command/command.js';
import { sameOrder } from '../../../../../src/carts/command/parser.js';
import { FreshnessWindow } from '../../../../../src/carts/mqtt/freshness-window.js';
import { toOrder } from '../../../../../src/carts/mqtt/messages/limits.js';
import { checkCommand, readMessage } from '../../../../../src/carts/mqtt/messages/read.js';
import { stateBody } from '../../../../../src/carts/mqtt/messages/state.js';
import { stateError } from '../../../../../src/carts/mqtt/messages/state-errors.js';
import { Headers, Topics } from '../../../../../src/carts/mqtt/messages/topics.js';
import { textOf } from '../../../../../src/shared/messages/message.js';
import { FakeClock } from '../../../../helpers/fake-clock.js';
import { FakeDispatcher } from '../fake-dispatcher.js';
import { commandMessage, identityOf, KINEMATICS, LIMITS, order, USER } from '../test-fleet.js';

const topics = new Topics({ root: 'cart/v1', fleet: 'site1' });

// Fault case 4
test('rejects a cart number, fleet or root that would change the topic structure', () => {
  assert.equal(topics.of(65_535, 'command'), 'cart/v1/site1/65535/command');
  assert.equal(topics.every('state'), 'cart/v1/site1/+/state');
  for (const cartId of [0, 65_536, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => topics.of(cartId, 'command'), { code: 'INVALID_INPUT' });
  }
  for (const level of ['', '+', '#', 'a/b', '..', '$SYS', 'a b', 'ä', 'x'.repeat(33)]) {
    assert.throws(() => new Topics({ root: 'cart/v1', fleet: level }), { code: 'INVALID_INPUT' });
    if (level !== 'a/b')
      assert.throws(() => new Topics({ root: level, fleet: 'site1' }), { code: 'INVALID_INPUT' });
  }
});

// Fault case 4
test('parses only valid cart topics', () => {
  assert.deepEqual(topics.parse('cart/v1/site1/2/state'), { cartId: 2, name: 'state' });
  for (const topic of [
    '0/state',
    '65536/state',
    '02/state',
    '1e3/state',
    '_all/command',
    '2/other',
    '2/state/x',
    '2',
    '+/state',
    '1/../2/state',
  ]) {
    assert.equal(topics.parse(`cart/v1/site1/${topic}`), undefined, topic);
  }
  assert.equal(topics.parse('cart/v1/site10/2/state'), undefined);
});

test('creates headers with VDA 5050 fields and additional fields, numbered per topic', () => {
  const identity = identityOf(7);
  const headers = new Headers(identity);
  const first = headers.next('a', Date.UTC(2026, 4, 4));
  assert.deepEqual(first, {
    headerId: 1,
    timestamp: '2026-05-04T00:00:00.000Z',
    version: '3.0.0',
    manufacturer: 'acme',
    serialNumber: '7',
    cartID: 7,
    gatewayId: 'gw-7',
    sessionId: identity.sessionId,
  });
  assert.deepEqual([headers.next('a', 0).headerId, headers.next('b', 0).headerId], [2, 1]);
});

test('accepts a message based on a state no older than the TTL plus 1 s', () => {
  const basis = new FreshnessWindow('now', () => 0);
  basis.add(1, 0);
  const quoted = { sessionId: 'now', stateHeaderId: 1 };
  assert.equal(basis.judge(quoted, 2000, 3000), 'ok');
  assert.equal(basis.judge(quoted, 2000, 3001), 'EXPIRED');
  assert.equal(basis.judge({ ...quoted, stateHeaderId: 2 }, 2000, 1), 'EXPIRED');
  assert.equal(basis.judge({ ...quoted, sessionId: 'before' }, 2000, 1), 'EXPIRED_SESSION');
  for (let id = 2; id <= 30; id++) basis.add(id, id * 1000);
  assert.equal(basis.judge({ sessionId: 'now', stateHeaderId: 2 }, 1e9, 30_000), 'EXPIRED');
});

test('detects a state from before the latest latched stop, even within the same millisecond', () => {
  let emergencyStops = 1;
  const basis = new FreshnessWindow('now', () => emergencyStops);
  const quoted = (stateHeaderId: number) => ({ sessionId: 'now', stateHeaderId });
  basis.add(1, 5000);
  assert.equal(basis.stoppedSince(quoted(1)), false);
  emergencyStops += 1;
  basis.add(2, 5000);
  assert.deepEqual(
    [1, 2, 3].map(quoted).map((each) => basis.stoppedSince(each)),
    [true, false, true],
  );
});

// Fault case 37
test('rejects a message that is too long, is too deeply nested, is not JSON or contains prototype keys', () => {
  const read = (payload: string) =>
    readMessage({ topic: 't', payload: Buffer.from(payload), retain: false }, checkCommand);
  const good = JSON.stringify(commandMessage({ sessionId: 's', headerId: 1 }));
  assert.ok('value' in read(good));
  const bad = [
    ['x'.repeat(8193), /8193 bytes/],
    ['{"a":[[[[[[1]]]]]]}', /nested too deeply/],
    ['[[[[[['.repeat(1000), /not valid JSON/],
    ['\u0000\u00ff', /not valid JSON/],
    ['null', /must be an object/],
    [good.replace('"priority":4', '"__proto__":{"x":1}'), /__proto__/],
    [good.replace('"priority":4', '"constructor":1'), /constructor/],
    [good.replace('"distanceMm":1000', '"distanceMm":1.5'), /distanceMm must be a whole number/],
    [good.replace('"distanceMm":1000', '"distanceMm":"1000"'), /distanceMm/],
    [good.replace('"ttlMs":2000', '"ttlMs":60000'), /ttlMs must be at most 10000/],
  ] as const;
  for (const [payload, says] of bad) {
    const answer = read(payload);
    assert.ok('refusal' in answer);
    assert.equal(answer.refusal.code, 'VALIDATION_FAILURE');
    assert.match(textOf(answer.refusal.text), says);
  }
});

function message(changes: object) {
  const checked = checkCommand(commandMessage({ sessionId: 's', headerId: 1 }, changes));
  assert.ok('value' in checked);
  return checked.value;
}

test("checks an MQTT command against the target cart's limits", () => {
  const rules = { limits: { ...LIMITS, maxDistanceMm: 500, maxSpeedMmps: 200 }, kinematics: KINEMATICS };
  assert.throws(() => toOrder(message({ distanceMm: 501 }), rules), { code: 'RANGE' });
  assert.equal(toOrder(message({ distanceMm: -500, maxSpeed: 900 }), rules).maxSpeedMmps, 200);
  assert.throws(() => toOrder(message({ kind: 'jog', distanceMm: 201 }), rules), { code: 'RANGE' });
  const ackermann = { ...rules, kinematics: { ...KINEMATICS, type: 'ackermann' as const } };
  assert.throws(() => toOrder(message({ distanceMm: 1, angleDeg: 31 }), ackermann), { code: 'RANGE' });
  assert.equal(toOrder(message({ distanceMm: 0, angleDeg: 0 }), rules).kind, 'stop');
  assert.equal(toOrder(message({ kind: 'jog', distanceMm: 100, ttlMs: 10_000 }), rules).ttlMs, 500);
});

test("treats a repeated command as identical after the target cart's speed limit has changed", () => {
  const at = (maxSpeedMmps: number, maxSpeed = 900) => {
    const sent = message({ commandId: 'aaaaaaaa-0000-4000-8000-000000000001', maxSpeed });
    return toOrder(sent, { limits: { ...LIMITS, maxSpeedMmps }, kinematics: KINEMATICS });
  };
  assert.equal(sameOrder(at(200), at(150)), true);
  assert.equal(sameOrder(at(200), at(200, 100)), false);
});

test('limits a state message to 8 kB', () => {
  const clock = new FakeClock();
  const dispatcher = new FakeDispatcher(clock);
  dispatcher.change({
    reason: 'r'.repeat(400),
    faults: Array.from({ length: 50 }, () => ({ path: 'p', message: 'm'.repeat(400) })),
  });
  const commands = Array.from(
    { length: 30 },
    () => new Command(order(), USER, { destination: 'serial', simulated: true, clock }),
  );
  for (const command of commands.slice(0, 20))
    command.end('FAILED', { code: 'FAILED', text: 'f'.repeat(400) });
  const refused = Array.from({ length: 10 }, () =>
    stateError('VALIDATION_FAILURE', 'd'.repeat(400), { topic: 't'.repeat(64) }),
  );
  const body = stateBody({ view: dispatcher.view, commands, actions: [], refused });
  const text = JSON.stringify(body);
  assert.ok(Buffer.byteLength(text) <= 7 * 1024);
  for (const { id } of commands.slice(20))
    assert.ok(text.includes(id), 'running commands are always included');
});

test('matches topic filters according to the MQTT rules', () => {
  const cases: [string, string, boolean][] = [
    ['a/b', 'a/b', true],
    ['a/+', 'a/b', true],
    ['a/+', 'a', false],
    ['a/+', 'a/b/c', false],
    ['a/#', 'a', true],
    ['a/#', 'a/b/c', true],
    ['#', 'a/b', true],
    ['#', '$SYS/x', false],
    ['+/b', 'a/b', true],
    ['a/b', 'a/B', false],
    ['+/+', '/b', true],
  ];
  for (const [filter, topic, expected] of cases)
    assert.equal(matches(filter.split('/'), topic.split('/')), expected, `${filter} ${topic}`);
});

test('permits only response topics that are within the fleet and not used for other messages', () => {
  const may = (topic: string): boolean => topics.mayAnswerOn(topic);
  assert.ok(may('cart/v1/site1/g9/replies'));
  assert.ok(may('cart/v1/site1/2/answers'));
  for (const topic of [
    'replies',
    'cart/v1/other/g9/replies',
    'cart/v1/site1/3/command',
    'cart/v1/site1/2/state',
    'cart/v1/site1/2/ack',
    'cart/v1/site1/_all/replies',
    'cart/v1/site1/beacon/b1',
    'cart/v1/site1/g9',
    'cart/v1/site1/g9/replies/deep',
    'cart/v1/site1/+/replies',
    'cart/v1/site1/g9/#',
    '',
  ])
    assert.equal(may(topic), false, topic);
});

test.run();
