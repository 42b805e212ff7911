import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { conditionActor, keyActor, userActor } from '../../../../src/shared/actor.js';
import type { Cancel } from '../../../../src/shared/ports/clock.js';
import { BlackBox, type RecordingSources } from '../../../../src/system/incidents/black-box.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { retainedBufferBytes } from '../../../helpers/retained-buffers.js';
import { unzip } from '../../../helpers/unzip.js';

interface Harness {
  box: BlackBox;
  clock: FakeClock;
  log: RecordingLog;
  dir: string;
  moving: { now: boolean };
  /** Advances the clock by the two seconds recorded after a stop. Returns the files in the recording. */
  saved(): Promise<Map<string, Buffer>>;
}

function withBox(run: (harness: Harness) => Promise<void>): () => Promise<void> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-box-'));
    const [clock, log, moving] = [new FakeClock(), new RecordingLog(), { now: false }];
    const box = new BlackBox({ dir, clock, log });
    const sources: RecordingSources = {
      sample: () => ({ moving: moving.now }),
      describeFrames: (frames) =>
        [...frames].map(
          ({ direction, time, bytes }) => `${time} ${direction} ${Buffer.from(bytes).toString('hex')}`,
        ),
      about: () => ({ settings: { mqtt: { password: 'hunter2' } } }),
      logLines: () => [{ event: 'cart.stopped', text: 'mqtt://anna:hunter2@host' }],
    };
    box.start(sources);
    const saved = async (): Promise<Map<string, Buffer>> => {
      const written = log.next('black_box.saved');
      clock.advance(2000);
      await written;
      const [newest] = await box.incidentStore.list();
      return unzip(readFileSync(join(dir, newest?.name ?? '')));
    };
    try {
      await run({ box, clock, log, dir, moving, saved });
    } finally {
      await box.close();
      rmSync(dir, { recursive: true });
    }
  };
}

const textOf = (files: Map<string, Buffer>, name: string): string => files.get(name)?.toString() ?? '';
const linesOf = (files: Map<string, Buffer>, name: string): string[] =>
  textOf(files, name).split('\n').filter(Boolean);

test(
  'lists at most 100 stops in a recording',
  withBox(async ({ box, saved }) => {
    for (let n = 0; n < 10_000; n += 1) box.freeze('estop', userActor(`press ${n}`));
    const about = JSON.parse(textOf(await saved(), 'about.json')) as { stops: { text: string }[] };
    assert.equal(about.stops.length, 100);
    assert.equal(about.stops[0]?.text, 'press 0');
  }),
);

test(
  'records timestamped bytes and commands from before a stop until two seconds after it',
  withBox(async ({ box, clock, saved }) => {
    box.addCommand({ commandId: 'c-1', state: 'RUNNING' });
    box.addBytes('out', Uint8Array.of(1, 2));
    clock.advance(1000);
    box.freeze('estop', conditionActor('input', 'the button'));
    clock.advance(500);
    box.addBytes('in', Uint8Array.of(3));
    const files = await saved();
    assert.deepEqual(linesOf(files, 'frames.txt'), [
      '2026-01-01T00:00:00.000Z out 0102',
      '2026-01-01T00:00:01.500Z in 03',
    ]);
    assert.deepEqual(JSON.parse(textOf(files, 'commands.jsonl')), {
      time: '2026-01-01T00:00:00.000Z',
      commandId: 'c-1',
      state: 'RUNNING',
    });
    const { stops } = JSON.parse(textOf(files, 'about.json')) as { stops: unknown };
    assert.deepEqual(stops, [
      {
        time: '2026-01-01T00:00:01.000Z',
        cause: 'estop',
        text: 'the button',
        actor: { kind: 'input', id: 'the button' },
      },
    ]);
  }),
);

test(
  'combines stops within two seconds into one recording',
  withBox(async ({ box, saved }) => {
    box.freeze('link-loss', conditionActor('input', 'silence'));
    box.freeze('estop', conditionActor('input', 'the button'));
    const about = JSON.parse(textOf(await saved(), 'about.json')) as { stops: unknown[] };
    assert.equal(about.stops.length, 2);
    assert.equal((await box.incidentStore.list()).length, 1);
  }),
);

test(
  'the black box drops bytes older than ten minutes',
  withBox(async ({ box, clock, saved }) => {
    box.addBytes('out', Uint8Array.of(1));
    clock.advance(599_000);
    box.addBytes('out', Uint8Array.of(2));
    clock.advance(2000);
    box.addBytes('out', Uint8Array.of(3));
    box.freeze('estop', conditionActor('input', 'the button'));
    const frames = linesOf(await saved(), 'frames.txt');
    assert.deepEqual(
      frames.map((line) => line.slice(-2)),
      ['02', '03'],
    );
  }),
);

test(
  'samples a moving cart five times a second and a stationary cart once a second',
  withBox(async ({ box, clock, moving, saved }) => {
    clock.advance(10_000);
    moving.now = true;
    clock.advance(2000);
    box.freeze('estop', conditionActor('input', 'the button'));
    moving.now = false;
    const lines = linesOf(await saved(), 'telemetry.jsonl').map(
      (line) => JSON.parse(line) as { moving: boolean },
    );
    assert.equal(lines.filter((line) => line.moving).length, 10);
    assert.equal(lines.filter((line) => !line.moving).length, 12);
  }),
);

