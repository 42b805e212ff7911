import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Board } from '../../src/shared/ports/serial.js';
import { type Bench, type LiveBoard, missingTool } from './bench.js';

/** A line that update-process.ts prints. */
export interface GatewayReport {
  phase?: string;
  percent?: number;
  reason?: string;
  checks?: { name: string; passed: boolean }[];
  installed?: string | null;
  blocksMotion?: boolean;
  link?: string;
  enable?: boolean;
  moved?: string;
  refused?: string;
}

const LIMIT_MS = 120_000;

/** Runs update-process.ts. The data directory outlives the process. */
export class UpdateGateway {
  readonly reports: GatewayReport[] = [];
  readonly #dataDir: string;
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  #wake: () => void = () => undefined;

  constructor(dataDir: string, root: string, tty: string) {
    this.#dataDir = dataDir;
    const program = join(import.meta.dirname, 'update-process.js');
    this.#child = spawn(process.execPath, [program, dataDir, root, tty], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#exit = once(this.#child, 'exit');
    createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      this.reports.push(JSON.parse(line) as GatewayReport);
      this.#wake();
    });
  }

  get last(): GatewayReport {
    return this.reports.findLast(({ phase }) => phase !== undefined) ?? {};
  }

  send(command: string): void {
    this.#child.stdin?.write(`${command}\n`);
  }

  /** Resolves with the first matching report at or after the index `from`. */
  async report(matches: (report: GatewayReport) => boolean, from = 0): Promise<GatewayReport> {
    const endMs = performance.now() + LIMIT_MS;
    for (;;) {
      const found = this.reports.slice(from).find(matches);
      if (found) return found;
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) throw new Error(`no such report: ${JSON.stringify(this.reports.slice(-5))}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Updates the controller and resolves with the last report. */
  async update(board: string): Promise<GatewayReport> {
    const from = this.reports.length;
    this.send(`update ${board}`);
    // A link change may still report the phase of the previous update.
    const isStart = ({ phase, refused }: GatewayReport) => phase === 'checking' || refused !== undefined;
    const start = await this.report(isStart, from);
    return this.report(
      ({ phase, refused }) => phase === 'done' || phase === 'failed' || refused !== undefined,
      this.reports.indexOf(start),
    );
  }

  /** Returns the code with which a command is refused; empty if the command is accepted. */
  async refusal(): Promise<string> {
    const from = this.reports.length;
    this.send('move');
    return (await this.report(({ moved }) => moved !== undefined, from)).moved ?? '';
  }

  /**
   * Kills the avrdude that this gateway or an earlier one has started. Returns false if it is not running.
   */
  killAvrdude(): boolean {
    const file = join(this.#dataDir, 'avrdude.pid');
    if (!existsSync(file)) return false;
    const [pid, token = ''] = readFileSync(file, 'utf8').split(' ');
    try {
      const isOurs = readFileSync(`/proc/${Number(pid)}/cmdline`, 'utf8').includes(token);
      return isOurs && token !== '' && process.kill(Number(pid), 'SIGKILL');
    } catch {
      return false;
    }
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#child.kill(signal);
    await this.#exit;
  }
}

/**
 * Returns the name of a tool that updates require and that is not installed, or undefined if all are
 * installed.
 */
export function missingUpdateTool(): string | undefined {
  return missingTool() ?? (spawnSync('avrdude', ['-?']).error ? 'avrdude' : undefined);
}

/** Puts the compiled sketches into the layout of a release. Returns its folder. */
export function releaseOf(bench: Bench): string {
  const root = bench.subfolder('release');
  const folder = join(root, 'firmware/build');
  mkdirSync(folder, { recursive: true });
  for (const name of ['cgw1-uno.hex', 'cgw1-mega.hex', 'firmware.json']) {
    if (existsSync(join(bench.folder, name))) cpSync(join(bench.folder, name), join(folder, name));
  }
  return root;
}

/** Updates the board, and once more if the simulation or avrdude was late. */
export function updated(gateway: UpdateGateway, device: LiveBoard, board: Board): Promise<GatewayReport> {
  const codeOf = ({ phase, reason = '' }: GatewayReport): string | undefined => {
    if (phase === 'done') return undefined;
    return /boot loader .* did not respond/.test(reason) ? 'AVRDUDE_LATE' : 'FAILED';
  };
  return device.repeatedOnce(() => gateway.update(board), codeOf);
}
