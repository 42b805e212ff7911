import assert from 'node:assert/strict';
import { test } from 'uvu';
import {
  checkLimits,
  parseCommand,
  type RequestRules,
  sameOrder,
  stopTargetOf,
  unitsFingerprint,
} from '../../../../src/carts/command/parser.js';
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

test('accepts three integers as a command, in millimetres and degrees by default', () => {
  const order = parseCommand({ cartID: 1, distanceID: 1000, angleID: -90 }, rules());
  assert.equal(order.distanceMm, 1000);
  assert.equal(order.angleDdeg, -900);
  assert.equal(order.kind, 'move');
  assert.match(order.commandId, /^[0-9a-f-]{36}$/);
});

test('the parser accepts decimal strings from a form as numbers', () => {
  const order = parseCommand({ cartID: '1', distanceID: '-250', angleID: '0', maxSpeed: '' }, rules());
  assert.equal(order.distanceMm, -250);
  assert.equal(order.maxSpeedMmps, 300);
});

// Fault case 2
test('rejects any value that is not a whole number and reports the field', () => {
  for (const value of [1.5, '1e3', null, true, 2 ** 53, '١٢', '', [], {}, '0x10', ' 5', '1.0', Number.NaN]) {
    refused({ cartID: 1, distanceID: value, angleID: 0 }, 'INVALID_INPUT', 'distanceID');
    refused({ cartID: 1, distanceID: 0, angleID: value }, 'INVALID_INPUT', 'angleID');
  }
  refused({ cartID: 1, distanceID: 5 }, 'INVALID_INPUT', 'angleID');
  refused([], 'INVALID_INPUT');
  refused(null, 'INVALID_INPUT');
});

