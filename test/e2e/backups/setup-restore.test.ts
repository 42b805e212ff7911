import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { untilAnswer } from '../../helpers/until.js';
import { canMount, withDisk } from '../../unit/store/small-disk.js';
import { ADMINISTRATOR_ENV, loggedIn } from '../store/administrator.js';

const test = suite('restore on the setup page');

const PASSPHRASE = 'correct horse battery staple';
const NEW = { CARTWRIGHT_AUTH: 'required' };
const WRONG_CODE = '0000-0000-0000-0000';

let backup: { name: string; bytes: Buffer };

test.before(async () => {
  const old = await GatewayProcess.start({}, ADMINISTRATOR_ENV);
  try {
    const send = await loggedIn(old);
    await send('POST', '/updateJson', { gateway: { name: 'Restored' } });
    const made = await send('POST', '/gateway-backups', { passphrase: PASSPHRASE });
    const { name } = made.json() as { name: string };
    backup = { name, bytes: readFileSync(join(old.dir, 'data/gateway-backups', name)) };
  } finally {
    await old.close();
  }
});

/** A gateway on a new SD card. */
async function withNewGateway(
  run: (gateway: GatewayProcess, code: string) => Promise<void>,
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const gateway = await GatewayProcess.start({}, { ...NEW, ...env });
  try {
    const code = readFileSync(join(gateway.dir, 'data/setup-code'), 'utf8').trim();
    await run(gateway, code);
  } finally {
    await gateway.close();
  }
}

const pathOf = (action = ''): string => `/setup/gateway-backups/${backup.name}${action}`;

async function put(
  gateway: GatewayProcess,
  code: string | undefined,
  bytes: Buffer,
  first = 0,
  total = bytes.length,
): Promise<{ status: number; code?: string }> {
  const answer = await fetch(`${gateway.url}${pathOf()}`, {
    method: 'PUT',
    headers: {
      accept: 'application/json',
      'content-type': 'application/octet-stream',
      'content-range': `bytes ${first}-${first + bytes.length - 1}/${total}`,
      ...(code === undefined ? {} : { 'x-setup-code': code }),
    },
    body: new Uint8Array(bytes),
  });
  return { status: answer.status, ...((await answer.json()) as { code?: string }) };
}

const uploadsOf = ({ dir }: GatewayProcess): string[] => {
  const folder = join(dir, 'data/gateway-backups/uploads');
  return existsSync(folder) ? readdirSync(folder) : [];
};

test('restores a backup with the setup code, and the users in the backup can log in', () =>
  withNewGateway(async (gateway, code) => {
    const half = Math.ceil(backup.bytes.length / 2);
    const [start, end] = [backup.bytes.subarray(0, half), backup.bytes.subarray(half)];
    assert.equal((await put(gateway, code, start, 0, backup.bytes.length)).status, 202);
    assert.equal((await put(gateway, code, end, half, backup.bytes.length)).status, 201);

    const inspected = await gateway.call('POST', pathOf('/inspect'), { code, passphrase: PASSPHRASE });
    assert.equal(inspected.status, 200);
    assert.equal((inspected.body.manifest as { gateway: string }).gateway, 'Restored');
    const accepted = await gateway.call('POST', pathOf('/restore'), { code, passphrase: PASSPHRASE });
    assert.deepEqual([accepted.status, accepted.body.restartsItself], [202, false]);
    const page = await fetch(`${gateway.url}/setup`, { headers: { accept: 'text/html' } });
    assert.match(await page.text(), /data-gateway-restore="staged"/);

    await gateway.kill('SIGTERM');
    await gateway.spawn(NEW);
    const send = await loggedIn(gateway);
    const settings = (await send('GET', '/variables.json')).json() as { gateway: { name: string } };
    assert.equal(settings.gateway.name, 'Restored');
    const { restore } = (await send('GET', '/gateway-backups')).json() as { restore: { step: string } };
    assert.equal(restore.step, 'trial');
    const early = await send('POST', '/gateway-backups/confirm');
    assert.deepEqual([early.status, early.json().code], [409, 'CONFLICT']);
    assert.equal(existsSync(join(gateway.dir, 'data/setup-code')), false);

    const late = await put(gateway, code, backup.bytes);
    assert.deepEqual([late.status, late.code], [403, 'FORBIDDEN']);
    for (const action of ['/inspect', '/restore']) {
      const { status } = await gateway.call('POST', pathOf(action), { code, passphrase: PASSPHRASE });
      assert.equal(status, 403, action);
    }
  }));

