import assert from 'node:assert/strict';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { readAndWriteDirectly } from '../../../../src/adapters/serialport/serialport.js';

const test = suite('serial read rate');

const TURN_BYTES = 4096;
const dir = await mkdtemp(join(tmpdir(), 'serial-'));
test.after(() => rm(dir, { recursive: true }));

/** A device that always has bytes ready. */
const DEVICES: Record<string, () => string> = {
  'null bytes': () => '/dev/zero',
  'random bytes': () => '/dev/urandom',
  'lines of text': () => fileOf('{"type":"telemetry","x":1}\n'.repeat(100_000)),
  'frame delimiters and short frames': () =>
    fileOf(Buffer.from([0, 1, 2, 3]).toString('latin1').repeat(500_000)),
};

function fileOf(content: string): string {
  const path = join(dir, 'device');
  writeFileSync(path, content, 'latin1');
  return path;
}

for (const [name, pathOf] of Object.entries(DEVICES)) {
  test(`a device that sends ${name} without a pause does not block the event loop`, async () => {
    const fd = openSync(pathOf(), 'r');
    const port = { fd, poller: {}, read: undefined as unknown as Read };
    readAndWriteDirectly(port);
    const buffer = Buffer.alloc(65_536);
    let received = 0;
    let isOpen = true;
    const reading = (async () => {
      while (isOpen) received += (await port.read(buffer, 0, buffer.length)).bytesRead;
    })();
    // In each event-loop iteration, the limit applies to all reads together.
    for (let turns = 1; turns <= 3; turns += 1) {
      const before = received;
      await new Promise((resolve) => setImmediate(resolve));
      assert.ok(received - before <= TURN_BYTES, `${received - before} bytes in one turn`);
    }
    assert.ok(received > 0);
    isOpen = false;
    await reading;
    closeSync(fd);
  });
}

type Read = (buffer: Buffer, offset: number, length: number) => Promise<{ bytesRead: number }>;

test.run();
