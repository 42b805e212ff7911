import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { ignoreUntilHealthy, Watchdog } from '../../../../src/system/health/watchdog.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

const test = suite('watchdog');

function harness() {
  const sent: string[] = [];
  const faults = { loop: '', writer: '' };
  const clock = new FakeClock();
  const log = new RecordingLog();
  const watchdog = new Watchdog({
    supervisor: { alive: () => sent.push('alive'), status: (text) => sent.push(text) },
    healthChecks: [() => faults.loop, () => faults.writer],
    status: () => 'Serving',
    clock,
    log,
  });
  const run = (ms: number): string[] => {
    sent.length = 0;
    const stop = clock.every(50, () => watchdog.turn());
    clock.advance(ms);
    stop();
    return sent;
  };
  return { clock, faults, log, sent, run };
}

test('notifies the watchdog once a second, and sends the status when it changes', () => {
  const { run } = harness();
  assert.deepEqual(run(3000), ['alive', 'Serving', 'alive', 'alive']);
});

test('does not notify the watchdog while the control loop hangs, and resumes afterwards', () => {
  const { clock, run, sent } = harness();
  run(1000);
  sent.length = 0;
  clock.advance(60_000);
  assert.deepEqual(sent, []);
  assert.deepEqual(run(50), ['alive']);
});

test('does not report a fault that lasts less than 3 s', () => {
  const { faults, log, run } = harness();
  run(1000);
  faults.loop = 'the control loop was late by 300 ms';
  assert.deepEqual(run(2900), []);
  faults.loop = '';
  assert.deepEqual(run(50), ['alive']);
  assert.deepEqual(log.lines, []);
});

test('does not notify the watchdog while a check fails, and reports the fault only once', () => {
  const { faults, log, run } = harness();
  run(1000);
  faults.writer = 'the store writer does not answer';
  assert.deepEqual(run(5000), ['Watchdog not notified: the store writer does not answer']);
  assert.equal(log.lines.filter(({ event }) => event === 'watchdog.check_failed').length, 1);
  faults.writer = '';
  assert.deepEqual(run(50), ['alive', 'Serving']);
});

test('ignores the faults of a check that has never passed', () => {
  let fault = 'there is no such pin';
  const check = ignoreUntilHealthy(() => fault);
  assert.equal(check(), '');
  fault = '';
  assert.equal(check(), '');
  fault = 'the wire is cut';
  assert.equal(check(), 'the wire is cut');
});

test.run();
