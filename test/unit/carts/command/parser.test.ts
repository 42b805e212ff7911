import assert from 'node:assert/strict';
import { test } from 'uvu';
import {
  checkLimits,
  parseCommand,
  type RequestRules,
  sameOrder,
} from '../../../../src/carts/command/parser.js';
import { unitsFingerprint } from '../../../../src/carts/command/units-fingerprint.js';
import { defaultSettings } from '../../../../src/settings/schema/schema.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { textOf } from '../../../../src/shared/messages/message.js';

const rules = (change: (rules: RequestRules) => void = () => undefined): RequestRules => {
  const made = structuredClone(defaultSettings());
  change(made);
  return made;
};

const refused = (body: unknown, expected: string, field?: string, withRules = rules()): GatewayError => {
  try {
    checkLimits(parseCommand(body, withRules), withRules);
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error));
    assert.equal(error.code, expected, error.message);
    if (field) assert.equal(error.info.field, field, error.message);
    return error;
  }
  return assert.fail(`${JSON.stringify(body)} was taken`);
};

test('three integers are a command: millimetres and degrees unless the settings say otherwise', () => {
  const order = parseCommand({ cartID: 1, distanceID: 1000, angleID: -90 }, rules());
  assert.equal(order.distanceMm, 1000);
  assert.equal(order.angleDdeg, -900);
  assert.equal(order.kind, 'move');
  assert.match(order.commandId, /^[0-9a-f-]{36}$/);
});

test('a form sends decimal text, and that is as good as a number', () => {
  const order = parseCommand({ cartID: '1', distanceID: '-250', angleID: '0', maxSpeed: '' }, rules());
  assert.equal(order.distanceMm, -250);
  assert.equal(order.maxSpeedMmps, 300);
});

// Fault case 2
test('what is not a whole number is refused by name', () => {
  for (const value of [1.5, '1e3', null, true, 2 ** 53, '١٢', '', [], {}, '0x10', ' 5', '1.0', Number.NaN]) {
    refused({ cartID: 1, distanceID: value, angleID: 0 }, 'INVALID_INPUT', 'distanceID');
    refused({ cartID: 1, distanceID: 0, angleID: value }, 'INVALID_INPUT', 'angleID');
  }
  refused({ cartID: 1, distanceID: 5 }, 'INVALID_INPUT', 'angleID');
  refused([], 'INVALID_INPUT');
  refused(null, 'INVALID_INPUT');
});

// Fault case 3
test('beyond the limits of the settings the error names field, limit and unit', () => {
  const far = refused({ cartID: 1, distanceID: 10_001, angleID: 0 }, 'RANGE', 'distanceID');
  assert.equal(far.info.limit, 10_000);
  assert.equal(far.info.unit, 'mm');
  const fast = refused({ cartID: 1, distanceID: 1, angleID: 0, maxSpeed: 301 }, 'RANGE', 'maxSpeed');
  assert.equal(fast.info.unit, 'mm/s');
  const ackermann = rules(({ kinematics }) => {
    kinematics.type = 'ackermann';
  });
  const steep = refused({ cartID: 1, distanceID: 100, angleID: 31 }, 'RANGE', 'angleID', ackermann);
  assert.equal(steep.info.limit, 30);
});

// Fault case 4
test('cart numbers outside 1 to 65535 and anything but a number are refused', () => {
  for (const cartID of [0, 65_536, -1, '1/../2', '+', '#', '1 ']) {
    refused({ cartID, distanceID: 1, angleID: 0 }, 'INVALID_INPUT', 'cartID');
  }
});

test('unknown members are refused, the dangerous ones included', () => {
  refused({ cartID: 1, distanceID: 1, angleID: 0, speed: 3 }, 'INVALID_INPUT', 'speed');
  refused(
    JSON.parse('{"cartID":1,"distanceID":1,"angleID":0,"__proto__":{"x":1}}'),
    'INVALID_INPUT',
    '__proto__',
  );
});

