import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { watchTimeSync } from '../../../../src/adapters/systemd/time-sync.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { until } from '../../../helpers/until.js';

const TRACKING = (leap: string) => `A29FC87B,162.159.200.123,4,1779999999.1,0.0001,0.0002,-0.1,${leap}\n`;

/** What is known on a machine with these marks under `/run`; a path that ends in a slash is a folder. */
async function known(
  marks: string[],
  chronyc = async (): Promise<string> => Promise.reject(new Error('none')),
) {
  const runDir = await mkdtemp(join(tmpdir(), 'time-sync-'));
  for (const mark of marks) {
    if (mark.endsWith('/')) await mkdir(join(runDir, mark), { recursive: true });
    else await writeFile(join(runDir, mark), '');
  }
  const clock = new FakeClock();
  const sync = await watchTimeSync({ clock, runDir, chronyc });
  sync.close();
  await rm(runDir, { recursive: true });
  assert.equal(clock.timers, 0);
  return sync.synced();
}

// Fault case 33
test('systemd-timesyncd that has set the clock, that has not, and none at all', async () => {
  assert.equal(await known(['systemd/timesync/', 'systemd/timesync/synchronized']), true);
  assert.equal(await known(['systemd/timesync/']), false);
  assert.equal(await known([]), undefined);
});

// Fault case 33
test('chrony says it itself; one that cannot be asked leaves it unknown', async () => {
  assert.equal(await known(['chrony/'], async () => TRACKING('Normal')), true);
  assert.equal(await known(['chrony/'], async () => TRACKING('Not synchronised')), false);
  assert.equal(await known(['chrony/']), undefined);
});

// Fault case 33
test('a clock that is set later is noticed within 30 s', async () => {
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
