import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { safetyMessage } from '../carts/index.js';
import { type Actor, actorName, readActor, UNKNOWN_ACTOR } from '../shared/actor.js';
import { errorText, GatewayError, messageOf } from '../shared/errors.js';
import { diskError, fileErrorCode, fileErrorReason, removeFile, writeFileAtomic } from '../shared/files.js';
import { messageJson, type Text } from '../shared/messages/message.js';
import type { UploadPart, UploadProgress } from '../shared/ports/backups.js';
import type { Cancel, Clock } from '../shared/ports/clock.js';
import type { Log } from '../shared/ports/log.js';
import { isJsonObject } from '../shared/validation/json.js';
import { failureText } from './failure.js';
import { updateMessage } from './messages.js';
import type { UpdateMonitor } from './monitor.js';
import type { FailureCode, UpdateProgress } from './progress.js';
import { releaseNameOf } from './release.js';
import type { UpdateRun } from './root-state.js';
import type { UpdateSpool, UploadedFile, UploadedRelease } from './spool.js';

const TICK_MS = 1000;
/** Number of ticks between two reads of the update service's files while no update is requested or running. */
const IDLE_TICKS = 60;
/** If the update service does not start within this time, the request is withdrawn. */
const PICK_UP_MS = 30_000;

/** The events of an update that the history records. */
export type SoftwareEventKind =
  | 'software.update_requested'
  | 'software.installed'
  | 'software.returned'
  | 'software.update_failed';

export interface SoftwareFacts {
  /** The version that was requested or installed. */
  version: string;
  /** The version that was installed before. */
  from: string | null;
  /** SHA-256 of the release's archive. */
  sha256: string | null;
  /** Why the update failed or was undone. */
  code: FailureCode | null;
  failedChecks: readonly string[];
  /** The update service's English sentence. */
  reason: string | null;
}

export interface SoftwareEvent {
  kind: SoftwareEventKind;
  by: Actor;
  software: SoftwareFacts;
}

export interface UpdatesView {
  /** False if there is no update service. */
  available: boolean;
  /** Why updates are not available; absent if they are. */
  reason?: Text;
  installed: { version: string; architecture: string };
  updates: readonly UploadedRelease[];
  /** Why no release can be installed at the moment; empty if one can. */
  blockedBy: Text;
  /** True if a gateway backup is made before the update. */
  makesBackup: boolean;
  freeBytes: number;
}

interface UpdatesOptions {
  /** The data directory. */
  dir: string;
  version: string;
  architecture: string;
  spool: UpdateSpool;
  monitor: UpdateMonitor;
  clock: Clock;
  log: Log;
  /** True if the schedule's key permits a backup of the gateway. */
  canBackUp(): boolean;
  /** Makes a backup of the gateway if `canBackUp`. Rejects with the reason why it failed. */
  backUp(by: Actor): Promise<void>;
  /** Throws the reason why no release can be installed now, such as `NOT_IDLE`. */
  requireParked(): void;
  /** Stops the stationary cart, so that the checks before the update know whether the controller acknowledges stops. */
  confirmStop(): Promise<void>;
  /** Rejects with the store's error. */
  record(event: SoftwareEvent): Promise<void>;
}

/** The content of `software.json`. */
interface SoftwareRecord {
  /** The version that ran last. */
  version: string;
  /** The latest run of the update service whose result has been recorded in the history. */
  recordedRun: string | null;
  request: Request | null;
}

interface Request {
  file: string;
  version: string;
  sha256: string | null;
  by: Actor;
}

/** Updates this gateway's software: receives a release, requests its installation, and reports the result. */
export class Updates {
  readonly #o: UpdatesOptions;
  readonly #path: string;
  #record: SoftwareRecord;
  /** A request for which the update service has not started yet. Times are monotonic times in ms. */
  #pending: { runId: string | undefined; version: string | null; sinceMs: number } | undefined;
  /** The version of the latest request if it was withdrawn. */
  #withdrawn: string | null | undefined;
  #isSettled = false;
  #isPreparing = false;
  #isTicking = false;
  #ticks = 0;
  #failure = '';
  #cancel: Cancel = () => undefined;

  private constructor(o: UpdatesOptions, path: string, record: SoftwareRecord) {
    this.#o = o;
    this.#path = path;
    this.#record = record;
  }

