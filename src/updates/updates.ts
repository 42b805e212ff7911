import { readFile } from 'node:fs/promises';
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
import { type Failure, failureText } from './failure.js';
import { updateMessage } from './messages.js';
import type { UpdateMonitor } from './monitor.js';
import type { UpdateProgress } from './progress.js';
import { releaseNameOf } from './release.js';
import type { UpdateRun } from './root-state.js';
import type { UpdateSpool, UploadedFile, UploadedRelease } from './spool.js';

const TICK_MS = 1000;
/** Number of ticks between two reads of the update service's files while no update is requested or running. */
const IDLE_TICKS = 60;
/** If the update service does not start within this time, the request is withdrawn. */
const PICK_UP_MS = 30_000;
/** The update service may have read a request just before it was withdrawn. Its run then appears within this time. */
const WITHDRAWAL_MS = 10_000;

/** The events of an update that the history records. */
export type SoftwareEventKind =
  | 'software.update_requested'
  | 'software.installed'
  | 'software.returned'
  | 'software.update_failed';

export interface SoftwareFacts extends Failure {
  /** The version that was requested or installed. */
  version: string;
  /** The version that was installed before. */
  from: string | null;
  /** SHA-256 of the release's archive. */
  sha256: string | null;
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
  /** True if scheduled backups are on, so that a gateway backup can be encrypted with the stored key. */
  canBackUp(): boolean;
  /** Makes a backup of the gateway if `canBackUp`. Rejects with the reason why it failed. */
  backUp(by: Actor): Promise<void>;
  /** Throws an error with the reason if no release can be installed now, for example `NOT_IDLE`. */
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
  /** The update service's latest run before the request. Any other run has taken the request. */
  runId: string | null;
}

/** A request that no run has taken yet. Monotonic times in ms. */
interface Pending {
  runId: string | null;
  sinceMs: number;
  withdrawnMs: number | undefined;
  /** Why the request could not be written; empty if it was written. */
  fault: Text;
}

/** Updates this gateway's software: receives a release, requests its installation, and reports the result. */
export class Updates {
  readonly #o: UpdatesOptions;
  readonly #path: string;
  #record: SoftwareRecord;
  #pending: Pending | undefined;
  /** The latest request that was withdrawn. */
  #withdrawn: (Pick<Request, 'runId' | 'version'> & { reason: Text }) | undefined;
  #isSettled = false;
  #isPreparing = false;
  #ticking: Promise<void> | undefined;
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
    if (monitor.isRequested || updates.#untaken) updates.#awaitRun();
    updates.#cancel = clock.every(TICK_MS, () => void updates.tick());
    return updates;
  }

