import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Deframer, type Frame } from '../../src/carts/serial/codec/codec.js';
import type { BenchScript } from './bench-script.js';

/**
 * Builds the sketch for its boards, and runs it on a simulated AVR (test/firmware/simavr). What the bench does
 * not cover: electrical behaviour, real USB adapters, and the tolerance of the watchdog's oscillator.
 */
const root = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES = join(root, 'test/firmware/simavr');
const ARDUINO = '/usr/share/arduino/hardware/arduino/avr';
const HEADER = '/usr/include/simavr/sim_avr.h';

/** Set FIRMWARE_BENCH=full for the full number of repetitions. */
export const FULL = process.env.FIRMWARE_BENCH === 'full';

export const CYCLES_PER_MS = 16_000;

export type BoardName = 'uno' | 'mega';

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
  bytesIn: number;
  bytesOut: number;
  overruns: number;
  framingErrors: number;
  byteCycles: number;
}

export interface RunOptions {
  board?: BoardName;
  bootLoader?: keyof typeof BOOT_LOADERS;
}

export class Bench {
  readonly folder = mkdtempSync(join(tmpdir(), 'firmware-bench-'));
  readonly program = join(this.folder, 'bench');
  #scripts = 0;

  /** Compiles the bench and the sketch. */
  constructor(boards: readonly BoardName[] = ['uno']) {
    const sources = readdirSync(SOURCES).filter((name) => name.endsWith('.c'));
    const strict = ['-std=gnu11', '-O2', '-Wall', '-Wextra', '-Werror'];
    const libraries = ['-lsimavr', '-lelf', '-lutil', '-lm'];
    execute('gcc', [...strict, '-o', this.program, ...sources, ...libraries], SOURCES);
    execute('firmware/build.sh', [...boards.flatMap((board) => ['--board', board]), this.folder], root);
  }

  hex(board: BoardName): string {
    return join(this.folder, `cgw1-${board}.hex`);
  }

  /** Returns the arguments that load the sketch and, if one is given, a boot loader. */
  args({ board = 'uno', bootLoader }: RunOptions): string[] {
    const loader = bootLoader ? ['--hex', join(ARDUINO, 'bootloaders', BOOT_LOADERS[bootLoader])] : [];
    return ['--board', board, '--hex', this.hex(board), ...loader];
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

/** Returns the controller's frames, without bytes that are not a valid frame, such as a boot loader's. */
export function sentFrames(events: readonly BenchEvent[]): { cycle: number; frame: Frame }[] {
  const frames: { cycle: number; frame: Frame }[] = [];
  for (const one of events) {
    if (one.event !== 'sent') continue;
    new Deframer((frame) => frames.push({ cycle: one.cycle, frame })).push(Buffer.from(one.hex, 'hex'));
  }
  return frames;
}

/** Returns the name of a tool that the bench needs and that is not installed. */
export function missingTool(): string | undefined {
  const tools = ['gcc', 'avr-gcc', 'avr-objcopy'];
  const program = tools.find((tool) => spawnSync(tool, ['--version']).status !== 0);
  if (program) return program;
  if (!existsSync(HEADER)) return 'libsimavr-dev';
  return existsSync(ARDUINO) ? undefined : 'arduino-core-avr';
}

function execute(program: string, args: string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed:\n${stderr ?? String(error)}`);
}
