import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Fault, GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import type { Cancel } from '../../shared/ports/clock.js';
import { SerialQueue } from '../../shared/queues.js';
import { Signal } from '../../shared/signal.js';
import { SettingsHistory } from '../history/history.js';
import { SECRETS, type Settings } from '../schema/schema.js';
import { couldCutOff, Trial } from '../trial/trial.js';
import { TrialFile, undoTrial } from '../trial/trial-file.js';
import { type Boot, type BootFiles, boot, seedReading } from './boot.js';
import { compareSettings, refuseStale, refuseWhileMoving, type SettingsChange } from './change.js';
import type { Preview, Replacement, SettingsOptions, UpdateOptions } from './contracts.js';
import { diffDocuments, maskChanges } from './diff.js';
import type { Reading } from './document.js';
import { blockedBy, faultsOf } from './faults.js';
import { FILE_NAME, SettingsFile } from './file.js';
import { type HandEdit, readHandEdit } from './hand-edit.js';
import { MASK, mapStrings, replacingPatch } from './merge.js';
import { brokerPassword } from './password.js';
import { patchReading } from './patch.js';
import { FileWatch } from './watch.js';

export type { SettingsChange } from './change.js';

const TRIAL_MS = 60_000;

/** The settings of this gateway: variables.json in the data directory, read, kept, changed and watched. */
export class SettingsService {
  readonly #o: SettingsOptions;
  readonly #file: SettingsFile;
  readonly #started: Settings;
  readonly #changes = new Signal<[SettingsChange]>();
  #reading: Reading;
  /** Faults of the file as a whole, beside those of single members. */
  #fileFaults: Fault[];
  #lost: string;
  readonly #startId = randomBytes(4).toString('hex');
  #revision = 1;
  readonly #turns = new SerialQueue();
  readonly #watch: FileWatch;
  /** The change that waits to be confirmed, if there is one. */
  readonly trial: Trial;
  readonly history: SettingsHistory;
  #isClosed = false;

  private constructor(
    o: SettingsOptions,
    { file, trial }: BootFiles,
    { reading, faults, lost }: Boot,
    history: SettingsHistory,
  ) {
    this.#o = o;
    this.#file = file;
    this.#watch = new FileWatch(file.path, o);
    this.#reading = reading;
    this.#fileFaults = faults;
    this.#lost = lost;
    this.#started = reading.settings;
    this.trial = new Trial({
      ...o,
      file: trial,
      periodMs: o.trialMs ?? TRIAL_MS,
      host: {
        inTurn: (job) => this.#inTurn(job),
        undo: (record, by) => this.#replace(undoTrial(this.#reading, record), { ...by, why: 'rollback' }),
      },
    });
    this.history = history;
  }

  /**
   * Reads variables.json, or makes it from the defaults. What is wrong with the file never throws: it is in `faults` and
   * `invalidReason`. Rejects with `CONFIG_INVALID` when `initial` is not valid, and when the directory cannot be made.
   */
  static async open(o: SettingsOptions): Promise<SettingsService> {
    const seed = seedReading(o.initial ?? {});
    await mkdir(o.dir, { recursive: true, mode: 0o700 });
    const file = new SettingsFile(join(o.dir, FILE_NAME), o.log);
    const files = { file, trial: new TrialFile(file.path, o.log), log: o.log };
    const history = await SettingsHistory.open(o);
    const service = new SettingsService(o, files, await boot(files, seed, history), history);
    service.#logFaults();
    return service;
  }

  /** The settings as saved, deep-frozen. A room whose section has `apply: 'restart'` reads it once, at its start. */
  get current(): Settings {
    return this.#reading.settings;
  }