test('lists and restores backups on a USB stick for a client with the setup code', async () => {
  const stick = mkdtempSync(join(tmpdir(), 'cartwright-usb-'));
  writeFileSync(join(stick, backup.name), backup.bytes);
  try {
    await withNewGateway(
      async (gateway, code) => {
        const wrong = await gateway.call('POST', '/setup/gateway-backups', { code: WRONG_CODE });
        assert.deepEqual([wrong.status, wrong.body.code], [403, 'FORBIDDEN']);
        const listed = await gateway.call('POST', '/setup/gateway-backups', { code });
        const [found] = listed.body.backups as { name: string; usb: boolean }[];
        assert.deepEqual([found?.name, found?.usb], [backup.name, true]);
        const accepted = await gateway.call('POST', pathOf('/restore'), { code, passphrase: PASSPHRASE });
        assert.equal(accepted.status, 202);
        await gateway.kill('SIGTERM');
        await gateway.spawn({ ...NEW, CARTWRIGHT_USB: stick });
        const send = await loggedIn(gateway);
        assert.equal((await send('GET', '/gateway-backups')).json().usbStick, true);
      },
      { CARTWRIGHT_USB: stick },
    );
  } finally {
    rmSync(stick, { recursive: true });
  }
});

test('stores and restores nothing when the setup code is missing or incorrect', () =>
  withNewGateway(async (gateway, code) => {
    for (const guess of [undefined, WRONG_CODE]) {
      const rejected = await put(gateway, guess, backup.bytes);
      assert.deepEqual([rejected.status, rejected.code], [403, 'FORBIDDEN']);
    }
    assert.deepEqual(uploadsOf(gateway), []);
    assert.equal((await put(gateway, code, backup.bytes)).status, 201);
    for (const action of ['/inspect', '/restore']) {
      const missing = await gateway.call('POST', pathOf(action), { passphrase: PASSPHRASE });
      assert.equal(missing.status, 400, action);
      const wrong = await gateway.call('POST', pathOf(action), { code: WRONG_CODE, passphrase: PASSPHRASE });
      assert.deepEqual([wrong.status, wrong.body.code], [403, 'FORBIDDEN'], action);
    }
    assert.equal(existsSync(join(gateway.dir, 'data/restore')), false);
  }));

test('incorrect setup codes in uploads count towards the same limit as those in the setup form', () =>
  withNewGateway(async (gateway, code) => {
    const part = backup.bytes.subarray(0, 100);
    for (let n = 0; n < 30; n += 1) assert.equal((await put(gateway, WRONG_CODE, part)).status, 403);
    assert.equal((await put(gateway, code, part)).status, 429);
    const form = { code, username: 'anna', password: 'correct horse battery' };
    assert.equal((await gateway.call('POST', '/setup', form)).status, 429);
  }));

test('changes nothing when the passphrase is incorrect or the backup is damaged', () =>
  withNewGateway(async (gateway, code) => {
    assert.equal((await put(gateway, code, backup.bytes)).status, 201);
    const wrong = await gateway.call('POST', pathOf('/restore'), { code, passphrase: 'another passphrase' });
    assert.deepEqual([wrong.status, wrong.body.code], [422, 'BACKUP_PASSPHRASE']);
    const bytes = Buffer.from(backup.bytes);
    bytes[bytes.length - 1000] = (bytes[bytes.length - 1000] ?? 0) ^ 1;
    assert.equal((await put(gateway, code, bytes)).status, 201);
    const damaged = await gateway.call('POST', pathOf('/restore'), { code, passphrase: PASSPHRASE });
    assert.deepEqual([damaged.status, damaged.body.code], [422, 'BACKUP_DAMAGED']);
    assert.equal(existsSync(join(gateway.dir, 'data/restore')), false);
    const form = { code, username: 'anna', password: 'correct horse battery' };
    assert.equal((await gateway.call('POST', '/setup', form)).status, 201);
  }));

