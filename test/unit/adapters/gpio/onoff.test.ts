import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { PinsOptions } from '../../../../src/adapters/gpio/chip.js';
import { openOnoffPins } from '../../../../src/adapters/gpio/onoff.js';
import { defaultSettings } from '../../../../src/settings/schema/schema.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import type { SafetyPins } from '../../../../src/shared/ports/pins.js';
import { quietLog, settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { type FakeChip, FakeSysfs } from '../../../helpers/fake-sysfs.js';

/** The GPIO chips of a Pi 4 with kernel 6.6 or later. */
const PI4: FakeChip[] = [
  { base: 512, label: 'pinctrl-bcm2711' },
  { base: 570, label: 'raspberrypi-exp-gpio', lines: 8 },
];

interface Fixture {
  tree: FakeSysfs;
  options: PinsOptions;
  clock: FakeClock;
  open(): Promise<SafetyPins>;
}

async function withChips(chips: FakeChip[], run: (fixture: Fixture) => Promise<void>): Promise<void> {
  const tree = new FakeSysfs(chips);
  const options: PinsOptions = structuredClone(defaultSettings().gpio);
  const clock = new FakeClock();
  const open = () => openOnoffPins(options, { ...tree.kernel, clock, log: quietLog });
  try {
    await run({ tree, options, clock, open });
  } finally {
    tree.close();
  }
}

/** Advances the clock in steps; promises settle between the steps. */
async function advance(clock: FakeClock, ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 50) {
    await settle();
    clock.advance(50);
  }
  await settle();
}

const unavailable = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof GatewayError, String(error));
  assert.equal(error.code, 'SAFETY_UNAVAILABLE');
  assert.match(error.message, message);
  assert.ok(error.info.hint, 'a hint');
  return true;
};

// Fault case 39
test("computes pin numbers from the chip's base number, which differs between kernels", async () => {
  const kernels: [string, FakeChip[], number][] = [
    ['Pi 3, old kernel', [{ base: 0, label: 'pinctrl-bcm2835', lines: 54 }], 0],
    ['Pi 4, 6.6', PI4, 512],
    [
      'Pi 5, 6.6',
      [
        { base: 512, label: 'gpio-brcmstb@107d508500', lines: 32 },
        { base: 544, label: 'pinctrl-bcm2712' },
        { base: 571, label: 'pinctrl-rp1', lines: 54 },
      ],
      571,
    ],
    ['Pi 5, 6.12', [{ base: 569, label: 'pinctrl-rp1', lines: 54 }], 569],
  ];
  for (const [name, chips, base] of kernels) {
    await withChips(chips, async ({ tree, open }) => {
      const pins = await open();
      assert.deepEqual(tree.exported, [base + 17, base + 22, base + 27], name);
      await pins.close();
    });
  }
});

// Fault case 39
test('selects a chip by its label, or by its base number when several chips share a label', async () => {
  const twins = [
    { base: 450, label: 'gpio-sim' },
    { base: 970, label: 'gpio-sim' },
  ];
  await withChips(twins, async ({ tree, options, open }) => {
    options.chip = 'gpio-sim';
    await assert.rejects(open(), unavailable(/several GPIO chips match: gpiochip450/));
    options.base = 970;
    const pins = await open();
    assert.deepEqual(tree.exported, [987, 992, 997]);
    await pins.close();
  });
});

// Fault case 39
test('rejects an unknown base number or a chip that is missing, wrong or too small, without accessing a pin', async () => {
  const cases: [FakeChip[], Partial<PinsOptions>, RegExp][] = [
    [[], {}, /no GPIO chip .*available: none/],
    [[{ base: 0, label: 'raspberrypi-exp-gpio' }], {}, /no GPIO chip .*gpiochip0 \(raspberrypi-exp-gpio\)/],
    [[{ base: 0, label: 'pinctrl-bcm2711', lines: 8 }], {}, /has 8 pins/],
    [PI4, { base: 0 }, /no GPIO chip has base 0; available: 512, 570/],
    [PI4, { base: 570 }, /has 8 pins/],
    [PI4, { chip: 'gpio-sim' }, /no GPIO chip has the label gpio-sim/],
  ];
  for (const [chips, change, message] of cases) {
    await withChips(chips, async ({ tree, options, open }) => {
      Object.assign(options, change);
      await assert.rejects(open(), unavailable(message));
      assert.deepEqual(tree.exported, []);
    });
  }
});