  static async open(o: UpdatesOptions): Promise<Updates> {
    const path = join(o.dir, 'software.json');
    const { clock, log, monitor, version } = o;
    const { run } = monitor;
    const isNew = { version, recordedRun: run?.result ? run.id : null, request: null };
    const found = await readRecord(path, log);
    const updates = new Updates(o, path, found ?? isNew);
    if (!found) await updates.#save(isNew).catch((error: unknown) => updates.#logFailure(error));
    if (monitor.isBusy && !monitor.isRunning) {
      const { recordedRun, request } = updates.#record;
      updates.#pending = {
        runId: recordedRun ?? undefined,
        version: request?.version ?? null,
        sinceMs: clock.now(),
      };
    }
    updates.#cancel = clock.every(TICK_MS, () => void updates.tick());
    return updates;
  }

  close(): void {
    this.#cancel();
  }

  async view(): Promise<UpdatesView> {
    const { architecture, monitor, spool, version } = this.#o;
    return {
      available: monitor.isAvailable,
      ...(monitor.isAvailable ? {} : { reason: updateMessage('unavailable') }),
      installed: { version, architecture },
      updates: await spool.list(),
      blockedBy: this.#blockedBy(),
      makesBackup: this.#o.canBackUp(),
      freeBytes: spool.spaceFor(0).freeBytes,
    };
  }

  progress(): UpdateProgress {
    const { clock, monitor, version } = this.#o;
    const { run } = monitor;
    const base = {
      from: version,
      step: null,
      code: null,
      reason: '',
      failedChecks: [],
      startedAt: null,
      elapsedMs: null,
      installed: version,
    };
    if (monitor.isBusy && !monitor.isRunning) {
      const { request } = this.#record;
      const elapsedMs = this.#pending ? Math.round(clock.now() - this.#pending.sinceMs) : 0;
      return { ...base, state: 'requested', version: request?.version ?? null, elapsedMs };
    }
    if (this.#withdrawn !== undefined) {
      const reason = updateMessage('not-started');
      return { ...base, state: 'failed', version: this.#withdrawn, code: 'NOT_STARTED', reason };
    }
    if (!run) return { ...base, state: 'none', version: null, from: null };
    const { from, startedAt } = run;
    const shown = { ...base, version: versionOf(run), from, startedAt };
    if (monitor.isRunning) {
      const elapsedMs = Math.max(0, Math.round(clock.wallTime() - startedAt));
      return { ...shown, state: 'running', step: run.step, elapsedMs };
    }
    const failure = failureOf(run);
    return { ...shown, state: run.result ?? 'failed', ...failure, reason: failureText(failure) };
  }

  /**
   * Stores a part of a release's archive or signature file. Rejects with `UPDATE_UNAVAILABLE`, `UPDATE_RUNNING` or an
   * error of `UpdateSpool`.
   */
  async upload(
    name: string,
    part: UploadPart,
    chunks: AsyncIterable<Uint8Array>,
    by: Actor,
  ): Promise<UploadProgress | UploadedFile> {
    this.#requireAvailable();
    const stored = await this.#o.spool.upload(name, part, chunks);
    if ('file' in stored) this.#o.log.warn('update.uploaded', { ...stored, by: actorName(by) });
    return stored;
  }

  /**
   * Makes a backup of the gateway if possible, then requests the installation of an uploaded release. From the
   * request on, motion is blocked until the update has ended. Rejects with `UPDATE_UNAVAILABLE`, `UPDATE_RUNNING`,
   * `NOT_FOUND`, the release's problem, the reason why the gateway cannot be updated now, the error of the backup,
   * or `STORE_FAILED`; in that case, nothing has been requested.
   */
  async install(version: string, by: Actor): Promise<void> {
    this.#requireAvailable();
    this.#isPreparing = true;
    try {
      await this.#install(version, by);
    } finally {
      this.#isPreparing = false;
    }
  }

  async #install(version: string, by: Actor): Promise<void> {
    const { backUp, clock, confirmStop, log, monitor, record, requireParked, spool } = this.#o;
    const release = (await spool.list()).find((uploaded) => uploaded.version === version);
    if (!release) throw new GatewayError('NOT_FOUND', updateMessage('unknown', { version }));
    const { file, problem, sha256 } = release;
    if (problem)
      throw new GatewayError(problem.code, problem.text, problem.hint ? { hint: problem.hint } : {});
    requireParked();
    await backUp(by);
    // The cart may have started to move in the meantime.
    requireParked();
    monitor.hold();
    try {
      await confirmStop();
      await this.#save({ ...this.#record, request: { file, version, sha256, by } });
      const facts = { version, from: this.#o.version, sha256, code: null, failedChecks: [], reason: null };
      await record({ kind: 'software.update_requested', by, software: facts });
      await writeFileAtomic(monitor.request, `${file}\n`);
    } catch (error) {
      await rm(monitor.request, { force: true }).catch(() => undefined);
      await monitor.refresh();
      monitor.release();
      if (error instanceof GatewayError) throw error;
      throw diskError(updateMessage('not-written', { reason: fileErrorReason(error) }), error);
    }
    this.#pending = { runId: monitor.run?.id, version, sinceMs: clock.now() };
    this.#withdrawn = undefined;
    this.#isSettled = false;
    log.warn('update.requested', { file, version, by: actorName(by) });
    await monitor.refresh();
  }

  /** Monitors the update service, and records results. Called every second. */
  async tick(): Promise<void> {
    const { monitor } = this.#o;
    this.#ticks += 1;
    const isIdle = this.#isSettled && !monitor.isBusy && this.#ticks % IDLE_TICKS !== 0;
    if (this.#isTicking || isIdle) return;
    this.#isTicking = true;
    try {
      await monitor.refresh();
      await this.#followRequest();
      await this.#recordResult();
      this.#failure = '';
    } catch (error) {
      this.#logFailure(error);
    } finally {
      this.#isTicking = false;
    }
  }

  async #followRequest(): Promise<void> {
    const { clock, log, monitor } = this.#o;
    const pending = this.#pending;
    if (!pending) return;
    if (monitor.run?.id !== pending.runId) {
      this.#pending = undefined;
      monitor.release();
      return;
    }
    if (clock.now() - pending.sinceMs < PICK_UP_MS) return;
    await removeFile(monitor.request);
    await monitor.refresh();
    this.#pending = undefined;
    this.#withdrawn = pending.version;
    monitor.release();
    log.error('update.not_started', { version: pending.version });
    const { request } = this.#record;
    if (!request) return;
    await this.#o.record({
      kind: 'software.update_failed',
      by: request.by,
      software: {
        version: request.version,
        from: this.#o.version,
        sha256: request.sha256,
        code: 'NOT_STARTED',
        failedChecks: [],
        reason: null,
      },
    });
    await this.#save({ ...this.#record, request: null });
  }

  /** Records the result of the update service's latest run, or a version that was installed without it. */
  async #recordResult(): Promise<void> {
    const { log, monitor, record, version } = this.#o;
    const { run } = monitor;
    const { recordedRun, request, version: last } = this.#record;
    if (monitor.isBusy) return;
    const requested = request && request.file === run?.file ? request : undefined;
    if (run?.result && run.id !== recordedRun) {
      const failure = failureOf(run);
      const facts = {
        version: versionOf(run) ?? '',
        from: run.from,
        sha256: run.sha256 ?? requested?.sha256 ?? null,
        ...failure,
      };
      const by = requested?.by ?? UNKNOWN_ACTOR;
      await record({ kind: EVENTS[run.result], by, software: facts });
      log[run.result === 'installed' ? 'info' : 'warn']('update.ended', {
        result: run.result,
        ...facts,
        reason: textOfFailure(run),
      });
      await this.#save({ version, recordedRun: run.id, request: null });
    } else if (last !== version && run?.result !== null) {
      const facts = { version, from: last, sha256: null, code: null, failedChecks: [], reason: null };
      await record({ kind: 'software.installed', by: UNKNOWN_ACTOR, software: facts });
      await this.#save({ version, recordedRun: run?.id ?? null, request: null });
    }
    this.#isSettled = true;
  }

  #requireAvailable(): void {
    const { monitor } = this.#o;
    if (!monitor.isAvailable) {
      const hint = updateMessage('unavailable-hint');
      throw new GatewayError('UPDATE_UNAVAILABLE', updateMessage('unavailable'), { hint });
    }
    if (!monitor.isBusy && !this.#isPreparing) return;
    throw new GatewayError('UPDATE_RUNNING', monitor.motionBlock || safetyMessage('software-requested'), {
      hint: safetyMessage('software-hint'),
    });
  }

  #blockedBy(): Text {
    try {
      this.#requireAvailable();
      this.#o.requireParked();
      return '';
    } catch (error) {
      return errorText(error);
    }
  }

  async #save(record: SoftwareRecord): Promise<void> {
    await writeFileAtomic(this.#path, `${messageJson(record)}\n`);
    this.#record = record;
  }

  /** Logs a repeated failure once. */
  #logFailure(error: unknown): void {
    const reason = messageOf(error);
    if (reason !== this.#failure) this.#o.log.error('update.record_failed', { reason });
    this.#failure = reason;
  }
}

