import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { DAY_MS, isBackupDue } from '../../../src/shared/backup-due.js';

const test = suite('backup due');
const HOUR_MS = 3_600_000;
const NIGHT = new Date(2026, 4, 4, 3).getTime();
const NOON = new Date(2026, 4, 4, 12).getTime();

test('a backup is due at night after 20 h, at any time after 26 h, and after a week for a weekly schedule', () => {
  for (const [days, wallMs, hours, isDue] of [
    [1, NIGHT, 19, false],
    [1, NIGHT, 20, true],
    [1, NOON, 25, false],
    [1, NOON, 26, true],
    [7, NIGHT, 6 * 24 + 19, false],
    [7, NIGHT, 6 * 24 + 20, true],
    [7, NOON, 7 * 24 + 1, false],
    [7, NOON, 7 * 24 + 2, true],
  ] as const) {
    const due = isBackupDue(wallMs, wallMs - hours * HOUR_MS, 0, days * DAY_MS);
    assert.equal(due, isDue, `${days} days, ${hours} h`);
  }
});

test('the first backup is due at once', () => {
  assert.equal(isBackupDue(NOON, undefined, 0), true);
});

test('a backup is due one period after the latest attempt if the newest is up to a day in the future', () => {
  for (const [hours, sinceAttemptMs, isDue] of [
    [1, DAY_MS - 1, false],
    [1, DAY_MS, true],
    [24, DAY_MS - 1, false],
  ] as const)
    assert.equal(isBackupDue(NOON, NOON + hours * HOUR_MS, sinceAttemptMs), isDue, `${hours} h`);
});

test('a backup is due if the newest is more than a day in the future', () => {
  assert.equal(isBackupDue(NOON, NOON + DAY_MS + 1, 0, 7 * DAY_MS), true);
});

test.run();