// Fault case 3
test('rejects a command that exceeds the limits, and reports the field, the limit and the unit', () => {
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
test('rejects a cartID that is not a whole number from 1 to 65535', () => {
  for (const cartID of [0, 65_536, -1, '1/../2', '+', '#', '1 ']) {
    refused({ cartID, distanceID: 1, angleID: 0 }, 'INVALID_INPUT', 'cartID');
  }
});

test('the parser rejects unknown members, including __proto__', () => {
  refused({ cartID: 1, distanceID: 1, angleID: 0, speed: 3 }, 'INVALID_INPUT', 'speed');
  refused(
    JSON.parse('{"cartID":1,"distanceID":1,"angleID":0,"__proto__":{"x":1}}'),
    'INVALID_INPUT',
    '__proto__',
  );
});

test('converts numbers according to the units and presets in the settings', () => {
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
  'a changed unit of distance': ({ units }) => (units.distance = 'cm'),
  'a changed unit of angle': ({ units }) => (units.angle = 'ddeg'),
  'a change to presets': (to) => {
    to.units.mode = 'table';
    to.presets = { distance: { 5: 5000, 0: 0 }, angle: { 0: 0 } };
  },
  'a change to presets that do not contain the number': ({ units }) => (units.mode = 'table'),
  'a changed preset': ({ presets }) => (presets.distance = { 5: 50 }),
  'a change to Ackermann steering': ({ kinematics }) => (kinematics.type = 'ackermann'),
  'a changed default speed': ({ limits }) => (limits.defaultSpeedMmps = 30),
  'a changed maximum distance': ({ limits }) => (limits.maxDistanceMm = 20_000),
};

for (const [name, change] of Object.entries(CHANGES)) {
  test(`rejects numbers from a page that was loaded before ${name}`, () => {
    const meaning = unitsFingerprint(rules());
    const command = { cartID: 1, distanceID: 5, angleID: 0, meaning };
    assert.equal(parseCommand(command, rules()).distanceMm, 5);
    const { info } = refused(command, 'SETTINGS_CHANGED', 'meaning', rules(change));
    assert.equal(textOf(info.hint ?? ''), 'Reload the page.');
  });
}

test('accepts a command from a page that was loaded before a change to unrelated settings', () => {
  const meaning = unitsFingerprint(rules());
  const other = rules(({ limits, kinematics }) => {
    limits.minBatteryMv = 11_000;
    kinematics.trackMm = 500;
  });
  assert.equal(parseCommand({ cartID: 1, distanceID: 5, angleID: 0, meaning }, other).distanceMm, 5);
});

test('accepts a stop, even as a preset, regardless of the settings', () => {
  const table = rules((to) => CHANGES['a change to presets']?.(to));
  for (const now of [rules(), table]) {
    const stop = parseCommand({ cartID: 1, distanceID: 0, angleID: 0, meaning: 'long ago' }, now);
    assert.equal(stop.kind, 'stop');
  }
});

const ROUNDED_TO_ZERO: Record<string, { body: object; withRules: RequestRules }> = {
  'an angle of 0.04 degrees': {
    body: { cartID: 1, distanceID: 0, angleID: 4 },
    withRules: rules(({ units }) => (units.angle = 'cdeg')),
  },
  'a preset of 0.4 mm and -0.04 degrees': {
    body: { cartID: 1, distanceID: 7, angleID: 3 },
    withRules: rules(({ units, presets }) => {
      units.mode = 'table';
      presets.distance = { '7': 0.4 };
      presets.angle = { '3': -0.04 };
    }),
  },
};

for (const [name, { body, withRules }] of Object.entries(ROUNDED_TO_ZERO)) {
  test(`${name} is a stop, even if the units are outdated or another field is invalid`, () => {
    const stop = parseCommand({ ...body, onBusy: 'queue', meaning: 'long ago' }, withRules);
    assert.deepEqual([stop.kind, stop.distanceMm, stop.angleDdeg], ['stop', 0, 0]);
    assert.deepEqual(stopTargetOf({ ...body, colour: 'red' }, withRules), { cartId: 1 });
  });
}

test('a rejected request is not a stop if it contains a motion or an unknown preset', () => {
  const table = rules(({ units }) => (units.mode = 'table'));
  assert.equal(stopTargetOf({ cartID: 1, distanceID: 0, angleID: 999 }, table), undefined);
  assert.equal(stopTargetOf({ cartID: 1, distanceID: 0, angleID: 5 }, rules()), undefined);
});

test('parses distance 0 and angle 0 as a stop, and treats -0 as 0', () => {
  assert.equal(parseCommand({ cartID: 1, distanceID: 0, angleID: 0 }, rules()).kind, 'stop');
  const commandId = 'aaaaaaaa-0000-4000-8000-000000000001';
  const plus = parseCommand({ cartID: 1, distanceID: 0, angleID: 5, commandId }, rules());
  const minus = parseCommand({ cartID: 1, distanceID: -0, angleID: 5, commandId }, rules());
  assert.equal(Object.is(minus.distanceMm, 0), true);
  assert.equal(sameOrder(plus, { ...plus, raw: { ...plus.raw } }), true);
});

test('uses the Idempotency-Key as the commandId, and rejects a different commandId', () => {
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

test('accepts the same UUID in different case in the Idempotency-Key and the commandId', () => {
  const key = 'BBBBBBBB-0000-4000-8000-000000000001';
  const body = { cartID: 1, distanceID: 1, angleID: 0 };
  for (const [commandId, header] of [
    [key, key.toLowerCase()],
    [key.toLowerCase(), key],
  ] as const) {
    assert.equal(parseCommand({ ...body, commandId }, rules(), header).commandId, key.toLowerCase());
  }
});

test('treats an empty Idempotency-Key as missing', () => {
  const body = { cartID: 1, distanceID: 1, angleID: 0 };
  const ids = [1, 2].map(() => parseCommand(body, rules(), '').commandId);
  for (const id of ids) assert.match(id, /^[0-9a-f-]{36}$/);
  assert.equal(new Set(ids).size, 2);
  const commandId = 'aaaaaaaa-0000-4000-8000-000000000001';
  assert.equal(parseCommand({ ...body, commandId }, rules(), '').commandId, commandId);
});

test('rejects an Idempotency-Key that is not a UUID and reports the header', () => {
  const body = { cartID: 1, distanceID: 1, angleID: 0 };
  const valid = 'aaaaaaaa-0000-4000-8000-000000000001';
  for (const key of ['again', `${valid}, ${valid}`, 'k'.repeat(300)]) {
    for (const more of [{}, { commandId: valid }]) {
      assert.throws(
        () => parseCommand({ ...body, ...more }, rules(), key),
        (error: GatewayError) =>
          error.code === 'INVALID_INPUT' &&
          error.info.field === 'Idempotency-Key' &&
          error.message === 'Idempotency-Key must be a UUID',
      );
    }
  }
});

test('a jog must start within 500 ms, even with a longer ttlMs', () => {
  const ttlOf = (more: object): number =>
    parseCommand({ cartID: 1, distanceID: 100, angleID: 0, ...more }, rules()).ttlMs;
  assert.equal(ttlOf({ mode: 'jog' }), 500);
  assert.equal(ttlOf({ mode: 'jog', ttlMs: 10_000 }), 500);
  assert.equal(ttlOf({ mode: 'jog', ttlMs: 200 }), 200);
  assert.equal(ttlOf({ ttlMs: 10_000 }), 10_000);
});

test.run();
