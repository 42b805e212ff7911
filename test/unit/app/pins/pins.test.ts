import assert from 'node:assert/strict';
import { test } from 'uvu';
import { openPins, switchMotorsOff } from '../../../../src/app/pins/pins.js';
import { defaultSettings, type Settings } from '../../../../src/settings/schema/schema.js';
import { systemClock } from '../../../../src/shared/clock.js';
import { quietLog } from '../../../helpers/cart-harness.js';
import { FakeGpiod } from '../../../helpers/fake-gpiod.js';
import { FakeSysfs } from '../../../helpers/fake-sysfs.js';

type Mode = Settings['gpio']['mode'];

/** Returns the kind of pins opened for this mode and machine, and the error if the pins cannot be read. */
async function kindOf(mode: Mode, isRaspberryPi: boolean, tree?: FakeSysfs): Promise<[string, string]> {
  const settings = structuredClone(defaultSettings());
  settings.gpio.mode = mode;
  const kernel = tree ? tree.kernel : { root: '/nonexistent' };
  const pins = await openPins(settings, { isRaspberryPi }, { ...kernel, clock: systemClock, log: quietLog });
  try {
    pins.readEstopHealthy();
    return [pins.kind, ''];
  } catch (error) {
    return [pins.kind, String(error)];
  } finally {
    await pins.close();
  }
}

async function onPath<T>(path: string, run: () => Promise<T>): Promise<T> {
  const { PATH } = process.env;
  process.env.PATH = path;
  try {
    return await run();
  } finally {
    process.env.PATH = PATH;
  }
}

test('the "off" mode does not open pins, and the "auto" mode simulates pins unless the machine is a Pi', async () => {
  assert.deepEqual(await kindOf('off', true), ['none', '']);
  assert.deepEqual(await kindOf('auto', false), ['simulated', '']);
});

// Fault case 39
test('opens real pins on a Pi or in the "required" mode, and uses sysfs if the kernel supports it', async () => {
  for (const [mode, isPi] of [
    ['auto', true],
    ['required', true],
    ['required', false],
  ] as const) {
    const tree = new FakeSysfs([{ base: 512, label: 'pinctrl-bcm2711' }]);
    assert.deepEqual(await kindOf(mode, isPi, tree), ['onoff', '']);
    tree.close();
  }
});

// Fault case 39
test('uses the libgpiod tools when sysfs is missing, and reports the reason if both are missing', async () => {
  const tools = new FakeGpiod(2);
  assert.deepEqual(await onPath(tools.path, () => kindOf('auto', true)), ['gpiod', '']);
  tools.close();
  const [kind, reason] = await onPath('/nonexistent', () => kindOf('required', false));
  assert.equal(kind, 'gpiod');
  assert.match(reason, /gpiodetect is not installed/);
});

// Fault case 39
test('neither simulates pins nor falls back to another driver when the GPIO chip is missing', async () => {
  const tree = new FakeSysfs([{ base: 0, label: 'raspberrypi-exp-gpio' }]);
  const tools = new FakeGpiod(2);
  const [kind, reason] = await onPath(tools.path, () => kindOf('auto', true, tree));
  assert.equal(kind, 'onoff');
  assert.match(reason, /no GPIO chip has a Raspberry Pi label/);
  assert.deepEqual(tools.calls, []);
  tree.close();
  tools.close();
});

test('switchMotorsOff sets only the enable output, even when other pins are unavailable', async () => {
  const settings = structuredClone(defaultSettings());
  settings.gpio.mode = 'required';
  settings.gpio.enable.activeHigh = false;
  const machine = { isRaspberryPi: false };
  const tree = new FakeSysfs([{ base: 512, label: 'pinctrl-bcm2711' }]);
  await switchMotorsOff(settings, machine, tree.kernel);
  assert.deepEqual([tree.exported, tree.read(539, 'value')], [[539], '1']);
  tree.close();

  for (const [version, call] of [
    [1, 'gpioset --mode=exit gpiochip0 27=1'],
    [2, 'gpioset --toggle 0 --chip gpiochip0 27=1'],
  ] as const) {
    const tools = new FakeGpiod(version);
    await onPath(tools.path, () => switchMotorsOff(settings, machine, { root: '/nonexistent' }));
    assert.deepEqual(tools.calls.slice(2), [call]);
    assert.deepEqual(tools.out, ['27=1']);
    tools.close();
  }
});

test('switchMotorsOff ignores simulated pins and fails if real pins cannot be opened', async () => {
  const settings = structuredClone(defaultSettings());
  const nowhere = { root: '/nonexistent' };
  await switchMotorsOff(settings, { isRaspberryPi: false }, nowhere);
  await onPath('/nonexistent', () =>
    assert.rejects(switchMotorsOff(settings, { isRaspberryPi: true }, nowhere), {
      code: 'SAFETY_UNAVAILABLE',
    }),
  );
});

test.run();
