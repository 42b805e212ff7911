import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { safetyMessage } from '../carts/index.js';
import { messageOf } from '../shared/errors.js';
import { fileErrorCode, readSmallFile } from '../shared/files.js';
import type { Text } from '../shared/messages/message.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Log } from '../shared/ports/log.js';
import { updateMessage } from './messages.js';
import { type Integrity, integrityOf, MAX_STATE_BYTES, runOf, type UpdateRun } from './root-state.js';

/** A run that reports no progress for this long has been interrupted. */
const STALE_MS = 600_000;

interface UpdateMonitorOptions {
  /** The data directory. */
  dir: string;
  /** The directory of the update service's files; undefined if there is no update service. */
  stateDir: string | undefined;
  clock: Clock;
  log: Log;
}

/**
 * Monitors the update service, which installs releases as root. While an update is requested or running, motion is
 * blocked, even after a restart.
 */
export class UpdateMonitor {
  readonly #o: UpdateMonitorOptions;
  /** The request to the update service. It contains the name of the archive. */
  readonly request: string;
  #run: UpdateRun | undefined;
  #integrity: Integrity | undefined;
  #isRequested = false;
  #isHeld = false;
  /** Monotonic time in ms. */
  #staleAtMs = 0;
  readonly #failures = new Map<string, string>();

  private constructor(o: UpdateMonitorOptions) {
    this.#o = o;
    this.request = join(o.dir, 'updates', 'install');
  }

  static async open(o: UpdateMonitorOptions): Promise<UpdateMonitor> {
    const monitor = new UpdateMonitor(o);
    // An update without a result counts as running regardless of its age, because a Pi's clock may jump at boot.
    await monitor.refresh();
    return monitor;
  }

  /** True if an update service exists. */
  get isAvailable(): boolean {
    return this.#o.stateDir !== undefined;
  }

  /** The latest run of the update service; undefined if there has been none. */
  get run(): UpdateRun | undefined {
    return this.#run;
  }

  /** True while the request to the update service exists. */
  get isRequested(): boolean {
    return this.#isRequested;
  }

  /** True while the update service is installing a release. */
  get isRunning(): boolean {
    return this.#run?.result === null && this.#o.clock.now() < this.#staleAtMs;
  }

  /** True while an update is requested or running. */
  get isBusy(): boolean {
    return this.#isHeld || this.#isRequested || this.isRunning;
  }

  /** The reason why the cart must not move; empty if no update is requested or running. */
  get motionBlock(): Text {
    if (!this.isBusy) return '';
    return safetyMessage(this.isRunning ? 'software-running' : 'software-requested');
  }

  /**
   * The problem that a check of the installed files has found; empty if they are unchanged or belong to another
   * version.
   */
  problemOf(version: string): Text {
    const { problem = null, version: checked } = this.#integrity ?? {};
    return problem !== null && checked === version ? updateMessage('files-changed', { problem }) : '';
  }

  /** Blocks motion immediately, before the request has been written, until `release` is called. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
  }

  /** Reads the files of the update service. If a file cannot be read, keeps the last known state. */
  async refresh(): Promise<void> {
    const { clock, stateDir } = this.#o;
    this.#isRequested = await this.#exists(this.request);
    if (stateDir === undefined) return;
    const run = await this.#read(join(stateDir, 'progress.json'), runOf);
    if (run !== undefined && JSON.stringify(run) !== JSON.stringify(this.#run)) {
      this.#run = run;
      this.#staleAtMs = clock.now() + STALE_MS;
    }
    this.#integrity = (await this.#read(join(stateDir, 'integrity.json'), integrityOf)) ?? this.#integrity;
  }

  async #exists(path: string): Promise<boolean> {
    try {
      await stat(path);
      return true;
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(fileErrorCode(error))) return false;
      this.#logFailure(path, error);
      return this.#isRequested;
    }
  }

  async #read<T>(path: string, check: (json: unknown) => T | undefined): Promise<T | undefined> {
    try {
      const content = await readSmallFile(path, MAX_STATE_BYTES);
      const found = check(JSON.parse(content.toString('utf8')));
      if (found === undefined) throw new Error('the content is not valid');
      this.#failures.delete(path);
      return found;
    } catch (error) {
      if (fileErrorCode(error) !== 'ENOENT') this.#logFailure(path, error);
      return undefined;
    }
  }

  /** Logs a repeated failure once. */
  #logFailure(path: string, error: unknown): void {
    const reason = messageOf(error);
    if (this.#failures.get(path) === reason) return;
    this.#failures.set(path, reason);
    this.#o.log.warn('update.state_unreadable', { path, reason });
  }
}
