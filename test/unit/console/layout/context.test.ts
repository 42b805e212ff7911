import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { Reason } from '../../../../src/carts/command/model.js';
import { indexContext } from '../../../../src/console/drive/drive-page.js';
import { errorContext } from '../../../../src/console/layout/context.js';
import type { LayoutData } from '../../../../src/console/layout/layout-context.js';
import { cart, command, LATCHED, layout, maskedSettings, STANDBY } from '../../app/api/samples.js';

type Input = Parameters<typeof indexContext>[1];
const settings = maskedSettings();
const { limits, units, kinematics } = settings as unknown as Pick<Input, 'limits' | 'units'> & {
  kinematics: NonNullable<Input['kinematics']>;
};

const index = (data: LayoutData, changes: Partial<Input> = {}) =>
  indexContext(data, { commands: [], limits, units, kinematics, meaning: 'now', ...changes });

test("selects the gateway's own cart by default", () => {
  const { safety, now } = index(layout([cart(2), cart(1)]));
  assert.equal(safety.cartID, 1);
  assert.deepEqual([safety.text, safety.tone], ['Ready', 'quiet']);
  assert.deepEqual(
    now.map(({ cartID }) => cartID),
    [1],
  );
});

test('selects the cart to which a command was just sent', () => {
  const outcome = { ok: true, title: 'Command acknowledged', message: '', command: command({ cartID: 2 }) };
  const context = index(layout([cart(1), cart(2)]), { outcome });
  assert.equal(context.safety.cartID, 2);
  assert.equal(context.form.carts.find(({ selected }) => selected)?.cartID, 2);
});

test('does not restore form values that were entered under different settings', () => {
  const typed = { cartID: '2', distanceID: '500', angleID: '7' };
  const values = (entered: object) => {
    const { form } = index(layout([cart(1), cart(2)]), { entered: { ...typed, ...entered } });
    return [form.distance.value, form.angle.value, form.carts.find(({ selected }) => selected)?.cartID];
  };
  assert.deepEqual(values({ meaning: 'before' }), ['0', '0', 2]);
  assert.deepEqual(values({ meaning: 'now' }), ['500', '7', 2]);
  assert.deepEqual(values({}), ['500', '7', 2]);
});

test('lists other carts with a latched stop on every page', () => {
  const { alsoStopped } = errorContext(layout([cart(1), cart(2, { safety: LATCHED })]), {
    status: 404,
    title: 'Not found',
    message: 'There is nothing here.',
  });
  assert.deepEqual(
    alsoStopped.map(({ cartID, tone }) => [cartID, tone]),
    [[2, 'stop']],
  );
});

test('renders a page when no cart has data', () => {
  const context = index(layout([]));
  assert.deepEqual([context.safety.cartID, context.safety.tone, context.carts.length], [1, 'warn', 0]);
});

test("shows the reason for a failed connection in that connection's status light", () => {
  const broker = { connected: false, reason: 'connection refused', url: 'mqtt://b', embedded: false };
  const { lights } = index(layout([cart(1)], { links: { broker, camera: STANDBY } }));
  assert.deepEqual(
    lights.map(({ key, tone, reason }) => [key, tone, reason]),
    [
      ['controller', 'stop', 'This gateway has no motor controller'],
      ['broker', 'warn', 'Connection refused'],
      ['camera', 'quiet', STANDBY.reason],
    ],
  );
});

test('shows limits in the configured input unit', () => {
  const { form } = index(layout(), { units: { mode: 'direct', distance: 'cm', angle: 'ddeg' } });
  assert.deepEqual([form.distance.max, form.distance.min, form.distance.per], [1000, -1000, 10]);
  assert.deepEqual([form.angle.max, form.angle.per], [3600, 0.1]);
});

test('limits the angle input of a cart with a steered axle to the maximum steering angle', () => {
  const { form } = index(layout(), { kinematics: { ...kinematics, type: 'ackermann', maxSteerDeg: 30 } });
  assert.deepEqual([form.drive, form.angle.label, form.angle.max], ['ackermann', 'Steering angle', 30]);
});

test('the page offers presets as a list', () => {
  const presets = { distance: { 1: 500, 2: -250 }, angle: {} };
  const { form } = index(layout(), { units: { mode: 'table', distance: 'mm', angle: 'deg' }, presets });
  assert.deepEqual(
    form.distance.options.map(({ value, text }) => [value, text]),
    [
      ['1', '1: 0.50 m'],
      ['2', '2: −0.25 m'],
    ],
  );
  assert.match(form.angle.help, /No presets yet/);
});

test('keeps form values after a rejected command', () => {
  const entered = { cartID: '1', distanceID: '12000', angleID: '-5' };
  const outcome = { ok: false, title: 'Invalid input', message: 'Too far.' };
  const { form } = index(layout(), { entered, outcome });
  assert.deepEqual([form.distance.value, form.angle.value], ['12000', '-5']);
});

for (const [who, mayDrive] of [
  ['an operator', true],
  ['a customer', false],
] as const) {
  test(`shows a change on trial ${mayDrive ? 'to' : 'not to'} ${who}`, () => {
    const data = layout();
    const visitor = data.visitor && { ...data.visitor, role: mayDrive ? 'operator' : 'customer', mayDrive };
    const { trial } = index({
      ...data,
      visitor,
      trial: { id: 'a', by: 'anna', what: 'Limits', leftMs: 9000 },
      trialChanges: () => 'Maximum speed: 300 mm/s → 400 mm/s',
    });
    if (!mayDrive) return assert.equal(trial, null);
    assert.match(trial?.text ?? '', /^Limits changed by anna\./);
    assert.equal(trial?.changes, 'Maximum speed: 300 mm/s → 400 mm/s');
  });
}

test("shows the time between a command's steps in milliseconds", () => {
  const [row] = index(layout(), { commands: [command()] }).commands;
  assert.deepEqual(
    row?.steps.map(({ label, took }) => `${label} ${took}`.trim()),
    ['accepted', 'sent +1.2 ms', 'acknowledged +8.2 ms'],
  );
});

test('shows the reason for a failed command', () => {
  const reason: Reason = { code: 'SERIAL_LOST', text: 'the line was unplugged' };
  const [row] = index(layout(), { commands: [command({ state: 'FAILED', reason })] }).commands;
  assert.deepEqual([row?.tone, row?.note], ['stop', 'The line was unplugged']);
});

test.run();
