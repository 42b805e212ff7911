import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'uvu';

const HEAP = new URL('../../../../src/app/start/heap.js', import.meta.url).href;

/** Returns the heap size in MB after allocating 10 MB of live data and 100 MB of garbage. */
function takenMb(prepare: string): { young: number; all: number } {
  const code = `
    import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
    ${prepare}
    const kept = [];
    for (let n = 0; n < 200_000; n += 1) {
      const made = Array.from({ length: 50 }, (_, i) => n + i);
      kept[n % 20_000] = made;
    }
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').physical_space_size;
    console.log(JSON.stringify({ young: young / 1e6, all: getHeapStatistics().total_physical_size / 1e6 }));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }),
  );
}

test('boundHeap reduces the heap size for the same data', () => {
  const usual = takenMb('');
  const bounded = takenMb(`import { boundHeap } from ${JSON.stringify(HEAP)}; boundHeap();`);
  const figures = JSON.stringify({ usual, bounded });
  assert.ok(bounded.young < usual.young / 2, figures);
  assert.ok(bounded.all < usual.all * 0.75, figures);
});

test.run();