// Fault case 39
test('reports a kernel error with the pin, the setting and a hint', async () => {
  for (const [code, message] of [
    ['EINVAL', /GPIO 17 \(gpio\.estop\.bcm, number 529\) .* has no such pin/],
    ['EPERM', /permission denied/],
    ['EBUSY', /in use by another driver/],
    ['EIO', /EIO/],
  ] as const) {
    await withChips(PI4, async ({ tree, open }) => {
      tree.exportError = code;
      await assert.rejects(open(), unavailable(message));
      assert.equal(tree.watched, 0);
    });
  }
});

// Fault case 39
test('waits up to 30 s for udev to grant access to a pin', async () => {
  await withChips(PI4, async ({ tree, clock, open }) => {
    tree.exportError = 'EACCES';
    const opening = open();
    await advance(clock, 1000);
    tree.exportError = '';
    await advance(clock, 100);
    await (await opening).close();
  });
  await withChips(PI4, async ({ tree, clock, open }) => {
    tree.exportError = 'EACCES';
    const rejected = assert.rejects(open(), unavailable(/permission denied/));
    await advance(clock, 30_000);
    await rejected;
    assert.equal(clock.timers, 0);
  });
});

// Fault case 39
test('waits for access to an exported pin without blocking, and logs the wait once', async () => {
  await withChips(PI4, async ({ tree, options, clock }) => {
    const opened: number[] = [];
    const { Gpio } = await tree.load();
    class RecordingGpio extends Gpio {
      constructor(...args: ConstructorParameters<typeof Gpio>) {
        super(...args);
        opened.push(args[0]);
      }
    }
    const load = async () => ({ Gpio: RecordingGpio });
    const events: string[] = [];
    const log = { ...quietLog, info: (event: string) => void events.push(event) };
    for (const number of [529, 534]) tree.withheld.add(number);
    const opening = openOnoffPins(options, { ...tree.kernel, clock, log, load });
    await advance(clock, 1000);
    tree.withheld.delete(529);
    await advance(clock, 1000);
    // onoff has not been called yet, because by default it would retry 10,000 times per file without yielding.
    assert.deepEqual(opened, []);
    tree.withheld.delete(534);
    await advance(clock, 100);
    await (await opening).close();
    assert.deepEqual(opened.toSorted(), [529, 534, 539]);
    assert.deepEqual(events, ['pins.awaited'], 'the log explains the delay of the start');
  });
});

// Fault case 39
test('rejects a pin number that is assigned to two functions, without accessing any pin', async () => {
  await withChips(PI4, async ({ tree, options, open }) => {
    options.led.bcm = options.enable.bcm;
    await assert.rejects(open(), unavailable(/gpio\.enable\.bcm and gpio\.led\.bcm are both set to GPIO 27/));
    assert.deepEqual(tree.exported, []);
  });
});

// Fault case 40
test('reconfigures pins that were already exported', async () => {
  await withChips(PI4, async ({ tree, open }) => {
    tree.preExport(529, { direction: 'out', active_low: '1', edge: 'rising' });
    tree.preExport(539, { direction: 'in', value: '1' });
    const pins = await open();
    const configured = ['direction', 'edge', 'active_low'].map((file) => tree.read(529, file));
    assert.deepEqual(configured, ['in', 'both', '0']);
    assert.deepEqual([tree.read(539, 'direction'), tree.read(539, 'value')], ['out', '0']);
    await pins.close();
  });
});