if (canMount()) {
  test('changes nothing when the disk is full, and setup is still possible', () =>
    withDisk(96 * 1024, async (disk) => {
      const gateway = await GatewayProcess.start({}, { ...NEW, CARTWRIGHT_DATA_DIR: disk });
      const filler = join(disk, 'filler');
      try {
        const code = readFileSync(join(disk, 'setup-code'), 'utf8').trim();
        assert.equal((await put(gateway, code, backup.bytes)).status, 201);
        assert.throws(() => writeFileSync(filler, Buffer.alloc(128 << 20)), { code: 'ENOSPC' });
        const rejected = await gateway.call('POST', pathOf('/restore'), { code, passphrase: PASSPHRASE });
        assert.equal(rejected.body.code, 'STORE_FULL');
        assert.equal(existsSync(join(disk, 'restore')), false);
        const next = await put(gateway, code, backup.bytes);
        assert.equal(next.code, 'STORE_FULL');
        rmSync(filler);
        // After the disk was full, the store does not accept writes immediately.
        const form = { code, username: 'anna', password: 'correct horse battery' };
        await untilAnswer(
          () => gateway.call('POST', '/setup', form),
          ({ status }) => status === 201,
        );
      } finally {
        await gateway.close();
      }
    }));
}

async function restoreInBrowser(gateway: GatewayProcess, code: string): Promise<void> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 360, height: 900 } });
    await page.goto(`${gateway.url}/setup?code=${code}`);
    const section = page.locator('[data-setup-restore]');
    await section.waitFor();
    assert.deepEqual(await violationsOf(page), []);
    const { bytes: buffer } = backup;
    const file = { name: backup.name, mimeType: 'application/octet-stream', buffer };
    await page.setInputFiles('#restore-file', file);
    await page.fill('#restore-code', WRONG_CODE);
    await page.fill('#restore-passphrase', 'another passphrase');
    await section.locator('button:text("Upload and show contents")').click();
    await section.locator('[data-upload-words]:has-text("setup code is incorrect")').waitFor();
    await page.fill('#restore-code', code);
    await section.locator('button:text("Upload and show contents")').click();
    await page.locator('.outcome:has-text("the passphrase is incorrect")').waitFor();
    await page.fill('#restore-passphrase', PASSPHRASE);
    await page.click('button:text("Show contents")');
    await page.locator('[data-inspected]:has-text("Made by Restored")').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.fill('#restore-passphrase', PASSPHRASE);
    await page.click('button:text("Restore and restart")');
    await page.locator('[data-restore-accepted] a:text("Log in")').waitFor();
    assert.deepEqual(await violationsOf(page), []);
  } finally {
    await browser.close();
  }
}

async function restoreFromUsb(gateway: GatewayProcess, code: string): Promise<void> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 360, height: 900 } });
    await page.goto(`${gateway.url}/setup?code=${WRONG_CODE}`);
    await page.click('button:text("Show backups on a USB stick")');
    await page.locator('.outcome:has-text("setup code is incorrect")').waitFor();
    await page.goto(`${gateway.url}/setup?code=${code}`);
    await page.click('button:text("Show backups on a USB stick")');
    await page.locator(`[data-backup-choice]:has-text("${backup.name}")`).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.fill('#restore-passphrase', PASSPHRASE);
    await page.click('button:text("Show contents")');
    await page.locator('[data-inspected]:has-text("Made by Restored")').waitFor();
    await page.fill('#restore-passphrase', PASSPHRASE);
    await page.click('button:text("Restore and restart")');
    await page.locator('[data-restore-accepted] a:text("Log in")').waitFor();
  } finally {
    await browser.close();
  }
}

if (hasBrowser) {
  test('the setup page uploads a backup, shows its contents and restores it', () =>
    withNewGateway(restoreInBrowser));

  test('the setup page restores a backup from a USB stick', async () => {
    const stick = mkdtempSync(join(tmpdir(), 'cartwright-usb-'));
    writeFileSync(join(stick, backup.name), backup.bytes);
    try {
      await withNewGateway(restoreFromUsb, { CARTWRIGHT_USB: stick });
    } finally {
      rmSync(stick, { recursive: true });
    }
  });
}

test.run();
