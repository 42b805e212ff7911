import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Fault, GatewayError, messageOf } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import type { Cancel } from '../../shared/ports/clock.js';
import { SerialQueue } from '../../shared/queues.js';
import { Signal } from '../../shared/signal.js';
import { HAND_EDIT, PROGRAM, SettingsHistory } from '../history/history.js';
import { settingsMessage } from '../messages.js';
import { SECRETS, type Section, type Settings } from '../schema/schema.js';
import { withoutTrial } from '../trial/rollback.js';
import { type Author, isRisky, Trial } from '../trial/trial.js';
import { TrialFile, type TrialRecord } from '../trial/trial-file.js';
import { type Boot, type BootFiles, boot, isNewDirectory, seedReading } from './boot.js';
import {
  compareSettings,
  refuseStale,
  refuseWhileMoving,
  type SettingsChange,
  type SettingsUpdate,
} from './change.js';
import type { Preview, Replacement, SettingsOptions, Since, UpdateOptions } from './contracts.js';
import { diffDocuments, maskChanges, type ValueChange, valueAt } from './diff.js';
import type { ReadDocument } from './document.js';
import { faultsOf, motionBlockReason } from './faults.js';
import { FILE_NAME, SettingsFile } from './file.js';
import { type HandEdit, readHandEdit } from './hand-edit.js';
import { MASK, mapStrings, replacingPatch } from './merge.js';
import { brokerPassword } from './password.js';
import { patchReading } from './patch.js';
import { FileWatch } from './watch.js';

export type { SettingsChange } from './change.js';

const TRIAL_MS = 60_000;
/** A form is compared with the settings that it showed, unless more than this many changes have been saved since. */
const MAX_SHOWN = 50;

/** This gateway's settings, stored in variables.json in the data directory. */
export class SettingsService {
  readonly #o: SettingsOptions;
  readonly #file: SettingsFile;
  readonly #started: Settings;
  readonly #changes = new Signal<[SettingsChange]>();
  #reading: ReadDocument;
  /** Errors that apply to the whole file. */
  #fileFaults: Fault[];
  #lost: string;
  readonly #startId = randomBytes(4).toString('hex');
  #revision = 1;
  /** The latest settings by ETag, oldest first. */
  readonly #shown = new Map<string, Settings>();
  readonly #queue = new SerialQueue();
  readonly #watch: FileWatch;
  readonly trial: Trial;
  readonly history: SettingsHistory;
  #isClosed = false;

