import assert from 'node:assert/strict';
import { test } from 'uvu';
import { ProcessMonitor } from '../../../../src/system/health/process-monitor.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

test('returns the previous memory usage while it cannot be measured', () => {
  let isBroken = false;
  const memoryUsage = (): { rss: number; heapUsed: number } => {
    // process.memoryUsage throws this error if no file descriptor is free.
    if (isBroken) throw Object.assign(new Error('uv_resident_set_memory'), { code: 'ERR_SYSTEM_ERROR' });
    return { rss: 50_000_000, heapUsed: 20_000_000 };
  };
  const monitor = new ProcessMonitor({ clock: new FakeClock(), memoryUsage });
  monitor.start();
  try {
    monitor.read();
    isBroken = true;
    const { residentBytes, heapBytes } = monitor.read().memory;
    assert.deepEqual([residentBytes, heapBytes], [50_000_000, 20_000_000]);
  } finally {
    monitor.close();
  }
});

test('returns 0 if the memory usage has never been measured', () => {
  const memoryUsage = (): never => {
    throw new Error('EMFILE');
  };
  const monitor = new ProcessMonitor({ clock: new FakeClock(), memoryUsage });
  const { residentBytes, heapBytes } = monitor.read().memory;
  assert.deepEqual([residentBytes, heapBytes], [0, 0]);
});

test.run();
