import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'uvu';
import type { PinsOptions } from '../../../../src/adapters/gpio/chip.js';
import { openGpiodPins } from '../../../../src/adapters/gpio/gpiod.js';
import { defaultSettings } from '../../../../src/settings/schema/schema.js';
import { systemClock } from '../../../../src/shared/clock.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { Message } from '../../../../src/shared/messages/message.js';
import type { SafetyPins } from '../../../../src/shared/ports/pins.js';
import { quietLog } from '../../../helpers/cart-harness.js';
import { FakeGpiod } from '../../../helpers/fake-gpiod.js';
import { until } from '../../../helpers/until.js';

interface Fixture {
  tools: FakeGpiod;
  options: PinsOptions;
  open(): Promise<SafetyPins>;
}

async function withTools(
  version: 1 | 2,
  run: (fixture: Fixture) => Promise<void>,
  chips?: string[],
): Promise<void> {
  const tools = new FakeGpiod(version, chips);
  const { PATH } = process.env;
  const options: PinsOptions = structuredClone(defaultSettings().gpio);
  if (version === 1) options.enable.mode = 'level';
  process.env.PATH = tools.path;
  try {
    await run({ tools, options, open: () => openGpiodPins(options, { clock: systemClock, log: quietLog }) });
  } finally {
    process.env.PATH = PATH;
    tools.close();
  }
}

const unavailable = (message: RegExp, hint?: string) => (error: unknown) => {
  assert.ok(error instanceof GatewayError, String(error));
  assert.equal(error.code, 'SAFETY_UNAVAILABLE');
  assert.match(error.message, message);
  assert.ok(error.info.hint instanceof Message, 'a hint');
  if (hint !== undefined) assert.equal(error.info.hint.code, hint);
  return true;
};

test("uses each gpiod version's command-line syntax and starts with every output off", async () => {
  const commands: Record<1 | 2, string[]> = {
    1: [
      'gpioget gpiochip0 17',
      'gpiomon --line-buffered --format=%o %e gpiochip0 17',
      'gpioset --mode=signal gpiochip0 27=0',
      'gpioset --mode=signal gpiochip0 22=0',
    ],
    2: [
      'gpioget --numeric --chip gpiochip0 17',
      'gpiomon --format %o %e --chip gpiochip0 17',
      'gpioset --interactive --chip gpiochip0 27=0 22=0',
    ],
  };
  for (const version of [1, 2] as const) {
    await withTools(version, async ({ tools, open }) => {
      const pins = await open();
      assert.equal(pins.kind, 'gpiod');
      assert.equal(pins.readEstopHealthy(), true);
      assert.equal(pins.readPowered(), undefined);
      for (const call of commands[version])
        assert.ok(tools.calls.includes(call), `${call} in ${tools.calls}`);
      assert.deepEqual(tools.out.toSorted(), ['22=0', '27=0']);
      await pins.close();
    });
  }
});

// Fault case 9
test('emits both edges of a press, even when the falling edge was missed', async () => {
  for (const [version, fall] of [
    [1, 0],
    [2, 2],
  ] as const) {
    await withTools(version, async ({ tools, open }) => {
      const pins = await open();
      const levels: boolean[] = [];
      pins.onEstopEdge(() => levels.push(pins.readEstopHealthy()));
      tools.edge(17, fall);
      tools.edge(17, 1);
      await until(() => levels.length === 2);
      assert.deepEqual(levels.splice(0), [false, true]);
      tools.edge(17, 1);
      await until(() => levels.length === 2);
      assert.deepEqual(levels, [false, true]);
      await pins.close();
    });
  }
});

// Fault case 64
test('emits both edges on release when the press occurred between the first reading and the start of monitoring', async () => {
  for (const version of [1, 2] as const) {
    await withTools(version, async ({ tools, open }) => {
      // The kernel reports no edge for the press, because gpiomon has not requested the line yet.
      const pins = await open();
      const levels: boolean[] = [];
      pins.onEstopEdge(() => levels.push(pins.readEstopHealthy()));
      assert.equal(pins.readEstopHealthy(), true, 'the press is not visible while the button is held');
      tools.edge(17, 1);
      await until(() => levels.length === 2);
      assert.deepEqual(levels, [false, true]);
      await pins.close();
    });
  }
});

// Fault case 64
test("emits an open circuit first when the kernel's event buffer overflows during a press", async () => {
  await withTools(2, async ({ tools, open }) => {
    const pins = await open();
    const levels: boolean[] = [];
    pins.onEstopEdge(() => levels.push(pins.readEstopHealthy()));
    // The kernel keeps 16 events per line, so only the last ones of a chattering contact arrive.
    for (let edge = 0; edge < 15; edge += 1) tools.edge(17, edge % 2 === 0 ? 1 : 2);
    await until(() => levels.length === 16);
    assert.equal(levels[0], false);
    assert.equal(pins.readEstopHealthy(), true);
    await pins.close();
  });
});

test('reads the E-stop as pressed when its input is low at startup', async () => {
  await withTools(2, async ({ tools, open }) => {
    tools.write('levels', '0\n');
    const pins = await open();
    assert.equal(pins.readEstopHealthy(), false);
    await pins.close();
  });
});

