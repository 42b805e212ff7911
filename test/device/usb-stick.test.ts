import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { READY_MS } from './gateway-client.js';
import type { Machine } from './machine.js';
import { poll } from './poll.js';
import { deviceSuite } from './vm.js';

const PASSPHRASE = 'correct horse battery staple';
const ADMINISTRATOR = { username: 'anna', password: 'correct horse battery' };

/** Sends a request with the cookies of an administrator's session. */
type Send = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

async function setUp(machine: Machine): Promise<Send> {
  const request = (method: string, path: string, body?: object, cookie = ''): Promise<Response> =>
    fetch(new URL(path, machine.url), {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json', cookie },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(READY_MS),
    });
  const code = (await machine.run('cat /var/lib/cartwright/setup-code')).trim();
  const created = await request('POST', '/setup', { code, ...ADMINISTRATOR });
  assert.equal(created.status, 201, await created.text());
  const login = await request('POST', '/login', ADMINISTRATOR);
  assert.equal(login.status, 201, await login.text());
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  return async (method, path, body) => {
    const answer = await request(method, path, body, cookie);
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
    return (await answer.json()) as Record<string, unknown>;
  };
}

/** Writes an image of a stick with the label CARTWRIGHT. */
function makeStick(path: string): void {
  writeFileSync(path, '');
  truncateSync(path, 64 << 20);
  execFileSync('mkfs.vfat', ['-n', 'CARTWRIGHT', path], { stdio: 'ignore' });
}

async function plugIn({ monitor }: Machine, filename: string): Promise<void> {
  await monitor.do('blockdev-add', { driver: 'file', 'node-name': 'stick', filename });
  await monitor.do('device_add', { driver: 'usb-storage', drive: 'stick', id: 'stick', removable: true });
}

await deviceSuite('the USB stick for backups', (test, vms) => {
  test('the gateway copies its backups to a stick that is plugged in while it runs, and lists them after it is plugged in again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cartwright-stick-'));
    try {
      const image = join(folder, 'stick.img');
      makeStick(image);
      const { machine, gateway } = await vms.warmBoot();
      await gateway.ready();
      const send = await setUp(machine);
      const untilStick = (isPresent: boolean) =>
        poll(`the stick is ${isPresent ? 'present' : 'absent'}`, READY_MS, async () => {
          const { usbStick } = await send('GET', '/gateway-backups');
          return usbStick === isPresent;
        });
      await untilStick(false);
      await plugIn(machine, image);
      await untilStick(true);
      const options = await machine.run('findmnt -n -o OPTIONS,FSTYPE /media/cartwright');
      for (const option of ['nosuid', 'nodev', 'noexec', 'vfat']) assert.match(options, new RegExp(option));
      const made = await send('POST', '/gateway-backups', { passphrase: PASSPHRASE });
      assert.deepEqual([made.usb, made.usbFailure], [true, '']);
      await machine.monitor.do('device_del', { id: 'stick' });
      await untilStick(false);
      await machine.run('rm /var/lib/cartwright/gateway-backups/*.cwbackup');
      await poll('the stick is released', READY_MS, () =>
        machine.monitor.do('blockdev-del', { 'node-name': 'stick' }).then(
          () => true,
          () => false,
        ),
      );
      await plugIn(machine, image);
      await untilStick(true);
      const inspected = await send('POST', `/gateway-backups/${String(made.name)}/inspect`, {
        passphrase: PASSPHRASE,
      });
      assert.equal(inspected.usb, true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
