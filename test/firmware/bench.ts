import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Deframer, type Frame } from '../../src/carts/serial/codec/codec.js';
import { repeatOnce } from '../helpers/repeat-once.js';
import type { BenchScript } from './bench-script.js';
import { ARDUINO, type BoardName, compileBench, SIMAVR, type SketchOptions } from './compile.js';

/**
 * Builds the sketch for its boards, and runs it on a simulated AVR (test/firmware/simavr). The bench does not
 * cover electrical behaviour, real USB adapters, and the tolerance of the watchdog's oscillator.
 */

export const CYCLES_PER_MS = 16_000;

/**
 * The configuration of a cart with encoders, distance sensors and bumpers; simavr/cart.c simulates this cart.
 */
export const CART = 'test/firmware/cart/config.h';

/** The boot loaders with which the boards are sold. */
const BOOT_LOADERS = {
  optiboot: 'optiboot/optiboot_atmega328.hex',
  oldNano: 'atmega/ATmegaBOOT_168_atmega328.hex',
  mega: 'stk500v2/stk500boot_v2_mega2560.hex',
} as const;

/** An event, with its time in CPU cycles (16 MHz) since power-on. */
export type BenchEvent = { cycle: number } & (
  | { event: 'enable'; level: 0 | 1; sinceFedUs: number }
  | { event: 'motor'; side: 'left' | 'right'; duty: number }
  /** Bytes up to the next zero; see `sentFrames`. */
  | { event: 'sent'; hex: string }
  | { event: 'received'; hex: string }
  | { event: 'estop' | 'button'; pressed: 0 | 1 }
  | { event: 'bumper'; bumper: number; pressed: 0 | 1 }
  | { event: 'block'; on: 0 | 1 }
  | { event: 'range'; sensor: number; mm: number }
  /** Emitted every 10 ms: speeds and travelled distances of the wheels, and the distance to the wall. */
  | { event: 'wheels'; mmps: [number, number]; mm: [number, number]; wallMm: number }
  | { event: 'reset'; cause: 'external' | 'power-on' | 'brown-out' | 'watchdog' }
  | { event: 'overrun'; byte: number }
  | { event: 'mark'; text: string }
  | { event: 'ready'; path: string }
  | { event: 'port'; open: 0 | 1 }
  | { event: 'lag'; ms: number }
  | ({ event: 'board' } & BoardReport)
  | ({ event: 'line' } & LineReport)
);

/** `longestUnwatchedUs` is the longest time between two reads of the E-stop input since the last report. */
interface BoardReport {
  resets: number;
  loops: number;
  longestLoopUs: number;
  longestUnwatchedUs: number;
  stackBytes: number;
}

interface LineReport {
  overruns: number;
  framingErrors: number;
  byteCycles: number;
}

export interface RunOptions {
  board?: BoardName;
  bootLoader?: keyof typeof BOOT_LOADERS;
  /** A program that replaces the sketch. */
  hex?: string;
}

/** A failure may be caused by the machine if the simulation was late by at least this much in total. */
const MAX_LAG_MS = 100;

/** A board that runs in real time behind a pseudo-terminal; opening the terminal resets the board. */
export class LiveBoard {
  readonly path: string;
  readonly events: BenchEvent[] = [];
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;

  private constructor(path: string, child: ChildProcess) {
    this.path = path;
    this.#child = child;
    this.#exit = once(child, 'exit');
  }

  static async start(bench: Bench, options: RunOptions, name = 'tty'): Promise<LiveBoard> {
    const path = join(bench.folder, name);
    const args = [...bench.args(options), '--link', path, '--reset-on-open'];
    const child = spawn(bench.program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const board = new LiveBoard(path, child);
    const lines = createInterface({ input: child.stdout });
    await new Promise<void>((resolve) => {
      lines.on('line', (line) => {
        const event = parseEvent(line);
        // The bytes on the line would take up most of the memory.
        if (event.event !== 'sent' && event.event !== 'received') board.events.push(event);
        if (event.event === 'ready') resolve();
      });
    });
    return board;
  }

  /** Executes a command of simavr/script.c. */
  command(text: string): void {
    this.#child.stdin?.write(`${text}\n`);
  }

  /** Performs an action, and once more if it fails while the simulation is late, or with a code in `LATE`. */
  repeatedOnce<T>(action: () => Promise<T>, codeOf: (result: T) => string | undefined): Promise<T> {
    const from = this.events.length;
    return repeatOnce(action, (result) => {
      const lags = this.events.slice(from).flatMap((one) => (one.event === 'lag' ? [one.ms] : []));
      const isLate = lags.reduce((sum, ms) => sum + ms, 0) >= MAX_LAG_MS;
      const code = codeOf(result);
      return code === 'FAILED' && isLate ? 'BOARD_LAG' : code;
    });
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    await this.#exit;
  }
}

export class Bench {
  readonly folder = mkdtempSync(join(tmpdir(), 'firmware-bench-'));
  readonly program = join(this.folder, 'bench');
  #scripts = 0;

  /** Compiles the bench and the sketch. */
  constructor(boards: readonly BoardName[] = ['uno'], sketch: SketchOptions = {}) {
    compileBench(this.folder, boards, sketch);
  }

  hex(board: BoardName): string {
    return join(this.folder, `cgw1-${board}.hex`);
  }

  subfolder(name: string): string {
    const folder = join(this.folder, name);
    mkdirSync(folder);
    return folder;
  }

  /** Returns the arguments that load the sketch and, if one is given, a boot loader. */
  args({ board = 'uno', bootLoader, hex = this.hex(board) }: RunOptions): string[] {
    const loader = bootLoader ? ['--hex', join(ARDUINO, 'bootloaders', BOOT_LOADERS[bootLoader])] : [];
    return ['--board', board, '--hex', hex, ...loader];
  }

  /** Runs a script in simulated time. */
  async run(script: BenchScript, options: RunOptions = {}): Promise<BenchEvent[]> {
    const file = join(this.folder, `script-${this.#scripts++}`);
    writeFileSync(file, script.text());
    const args = [...this.args(options), '--fast', file];
    const child = spawn(this.program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    const [status] = (await once(child, 'close')) as [number | null];
    rmSync(file);
    if (status !== 0) throw new Error(`the bench ended with status ${String(status)}`);
    return Buffer.concat(pieces).toString().trimEnd().split('\n').map(parseEvent);
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function parseEvent(line: string): BenchEvent {
  return JSON.parse(line) as BenchEvent;
}

/** True if motor enable or a motor was switched on. */
export function wasEnabled(events: readonly BenchEvent[]): boolean {
  return events.some((one) => (one.event === 'enable' && one.level === 1) || one.event === 'motor');
}

/** Returns the controller's frames, without bytes that are not a valid frame, such as a boot loader's. */
export function sentFrames(events: readonly BenchEvent[]): { cycle: number; frame: Frame }[] {
  const frames: { cycle: number; frame: Frame }[] = [];
  for (const one of events) {
    if (one.event !== 'sent') continue;
    new Deframer((frame) => frames.push({ cycle: one.cycle, frame })).push(Buffer.from(one.hex, 'hex'));
  }
  return frames;
}

/** Returns the name of a required tool that is not installed, or undefined if all are installed. */
export function missingTool(): string | undefined {
  const tools = ['gcc', 'avr-gcc', 'avr-objcopy'];
  const program = tools.find((tool) => spawnSync(tool, ['--version']).status !== 0);
  if (program) return program;
  if (!existsSync(SIMAVR)) return 'libsimavr-dev';
  return existsSync(ARDUINO) ? undefined : 'arduino-core-avr';
}