  close(): Promise<void> {
    this.#cancel();
    return this.#o.spool.close();
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
      freeBytes: spool.freeBytes,
    };
  }

  progress(): UpdateProgress {
    const { clock, monitor, version } = this.#o;
    const { run } = monitor;
    const withdrawn = this.#withdrawn;
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
      const elapsedMs = this.#pending ? Math.round(clock.now() - this.#pending.sinceMs) : 0;
      return { ...base, state: 'requested', version: this.#untaken?.version ?? null, elapsedMs };
    }
    if (withdrawn && withdrawn.runId === this.#runId) {
      const { reason, version: requested } = withdrawn;
      return { ...base, state: 'failed', version: requested, code: 'NOT_STARTED', reason };
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
   * `STORE_FULL` or `STORE_FAILED`; in that case, nothing has been requested. If the request could not be written,
   * motion stays blocked until it is certain that no run has taken it.
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
    // Checked again, because the cart may have started to move during the backup.
    requireParked();
    monitor.hold();
    let pending: Pending | undefined;
    try {
      await confirmStop();
      // The current tick may be recording a result, and would then forget the new request. The request is therefore
      // recorded after the tick has ended.
      await this.#ticking;
      await monitor.refresh();
      const runId = this.#runId;
      await this.#save({ ...this.#record, request: { file, version, sha256, by, runId } });
      const software = { version, from: this.#o.version, sha256 };
      await record({ kind: 'software.update_requested', by, software });
      this.#isSettled = false;
      pending = { runId, sinceMs: clock.now(), withdrawnMs: undefined, fault: '' };
      this.#pending = pending;
      await writeFileAtomic(monitor.request, `${file}\n`);
    } catch (error) {
      const failure =
        error instanceof GatewayError
          ? error
          : diskError(updateMessage('not-written', { reason: fileErrorReason(error) }), error);
      await this.#cancelRequest(pending, failure.text);
      throw failure;
    }
    log.warn('update.requested', { file, version, by: actorName(by) });
    await monitor.refresh();
  }

  /**
   * Ends a request that could not be made. If the history contains the request, its end is recorded like a
   * withdrawal.
   */
  async #cancelRequest(pending: Pending | undefined, fault: Text): Promise<void> {
    const { clock, monitor } = this.#o;
    if (pending) {
      Object.assign(pending, { fault, withdrawnMs: clock.now() });
      await removeFile(monitor.request).catch((error: unknown) => this.#logFailure(error));
      return await monitor.refresh();
    }
    if (this.#untaken) {
      const record = { ...this.#record, request: null };
      await this.#save(record).catch((error: unknown) => this.#logFailure(error));
      this.#record = record;
    }
    monitor.release();
  }

  /** Monitors the update service, and records results. Called every second. */
  async tick(): Promise<void> {
    const { monitor } = this.#o;
    this.#ticks += 1;
    const isIdle = this.#isSettled && !monitor.isBusy && this.#ticks % IDLE_TICKS !== 0;
    if (this.#ticking || isIdle) return;
    this.#ticking = this.#work();
    await this.#ticking;
    this.#ticking = undefined;
  }

  async #work(): Promise<void> {
    try {
      await this.#o.monitor.refresh();
      await this.#followRequest();
      await this.#recordResult();
      this.#failure = '';
    } catch (error) {
      this.#logFailure(error);
    }
  }

  get #runId(): string | null {
    return this.#o.monitor.run?.id ?? null;
  }

  /** The latest request if no run has taken it. */
  get #untaken(): Request | undefined {
    const { request } = this.#record;
    return request?.runId === this.#runId ? request : undefined;
  }

  /** Follows a request that is left over from an earlier run of the gateway or of the update service. */
  #awaitRun(): void {
    const { clock, monitor } = this.#o;
    if (monitor.isRunning) return;
    const sinceMs = clock.now();
    const withdrawnMs = monitor.isRequested ? undefined : sinceMs;
    this.#pending = { runId: this.#runId, sinceMs, withdrawnMs, fault: '' };
    monitor.hold();
  }

  /** Waits for the run that takes the request, and withdraws the request if none does. */
  async #followRequest(): Promise<void> {
    const { clock, log, monitor } = this.#o;
    if (!this.#pending && monitor.isRequested) this.#awaitRun();
    const pending = this.#pending;
    if (!pending) return;
    const { runId, sinceMs } = pending;
    if (!monitor.isRunning && this.#runId === runId) {
      if (pending.withdrawnMs === undefined && clock.now() - sinceMs < PICK_UP_MS) return;
      if (pending.withdrawnMs === undefined || monitor.isRequested) {
        await removeFile(monitor.request);
        await monitor.refresh();
        pending.withdrawnMs = clock.now();
      }
      if (clock.now() - pending.withdrawnMs < WITHDRAWAL_MS) return;
      const version = this.#untaken?.version;
      if (version !== undefined)
        this.#withdrawn = { runId, version, reason: pending.fault || updateMessage('not-started') };
      log.error('update.not_started', { version: version ?? null });
    }
    this.#pending = undefined;
    monitor.release();
  }

  /**
   * Records the result of the update service's latest run, the end of a request that it did not take, or a version that
   * was installed without it.
   */
  async #recordResult(): Promise<void> {
    const { log, monitor, record, version } = this.#o;
    const { run } = monitor;
    const { recordedRun, version: last } = this.#record;
    if (monitor.isBusy) return;
    const untaken = this.#untaken;
    if (untaken) {
      const { by, sha256, version: requested } = untaken;
      const software = { version: requested, from: version, sha256, code: 'NOT_STARTED' } as const;
      await record({ kind: 'software.update_failed', by, software });
      await this.#save({ ...this.#record, request: null });
    }
    if (run?.result && run.id !== recordedRun) {
      const { request } = this.#record;
      const requested = request?.file === run.file ? request : null;
      const failure = failureOf(run);
      const facts = {
        version: versionOf(run) ?? '',
        from: run.from,
        sha256: run.sha256 ?? requested?.sha256 ?? null,
        ...failure,
      };
      await record({ kind: EVENTS[run.result], by: requested?.by ?? UNKNOWN_ACTOR, software: facts });
      const isGood = run.result === 'installed';
      const reason = failureText(failure);
      log[isGood ? 'info' : 'warn']('update.ended', { result: run.result, ...facts, reason });
      await this.#save({ version, recordedRun: run.id, request: null });
    } else if (last !== version) {
      const software = { version, from: last, sha256: null };
      await record({ kind: 'software.installed', by: UNKNOWN_ACTOR, software });
      await this.#save({ ...this.#record, version });
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

/** Returns the version; until the update service knows the version, returns the one in the archive's name. */
function versionOf({ file, version }: UpdateRun): string | null {
  return version ?? releaseNameOf(file ?? '')?.version ?? null;
}

function failureOf({ result, code, failedChecks, reason }: UpdateRun): Failure {
  if (result === 'installed') return {};
  return { code: code ?? (result === null ? 'INTERRUPTED' : 'INTERNAL'), failedChecks, reason };
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
    recordedRun: textOrNull(recordedRun),
    request: isJsonObject(request) ? requestOf(request) : null,
  };
}

function requestOf({ file, version, sha256, by, runId }: Record<string, unknown>): Request | null {
  if (typeof file !== 'string' || typeof version !== 'string') return null;
  return { file, version, sha256: textOrNull(sha256), by: readActor(by), runId: textOrNull(runId) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
