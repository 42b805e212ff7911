import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { ignoreUntilHealthy, Watchdog } from '../../../../src/system/health/watchdog.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

const test = suite('watchdog');

function harness() {
  const told: string[] = [];
  const faults = { loop: '', writer: '' };
  const clock = new FakeClock();
  const log = new RecordingLog();
  const watchdog = new Watchdog({
    supervisor: { alive: () => told.push('alive'), status: (text) => told.push(text) },
    healthChecks: [() => faults.loop, () => faults.writer],
    status: () => 'Serving',
    clock,
    log,
  });
  /** The control loop turns for so long. */
  const run = (ms: number): string[] => {
    told.length = 0;
    const stop = clock.every(50, () => watchdog.turn());
    clock.advance(ms);
    stop();
    return told;
  };
  return { clock, faults, log, told, run };
}

test('while the loop turns and every check part works, it says so once a second, and how it is when that changes', () => {
  const { run } = harness();
  assert.deepEqual(run(3000), ['alive', 'Serving', 'alive', 'alive']);
});

test('a loop that stands feeds nobody, and goes on feeding when it turns again', () => {
  const { clock, run, told } = harness();
  run(1000);
  told.length = 0;
  clock.advance(60_000);
  assert.deepEqual(told, []);
  assert.deepEqual(run(50), ['alive']);
});

test('a fault that is over before it matters is not spoken of', () => {
  const { faults, log, run } = harness();
  run(1000);
  faults.loop = 'the control loop was late by 300 ms';
  assert.deepEqual(run(2900), []);
  faults.loop = '';
  assert.deepEqual(run(50), ['alive']);
  assert.deepEqual(log.lines, []);
});

test('one check part that does not work is enough: not fed, said why once, and fed at the turn after it works', () => {
  const { faults, log, run } = harness();
  run(1000);
  faults.writer = 'the store writer does not answer';
  assert.deepEqual(run(5000), ['Not fit to go on: the store writer does not answer']);
  assert.equal(log.lines.filter(({ event }) => event === 'watchdog.check_failed').length, 1);
  faults.writer = '';
  assert.deepEqual(run(50), ['alive', 'Serving']);
});

test('a part that never worked is not mended by starting again: only a loss counts', () => {
  let fault = 'there is no such pin';
  const check = ignoreUntilHealthy(() => fault);
  assert.equal(check(), '');
  fault = '';
  assert.equal(check(), '');
  fault = 'the wire is cut';
  assert.equal(check(), 'the wire is cut');
});

test.run();
