import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { pbkdf2 } from 'node:crypto';
import { chmod, realpath } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import { serialOpener } from '../../../src/adapters/serialport/serialport.js';
import type { ByteLink } from '../../../src/shared/ports/serial.js';
import { hasSocat, openPtyPair, type PtyPair } from '../../helpers/pty.js';

const test = suite('serial port on a pty');
const log = { debug() {}, info() {}, warn() {}, error() {} };

interface Far {
  link: ByteLink;
  got(): string;
}

let pair: PtyPair;
const opened: ByteLink[] = [];

async function open(path: string, baudRate = 115_200): Promise<ByteLink> {
  const link = await serialOpener({ path, baudRate, log }).open();
  opened.push(link);
  return link;
}

async function openFar(): Promise<Far> {
  const link = await open(pair.far);
  let text = '';
  link.onBytes((bytes) => {
    text += Buffer.from(bytes).toString('latin1');
  });
  return { link, got: () => text };
}

const closed = (link: ByteLink) => new Promise<Error | undefined>((resolve) => link.onClose(resolve));

/** Time limit for a condition, sufficient even on a slow machine. */
const NEVER_MS = 60_000;

async function waitUntil(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + NEVER_MS;
  while (!condition() && performance.now() < deadline) await setImmediate();
  assert.ok(condition(), `no match within ${NEVER_MS / 1000} s`);
}

const send = (link: ByteLink, text: string) => link.write(Buffer.from(text, 'latin1'));

test.before.each(async () => {
  pair = await openPtyPair();
});

test.after.each(async () => {
  await Promise.all(opened.splice(0).map((link) => link.close()));
  await pair.close();
});

test('every byte value is transferred unchanged in both directions', async () => {
  const [near, far] = [await open(pair.near), await openFar()];
  const all = String.fromCharCode(...Array.from({ length: 256 }, (_, byte) => byte));
  send(near, all);
  await waitUntil(() => far.got().length === 256);
  assert.equal(far.got(), all);
  let back = '';
  near.onBytes((bytes) => {
    back += Buffer.from(bytes).toString('latin1');
  });
  send(far.link, all);
  await waitUntil(() => back.length === 256);
  assert.equal(back, all);
});

// Fault case 17
test('opening a port that is already open is rejected until the port is closed', async () => {
  const near = await open(pair.near);
  await assert.rejects(open(pair.near), {
    code: 'SERIAL_BUSY',
    message: `${pair.near} is in use by another program`,
  });
  await near.close();
  await open(pair.near);
});

// Fault case 17
test('the error message for a missing port contains the port name', async () => {
  const path = `${pair.near}-missing`;
  await assert.rejects(open(path), { code: 'SERIAL_DOWN', message: `no device at ${path}` });
});

// Fault case 17
test('the error message for a missing permission names the group that has access', async () => {
  const path = await realpath(pair.near);
  await chmod(path, 0o600);
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) await chmod(path, 0);
  // Root can open any port, so the test uses an unprivileged user.
  const other = isRoot ? { uid: 65_534, gid: 65_534 } : {};
  const serial = new URL('../../../src/adapters/serialport/serialport.js', import.meta.url);
  const script = `
    const { serialOpener } = await import(${JSON.stringify(serial.href)});
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const link = await serialOpener({ path: ${JSON.stringify(path)}, baudRate: 115200, log }).open().catch((error) => error);
    console.log(link.code, link.message);`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], other);
  assert.equal(stdout.trim(), `SERIAL_DOWN no permission to open ${path} (requires the dialout group)`);
});

test('closing the port keeps DTR high', async () => {
  const stty = (...args: string[]) => promisify(execFile)('stty', ['-F', pair.near, ...args]);
  await stty('hupcl');
  const near = await open(pair.near);
  await near.close();
  const { stdout } = await stty('-a');
  assert.match(stdout, /(^|\s)-hupcl\s/);
});

test('a path that is not a terminal is rejected', async () => {
  await assert.rejects(open('/dev/null'), (error: Error) =>
    error.message.startsWith('/dev/null cannot be opened'),
  );
});

test('unplugging the cable closes the link once, with an error', async () => {
  const near = await open(pair.near);
  let closes = 0;
  near.onClose(() => {
    closes += 1;
  });
  const end = closed(near);
  await pair.cut();
  assert.ok((await end) instanceof Error);
  await near.close();
  assert.equal(closes, 1);
  assert.throws(() => send(near, 'x'), { code: 'SERIAL_DOWN' });
});

test('close() resolves even when it is called repeatedly or after the cable is unplugged', async () => {
  const near = await open(pair.near);
  const end = closed(near);
  await Promise.all([near.close(), near.close()]);
  assert.equal(await end, undefined);
  const again = await open(pair.near);
  await pair.cut();
  await again.close();
});

test('data written to a closed or unplugged port does not appear on the next connection', async () => {
  const near = await open(pair.near);
  await near.close();
  assert.throws(() => send(near, 'stale after close'), { code: 'SERIAL_DOWN' });
  const second = await open(pair.near);
  const lost = closed(second);
  await pair.cut();
  await lost;
  assert.throws(() => send(second, 'stale after unplug'), { code: 'SERIAL_DOWN' });
  await pair.restore();
  const far = await openFar();
  const third = await open(pair.near);
  send(third, 'fresh');
  await waitUntil(() => far.got().length >= 5);
  assert.equal(far.got(), 'fresh');
});

test('write() throws instead of queueing when the line is blocked, and the line recovers', async () => {
  const near = await open(pair.near);
  // The far end reads nothing, so the buffers of the kernel and socat fill first, followed by the gateway's
  // buffer (1 kB).
  let written = 0;
  const flood = async (): Promise<void> => {
    for (; written < 4_000_000; written += 1000) {
      near.write(new Uint8Array(1000));
      await setImmediate();
    }
  };
  await assert.rejects(flood(), { code: 'SERIAL_DOWN', message: /the serial line is blocked/ });
  assert.ok(written > 0);
  const far = await openFar();
  send(far.link, 'still here');
});

test('write() passes the frame to the kernel before it returns, even if the thread pool is busy', async () => {
  const [near, far] = [await open(pair.near), await openFar()];
  let busy = 8;
  const hashes = Array.from({ length: busy }, async () => {
    await promisify(pbkdf2)('a', 'b', 400_000, 64, 'sha512');
    busy -= 1;
  });
  send(near, 'now');
  await waitUntil(() => far.got() === 'now');
  assert.ok(busy >= 4, `the frame arrived with ${busy} of 8 hashes unfinished`);
  await Promise.all(hashes);
});

if (hasSocat) test.run();
else process.stdout.write('SKIPPED: serial port on a pty (socat is not installed)\n');
