import { type ChildProcess, spawn } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { packageRoot } from '../../src/shared/package-root.js';
import { REPEATED } from './repeat-once.js';

const UVU = join(packageRoot(), 'node_modules/uvu/bin.js');

export interface RunOptions {
  jobs: number;
  /** Time limit per file in ms. If a file exceeds this limit, its process and all child processes are killed. */
  limitMs: number;
  print: (text: string) => void;
  /** If the signal is aborted, the running files are killed, and files that have not run yet count as failed. */
  signal?: AbortSignal;
}

export interface Totals {
  total: number;
  passed: number;
  skipped: number;
  /** Number of attempts that `repeatOnce` repeated. */
  repeated: number;
  failed: string[];
}

/**
 * Runs a directory's test files, each in its own process, and prints each file's duration and result when its
 * process ends.
 */
export async function runFiles(dir: string, names: string[], options: RunOptions): Promise<Totals> {
  const queue = names.values();
  const sum: Totals = { total: 0, passed: 0, skipped: 0, repeated: 0, failed: [] };
  const worker = async (): Promise<void> => {
    for (const name of queue) {
      if (options.signal?.aborted) {
        sum.total += 1;
        sum.failed.push(name);
        continue;
      }
      const file = await runFile(dir, name, options);
      options.print(file.output);
      sum.total += file.total;
      sum.passed += file.passed;
      sum.skipped += file.skipped;
      sum.repeated += file.repeated;
      if (file.passed < file.total) sum.failed.push(name);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, worker));
  return sum;
}

interface FileResult extends Omit<Totals, 'failed'> {
  output: string;
}

/** Never rejects, because a child process that crashes or hangs counts as a failed test. */
async function runFile(dir: string, name: string, { limitMs, signal }: RunOptions): Promise<FileResult> {
  const pattern = `^${basename(name).replace(/[.+]/g, '\\$&')}$`;
  const colour = process.stdout.isTTY ? '1' : '0';
  const startMs = performance.now();
  // The file gets its own process group, so that processes left behind by a test are also killed.
  // uvu searches all folders below its first argument, which takes 0.1 s for all tests.
  const child = spawn(process.execPath, [UVU, join(dir, dirname(name)), pattern, '--no-color'], {
    env: { ...process.env, FORCE_COLOR: colour },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      // A failed test may have left programs running, which would keep the file's process alive until the limit.
      const { passed, total } = countsIn(output);
      if (passed < total) killGroup(child);
    });
  let why = '';
  const end = (reason: string): void => {
    why = reason;
    killGroup(child);
  };
  const limit = setTimeout(() => end(`took longer than ${limitMs / 1000} s and was killed`), limitMs);
  const abort = (): void => end('was interrupted');
  signal?.addEventListener('abort', abort);
  child.once('exit', () => killGroup(child));
  const code = await new Promise<number | string>((resolve) => {
    child.once('close', (status, by) => resolve(status ?? by ?? 1));
  });
  clearTimeout(limit);
  signal?.removeEventListener('abort', abort);
  const result = read(name, output, why, code);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  return { ...result, output: withDuration(name, result.output, seconds) };
}

/** Replaces the file's name, which uvu prints on a line of its own unless the file could not be loaded. */
function withDuration(name: string, output: string, seconds: string): string {
  const line = `${name}  ${seconds} s\n`;
  const title = `${basename(name)}\n`;
  return line + (output.startsWith(title) ? output.slice(title.length) : output);
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // The process group contains no more processes.
  }
}

const SUMMARY = /^([\s\S]*)(\n {2}Total:[\s\S]*?Duration:.*\n)([\s\S]*)$/;

function countsIn(output: string): Pick<Totals, 'total' | 'passed' | 'skipped'> {
  const summary = stripVTControlCharacters(output.match(SUMMARY)?.[2] ?? '');
  const count = (word: string): number => Number(summary.match(new RegExp(`${word}: +(\\d+)`))?.[1] ?? 0);
  return { total: count('Total'), passed: count('Passed'), skipped: count('Skipped') };
}

/**
 * Reads a file's result from its output and removes uvu's summary. `why` is the reason for the process's
 * failure; empty if it succeeded.
 */
function read(name: string, output: string, why: string, code: number | string): FileResult {
  const [, before = output, , after = ''] = output.match(SUMMARY) ?? [];
  const { total, passed, skipped } = countsIn(output);
  // uvu exits with code 0 if a hook fails before the tests.
  if (passed < total) why ||= `has ${total - passed} of ${total} tests that did not pass`;
  else if (code !== 0) why ||= `ended with ${code}`;
  const repeated = before.split(REPEATED).length - 1;
  const text = `${(before + after).trim()}\n`;
  if (!why) return { total, passed, skipped, repeated, output: text };
  const failed = `${text}FAILED: ${name} ${why}\n\n`;
  // A process that fails after its last test counts as an additional failure.
  return { total: Math.max(total, passed + 1), passed, skipped, repeated, output: failed };
}