const EVENTS = {
  installed: 'software.installed',
  returned: 'software.returned',
  rejected: 'software.update_failed',
  failed: 'software.update_failed',
} as const;

/** Returns the version; until the update service knows it, the version in the archive's name. */
function versionOf({ file, version }: UpdateRun): string | null {
  return version ?? releaseNameOf(file ?? '')?.version ?? null;
}

function failureOf({ result, code, failedChecks, reason }: UpdateRun) {
  if (result === 'installed') return { code: null, failedChecks: [], reason: null };
  return { code: code ?? (result === null ? 'INTERRUPTED' : 'INTERNAL'), failedChecks, reason } as const;
}

function textOfFailure(run: UpdateRun): Text {
  return failureText(failureOf(run));
}

async function readRecord(path: string, log: Log): Promise<SoftwareRecord | undefined> {
  try {
    return recordOf(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (fileErrorCode(error) !== 'ENOENT')
      log.warn('update.record_unreadable', { path, reason: messageOf(error) });
    return undefined;
  }
}

function recordOf(json: unknown): SoftwareRecord {
  if (!isJsonObject(json) || typeof json.version !== 'string') throw new Error('the content is not valid');
  const { recordedRun, request, version } = json;
  return {
    version,
    recordedRun: typeof recordedRun === 'string' ? recordedRun : null,
    request: isJsonObject(request) ? requestOf(request) : null,
  };
}

function requestOf({ file, version, sha256, by }: Record<string, unknown>): Request | null {
  if (typeof file !== 'string' || typeof version !== 'string') return null;
  return { file, version, sha256: typeof sha256 === 'string' ? sha256 : null, by: readActor(by) };
}