test('drives outputs of either polarity, and switches them off and releases them on close', async () => {
  for (const version of [1, 2] as const) {
    await withTools(version, async ({ tools, options, open }) => {
      options.enable.activeHigh = false;
      const pins = await open();
      pins.writeEnable(true);
      await until(() => tools.out.includes('27=0'));
      pins.writeEnable(true);
      pins.writeLed(true);
      await until(() => tools.out.includes('22=1'));
      pins.writeEnable(false);
      await pins.close();
      const enable = tools.out.filter((level) => level.startsWith('27='));
      assert.equal(enable[0], '27=1', 'off at the start');
      assert.equal(enable.at(-1), '27=1', 'off at the end');
      assert.equal(tools.out.filter((level) => level.startsWith('22=')).at(-1), '22=0');
      await until(() => [...tools.running('gpioset'), ...tools.running('gpiomon')].length === 0);
    });
  }
});

test('gpiod version 1 sets the output to the last requested level after rapid changes', async () => {
  await withTools(1, async ({ tools, open }) => {
    const pins = await open();
    for (const on of [true, false, true, false, true]) pins.writeEnable(on);
    await until(() => tools.out.at(-1) === '27=1' && tools.running('gpioset').length === 2);
    pins.writeEnable(false);
    await until(() => tools.out.at(-1) === '27=0');
    await pins.close();
  });
});

// Fault case 39
test('gpiod version 1 rejects pulse mode with a hint', async () => {
  await withTools(1, async ({ tools, options, open }) => {
    options.enable.mode = 'pulse';
    await assert.rejects(open(), unavailable(/cannot send pulses to the motor-enable pin/));
    assert.ok(!tools.calls.some((call) => /gpioset|gpiomon|gpioget/.test(call)), 'no pin was touched');
  });
});

// Fault case 41
test('monitors the read-back input as well as the E-stop input', async () => {
  await withTools(2, async ({ tools, options, open }) => {
    options.readBack.bcm = 6;
    tools.write('levels', '1 1\n');
    const pins = await open();
    assert.equal(pins.readPowered(), false, 'the contact is closed while there is no power');
    tools.edge(6, 2);
    await until(() => pins.readPowered() === true);
    assert.equal(pins.readEstopHealthy(), true);
    await pins.close();
  });
});

// Fault case 10
test('emits an edge immediately and makes every read throw when a gpiod tool exits', async () => {
  for (const version of [1, 2] as const) {
    for (const tool of ['gpiomon', 'gpioset']) {
      await withTools(version, async ({ tools, open }) => {
        const pins = await open();
        let edges = 0;
        pins.onEstopEdge(() => (edges += 1));
        const [pid = 0] = tools.running(tool);
        process.kill(pid, 'SIGKILL');
        await until(() => edges === 1);
        assert.throws(
          () => pins.readEstopHealthy(),
          unavailable(new RegExp(`${tool} ended \\(SIGKILL\\)`), 'gpio.tool-failed-hint'),
        );
        pins.writeEnable(false);
        await pins.close();
      });
    }
  }
});

// Fault case 39
test('opening the pins fails when the tools are missing, no chip matches or a tool reports a busy pin', async () => {
  const { PATH } = process.env;
  process.env.PATH = '/nonexistent';
  const options = defaultSettings().gpio;
  await assert
    .rejects(
      openGpiodPins(options, { clock: systemClock, log: quietLog }),
      unavailable(/no \/sys\/class\/gpio, and gpiodetect is not installed/),
    )
    .finally(() => {
      process.env.PATH = PATH;
    });
  await withTools(
    1,
    async ({ tools, open }) => {
      await assert.rejects(open(), unavailable(/no GPIO chip .*gpiochip0 \(raspberrypi-exp-gpio\)/));
      assert.ok(!tools.calls.some((call) => /gpioset|gpiomon|gpioget/.test(call)), 'no pin was touched');
    },
    ['gpiochip0 [raspberrypi-exp-gpio] (8 lines)'],
  );
  const busy = 'error: Device or resource busy\n';
  for (const tool of ['gpioget', 'gpiomon', 'gpioset']) {
    await withTools(2, async ({ tools, open }) => {
      tools.write(`${tool}.fails`, busy);
      await assert.rejects(open(), unavailable(/resource busy/, 'gpio.pin-busy-hint'));
      await until(() => [...tools.running('gpioset'), ...tools.running('gpiomon')].length === 0);
    });
  }
});

// Fault case 39
test('accepts a chip that is listed twice, but not two chips with the same label', async () => {
  const chip = 'gpiochip0 [pinctrl-rp1] (54 lines)';
  await withTools(1, async ({ open }) => (await open()).close(), [chip, chip]);
  await withTools(1, async ({ open }) => assert.rejects(open(), unavailable(/several GPIO chips match/)), [
    chip,
    'gpiochip4 [pinctrl-rp1] (54 lines)',
  ]);
});

const found = spawnSync('gpiodetect', [], { encoding: 'utf8' });
if (found.status === 0 && found.stdout === '') {
  // Fault case 39
  test('reports that no chips are available when the real gpiodetect finds none', async () => {
    const { gpio } = defaultSettings();
    gpio.enable.mode = 'level';
    const open = openGpiodPins(gpio, { clock: systemClock, log: quietLog });
    await assert.rejects(open, unavailable(/available: none/));
  });
} else
  process.stdout.write(
    'SKIPPED: the real gpiodetect (it is not installed, or this machine has GPIO chips)\n',
  );

test.run();
