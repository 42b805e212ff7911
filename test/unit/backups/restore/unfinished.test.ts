import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { RestoreFiles } from '../../../../src/backups/restore/files.js';
import { type RestoreStep, stagedJournal } from '../../../../src/backups/restore/machine.js';
import { requireFinishedRestore } from '../../../../src/backups/restore/unfinished.js';
import { userActor } from '../../../../src/shared/actor.js';
import { hasCode } from '../../../helpers/has-code.js';

/** For each step: whether a program may read the data and whether it may change them. */
const ALLOWED: Readonly<Record<RestoreStep, readonly [reads: boolean, changes: boolean]>> = {
  staged: [true, false],
  switching: [false, false],
  trial: [true, true],
  waiting: [true, true],
  confirmed: [true, true],
  returning: [false, false],
  returned: [true, true],
};

for (const [step, [reads, changes]] of Object.entries(ALLOWED)) {
  test(`a program ${reads ? 'can' : 'cannot'} read and ${changes ? 'can' : 'cannot'} change the data when a restore is ${step}`, () => {
    const dir = mkdtempSync(join(tmpdir(), 'unfinished-'));
    try {
      requireFinishedRestore(dir, false);
      const journal = stagedJournal({ name: 'a.cwbackup', by: userActor('anna'), at: 1, groups: [] });
      new RestoreFiles(dir).write({ ...journal, step: step as RestoreStep });
      for (const [isReading, isAllowed] of [
        [true, reads],
        [false, changes],
      ] as const) {
        const check = () => requireFinishedRestore(dir, isReading);
        if (isAllowed) check();
        else assert.throws(check, hasCode('CONFLICT'));
      }
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
}

test.run();
