import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../shared/errors.js';
import type {
  CameraDevice,
  CameraProgram,
  ProgramEnd,
  ProgramOptions,
  StreamEvents,
} from '../../shared/ports/camera.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { childEnvironment } from '../../shared/process-environment.js';
import { PidFile } from '../pid-file.js';
import { ImageListener } from './listener.js';
import { openRunDir } from './process.js';
import { withFault } from './program-fault.js';
import { safeOptions } from './safe-options.js';
import { findProgram, PID_FILE, type ProgramName, TOKEN, writeShim } from './shim.js';

interface LibcameraOptions {
  dataDir: string;
  /** The simulated camera's arguments; undefined for a real camera. Called before every program start. */
  simulated: () => readonly string[] | undefined;
  /** Extra environment variables for child processes. `runDir` contains files shared with the gateway. */
  environment: (runDir: string) => Readonly<Record<string, string>>;
  clock: Clock;
  log: Log;
}

/** node-libcamera uses outdated program names, so a shim in PATH maps them and records the process ID. */
export class Libcamera implements CameraDevice {
  readonly #o: LibcameraOptions;
  #photos = 0;
  #runDir: string | undefined;

  constructor(options: LibcameraOptions) {
    this.#o = options;
  }

  get simulated(): boolean {
    return this.#o.simulated() !== undefined;
  }

  /** Recreates the run directory if it was removed. Kills a program that a killed gateway left running. */
  async open(): Promise<string> {
    const runDir = await openRunDir(this.#o.dataDir);
    this.#runDir = runDir;
    if (await this.#pidFile(runDir).clear(this.#o.clock)) this.#o.log.warn('camera.leftover_killed');
    return runDir;
  }

  stream(options: ProgramOptions, events: StreamEvents): CameraProgram {
    const listener = new ImageListener(events);
    let token = '';
    const run = async (): Promise<ProgramEnd> => {
      token = await listener.open();
      return this.#run('vid', { ...options, output: token }, token, () => listener.isCut);
    };
    void settle(run()).then((end) => {
      listener.cut();
      events.ended(end);
    });
    return { cut: () => listener.cut(), signal: (name) => this.#signal(name, token) };
  }

  still(options: ProgramOptions, ended: (end: ProgramEnd, path: string) => void): CameraProgram {
    let path = '';
    let isCut = false;
    const run = async (): Promise<ProgramEnd> => {
      path = join(await this.open(), `photo-${++this.#photos}.jpg.part`);
      return this.#run('still', { ...options, output: path }, path, () => isCut);
    };
    void settle(run()).then((end) => ended(end, path));
    return {
      cut: () => {
        isCut = true;
      },
      signal: (name) => this.#signal(name, path),
    };
  }

  async close(): Promise<void> {
    if (this.#runDir !== undefined) await rm(this.#runDir, { recursive: true, force: true });
    this.#runDir = undefined;
  }

  async #run(
    name: ProgramName,
    options: ProgramOptions,
    token: string,
    isCut: () => boolean,
  ): Promise<ProgramEnd> {
    const runDir = await this.open();
    const { vid, still } = await import('node-libcamera');
    if (isCut()) return { code: 0, text: '' };
    const call: (checked: object) => Promise<string> = name === 'vid' ? vid : still;
    writeShim(runDir, name, this.#commandOf(name));
    const environment = childEnvironment({
      PATH: `${runDir}:${process.env.PATH ?? '/usr/bin:/bin'}`,
      [PID_FILE]: this.#pidFile(runDir).path,
      [TOKEN]: token,
      ...this.#o.environment(runDir),
    });
    const end = await endOf(withEnvironment(environment, () => call(safeOptions(options))));
    // If only the shell around the program was killed, the program is still running and must be killed.
    if (await this.#pidFile(runDir).clear(this.#o.clock)) this.#o.log.warn('camera.orphan_killed');
    return end;
  }

  #commandOf(name: ProgramName): readonly string[] | undefined {
    const simulated = this.#o.simulated();
    if (simulated) return [...simulated, name];
    const real = findProgram(name);
    return real === undefined ? undefined : [real];
  }

  #signal(name: 'SIGTERM' | 'SIGKILL', token: string): void {
    if (this.#runDir !== undefined && token !== '') this.#pidFile(this.#runDir).signal(name, token);
  }

  #pidFile(runDir: string): PidFile {
    return new PidFile(join(runDir, 'camera.pid'));
  }
}

/**
 * Sets `process.env` during the call, because node-libcamera has no environment option but copies `process.env`
 * synchronously when it starts a program.
 */
function withEnvironment<T>(environment: NodeJS.ProcessEnv, call: () => T): T {
  const own = process.env;
  process.env = environment;
  try {
    return call();
  } finally {
    process.env = own;
  }
}

/** If `call` rejects, the error contains the exit status or signal and, in its message, the output. */
async function endOf(call: Promise<string>): Promise<ProgramEnd> {
  try {
    return { code: 0, text: (await call) ?? '' };
  } catch (error) {
    const { code, signal } = error as { code?: number | string; signal?: string };
    return { code: code ?? signal ?? 'unknown', text: messageOf(error).split('\n').slice(1).join('\n') };
  }
}

/** Converts an error that occurs before the program starts into a `ProgramEnd`. */
async function settle(run: Promise<ProgramEnd>): Promise<ProgramEnd> {
  return withFault(await run.catch((error: unknown) => ({ code: codeOf(error), text: messageOf(error) })));
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : 'failed';
}
