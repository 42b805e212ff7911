import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type GatewayError, messageOf } from '../../shared/errors.js';
import { childEnvironment } from '../../shared/process-environment.js';
import { type GpioChip, pinsUnavailable } from './chip.js';
import { gpioMessage } from './messages.js';

export type GpiodCommand = readonly [string, ...string[]];

/** Command lines for the libgpiod tools of version 1 or 2. Lines are BCM numbers. */
export interface GpiodTools {
  version: 1 | 2;
  /** Prints the pins' levels once, for example `1 0`. */
  get(chip: string, lines: readonly number[]): GpiodCommand;
  /** Prints a line number and an edge type for each edge; 1 is a rising edge. */
  monitor(chip: string, lines: readonly number[]): GpiodCommand;
  /** Drives lines (`27=0`) until the process exits. libgpiod 2 reads further levels from standard input. */
  hold(chip: string, levels: readonly string[]): GpiodCommand;
  /** Sets the levels and exits. The kernel driver determines whether the lines then keep their levels. */
  once(chip: string, levels: readonly string[]): GpiodCommand;
  info(chip: string): GpiodCommand;
}

const EDGE = '%o %e';

const TOOLS: Record<1 | 2, GpiodTools> = {
  1: {
    version: 1,
    get: (chip, lines) => ['gpioget', chip, ...lines.map(String)],
    monitor: (chip, lines) => ['gpiomon', '--line-buffered', `--format=${EDGE}`, chip, ...lines.map(String)],
    hold: (chip, levels) => ['gpioset', '--mode=signal', chip, ...levels],
    once: (chip, levels) => ['gpioset', '--mode=exit', chip, ...levels],
    info: (chip) => ['gpioinfo', chip],
  },
  2: {
    version: 2,
    get: (chip, lines) => ['gpioget', '--numeric', '--chip', chip, ...lines.map(String)],
    monitor: (chip, lines) => ['gpiomon', '--format', EDGE, '--chip', chip, ...lines.map(String)],
    hold: (chip, levels) => ['gpioset', '--interactive', '--chip', chip, ...levels],
    once: (chip, levels) => ['gpioset', '--toggle', '0', '--chip', chip, ...levels],
    info: (chip) => ['gpioinfo', '--chip', chip],
  },
};

const TIMEOUT_MS = 5000;

/** Rejects with `SAFETY_UNAVAILABLE` if the libgpiod tools are not installed. */
export async function installedTools(): Promise<GpiodTools> {
  const output = await run(['gpiodetect', '--version']);
  // For example `gpiodetect (libgpiod) v1.6.3` or `gpiodetect v2.2.1 (libgpiod v2.2.1)`.
  const [, major] = /\bv(\d+)\./.exec(output) ?? [];
  if (major === '1' || major === '2') return TOOLS[major];
  const [version = ''] = output.split('\n');
  throw pinsUnavailable(gpioMessage('tool-version', { version }), gpioMessage('tool-version-hint'));
}

export async function detectChips(): Promise<GpioChip[]> {
  const found = await run(['gpiodetect']);
  const chips = [...found.matchAll(/^(gpiochip\d+) \[(.*)\] \((\d+) lines\)$/gm)].map(
    ([, name = '', label = '', lines]) => ({ name, label, lines: Number(lines) }),
  );
  // Duplicates are removed, because libgpiod version 1 lists a chip again for each symbolic link to it.
  return [...new Map(chips.map((chip) => [chip.name, chip])).values()];
}

/** Resolves with the tool's output. Rejects with `SAFETY_UNAVAILABLE`. */
export async function run([tool, ...args]: GpiodCommand): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(tool, args, { timeout: TIMEOUT_MS, env: toolEnv() });
    return stdout;
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT')
      throw pinsUnavailable(gpioMessage('no-tool', { tool }), gpioMessage('no-tool-hint'), error);
    const output = stderr?.trim() ?? '';
    if (output !== '') throw reportedError(output, error);
    throw pinsUnavailable(messageOf(error), gpioMessage('tool-failed-hint'), error);
  }
}

/** @param output the tool's error output; the tools report a cause only as text. */
function reportedError(output: string, cause?: unknown): GatewayError {
  if (/busy/i.test(output)) return pinsUnavailable(output, gpioMessage('pin-busy-hint'), cause);
  if (/denied|not permitted/i.test(output))
    return pinsUnavailable(output, gpioMessage('not-permitted-hint'), cause);
  return pinsUnavailable(output, gpioMessage('tool-failed-hint'), cause);
}

/** Sets the locale to C, because the tools' error output is compared with English strings. */
function toolEnv(): NodeJS.ProcessEnv {
  return childEnvironment({ LC_ALL: 'C' });
}

/** A tool that the kernel kills when the gateway ends (PR_SET_PDEATHSIG), because gpioset does not exit by itself. */
export class GpiodChild {
  /** Resolves with `SAFETY_UNAVAILABLE` when the tool has exited. */
  readonly ended: Promise<GatewayError>;
  #child: ChildProcessWithoutNullStreams;
  #errorOutput = '';

  constructor([tool, ...args]: GpiodCommand, onLine: (line: string) => void = () => undefined) {
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', tool, ...args], { env: toolEnv() });
    this.#child = child;
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', onLine);
    createInterface({ input: child.stderr }).on('line', (line) => (this.#errorOutput = line));
    this.ended = new Promise((resolve) => {
      const failed = (reason: string): void =>
        resolve(pinsUnavailable(reason, gpioMessage('tool-failed-hint')));
      child.on('error', ({ message }) =>
        failed(`${tool} cannot be started with setpriv (util-linux): ${message}`),
      );
      child.on('close', (code, signal) => {
        if (this.#errorOutput !== '') resolve(reportedError(this.#errorOutput));
        else failed(`${tool} ended (${signal ?? code})`);
      });
    });
  }

  write(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** The tool's lines are free when `ended` resolves. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
