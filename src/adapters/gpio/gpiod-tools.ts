import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { messageOf } from '../../shared/errors.js';
import { childEnvironment } from '../../shared/process-environment.js';
import { type GpioChip, noPins } from './chip.js';
import { gpioMessage } from './messages.js';

/** A program with its arguments. */
export type Command = readonly [string, ...string[]];

/** The command lines of libgpiod's tools; those of its versions 1 and 2 differ. Lines are BCM numbers. */
export interface GpiodTools {
  version: 1 | 2;
  /** Prints the levels once: `1 0`. */
  get(chip: string, lines: readonly number[]): Command;
  /** Prints each edge: the line, and 1 when it rises. */
  monitor(chip: string, lines: readonly number[]): Command;
  /** Drives lines (`27=0`) as long as it runs. Version 2 takes further levels on its standard input. */
  hold(chip: string, levels: readonly string[]): Command;
  /** Drives lines and ends. They stay as they are until somebody else uses them, or fall back to their pulls. */
  once(chip: string, levels: readonly string[]): Command;
  /** Prints who holds each line, and in which direction. */
  info(chip: string): Command;
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

/** The words of the tools that are installed. Rejects `SAFETY_UNAVAILABLE` when there are none. */
export async function installedTools(): Promise<GpiodTools> {
  const said = await run(['gpiodetect', '--version']);
  // "gpiodetect (libgpiod) v1.6.3", "gpiodetect v2.2.1 (libgpiod v2.2.1)".
  const [, major] = /\bv(\d+)\./.exec(said) ?? [];
  if (major === '1' || major === '2') return TOOLS[major];
  throw noPins(
    `libgpiod's tools are of an unknown version: ${said.split('\n')[0]}`,
    'Install version 1 or 2.',
  );
}

/** Every chip of this machine. */
export async function detectChips(): Promise<GpioChip[]> {
  const found = await run(['gpiodetect']);
  const chips = [...found.matchAll(/^(gpiochip\d+) \[(.*)\] \((\d+) lines\)$/gm)].map(
    ([, name = '', label = '', lines]) => ({ name, label, lines: Number(lines) }),
  );
  // Version 1 shows a chip once more for each link to it.
  return [...new Map(chips.map((chip) => [chip.name, chip])).values()];
}

/** Runs a tool to its end and resolves with what it prints. Rejects `SAFETY_UNAVAILABLE` with what it complains of. */
export async function run([tool, ...args]: Command): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(tool, args, { timeout: TIMEOUT_MS, env: toolEnv() });
    return stdout;
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') throw noPins(gpioMessage('no-tool', { tool }), 'Install gpiod.', error);
    throw complaint(stderr?.trim() || messageOf(error), error);
  }
}

/** What a tool complained of, with what to do about it. */
export function complaint(text: string, cause?: unknown): Error {
  if (/busy/i.test(text))
    return noPins(text, 'Choose another pin, or end what has it (gpioinfo tells).', cause);
  if (/denied|not permitted/i.test(text))
    return noPins(text, 'The user who runs the gateway must be in the group gpio.', cause);
  return noPins(text, 'Start the gateway again; if it stays, see what gpioinfo tells its user.', cause);
}

/** The tools complain in the language of the machine; we read English. */
function toolEnv(): NodeJS.ProcessEnv {
  return childEnvironment({ LC_ALL: 'C' });
}

/**
 * A tool that runs as long as the gateway does. The kernel kills it when the gateway dies, however that happens
 * (PR_SET_PDEATHSIG, by setpriv): gpiomon would go on until the next edge, and an interactive gpioset for ever.
 */
export class GpiodChild {
  /** Resolves with why, once it has ended. */
  readonly ended: Promise<string>;
  #child: ChildProcessWithoutNullStreams;
  #complaint = '';
  #end: string | undefined;

  constructor([tool, ...args]: Command, onLine: (line: string) => void = () => undefined) {
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', tool, ...args], { env: toolEnv() });
    this.#child = child;
    // A pipe that breaks is told by the end of the tool.
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', onLine);
    createInterface({ input: child.stderr }).on('line', (line) => (this.#complaint = line));
    this.ended = new Promise((resolve) => {
      const end = (why: string): void => {
        this.#end ??= why;
        resolve(this.#end);
      };
      child.on('error', ({ message }) => end(`${tool} cannot be run by setpriv (of util-linux): ${message}`));
      child.on('close', (code, signal) => end(this.#complaint || `${tool} ended (${signal ?? code})`));
    });
  }

  /** Why it has ended; undefined while it runs. */
  get end(): string | undefined {
    return this.#end;
  }

  /** Hands a line to its standard input, at once. */
  write(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** Ends it at once, before this returns; its lines are free when `ended` resolves. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