  private constructor(
    o: SettingsOptions,
    { file, trial }: BootFiles,
    { reading, faults, lost, leftover }: Boot,
    history: SettingsHistory,
  ) {
    this.#o = o;
    this.#file = file;
    this.#watch = new FileWatch(file.path, o);
    this.#reading = reading;
    this.#fileFaults = faults;
    this.#lost = lost;
    this.#started = reading.settings;
    this.#shown.set(this.etag, reading.settings);
    this.trial = new Trial({
      ...o,
      file: trial,
      leftover,
      trialMs: o.trialMs ?? TRIAL_MS,
      host: {
        enqueue: (job) => this.#enqueue(job),
        rollBack: (record, author) => this.#rollBack(record, author),
        save: async () => {
          if (!(await this.#file.read()).isNew) await this.#file.save(this.#reading.document);
        },
      },
    });
    this.history = history;
  }

  /** Reads or creates variables.json and reports errors in `faults`. Rejects with `CONFIG_INVALID`. */
  static async open(o: SettingsOptions): Promise<SettingsService> {
    const seed = seedReading(o.initial ?? {});
    const isNew = isNewDirectory(o.dir);
    await mkdir(o.dir, { recursive: true, mode: 0o700 });
    const file = new SettingsFile(join(o.dir, FILE_NAME), o.log);
    const files = { file, trial: new TrialFile(file.path, o.log), log: o.log, isNew };
    const history = await SettingsHistory.open(o);
    const service = new SettingsService(o, files, await boot(files, seed, history), history);
    service.#logFaults();
    return service;
  }

  /** The saved settings, deep-frozen. Modules read sections with `apply: 'restart'` only at startup. */
  get current(): Settings {
    return this.#reading.settings;
  }

  /** Errors in the file, in the form `{path: 'variables.json:/limits/ttlMs', message}`. */
  get faults(): Fault[] {
    return [...this.#watch.faults, ...this.#fileFaults, ...faultsOf(this.#reading)];
  }

  /** Why invalid settings block motion; empty if they do not. */
  get invalidReason(): Text {
    return motionBlockReason(this.#reading, this.#lost);
  }

  /** Values and sections that differ from those in use since startup, such as `mqtt.root`. */
  get restartNeeded(): string[] {
    return compareSettings(this.#started, this.current, this.current).restartNeeded;
  }

  /** Changes whenever the settings change or the gateway starts. Includes the quotes that HTTP requires. */
  get etag(): string {
    return `"${this.#startId}-${this.#revision}"`;
  }

  masked(): Settings {
    return masked(this.current);
  }

  /** Compares the settings with those of an earlier ETag; undefined if the ETag is unknown or too old. */
  since(etag: unknown): Since | undefined {
    const shown = this.#shown.get(String(etag));
    if (!shown) return undefined;
    return { shown: masked(shown), changes: maskChanges(diffDocuments(shown, this.current)) };
  }

  password(): Promise<string> {
    return brokerPassword(this.current.mqtt, this.#o.dir, this.#o.env ?? process.env);
  }

  /** Returns a patch that replaces all settings. Masked secrets keep their stored values. */
  replacing(document: Record<string, unknown>): Record<string, unknown> {
    return replacingPatch(this.#reading.document, document);
  }

  /** Returns the changes that `update` would make. Throws `INVALID_INPUT`. */
  preview(patch: unknown): Preview {
    const next = patchReading(this.#reading, patch);
    const change = this.#compare(next);
    const changes = maskChanges(diffDocuments(this.#reading.document, next.document));
    return { changes, change, isRisky: isRisky(change) };
  }

  /**
   * Saves a complete or partial document, or changes nothing. Checks `isIdle` again just before replacing the
   * file. Rejects with `INVALID_INPUT` (all errors in `info.faults`), `NOT_IDLE`, `ETAG_MISMATCH` or
   * `WRITE_FAILED`, or with `CONFLICT` if the change requires a trial while another change is on trial, or is valid only
   * together with that change. Without `onTrial`, values that are on trial and in the patch become permanent.
   */
  async update(patch: unknown, o: UpdateOptions): Promise<SettingsUpdate> {
    return this.#enqueue(async () => {
      await this.#takeHandEdit(o.isIdle);
      refuseStale(o.ifMatch, this.etag);
      const { unknown, document } = this.#reading;
      const next = patchReading(this.#reading, patch);
      const onTrial = this.#onTrialIn(patch);
      const kept = o.onTrial ? [] : onTrial;
      o.authorise?.([...this.#compare(next).changed, ...kept.map(({ keys }) => keys[0] as Section)]);
      const by = o.by ?? PROGRAM;
      const before = this.trial.view()?.id;
      const isSaved = this.#file.isGood && unknown.length === 0 && isDeepStrictEqual(next.document, document);
      const change = isSaved ? this.#compare(next) : await this.#replace(next, { why: 'save', ...o, by });
      await this.trial.keep(kept, by);
      const trialId = this.trial.view()?.id;
      const isNamed = trialId !== undefined && (trialId !== before || (o.onTrial && onTrial.length > 0));
      return isNamed ? { ...change, trialId } : change;
    });
  }

  /**
   * Returns the changes on trial that the patch also contains, because these would remain after a rollback. Throws
   * `CONFLICT` if the patch is valid only together with the change on trial, because a rollback would then also
   * undo the patch.
   */
  #onTrialIn(patch: unknown): ValueChange[] {
    const { record } = this.trial;
    if (!record) return [];
    let rolledBack: ReadDocument;
    try {
      rolledBack = patchReading(withoutTrial(this.#reading, record), patch);
    } catch (cause) {
      throw new GatewayError('CONFLICT', settingsMessage('other-trial'), {
        hint: settingsMessage('other-trial-hint'),
        cause,
      });
    }
    return diffDocuments(record.before, record.after).filter(({ keys, to }) =>
      isDeepStrictEqual(valueAt(rolledBack.document, keys), to),
    );
  }

  onChange(listener: (change: SettingsChange) => void): Cancel {
    return this.#changes.on(listener);
  }

  /** Applies manual edits of the file. Edits of `idle` sections are applied when the cart is stationary. */
  watch(isIdle: () => boolean): void {
    const apply = () => this.#applyHandEdit(isIdle);
    this.#watch.start(() => {
      void this.#queue.take(apply).catch((error) => {
        this.#o.log.warn('settings.edit_deferred', { reason: messageOf(error) });
        this.#watch.retry();
      });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watch.stop();
    this.trial.stop();
    await this.#queue.ended();
  }

  async #enqueue<T>(job: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new GatewayError('STOPPING', sharedMessage('stopping'));
    return this.#queue.take(job);
  }

  #compare(next: ReadDocument): SettingsChange {
    return compareSettings(this.#started, this.current, next.settings);
  }

  async #replace(next: ReadDocument, o: Replacement): Promise<SettingsChange> {
    const { document: before } = this.#reading;
    const change = this.#compare(next);
    const requireIdle = () => refuseWhileMoving(change, o.isIdle);
    requireIdle();
    await this.trial.removeLeftover();
    const isOnTrial = o.onTrial === true && isRisky(change);
    if (isOnTrial) await this.trial.prepare(this.#reading, next, { ...o, changed: change.changed });
    try {
      await this.#file.save(next.document, requireIdle);
    } catch (error) {
      if (isOnTrial) await this.trial.abandon();
      throw error;
    }
    if (isOnTrial) this.trial.begin();
    this.#adopt(next, change, []);
    await this.history.add(next.document, o, before);
    return change;
  }

  async #rollBack(record: TrialRecord, author: Author): Promise<void> {
    await this.#takeHandEdit(author.isIdle);
    const next = withoutTrial(this.#reading, record);
    author.authorise?.(this.#compare(next).changed);
    // If later changes have replaced the values on trial, there is nothing to roll back.
    if (isDeepStrictEqual(next.document, this.#reading.document)) return;
    await this.#replace(next, { ...author, why: 'rollback' });
  }

  /**
   * Applies a pending manual edit, which a change must not overwrite. Rejects with `NOT_IDLE` if the edit must wait.
   */
  async #takeHandEdit(isIdle: () => boolean): Promise<void> {
    if ((await this.#applyHandEdit(isIdle)) === 'deferred') {
      throw new GatewayError('NOT_IDLE', settingsMessage('edit-pending', { file: FILE_NAME }));
    }
  }

  async #applyHandEdit(isIdle: () => boolean): Promise<HandEdit['kind']> {
    if (this.#isClosed) return 'none';
    if (this.trial.hasLeftover && (await this.#file.read()).isNew) await this.trial.removeLeftover();
    const edit = await readHandEdit(this.#file, { reading: this.#reading, started: this.#started, isIdle });
    if (edit.kind === 'deferred') this.#watch.retry();
    if (edit.kind === 'deferred' || edit.kind === 'rejected') {
      const isNew = !isDeepStrictEqual(this.#fileFaults, edit.faults);
      this.#fileFaults = edit.faults;
      if (isNew) this.#o.log.warn('settings.edit_rejected', { faults: edit.faults });
    }
    if (edit.kind === 'applied') {
      const { document: before } = this.#reading;
      this.#adopt(edit.next, edit.change, edit.faults);
      this.#logFaults();
      await this.history.add(edit.next.document, { by: HAND_EDIT, why: 'hand-edit' }, before);
    }
    return edit.kind;
  }

  #keepShown(): void {
    this.#shown.set(this.etag, this.current);
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > MAX_SHOWN && oldest !== undefined) this.#shown.delete(oldest);
  }

  #logFaults(): void {
    for (const { path, message } of this.faults) this.#o.log.warn('settings.fault_found', { path, message });
  }

  #adopt(next: ReadDocument, change: SettingsChange, fileFaults: Fault[]): void {
    if (!isDeepStrictEqual(next.document, this.#reading.document)) this.#revision += 1;
    this.#reading = next;
    this.#keepShown();
    this.#fileFaults = fileFaults;
    this.#lost = '';
    const { changed, restartNeeded } = change;
    if (changed.length === 0) return;
    this.#o.log.info('settings.changed', { changed, restartNeeded });
    // The change is saved, so a listener that throws must not affect the response.
    for (const error of this.#changes.emitToAll(change)) {
      this.#o.log.error('settings.listener_failed', { changed, reason: messageOf(error) });
    }
  }
}

function masked(settings: Settings): Settings {
  return mapStrings(settings, SECRETS, (secret) => (secret ? MASK : ''));
}
