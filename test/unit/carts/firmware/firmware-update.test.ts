import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { FirmwareUpdate, type WrittenFirmware } from '../../../../src/carts/firmware/firmware-update.js';
import type { ReleaseFirmware } from '../../../../src/carts/firmware/release.js';
import { UpdateRecord } from '../../../../src/carts/firmware/update-record.js';
import { userActor } from '../../../../src/shared/actor.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import type { FlashEnd, Flasher, FlashJob, FlashProgress } from '../../../../src/shared/ports/serial.js';
import { CartHarness, quietLog } from '../../../helpers/cart-harness.js';
import { hasCode } from '../../../helpers/has-code.js';

const FAILED: FlashEnd = { outcome: 'failed', reason: 'no response', hint: 'try again' };

/** A flasher that writes nothing; the test decides when and how the update ends. */
class FakeFlasher implements Flasher {
  installed = true;
  job: FlashJob | undefined;
  progress: (progress: FlashProgress) => void = () => undefined;
  finish: (end: FlashEnd) => void = () => undefined;

  isInstalled(): boolean {
    return this.installed;
  }
  flash(job: FlashJob, progress: (progress: FlashProgress) => void): Promise<FlashEnd> {
    this.job = job;
    this.progress = progress;
    return new Promise((resolve) => {
      this.finish = resolve;
    });
  }
  async stop(): Promise<void> {
    this.finish({ outcome: 'stopped' });
  }
  async clear(): Promise<boolean> {
    return false;
  }
}

interface SetUp {
  harness: CartHarness;
  flasher: FakeFlasher;
  update: FirmwareUpdate;
  record: UpdateRecord;
  dir: string;
  /** Advances the clock, and waits for the disk. */
  settle: (ms?: number) => Promise<void>;
  written: WrittenFirmware[];
}

const dirs: string[] = [];
test.after(async () => {
  for (const dir of dirs) await rm(dir, { recursive: true, force: true });
});

/** The version of the simulated controller. */
const VERSION = '0.1.0';

async function setUp(content = '', readable: () => void = () => undefined): Promise<SetUp> {
  const dir = await mkdtemp(join(tmpdir(), 'update-'));
  dirs.push(dir);
  if (content !== '') await writeFile(join(dir, 'firmware-update.json'), content);
  const record = await UpdateRecord.open({ dir, log: quietLog });
  const harness = new CartHarness();
  Object.defineProperty(harness, 'firmwareBlock', { get: () => record.motionBlock });
  const { cart, clock, link } = harness;
  const flasher = new FakeFlasher();
  const written: WrittenFirmware[] = [];
  const release: Pick<ReleaseFirmware, 'facts' | 'read'> = {
    facts: { version: VERSION, revision: '0', isConfigured: true, isSigned: true },
    read: async () => {
      readable();
      return { sections: [{ hex: 'first', bytes: 100 }], sha256: 'ab12' };
    },
  };
  await cart.start();
  await harness.run(1500);
  const update = new FirmwareUpdate({
    record,
    release,
    flasher,
    cart,
    clock,
    log: quietLog,
    // Presents the harness's simulated controller as a real one, because only a real controller can be updated.
    link: {
      simulated: false,
      get driver() {
        return link.driver;
      },
      get hello() {
        const { hello } = link;
        return hello ? { ...hello, firmware: VERSION } : undefined;
      },
      onReady: link.onReady,
      suspend: (text) => link.suspend(text),
      resume: () => link.resume(),
      view: () => link.view(),
    },
    serial: () => harness.settings.serial,
    onWritten: (firmware) => written.push(firmware),
  });
  const settle = async (ms = 10): Promise<void> => {
    for (let n = 0; n < 10; n++) await new Promise((resolve) => setTimeout(resolve, 5));
    await harness.run(ms);
  };
  return { harness, flasher, update, record, dir, settle, written };
}

async function flashing(set: SetUp): Promise<void> {
  set.update.start('uno', userActor('anna'));
  while (set.update.view().phase === 'checking') await set.settle();
}

async function untilPhase({ update, settle }: SetUp, phase: string): Promise<void> {
  for (let n = 0; n < 300 && update.view().phase !== phase; n++) await settle(200);
  assert.equal(update.view().phase, phase);
}

test('keeps the line closed and rejects motion while the firmware is being written', async () => {
  const set = await setUp();
  const { harness, update } = set;
  await flashing(set);
  assert.deepEqual([update.view().phase, update.isRunning], ['flashing', true]);
  const { opened } = harness.wire;
  harness.link.restart();
  await set.settle(20_000);
  assert.equal(harness.wire.opened, opened);
  assert.equal(harness.link.driver, undefined);
  assert.throws(() => harness.move(100), hasCode('FIRMWARE_UPDATE'));
  assert.equal(harness.cart.arming.on, false);
  assert.throws(() => update.start('uno', userActor('anna')), hasCode('FIRMWARE_UPDATE'));
  await harness.close();
});