// Fault case 40
test('rejects a pin whose direction cannot be changed, without driving the pin', async () => {
  await withChips(PI4, async ({ tree, open }) => {
    tree.preExport(529, { direction: 'out', value: '1' });
    tree.stuck.add(529);
    await assert.rejects(open(), unavailable(/direction is "out" and cannot be changed to "in"/));
    assert.equal(tree.read(529, 'value'), '1');
  });
  await withChips(PI4, async ({ tree, open }) => {
    tree.preExport(539, { direction: 'in', value: '1' });
    tree.stuck.add(539);
    await assert.rejects(open(), unavailable(/GPIO 27 .* direction is "in"/));
    assert.equal(tree.read(539, 'value'), '1');
    assert.deepEqual(tree.exported, [534, 539], 'the input that was already open is released');
  });
});

// Fault case 9
test('emits each edge with its level, and both edges of a press that is too short to read', async () => {
  await withChips(PI4, async ({ tree, open }) => {
    tree.preExport(529, { value: '1' });
    const pins = await open();
    const levels: boolean[] = [];
    pins.onEstopEdge(() => levels.push(pins.readEstopHealthy()));
    tree.set(529, 0);
    tree.interrupt();
    tree.set(529, 1);
    tree.interrupt();
    assert.deepEqual(levels.splice(0), [false, true]);
    tree.interrupt();
    assert.deepEqual(levels, [false, true], 'opened and closed before it was read');
    assert.equal(pins.readEstopHealthy(), true);
    await pins.close();
    assert.equal(tree.watched, 0);
  });
});

// Fault case 9
test("reads the level independently of the edge watcher's file descriptor", async () => {
  await withChips(PI4, async ({ tree, options, clock }) => {
    let reads = 0;
    const module = await tree.load();
    class CountingGpio extends module.Gpio {
      override readSync(): 0 | 1 {
        reads += 1;
        return super.readSync();
      }
    }
    const deps = { ...tree.kernel, clock, log: quietLog, load: async () => ({ Gpio: CountingGpio }) };
    const pins = await openOnoffPins(options, deps);
    reads = 0;
    assert.equal(pins.readEstopHealthy(), false);
    tree.set(529, 1);
    assert.equal(pins.readEstopHealthy(), true);
    assert.equal(reads, 0);
    await pins.close();
  });
});

test('switches off outputs of either polarity on open and on close, and leaves them exported', async () => {
  for (const activeHigh of [true, false]) {
    await withChips(PI4, async ({ tree, options, open }) => {
      options.enable.activeHigh = activeHigh;
      const [onLevel, off] = activeHigh ? ['1', '0'] : ['0', '1'];
      const pins = await open();
      const levels = () => [tree.read(539, 'value'), tree.read(534, 'value')];
      assert.deepEqual(levels(), [off, '0']);
      pins.writeEnable(true);
      pins.writeLed(true);
      assert.deepEqual(levels(), [onLevel, '1']);
      await pins.close();
      assert.deepEqual(
        [levels(), tree.exported],
        [
          [off, '0'],
          [534, 539],
        ],
      );
    });
  }
});

// Fault case 41
test('reports motor power from the read-back input, or undefined when none is configured', async () => {
  await withChips(PI4, async ({ tree, options, open }) => {
    const without = await open();
    assert.equal(without.readPowered(), undefined);
    await without.close();
    options.readBack.bcm = 6;
    const pins = await open();
    tree.set(518, 1);
    assert.equal(pins.readPowered(), false, 'the contact is closed while there is no power');
    tree.set(518, 0);
    assert.equal(pins.readPowered(), true);
    await pins.close();
  });
});

// Fault case 10
test('emits an edge immediately and makes every read throw when a write fails', async () => {
  await withChips(PI4, async ({ tree, options, clock, open }) => {
    const module = await tree.load();
    class BrokenGpio extends module.Gpio {
      override writeSync(): void {
        throw Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' });
      }
    }
    assert.ok(await open());
    const deps = { ...tree.kernel, clock, log: quietLog, load: async () => ({ Gpio: BrokenGpio }) };
    const pins = await openOnoffPins(options, deps);
    let edges = 0;
    pins.onEstopEdge(() => {
      edges += 1;
      assert.throws(() => pins.readEstopHealthy(), unavailable(/motor-enable pin cannot be written: EIO/));
    });
    pins.writeEnable(false);
    pins.writeEnable(false);
    assert.equal(edges, 1);
    await pins.close();
  });
});

test.run();
