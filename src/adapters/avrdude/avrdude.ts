import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { span } from '../../shared/messages/messages.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Board, FlashEnd, Flasher, FlashJob, FlashProgress } from '../../shared/ports/serial.js';
import { childEnvironment } from '../../shared/process-environment.js';
import { PidFile } from '../pid-file.js';
import { avrdudeMessage } from './messages.js';

/** avrdude prints one `#` for every 2 % of a step. */
const PERCENT_PER_MARK = 2;
const BAR = /(Writing|Reading) \| (#*)/g;
/** Maximum number of characters kept until the next output arrives; an incomplete bar is shorter. */
const MAX_KEPT = 4096;

/**
 * Derives the progress from avrdude's error output. Each section has one bar for writing and one for
 * verifying. Reading the device's signature shows no bar, because the signature is only a few bytes long.
 */
class ProgressParser {
  #text = '';
  #section = -1;
  #step: FlashProgress['step'] = 'verify';

  /** Returns the latest progress, or undefined if the text contains none. */
  push(text: string): FlashProgress | undefined {
    this.#text += text;
    let progress: FlashProgress | undefined;
    let restAt = 0;
    for (const { 0: bar, 1: label, 2: marks = '', index } of this.#text.matchAll(BAR)) {
      this.#enter(label === 'Writing' ? 'write' : 'verify');
      const percent = Math.min(100, marks.length * PERCENT_PER_MARK);
      if (this.#section >= 0) progress = { step: this.#step, section: this.#section, percent };
      // An incomplete progress bar is kept until the rest of it arrives.
      restAt = percent < 100 && index + bar.length === this.#text.length ? index : index + bar.length;
    }
    this.#text = this.#text.slice(restAt).slice(-MAX_KEPT);
    return progress;
  }

  /** Each section begins with the step `write`. */
  #enter(step: FlashProgress['step']): void {
    if (step === 'write' && this.#step === 'verify') this.#section += 1;
    this.#step = step;
  }
}

const PROGRAM = 'avrdude';
/**
 * If avrdude prints nothing for this long, it is killed. If a Mega's boot loader does not respond, avrdude retries
 * for up to 15 s without any output.
 */
const SILENCE_MS = 30_000;
const TOTAL_MS = 180_000;
const MAX_OUTPUT = 16_384;
/** Number of characters of the output that are logged after a failure. */
const LOGGED_OUTPUT = 1000;

/** Programmer type, microcontroller and speed of each board's boot loader. */
const BOARD_OPTIONS: Record<Board, readonly string[]> = {
  uno: ['-c', 'arduino', '-p', 'm328p', '-b', '115200'],
  'nano-old': ['-c', 'arduino', '-p', 'm328p', '-b', '57600'],
  mega: ['-c', 'wiring', '-p', 'm2560', '-b', '115200'],
};

interface AvrdudeOptions {
  dataDir: string;
  clock: Clock;
  log: Log;
  /** Absolute directories, separated by colons; the default is `$PATH`. */
  searchPath?: string;
}

type Limit = 'silent' | 'too-long';

/** Runs avrdude, which resets the board through the DTR line and speaks the protocol of its boot loader. */
export class Avrdude implements Flasher {
  readonly #o: AvrdudeOptions;
  readonly #folder: string;
  readonly #pidFile: PidFile;
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #isStopping = false;

  constructor(options: AvrdudeOptions) {
    this.#o = options;
    this.#folder = join(options.dataDir, 'firmware-files');
    this.#pidFile = new PidFile(join(options.dataDir, 'avrdude.pid'));
  }

  isInstalled(): boolean {
    return this.#program() !== undefined;
  }

  flash(job: FlashJob, onProgress: (progress: FlashProgress) => void): Promise<FlashEnd> {
    this.#isStopping = false;
    const run = this.#flash(job, onProgress).catch((error: unknown) =>
      failed(avrdudeMessage('not-started', { reason: messageOf(error) })),
    );
    this.#ended = run;
    return run;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#child?.kill('SIGKILL');
    await this.#ended;
  }

  async clear(): Promise<boolean> {
    const found = await this.#pidFile.clear(this.#o.clock);
    await rm(this.#folder, { recursive: true, force: true });
    if (found) this.#o.log.warn('firmware.leftover_killed');
    return found;
  }

  async #flash(job: FlashJob, onProgress: (progress: FlashProgress) => void): Promise<FlashEnd> {
    const program = this.#program();
    if (program === undefined) throw new Error(`${PROGRAM} is not installed`);
    // The random name identifies the avrdude process after the gateway has restarted.
    const name = randomBytes(8).toString('hex');
    const files = job.sections.map((_section, at) => `${name}-${at}.hex`);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await Promise.all(files.map((file, at) => writeFile(join(this.#folder, file), job.sections[at] ?? '')));
    try {
      const operations = files.map((file) => `flash:w:${file}:i`);
      // -D disables the chip erase, because the boot loaders erase each page before they write it.
      const args = ['-D', ...BOARD_OPTIONS[job.board], '-P', job.path];
      for (const operation of operations) args.push('-U', operation);
      if (this.#isStopping) return { outcome: 'stopped' };
      return await this.#run(program, args, operations[0] ?? '', onProgress);
    } finally {
      await rm(this.#folder, { recursive: true, force: true });
    }
  }

  #run(
    program: string,
    args: readonly string[],
    token: string,
    onProgress: (progress: FlashProgress) => void,
  ): Promise<FlashEnd> {
    const { clock, log } = this.#o;
    const child = spawn(program, args, {
      cwd: this.#folder,
      env: childEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    if (child.pid !== undefined) writeFileSync(this.#pidFile.path, `${child.pid} ${token}`, { mode: 0o600 });
    return new Promise((resolve) => {
      const parser = new ProgressParser();
      let output = '';
      let limit: Limit | undefined;
      const kill = (reached: Limit): void => {
        limit ??= reached;
        child.kill('SIGKILL');
      };
      const cancelTotal = clock.after(TOTAL_MS, () => kill('too-long'));
      let cancelSilence = clock.after(SILENCE_MS, () => kill('silent'));
      const end = (result: FlashEnd): void => {
        cancelTotal();
        cancelSilence();
        this.#child = undefined;
        void this.#pidFile.clear(clock);
        resolve(result);
      };
      child.stderr.setEncoding('utf8');
      child.stderr.on('data', (text: string) => {
        cancelSilence();
        cancelSilence = clock.after(SILENCE_MS, () => kill('silent'));
        output = (output + text).slice(-MAX_OUTPUT);
        const progress = parser.push(text);
        if (progress) onProgress(progress);
      });
      child.on('error', (error) => end(failed(avrdudeMessage('not-started', { reason: messageOf(error) }))));
      child.on('close', (code, signal) => {
        if (code === 0) return end({ outcome: 'flashed' });
        log.warn('firmware.avrdude_failed', { code, signal, limit, output: output.slice(-LOGGED_OUTPUT) });
        if (this.#isStopping) end({ outcome: 'stopped' });
        else end(limit ? overLimit(limit) : failureOf(output, `status ${signal ?? code}`));
      });
    });
  }

  #program(): string | undefined {
    const directories = (this.#o.searchPath ?? process.env.PATH ?? '').split(':');
    const paths = directories
      .filter((folder) => folder.startsWith('/'))
      .map((folder) => join(folder, PROGRAM));
    return paths.find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
  }
}

function failed(reason: Text, hint: Text = avrdudeMessage('retry-hint')): FlashEnd {
  return { outcome: 'failed', reason, hint };
}

function overLimit(limit: Limit): FlashEnd {
  return failed(avrdudeMessage(limit, { time: span(limit === 'silent' ? SILENCE_MS : TOTAL_MS) }));
}

/** Derives the cause from avrdude's output. */
function failureOf(output: string, status: string): FlashEnd {
  const [, port] = /cannot (?:open port|set attributes for port) (.+)/.exec(output) ?? [];
  if (port !== undefined)
    return failed(avrdudeMessage('port-failed', { reason: port }), avrdudeMessage('port-hint'));
  if (/expected signature/.test(output))
    return failed(avrdudeMessage('other-board'), avrdudeMessage('other-board-hint'));
  if (/unable to open programmer|unable to open port/.test(output))
    return failed(avrdudeMessage('no-boot-loader'), avrdudeMessage('no-boot-loader-hint'));
  if (/verification (?:error|mismatch)/.test(output)) return failed(avrdudeMessage('not-verified'));
  // Errors begin with `avrdude error:` in version 7 and with `Error:` in version 8.
  const errors = [...output.matchAll(/^(?:avrdude )?error: (.+)/gim)];
  return failed(avrdudeMessage('failed', { reason: errors.at(-1)?.[1] ?? status }));
}
