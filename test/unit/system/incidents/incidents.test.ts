import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { conditionActor } from '../../../../src/shared/actor.js';
import { BlackBox } from '../../../../src/system/incidents/black-box.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { syncedPaths } from '../../../helpers/synced-paths.js';

const HOUR_MS = 3_600_000;

interface Harness {
  dir: string;
  clock: FakeClock;
  /** Records a stop `sinceMs` after the previous stop. By default, the cart moves before the stop. */
  stop(sinceMs: number, options?: { moves?: boolean }): Promise<void>;
  restart(): Promise<void>;
  box(): BlackBox;
  /** Returns each recording as `<number> of <incident>`, newest first. */
  recordings(): Promise<string[]>;
}

function withHarness(run: (harness: Harness) => Promise<void>): () => Promise<void> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-incidents-'));
    const [clock, log] = [new FakeClock(), new RecordingLog()];
    let moving = false;
    const open = (): BlackBox => {
      const box = new BlackBox({ dir, clock, log });
      const empty = { describeFrames: () => [], about: () => ({}), logLines: () => [] };
      box.start({ sample: () => ({ moving }), ...empty });
      return box;
    };
    let box = open();
    const harness: Harness = {
      dir,
      clock,
      box: () => box,
      async stop(sinceMs, { moves = true } = {}) {
        const sinceLastMs = Math.max(0, sinceMs - 2000);
        const movesMs = moves ? Math.min(500, sinceLastMs / 2) : 0;
        clock.stall(sinceLastMs - movesMs);
        moving = moves;
        clock.advance(movesMs);
        box.freeze('estop', conditionActor('input', 'the button'));
        const written = log.next('black_box.saved');
        clock.advance(1000);
        moving = false;
        clock.advance(1000);
        await written;
      },
      async restart() {
        await box.close();
        box = open();
      },
      async recordings() {
        const boxes = await box.incidentStore.list();
        return boxes.map(({ name, incident }) => `${Number(name.slice(10, 16))} of ${incident}`);
      },
    };
    try {
      await run(harness);
    } finally {
      await box.close();
      rmSync(dir, { recursive: true });
    }
  };
}

test(
  'a recording that was reported as saved survives a power cut',
  withHarness(async ({ dir, stop }) => {
    const paths = await syncedPaths(() => stop(2000));
    assert.match(paths[0] ?? '', /black-box-000001-\w+-estop\.zip\.part$/);
    assert.deepEqual(paths.slice(1), [dir]);
  }),
);

test(
  'keeps the first and the latest recording of an incident with 20 stops',
  withHarness(async ({ stop, recordings }) => {
    await stop(2000);
    for (let n = 0; n < 20; n += 1) await stop(n === 0 ? 3 * 60_000 : 5000);
    assert.deepEqual(await recordings(), ['21 of 2', '2 of 2', '1 of 1']);
  }),
);

test(
  'starts a new incident for a stop more than 60 s after the previous stop',
  withHarness(async ({ stop, recordings }) => {
    await stop(2000);
    await stop(60_000);
    await stop(60_000);
    await stop(61_000);
    assert.deepEqual(await recordings(), ['4 of 4', '3 of 1', '1 of 1']);
  }),
);

test(
  'combines stops without motion between them into one incident, regardless of elapsed time',
  withHarness(async ({ stop, recordings }) => {
    await stop(2000);
    for (let n = 0; n < 50; n += 1) await stop(HOUR_MS, { moves: false });
    assert.deepEqual(await recordings(), ['51 of 1', '1 of 1']);
    await stop(HOUR_MS);
    assert.deepEqual(await recordings(), ['52 of 52', '51 of 1', '1 of 1']);
  }),
);

test(
  'keeps the latest five incidents and all incidents from the last day',
  withHarness(async ({ stop, recordings }) => {
    for (let n = 0; n < 7; n += 1) await stop(2 * 60_000);
    assert.equal((await recordings()).length, 7);
    await stop(25 * HOUR_MS);
    assert.deepEqual(await recordings(), ['8 of 8', '7 of 7', '6 of 6', '5 of 5', '4 of 4']);
  }),
);

