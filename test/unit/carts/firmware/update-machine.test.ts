import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { SelfCheck } from '../../../../src/carts/firmware/self-test.js';
import {
  initialUpdate,
  isRunning,
  type Phase,
  stepUpdate,
  type UpdateInput,
  type UpdateState,
} from '../../../../src/carts/firmware/update-machine.js';
import { Random } from '../serial/codec/codec-samples.js';

const SIZES = [128, 16_000, 128];
const passed: SelfCheck[] = [{ name: 'ready', passed: true }];
const progress = (section: number, stage: 'write' | 'verify', percent: number): UpdateInput => ({
  type: 'progress',
  sizes: SIZES,
  section,
  step: stage,
  percent,
});
const failure: UpdateInput = { type: 'failed', reason: 'broken', hint: '' };

function run(inputs: readonly UpdateInput[], from: UpdateState = initialUpdate(false)): UpdateState {
  return inputs.reduce(stepUpdate, from);
}

test('an update passes through every phase until it ends', () => {
  const inputs: [UpdateInput, Phase][] = [
    [{ type: 'start' }, 'checking'],
    [{ type: 'flashing' }, 'flashing'],
    [progress(0, 'write', 100), 'flashing'],
    [progress(1, 'write', 50), 'flashing'],
    [progress(1, 'verify', 50), 'verifying'],
    [progress(2, 'write', 100), 'verifying'],
    [{ type: 'flashed' }, 'reconnecting'],
    [{ type: 'answered' }, 'self-test'],
    [{ type: 'tested', checks: passed }, 'done'],
  ];
  let state = initialUpdate(false);
  for (const [input, phase] of inputs) {
    state = stepUpdate(state, input);
    assert.equal(state.phase, phase);
  }
  assert.deepEqual(state.checks, passed);
});

test('progress counts every byte twice: once for writing and once for verification', () => {
  const begun = run([{ type: 'start' }, { type: 'flashing' }]);
  assert.equal(run([progress(1, 'write', 50)], begun).percent, 25);
  assert.equal(run([progress(1, 'verify', 50)], begun).percent, 74);
  assert.equal(run([progress(2, 'verify', 100)], begun).percent, 100);
});

test('an update whose self-test fails ends in the "failed" phase', () => {
  const testing = run([{ type: 'start' }, { type: 'flashing' }, { type: 'flashed' }, { type: 'answered' }]);
  const checks: SelfCheck[] = [...passed, { name: 'version', passed: false }];
  assert.equal(run([{ type: 'tested', checks }, failure], testing).phase, 'failed');
});

test('a failed update and an interrupted update can be repeated', () => {
  const failed = run([{ type: 'start' }, { type: 'flashing' }, failure]);
  assert.equal(stepUpdate(failed, { type: 'start' }).phase, 'checking');
  assert.equal(stepUpdate(initialUpdate(true), { type: 'start' }).phase, 'checking');
});

test('an interrupted update ends when the firmware works again', () => {
  assert.equal(stepUpdate(initialUpdate(true), { type: 'recovered' }).phase, 'idle');
  assert.equal(stepUpdate(initialUpdate(false), { type: 'recovered' }).phase, 'idle');
});

test('an update never skips a phase, and its progress never decreases, for random inputs', () => {
  const random = new Random(11);
  const before: Record<string, readonly Phase[]> = {
    verifying: ['flashing', 'verifying'],
    reconnecting: ['flashing', 'verifying'],
    'self-test': ['reconnecting'],
    done: ['self-test'],
    flashing: ['checking'],
  };
  let state = initialUpdate(false);
  for (let n = 0; n < 20_000; n++) {
    const inputs: UpdateInput[] = [
      ...([{ type: 'start' }, { type: 'flashing' }, { type: 'flashed' }, { type: 'answered' }] as const),
      { type: 'tested', checks: [{ name: 'stop', passed: random.int(0, 1) === 1 }] },
      progress(random.int(0, 3), random.int(0, 1) === 1 ? 'write' : 'verify', random.int(0, 100)),
      failure,
      { type: 'recovered' } as const,
    ];
    const input = inputs[random.int(0, inputs.length - 1)] as UpdateInput;
    const next = stepUpdate(state, input);
    const allowed = before[next.phase];
    if (next.phase !== state.phase && allowed) assert.ok(allowed.includes(state.phase), next.phase);
    if (isRunning(state) && isRunning(next)) assert.ok(next.percent >= state.percent);
    assert.ok(next.percent >= 0 && next.percent <= 100);
    state = next;
  }
});

test.run();
