import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../src/shared/package-root.js';

const test = suite('commit subjects');

const LONG = `area: ${'a'.repeat(70)}`;
const SHORT = 'area: a summary';
const IDENTITY = ['-c', 'user.name=anna', '-c', 'user.email=anna@example.org', '-c', 'commit.gpgsign=false'];

let folder: string;
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'commits-'));
});
test.after.each(() => rmSync(folder, { recursive: true }));

const git = (cwd: string, ...args: string[]): void => {
  execFileSync('git', [...IDENTITY, ...args], { cwd, stdio: 'pipe' });
};

/** Creates a repository with one commit for each subject, on main and on a branch created from main. */
function repository(onMain: readonly string[], onBranch: readonly string[]): string {
  const path = join(folder, 'origin');
  git(folder, 'init', '--quiet', '--initial-branch=main', path);
  for (const subject of onMain) git(path, 'commit', '--quiet', '--allow-empty', '-m', subject);
  git(path, 'switch', '--quiet', '--create', 'change');
  for (const subject of onBranch) git(path, 'commit', '--quiet', '--allow-empty', '-m', subject);
  return path;
}

function check(path: string): { status: number | null; stderr: string } {
  copyFileSync(join(packageRoot(), 'scripts/commits.js'), join(path, 'commits.mjs'));
  return spawnSync(process.execPath, ['commits.mjs'], { cwd: path, encoding: 'utf8' });
}

test('rejects a long commit subject on a branch', () => {
  const { status, stderr } = check(repository([SHORT], [LONG, SHORT]));
  assert.equal(status, 1);
  assert.ok(stderr.includes(LONG));
});

test('accepts short commit subjects on a branch when the main branch has a long one', () => {
  assert.equal(check(repository([LONG, SHORT], [SHORT, SHORT])).status, 0);
});

test('checks the latest commit when the branch adds no commits to main', () => {
  assert.equal(check(repository([SHORT, LONG], [])).status, 1);
});

test('checks the latest commit of a shallow clone', () => {
  const origin = repository([SHORT], [LONG, SHORT]);
  const clone = join(folder, 'clone');
  git(folder, 'clone', '--quiet', '--depth', '1', `file://${origin}`, clone);
  assert.equal(check(clone).status, 0);
  git(clone, 'commit', '--quiet', '--allow-empty', '-m', LONG);
  assert.equal(check(clone).status, 1);
});

test.run();