test(
  "keeps the last day's incidents when many more stops occur, and adds the new stops to the latest incident",
  withHarness(async ({ stop, recordings }) => {
    for (let n = 0; n < 300; n += 1) await stop(2 * 60_000);
    const [latest, ...others] = await recordings();
    assert.equal(latest, '300 of 10');
    assert.deepEqual(
      others,
      Array.from({ length: 10 }, (_, n) => `${10 - n} of ${10 - n}`),
    );
  }),
);

test(
  'groups incidents correctly across wall-clock steps',
  withHarness(async ({ stop, recordings, clock }) => {
    await stop(2000);
    clock.stepWallTime(-400 * 24 * HOUR_MS);
    await stop(30_000);
    clock.stepWallTime(800 * 24 * HOUR_MS);
    await stop(30_000);
    assert.deepEqual(await recordings(), ['3 of 1', '1 of 1']);
    for (let n = 0; n < 12; n += 1) await stop(2 * 60_000);
    clock.stepWallTime(-400 * 24 * HOUR_MS);
    await stop(2 * 60_000);
    assert.equal(new Set((await recordings()).map((text) => text.split(' ')[2])).size, 5);
  }),
);

test(
  'continues an incident after a restart within 60 s',
  withHarness(async ({ stop, restart, recordings }) => {
    await stop(2000);
    await restart();
    await stop(30_000);
    await restart();
    await stop(2 * 60_000, { moves: false });
    assert.deepEqual(await recordings(), ['3 of 3', '2 of 1', '1 of 1']);
  }),
);

test(
  'lists each recording made by version 0.1 as a separate incident',
  withHarness(async ({ dir, stop, recordings }) => {
    writeFileSync(join(dir, 'black-box-000007-20251231T235000Z-protective-stop.zip'), 'zip');
    writeFileSync(join(dir, 'black-box-000008-20251231T235500Z-link-loss.zip'), 'zip');
    await stop(2000);
    assert.deepEqual(await recordings(), ['9 of 9', '8 of 8', '7 of 7']);
  }),
);

test(
  'keeps a pinned recording until it is unpinned, even across a restart',
  withHarness(async ({ stop, restart, box, recordings, dir }) => {
    await stop(2000);
    const [{ name } = { name: '' }] = await box().incidentStore.list();
    await box().incidentStore.pin(name);
    await box().incidentStore.pin(name);
    await restart();
    for (let n = 0; n < 7; n += 1) await stop(25 * HOUR_MS);
    assert.deepEqual(await recordings(), ['8 of 8', '7 of 7', '6 of 6', '5 of 5', '4 of 4', '1 of 1']);
    assert.equal((await box().incidentStore.list()).at(-1)?.pinned, true);
    await box().incidentStore.unpin(name);
    await stop(25 * HOUR_MS);
    assert.equal((await recordings()).length, 5);
    assert.equal(readdirSync(dir).length, 5);
  }),
);

test(
  'keeps a pinned recording that is neither the first nor the latest of its incident',
  withHarness(async ({ stop, box, recordings }) => {
    await stop(2000);
    await stop(5000);
    const [{ name } = { name: '' }] = await box().incidentStore.list();
    await box().incidentStore.pin(name);
    for (let n = 0; n < 3; n += 1) await stop(5000);
    assert.deepEqual(await recordings(), ['5 of 1', '2 of 1', '1 of 1']);
  }),
);

test(
  'pins at most ten recordings',
  withHarness(async ({ dir, box }) => {
    const names = Array.from(
      { length: 11 },
      (_, n) => `black-box-${String(n + 1).padStart(6, '0')}-20251231T235000Z-estop.zip`,
    );
    for (const name of names) writeFileSync(join(dir, name), 'zip');
    const [last = '', ...others] = names.reverse();
    for (const name of others) await box().incidentStore.pin(name);
    await assert.rejects(box().incidentStore.pin(last), {
      code: 'CONFLICT',
      message: '10 recordings are already pinned',
    });
  }),
);

test(
  'rejects names of incident recordings that do not exist',
  withHarness(async ({ box }) => {
    await assert.rejects(box().incidentStore.pin('black-box-000099-20251231T235000Z-estop.zip'), {
      code: 'NOT_FOUND',
    });
    await assert.rejects(box().incidentStore.unpin('../variables.json'), { code: 'NOT_FOUND' });
  }),
);

test.run();