test(
  'keeps one image per second, and fewer for older periods, within 24 MB',
  withBox(async ({ box, clock, saved }) => {
    const jpeg = Buffer.alloc(100_000, 7);
    const frame = new Uint8Array(64);
    for (let n = 0; n < 12_000; n += 1) {
      clock.advance(50);
      box.addStill(jpeg);
      for (let k = 0; k < 5; k += 1) box.addBytes('out', frame);
      box.addCommand({ n });
      assert.ok(box.bytes < 24 * 1024 * 1024);
    }
    box.freeze('estop', conditionActor('input', 'the button'));
    const times = [...(await saved()).keys()].flatMap((name) => {
      const [, time] = /^stills\/(.*)\.jpg$/.exec(name) ?? [];
      return time ? [Date.parse(time.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'))] : [];
    });
    const [first = 0, last = 0, before = 0] = [times[0], times.at(-1), times.at(-2)];
    assert.equal(last - before, 1000);
    assert.ok(last - first > 500_000, `images span ${last - first} ms`);
    assert.ok(times.length < 170);
  }),
);

test(
  'does not retain the buffer pool that contains the added bytes',
  withBox(async ({ box }) => {
    const before = await retainedBufferBytes();
    for (let n = 0; n < 5000; n += 1) {
      box.addBytes('in', Buffer.of(1, 2, 3));
      // Fills the pool of small buffers, so that no two frames share the same pool.
      Buffer.allocUnsafe(4000);
      Buffer.allocUnsafe(4000);
    }
    const grownMib = ((await retainedBufferBytes()) - before) / 2 ** 20;
    assert.ok(grownMib < 5, `${grownMib.toFixed(1)} MiB for 15 kB`);
  }),
);

test(
  'the black box releases images older than ten minutes',
  withBox(async ({ box, clock }) => {
    const before = await retainedBufferBytes();
    for (let second = 0; second < 1500; second += 1) {
      box.addStill(Buffer.alloc(20_000, second % 251));
      clock.advance(1000);
    }
    const grownMib = ((await retainedBufferBytes()) - before) / 2 ** 20;
    assert.ok(grownMib < 13, `${grownMib.toFixed(1)} MiB for 600 images of 20 kB`);
  }),
);

test(
  'a recording names the person or other cause of a stop',
  withBox(async ({ box, saved }) => {
    box.freeze('estop', keyActor('tablet'));
    const about = JSON.parse(textOf(await saved(), 'about.json'));
    assert.deepEqual(about.stops, [
      {
        time: '2026-01-01T00:00:00.000Z',
        cause: 'estop',
        text: 'key tablet',
        actor: { kind: 'key', id: 'tablet' },
      },
    ]);
  }),
);

test(
  'an incident recording contains no passwords',
  withBox(async ({ box, saved }) => {
    box.addCommand({ commandId: 'c', origin: { principal: 'anna', apiKey: 'hunter2' } });
    box.freeze('estop', conditionActor('input', 'a call of mqtt://u:hunter2@host'));
    for (const [name, content] of await saved()) assert.ok(!content.includes('hunter2'), name);
  }),
);

test(
  'the black box saves a pending recording on close',
  withBox(async ({ box }) => {
    box.freeze('estop', conditionActor('input', 'the button'));
    await box.close();
    assert.equal((await box.incidentStore.list()).length, 1);
  }),
);

test(
  'the black box logs a recording that cannot be saved',
  withBox(async ({ box, log, dir }) => {
    rmSync(dir, { recursive: true });
    writeFileSync(dir, 'not a folder');
    box.freeze('estop', conditionActor('input', 'the button'));
    await box.close();
    assert.ok(log.events().includes('black_box.save_failed'));
  }),
);

test("closing the black box cancels only the latest stop's timer", async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cartwright-box-'));
  let cancelled = 0;
  class CountingClock extends FakeClock {
    override after(delayMs: number, run: () => void): Cancel {
      const cancel = super.after(delayMs, run);
      return () => {
        cancelled += 1;
        cancel();
      };
    }
  }
  const [clock, log] = [new CountingClock(), new RecordingLog()];
  const box = new BlackBox({ dir, clock, log });
  for (let n = 0; n < 100; n += 1) {
    box.freeze('estop', conditionActor('input', 'the button'));
    clock.advance(2000);
  }
  await box.close();
  assert.equal(cancelled, 1);
  rmSync(dir, { recursive: true });
});

test(
  'deletes an unfinished recording when the next recording is saved',
  withBox(async ({ box, dir, saved }) => {
    writeFileSync(join(dir, 'black-box-000001-20260101T000000Z-estop.zip.part'), 'half');
    assert.deepEqual(await box.incidentStore.list(), []);
    box.freeze('estop', conditionActor('input', 'the button'));
    await saved();
    assert.equal(readdirSync(dir).length, 1);
  }),
);

test(
  'omits a recording that is deleted during the listing',
  withBox(async ({ box, dir, saved }) => {
    box.freeze('estop', conditionActor('input', 'the button'));
    await saved();
    // A dangling symbolic link simulates a file that is removed after readdir.
    symlinkSync(join(dir, 'nowhere'), join(dir, 'black-box-000009-20261121T195556Z-estop.zip'));
    assert.equal((await box.incidentStore.list()).length, 1);
  }),
);

test.run();
