import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import { GatewayBackups, type MadeBackup } from '../../../src/backups/gateway-backups.js';
import { UsbStick } from '../../../src/backups/usb-stick.js';
import { userActor } from '../../../src/shared/actor.js';
import { textOf } from '../../../src/shared/messages/message.js';
import { ObservableClock } from '../../helpers/observable-clock.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { PASSPHRASE, type Sample, withSample } from './sample.js';

const test = suite('the USB stick for backups');
const ANNA = userActor('anna');
const OTHER = 'cartwright-other-000007-20260504T120000Z.cwbackup';

interface Opened {
  backups: GatewayBackups;
  /** The folder at which the stick is mounted. */
  stick: string;
  log: RecordingLog;
  make(): Promise<MadeBackup>;
}

async function open({ dir, work }: Sample): Promise<Opened> {
  const clock = new ObservableClock();
  const log = new RecordingLog();
  const stick = join(work, 'stick');
  const snapshot = async (path: string) => {
    await copyFile(join(dir, 'cartwright.db'), path);
    return { path, schemaVersion: 23, tables: {} };
  };
  const facts = () => ({ gateway: 'gw', cartId: 7, version: '0.3.0', schemaVersion: 23 });
  const usb = new UsbStick(stick, clock);
  const backups = await GatewayBackups.open({ dir, clock, log, database: { snapshot }, usb, facts });
  const make = (): Promise<MadeBackup> => {
    clock.advance(1000);
    return backups.make(PASSPHRASE, [], ANNA);
  };
  return { backups, stick, log, make };
}

test(
  'copies each new backup to the stick',
  withSample(async (sample) => {
    const { backups, stick, make } = await open(sample);
    const before = await make();
    assert.deepEqual([before.usb, before.usbFailure, await backups.hasUsbStick()], [false, '', false]);
    mkdirSync(stick);
    assert.equal(await backups.hasUsbStick(), true);
    const { name, usb, usbFailure } = await make();
    assert.deepEqual([usb, usbFailure], [true, '']);
    assert.deepEqual(readdirSync(stick), [name]);
    assert.deepEqual(readFileSync(join(stick, name)), readFileSync(await backups.pathOf(name)));
    assert.deepEqual(
      (await backups.list()).map((listed) => [listed.name, listed.uploaded, listed.usb]),
      [
        [name, false, true],
        [before.name, false, false],
      ],
    );
  }),
);

test(
  'reads a backup that only the stick contains, and continues the numbers on a new SD card',
  withSample(async (sample) => {
    const { backups, stick, make } = await open(sample);
    mkdirSync(stick);
    for (let n = 0; n < 2; n += 1) await make();
    const { name } = await make();
    rmSync(join(sample.dir, 'gateway-backups'), { recursive: true });
    assert.equal((await backups.list()).length, 3);
    assert.equal((await backups.inspect(name, PASSPHRASE)).usb, true);
    assert.equal(await backups.pathOf(name), join(stick, name));
    assert.match((await make()).name, /-000004-/);
  }),
);

test(
  'keeps the latest ten copies of its own backups, and every other file',
  withSample(async (sample) => {
    const { stick, make } = await open(sample);
    mkdirSync(stick);
    const others = [OTHER, 'film.part1.rar', 'notes.part'];
    for (const other of others) writeFileSync(join(stick, other), 'other');
    writeFileSync(join(stick, 'cartwright-gw-000099-20260504T120000Z.cwbackup.part'), 'incomplete');
    const made: string[] = [];
    for (let n = 0; n < 12; n += 1) made.push((await make()).name);
    assert.deepEqual(readdirSync(stick).toSorted(), [...others, ...made.slice(-10)].toSorted());
  }),
);

test(
  'keeps the backup, and reports the reason, when the copy fails',
  withSample(async (sample) => {
    const { backups, stick, log, make } = await open(sample);
    mkdirSync(stick);
    // A folder cannot be deleted like a file, so the copy fails.
    mkdirSync(join(stick, 'cartwright-gw-000001-20260101T000001Z.cwbackup.part'));
    const { name, usb, usbFailure } = await make();
    assert.equal(usb, false);
    assert.match(textOf(usbFailure), /^the copy to the USB stick failed: /);
    assert.equal(existsSync(await backups.pathOf(name)), true);
    assert.equal(log.lines.filter(({ event }) => event === 'gateway_backup.not_copied_to_usb').length, 1);
  }),
);

test(
  'deletes a backup together with its copy',
  withSample(async (sample) => {
    const { backups, stick, make } = await open(sample);
    mkdirSync(stick);
    writeFileSync(join(stick, OTHER), 'other');
    const { name } = await make();
    await backups.remove(name, ANNA);
    assert.deepEqual(readdirSync(stick), [OTHER]);
    await backups.remove(OTHER, ANNA);
    assert.deepEqual(await backups.list(), []);
  }),
);

test(
  'does not reveal the path of a copy',
  withSample(async (sample) => {
    const { backups, stick, make } = await open(sample);
    mkdirSync(stick);
    const { name } = await make();
    const members = ['at', 'bytes', 'name', 'uploaded', 'usb'];
    assert.deepEqual(
      (await backups.list()).map((backup) => Object.keys(backup).toSorted()),
      [members],
    );
    const bytes = readFileSync(join(stick, name));
    writeFileSync(join(stick, OTHER), bytes);
    const part = { first: 0, last: bytes.length - 1, total: bytes.length };
    const uploaded = await backups.upload(OTHER, part, Readable.from([bytes]), ANNA);
    assert.deepEqual(Object.keys(uploaded).toSorted(), members);
    const inspected = await backups.inspect(OTHER, PASSPHRASE);
    assert.deepEqual(
      Object.keys(inspected).toSorted(),
      [...members, 'contents', 'manifest', 'problems'].toSorted(),
    );
  }),
);

test(
  'ignores links and folders on the stick, and files with other names',
  withSample(async (sample) => {
    const { backups, stick } = await open(sample);
    mkdirSync(join(stick, OTHER), { recursive: true });
    symlinkSync('/etc/passwd', join(stick, OTHER.replace('000007', '000008')));
    writeFileSync(join(stick, 'cartwright.cwbackup'), '');
    assert.deepEqual(await backups.list(), []);
  }),
);

test.run();