  /** What is wrong with the file, for health: `{path: 'variables.json:/limits/ttlMs', message}`. */
  get faults(): Fault[] {
    return [...this.#watch.faults, ...this.#fileFaults, ...faultsOf(this.#reading)];
  }

  /** A sentence when an invalid section must keep every cart from moving (`CONFIG_INVALID`), else empty. */
  get invalidReason(): Text {
    return blockedBy(this.#reading, this.#lost);
  }

  /** Changes with every change of the settings and with every start; in double quotes, as in the header. */
  get etag(): string {
    return `"${this.#startId}-${this.#revision}"`;
  }

  /** For answers and pages: secrets are `***` when set and empty when not. */
  masked(): Settings {
    return mapStrings(this.current, SECRETS, (secret) => (secret ? MASK : ''));
  }

  /** The broker's password, from wherever it is kept; rejects with `CONFIG_INVALID` when its file cannot be used. */
  password(): Promise<string> {
    return brokerPassword(this.current.mqtt, this.#o.dir, this.#o.env ?? process.env);
  }

  /** A patch that brings back a whole document, of the history or from elsewhere; what is masked in it stays as it is. */
  replacing(document: Record<string, unknown>): Record<string, unknown> {
    return replacingPatch(this.#reading.document, document);
  }

  /** What `update` would do with a patch. Throws `INVALID_INPUT` as it does. */
  preview(patch: unknown): Preview {
    const next = patchReading(this.#reading, patch);
    const change = this.#compare(next);
    const changes = maskChanges(diffDocuments(this.#reading.document, next.document));
    return { changes, change, isRisky: couldCutOff(change) };
  }

  /**
   * Merges a whole or partial document into the settings, saves them and tells the listeners. Rejects, with nothing
   * changed: INVALID_INPUT (every fault in `info.faults`), NOT_IDLE, ETAG_MISMATCH, WRITE_FAILED, and CONFLICT for a
   * second change on trial. `isIdle` is asked again just before the file is replaced.
   */
  async update(patch: unknown, o: UpdateOptions): Promise<SettingsChange> {
    return this.#inTurn(async () => {
      // An edit by hand that nobody has noticed yet comes first: it must not be lost under this one.
      if ((await this.#takeHandEdit(o.isIdle)) === 'waits') {
        throw new GatewayError(
          'NOT_IDLE',
          `an edit of ${FILE_NAME} by hand waits until the cart stands still`,
        );
      }
      refuseStale(o.ifMatch, this.etag);
      const { unknown, document } = this.#reading;
      const next = patchReading(this.#reading, patch);
      const isSaved = this.#file.isGood && unknown.length === 0 && isDeepStrictEqual(next.document, document);
      return isSaved ? this.#compare(next) : this.#replace(next, { by: 'a program', why: 'save', ...o });
    });
  }

  onChange(listener: (change: SettingsChange) => void): Cancel {
    return this.#changes.on(listener);
  }

  /** From now on takes edits of the file by hand, as updates: what must hold still while the cart moves waits. */
  watch(isIdle: () => boolean): void {
    this.#watch.start(() => void this.#turns.take(() => this.#takeHandEdit(isIdle)));
  }

  /** Ends the watch and waits for a save that is under way; later updates are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watch.stop();
    this.trial.stop();
    await this.#turns.ended();
  }

  async #inTurn<T>(job: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new GatewayError('STOPPING', sharedMessage('stopping'));
    return this.#turns.take(job);
  }

  #compare(next: Reading): SettingsChange {
    return compareSettings(this.#started, this.current, next.settings);
  }

  async #replace(next: Reading, o: Replacement): Promise<SettingsChange> {
    const { document: before } = this.#reading;
    const change = this.#compare(next);
    const hold = () => refuseWhileMoving(change, o.isIdle);
    hold();
    const isOnTrial = o.onTrial === true && couldCutOff(change);
    if (isOnTrial) await this.trial.prepare(this.#reading, next, { ...o, changed: change.changed });
    try {
      await this.#file.save(next.document, hold);
    } catch (error) {
      if (isOnTrial) await this.trial.abandon();
      throw error;
    }
    // Before the listeners: a listener that throws must not leave a risky change without its rollback.
    if (isOnTrial) this.trial.begin();
    this.#adopt(next, change, []);
    await this.history.add(next.document, o, before);
    return change;
  }

  async #takeHandEdit(isIdle: () => boolean): Promise<HandEdit['kind']> {
    if (this.#isClosed) return 'none';
    const edit = await readHandEdit(this.#file, { reading: this.#reading, started: this.#started, isIdle });
    if (edit.kind === 'waits') this.#watch.retry();
    if (edit.kind === 'waits' || edit.kind === 'refused') {
      const isNews = !isDeepStrictEqual(this.#fileFaults, edit.faults);
      this.#fileFaults = edit.faults;
      if (isNews) this.#o.log.warn('settings.edit_not_taken', { faults: edit.faults });
    }
    if (edit.kind === 'taken') {
      const { document: before } = this.#reading;
      this.#adopt(edit.next, edit.change, edit.faults);
      this.#logFaults();
      await this.history.add(edit.next.document, { by: FILE_NAME, why: 'hand-edit' }, before);
    }
    return edit.kind;
  }

  #logFaults(): void {
    for (const { path, message } of this.faults) this.#o.log.warn('settings.fault_found', { path, message });
  }

  #adopt(next: Reading, change: SettingsChange, fileFaults: Fault[]): void {
    if (!isDeepStrictEqual(next.document, this.#reading.document)) this.#revision += 1;
    this.#reading = next;
    this.#fileFaults = fileFaults;
    this.#lost = '';
    const { changed, restartNeeded } = change;
    if (changed.length === 0) return;
    this.#o.log.info('settings.changed', { changed, restartNeeded });
    this.#changes.emit(change);
  }
}