test('the E-stop can be latched during an update', async () => {
  const set = await setUp();
  await flashing(set);
  set.harness.cart.stop('estop', userActor('anna'));
  assert.equal(set.harness.cart.view().safety.emergencyStop, 'REMOTE');
  assert.throws(() => set.harness.move(100), hasCode('ESTOP_ACTIVE'));
  await set.harness.close();
});

test('reconnects after the update, tests the controller without motion and permits motion', async () => {
  const set = await setUp();
  const { flasher, harness, record, update } = set;
  await flashing(set);
  flasher.progress({ section: 0, step: 'verify', percent: 50 });
  assert.equal(update.view().percent, 75);
  harness.wire.sent.length = 0;
  assert.deepEqual(set.written, []);
  flasher.finish({ outcome: 'flashed' });
  await untilPhase(set, 'done');
  assert.deepEqual(set.written, [{ from: VERSION, version: VERSION, sha256: 'ab12', by: userActor('anna') }]);
  const types = new Set(harness.wire.sent.map(({ type }) => type));
  assert.ok(types.has('STOP') && !types.has('MOVE') && !types.has('JOG'));
  assert.ok(update.view().checks.every(({ passed }) => passed));
  assert.equal(record.isPending, false);
  harness.move(100);
  await harness.close();
});

// Fault case 45
test('a failed update permits motion as soon as the controller works again', async () => {
  const set = await setUp();
  await flashing(set);
  set.harness.wire.openError = 'unplugged';
  set.flasher.finish(FAILED);
  await set.settle(10_000);
  const { phase, reason, hint, blocksMotion } = set.update.view();
  assert.deepEqual([phase, reason, hint, blocksMotion], ['failed', 'no response', 'try again', true]);
  set.harness.wire.openError = '';
  for (let n = 0; n < 100 && set.record.isPending; n++) await set.settle(200);
  assert.equal(set.record.isPending, false);
  await set.harness.close();
});

test('an update fails, and can be repeated, if the controller does not respond afterwards', async () => {
  const set = await setUp();
  await flashing(set);
  set.harness.controller.fault('mute', true);
  set.flasher.finish({ outcome: 'flashed' });
  await untilPhase(set, 'failed');
  assert.throws(() => set.harness.move(100), hasCode('FIRMWARE_UPDATE'));
  set.harness.controller.fault('mute', false);
  await flashing(set);
  set.flasher.finish({ outcome: 'flashed' });
  await untilPhase(set, 'done');
  await set.harness.close();
});

// Fault case 45
test('an interrupted update blocks motion after a restart until the controller responds', async () => {
  const set = await setUp();
  await flashing(set);
  const stored = await readFile(join(set.dir, 'firmware-update.json'), 'utf8');
  await set.harness.close();

  const next = await setUp(stored);
  assert.equal(next.update.view().board, 'uno');
  assert.deepEqual([next.update.view().phase, next.update.isRunning], ['interrupted', false]);
  assert.throws(() => next.harness.move(100), hasCode('FIRMWARE_UPDATE'));
  await untilPhase(next, 'idle');
  next.harness.move(100);
  await next.harness.close();
});

test('an unreadable record counts as an interrupted update', async () => {
  for (const content of ['{', '[]', '{"pending":"no"}']) {
    const { record, harness } = await setUp(content);
    assert.equal(record.isPending, true);
    await harness.close();
  }
});

test('an update does not start if the record cannot be saved', async () => {
  const set = await setUp();
  await rm(set.dir, { recursive: true });
  set.update.start('uno', userActor('anna'));
  await untilPhase(set, 'failed');
  assert.equal(set.flasher.job, undefined);
  assert.equal(set.record.isPending, false);
  await writeFile(set.dir, '');
  await set.harness.close();
});

test('an update does not start if the firmware file is not the signed file', async () => {
  const set = await setUp('', () => {
    throw new GatewayError('FIRMWARE_IMAGE', 'changed', { hint: 'install again' });
  });
  set.update.start('uno', userActor('anna'));
  await untilPhase(set, 'failed');
  assert.deepEqual([set.update.view().reason, set.flasher.job], ['changed', undefined]);
  assert.notEqual(set.harness.link.driver, undefined);
  await set.harness.close();
});

test('an update is rejected while the cart is moving, and while the motors are on without an E-stop', async () => {
  const { harness, update } = await setUp();
  harness.move(2000);
  await harness.run(500);
  assert.throws(() => update.start('uno', userActor('anna')), hasCode('FIRMWARE_REFUSED'));
  harness.cart.stop('stop', userActor('anna'));
  await harness.run(3000);
  assert.equal(harness.cart.busy, false);
  assert.equal(harness.cart.arming.on, true);
  assert.throws(() => update.start('uno', userActor('anna')), hasCode('FIRMWARE_REFUSED'));
  harness.cart.stop('estop', userActor('anna'));
  await harness.run(100);
  update.start('uno', userActor('anna'));
  await harness.close();
});

test('a shutdown aborts the update and leaves it pending', async () => {
  const set = await setUp();
  await flashing(set);
  await set.update.close();
  await set.update.ended();
  assert.equal(set.record.isPending, true);
  assert.equal(set.harness.link.driver, undefined);
  await set.harness.close();
});

test.run();
