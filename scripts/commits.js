import { spawnSync } from 'node:child_process';

/**
 * Checks that commit subjects have at most 72 characters. Checks all commits since the last tag or, if later,
 * since the merge base with origin/main or main. If there is neither a tag nor a merge base, as in a shallow
 * clone, checks only HEAD. `npm run lint` runs this script.
 */
const MAX_LENGTH = 72;

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

const head = git('rev-parse', 'HEAD');
if (head === undefined) {
  process.stdout.write('Commit subjects were not checked: this is not a git checkout\n');
  process.exit();
}
const bases = [
  git('describe', '--tags', '--abbrev=0'),
  git('merge-base', 'HEAD', 'origin/main'),
  git('merge-base', 'HEAD', 'main'),
];
const counts = bases
  .map((base) =>
    base === undefined ? 0 : Number(git('rev-list', '--count', '--no-merges', `${base}..HEAD`)),
  )
  .filter((count) => count > 0);
const count = counts.length > 0 ? Math.min(...counts) : 1;
const lines = git('log', '--no-merges', '--format=%h %s', `--max-count=${count}`, 'HEAD')?.split('\n') ?? [];
const long = lines.filter((line) => line.slice(line.indexOf(' ') + 1).length > MAX_LENGTH);
for (const line of long) process.stderr.write(`Commit subject is longer than ${MAX_LENGTH}: ${line}\n`);
process.exitCode = long.length > 0 ? 1 : 0;