test('units and presets come from the settings', () => {
  const metres = rules(({ units }) => {
    units.distance = 'm';
    units.angle = 'ddeg';
  });
  const order = parseCommand({ cartID: 1, distanceID: 2, angleID: 15 }, metres);
  assert.equal(order.distanceMm, 2000);
  assert.equal(order.angleDdeg, 15);
  const table = rules(({ units, presets }) => {
    units.mode = 'table';
    presets.distance = { '7': 1234 };
    presets.angle = { '0': 0, '1': 45.5 };
  });
  const preset = parseCommand({ cartID: 1, distanceID: 7, angleID: 1 }, table);
  assert.equal(preset.distanceMm, 1234);
  assert.equal(preset.angleDdeg, 455);
  refused({ cartID: 1, distanceID: 8, angleID: 0 }, 'INVALID_INPUT', 'distanceID', table);
});

const CHANGES: Record<string, (rules: RequestRules) => void> = {
  'another unit of distance': ({ units }) => (units.distance = 'cm'),
  'another unit of angle': ({ units }) => (units.angle = 'ddeg'),
  'numbers that are names of presets': (to) => {
    to.units.mode = 'table';
    to.presets = { distance: { 5: 5000, 0: 0 }, angle: { 0: 0 } };
  },
  'a table without the entry': ({ units }) => (units.mode = 'table'),
  'another row of a table': ({ presets }) => (presets.distance = { 5: 50 }),
  'an angle that steers': ({ kinematics }) => (kinematics.type = 'ackermann'),
  'another usual speed': ({ limits }) => (limits.defaultSpeedMmps = 30),
  'another longest move': ({ limits }) => (limits.maxDistanceMm = 20_000),
};

for (const [name, change] of Object.entries(CHANGES)) {
  test(`numbers that were meant otherwise are refused: ${name}`, () => {
    const meaning = unitsFingerprint(rules());
    const command = { cartID: 1, distanceID: 5, angleID: 0, meaning };
    assert.equal(parseCommand(command, rules()).distanceMm, 5);
    const { info } = refused(command, 'SETTINGS_CHANGED', 'meaning', rules(change));
    assert.equal(textOf(info.hint ?? ''), 'Reload the page.');
  });
}

test('settings that change no number leave what was meant as it is', () => {
  const meaning = unitsFingerprint(rules());
  const other = rules(({ limits, kinematics }) => {
    limits.minBatteryMv = 11_000;
    kinematics.trackMm = 500;
  });
  assert.equal(parseCommand({ cartID: 1, distanceID: 5, angleID: 0, meaning }, other).distanceMm, 5);
});

test('a stop is one in any settings, also by its preset', () => {
  const table = rules((to) => CHANGES['numbers that are names of presets']?.(to));
  for (const now of [rules(), table]) {
    const stop = parseCommand({ cartID: 1, distanceID: 0, angleID: 0, meaning: 'long ago' }, now);
    assert.equal(stop.kind, 'stop');
  }
});

test('nothing and nowhere is a stop, minus zero too', () => {
  assert.equal(parseCommand({ cartID: 1, distanceID: 0, angleID: 0 }, rules()).kind, 'stop');
  const commandId = 'aaaaaaaa-0000-4000-8000-000000000001';
  const plus = parseCommand({ cartID: 1, distanceID: 0, angleID: 5, commandId }, rules());
  const minus = parseCommand({ cartID: 1, distanceID: -0, angleID: 5, commandId }, rules());
  assert.equal(Object.is(minus.distanceMm, 0), true);
  assert.equal(sameOrder(plus, { ...plus, raw: { ...plus.raw } }), true);
});

test('an Idempotency-Key is the commandId, and must not contradict one', () => {
  const key = 'BBBBBBBB-0000-4000-8000-000000000001';
  assert.equal(
    parseCommand({ cartID: 1, distanceID: 1, angleID: 0 }, rules(), key).commandId,
    key.toLowerCase(),
  );
  assert.throws(() =>
    parseCommand(
      { cartID: 1, distanceID: 1, angleID: 0, commandId: 'aaaaaaaa-0000-4000-8000-000000000001' },
      rules(),
      key,
    ),
  );
});

test('a jog must start within 500 ms, whatever ttlMs allows', () => {
  const ttlOf = (more: object): number =>
    parseCommand({ cartID: 1, distanceID: 100, angleID: 0, ...more }, rules()).ttlMs;
  assert.equal(ttlOf({ mode: 'jog' }), 500);
  assert.equal(ttlOf({ mode: 'jog', ttlMs: 10_000 }), 500);
  assert.equal(ttlOf({ mode: 'jog', ttlMs: 200 }), 200);
  assert.equal(ttlOf({ ttlMs: 10_000 }), 10_000);
});

test.run();
