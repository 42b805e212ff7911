import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/shared/package-root.js';
import { runFiles } from './helpers/run-files.js';

/**
 * Runs the test files whose path in test/ matches every pattern, each in its own process:
 * node dist/test/run.js [--jobs N] [--limit MINUTES] [PATTERN]...
 * The last lines of the output are the totals for all files; .ci/run reads them. A file that exceeds the limit is killed.
 */

const { values, positionals } = parseArgs({
  options: {
    jobs: { type: 'string', default: String(availableParallelism()) },
    limit: { type: 'string', default: '10' },
  },
  allowPositionals: true,
});
// A pattern can also be the path of a source file.
const patterns = positionals.map((text) => new RegExp(text.replace(/^test\//, '').replace(/\.ts$/, ''), 'i'));
const dir = import.meta.dirname;
// The sources are listed, because dist/ can still contain the compiled files of tests that were renamed or deleted.
// In reverse order, because the files with the longest durations are in e2e/web/: if they start first, no
// process has to wait for them at the end.
const names = readdirSync(join(packageRoot(), 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => name.replace(/\.ts$/, '.js'))
  .filter((name) => patterns.every((pattern) => pattern.test(name)))
  .toSorted()
  .toReversed();

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());

const startMs = performance.now();
const print = (text: string): void => void process.stdout.write(text);
const { total, passed, skipped, repeated, failed } = await runFiles(dir, names, {
  jobs: Number(values.jobs),
  limitMs: Number(values.limit) * 60_000,
  print,
  signal: interrupt.signal,
});
if (names.length === 0) print(`No test file matches ${positionals.join(' and ')}\n`);
for (const name of failed) print(`FAILED: ${name}\n`);
print(`\n  Files:     ${names.length}\n  Total:     ${total}\n  Passed:    ${passed}\n`);
print(
  `  Skipped:   ${skipped}\n  Repeated:  ${repeated}\n  Duration:  ${((performance.now() - startMs) / 1000).toFixed(1)} s\n\n`,
);
process.exitCode = names.length === 0 || failed.length > 0 ? 1 : 0;
