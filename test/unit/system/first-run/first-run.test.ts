import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { checklist } from '../../../../src/console/first-run/context.js';
import { type CompletedSteps, FIRST_STEPS, FirstRun } from '../../../../src/system/first-run/first-run.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

const test = suite('the checklist for a new gateway');
const AT = Date.UTC(2026, 0, 1);

interface Harness {
  path: string;
  log: RecordingLog;
  /** Steps that are complete according to other stored data; a test can change them. */
  facts: { -readonly [Step in keyof CompletedSteps]: CompletedSteps[Step] };
  open(): Promise<FirstRun>;
  /** Returns the parsed content of the checklist file. */
  saved(): { done: CompletedSteps; hidden: boolean };
}

/** @param folder a folder inside the data directory that does not exist yet. */
function inDir(run: (harness: Harness) => Promise<void>, folder = ''): () => Promise<void> {
  return async () => {
    const root = mkdtempSync(join(tmpdir(), 'cartwright-first-run-'));
    const [dir, clock, log] = [join(root, folder), new FakeClock(), new RecordingLog()];
    const path = join(dir, 'first-run.json');
    const facts: Harness['facts'] = {};
    const open = () => FirstRun.open({ dir, clock, log, facts: () => facts });
    const saved = () => JSON.parse(readFileSync(path, 'utf8')) as ReturnType<Harness['saved']>;
    try {
      await run({ path, log, facts, open, saved });
    } finally {
      rmSync(root, { recursive: true });
    }
  };
}

test(
  'completed steps, their times and a hidden checklist are kept across a restart',
  inDir(async ({ open }) => {
    const firstRun = await open();
    await firstRun.complete('drive');
    await firstRun.complete('estop', AT + 1500.7);
    await firstRun.hide();
    const again = (await open()).view();
    assert.deepEqual(again, { done: { drive: AT, estop: AT + 1500 }, hidden: true, isComplete: false });
  }),
);

test(
  'a step keeps the time of its first completion',
  inDir(async ({ open }) => {
    const firstRun = await open();
    await Promise.all([firstRun.complete('drive', AT), firstRun.complete('drive', AT + 5)]);
    await firstRun.complete('drive', AT + 9);
    assert.equal(firstRun.view().done.drive, AT);
  }),
);

test(
  'steps that are completed at the same time are all saved',
  inDir(async ({ open, saved }) => {
    const firstRun = await open();
    for (const step of FIRST_STEPS) void firstRun.complete(step, AT);
    await firstRun.settled();
    assert.equal(firstRun.view().isComplete, true);
    assert.deepEqual(Object.keys(saved().done).toSorted(), FIRST_STEPS.toSorted());
  }),
);

test(
  'shows a step as completed only after the step has been saved',
  inDir(async ({ open, saved }) => {
    const firstRun = await open();
    const done = firstRun.complete('drive');
    assert.equal(firstRun.view().done.drive, undefined);
    await done;
    assert.deepEqual([firstRun.view().done.drive, saved().done.drive], [AT, AT]);
  }),
);

test(
  'a step that cannot be saved stays open, is logged once, and can be completed later',
  inDir(async ({ open, log, path }) => {
    const firstRun = await open();
    await firstRun.complete('drive');
    await firstRun.complete('estop');
    assert.deepEqual(log.events(), ['first_run.write_failed']);
    assert.deepEqual(firstRun.view().done, {});
    mkdirSync(join(path, '..'));
    await firstRun.complete('drive');
    assert.equal(firstRun.view().done.drive, AT);
  }, 'missing'),
);

test(
  'completes and records steps for which a user or a backup already exists',
  inDir(async ({ open, facts, saved }) => {
    const firstRun = await open();
    facts.user = AT - 1000;
    assert.deepEqual(firstRun.view().done, { user: AT - 1000 });
    await firstRun.settled();
    facts.user = undefined;
    assert.deepEqual([firstRun.view().done, saved().done], [{ user: AT - 1000 }, { user: AT - 1000 }]);
  }),
);

test(
  'logs an unreadable file and ignores invalid entries in an edited file',
  inDir(async ({ open, path, log }) => {
    writeFileSync(path, '{half');
    assert.deepEqual((await open()).view().done, {});
    assert.deepEqual(log.events(), ['first_run.read_failed']);
    writeFileSync(path, JSON.stringify({ done: { drive: 5, estop: 'now', dance: 7 }, hidden: 'yes' }));
    assert.deepEqual((await open()).view(), { done: { drive: 5 }, hidden: false, isComplete: false });
  }),
);

test('an open step shows a sentence and a link, and a completed step shows its completion time', () => {
  const { steps, progress } = checklist({ done: { drive: AT }, hidden: false, isComplete: false });
  assert.equal(progress, '1 of 5 done');
  for (const { step, done, when, what, href } of steps) {
    assert.equal(done, step === 'drive');
    assert.equal(when !== '', done);
    assert.match(what, /\.$/);
    assert.match(href, /^\//);
  }
});

test('the welcome message is shown until the user has completed a step', () => {
  const isNew = (done: CompletedSteps) => checklist({ done, hidden: false, isComplete: false }).isNew;
  assert.equal(isNew({}), true);
  assert.equal(isNew({ controller: AT, backup: AT }), true);
  assert.equal(isNew({ controller: AT, estop: AT }), false);
});

test.run();
