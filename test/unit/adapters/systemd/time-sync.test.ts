import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { watchTimeSync } from '../../../../src/adapters/systemd/time-sync.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { until } from '../../../helpers/until.js';

const TRACKING = (leap: string) => `A29FC87B,162.159.200.123,4,1779999999.1,0.0001,0.0002,-0.1,${leap}\n`;

/** Returns the result of `synced()` with these files under `/run`. A path that ends with a slash is a folder. */
async function syncedWith(
  files: string[],
  chronyc = async (): Promise<string> => Promise.reject(new Error('none')),
) {
  const runDir = await mkdtemp(join(tmpdir(), 'time-sync-'));
  for (const file of files) {
    if (file.endsWith('/')) await mkdir(join(runDir, file), { recursive: true });
    else await writeFile(join(runDir, file), '');
  }
  const clock = new FakeClock();
  const sync = await watchTimeSync({ clock, runDir, chronyc });
  sync.close();
  await rm(runDir, { recursive: true });
  assert.equal(clock.timers, 0);
  return sync.synced();
}

// Fault case 33
test('reports whether systemd-timesyncd has set the clock, or undefined when it is not running', async () => {
  assert.equal(await syncedWith(['systemd/timesync/', 'systemd/timesync/synchronized']), true);
  assert.equal(await syncedWith(['systemd/timesync/']), false);
  assert.equal(await syncedWith([]), undefined);
});

// Fault case 33
test('reports whether chrony is synchronised, or undefined when chronyc fails', async () => {
  assert.equal(await syncedWith(['chrony/'], async () => TRACKING('Normal')), true);
  assert.equal(await syncedWith(['chrony/'], async () => TRACKING('Not synchronised')), false);
  assert.equal(await syncedWith(['chrony/']), undefined);
});

// Fault case 33
test('reports within 30 s that the clock has become synchronised', async () => {
  const clock = new FakeClock();
  const runDir = await mkdtemp(join(tmpdir(), 'time-sync-'));
  await mkdir(join(runDir, 'chrony'));
  let status = 'Not synchronised';
  const answers: Promise<string>[] = [];
  const chronyc = (): Promise<string> => {
    const answer = Promise.resolve(TRACKING(status));
    answers.push(answer);
    return answer;
  };
  const sync = await watchTimeSync({ clock, runDir, chronyc });
  assert.equal(sync.synced(), false);
  status = 'Normal';
  clock.advance(30_000);
  await until(() => sync.synced() === true);
  assert.equal(answers.length, 2);
  sync.close();
  await rm(runDir, { recursive: true });
});

test.run();
