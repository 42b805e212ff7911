import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Cancel, Clock, Log } from '../ports.js';
import { type Fault, GatewayError } from '../util/errors.js';
import { Signal } from '../util/signal.js';
import { Turns } from '../util/turns.js';
import { type Boot, bootSettings, seedReading } from './boot.js';
import { compareSettings, refuseStale, refuseWhileMoving, type SettingsChange } from './change.js';
import type { Reading } from './document.js';
import { blockedBy, faultsOf } from './faults.js';
import { FILE_NAME, SettingsFile } from './file.js';
import { type HandEdit, readHandEdit } from './hand-edit.js';
import { MASK, mapStrings } from './merge.js';
import { brokerPassword } from './password.js';
import { patchReading } from './patch.js';
import { SECRETS, type Settings } from './schema.js';
import { FileWatch } from './watch.js';

export type { SettingsChange } from './change.js';

export interface SettingsOptions {
  /** The data directory; made when it is not there. */
  dir: string;
  clock: Clock;
  log: Log;
  /** A partial document for the first variables.json of a machine. */
  initial?: unknown;
  /** Where MQTT_PASSWORD and CREDENTIALS_DIRECTORY are looked up; the process's own when left out. */
  env?: NodeJS.ProcessEnv;
}

/** The settings of this gateway: variables.json in the data directory, read, kept, changed and watched. */
export class SettingsRoom {
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
  readonly #turns = new Turns();
  readonly #watch: FileWatch;
  #isClosed = false;

  private constructor(o: SettingsOptions, file: SettingsFile, boot: Boot) {
    this.#o = o;
    this.#file = file;
    this.#watch = new FileWatch(file.path, o);
    this.#reading = boot.reading;
    this.#fileFaults = boot.faults;
    this.#lost = boot.lost;
    this.#started = boot.reading.settings;
  }

  /**
   * Reads variables.json, or makes it from the defaults. What is wrong with the file never throws: it is in `faults` and
   * `blocked`. Rejects with `CONFIG_INVALID` when `initial` is not valid, and when the directory cannot be made.
   */
  static async open(o: SettingsOptions): Promise<SettingsRoom> {
    const seed = seedReading(o.initial ?? {});
    await mkdir(o.dir, { recursive: true });
    const file = new SettingsFile(join(o.dir, FILE_NAME), o.log);
    const room = new SettingsRoom(o, file, await bootSettings(file, seed, o.log));
    room.#logFaults();
    return room;
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
  get blocked(): string {
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

  /**
   * Merges a whole or partial document into the settings, saves them and tells the listeners. Rejects, with nothing
   * changed: INVALID_INPUT (every fault in `info.faults`), NOT_IDLE, ETAG_MISMATCH, WRITE_FAILED. `isIdle` is asked
   * again just before the file is replaced.
   */
  async update(patch: unknown, o: { isIdle: () => boolean; ifMatch?: string }): Promise<SettingsChange> {
    if (this.#isClosed) throw new GatewayError('SHUTTING_DOWN', 'the gateway is stopping');
    return this.#turns.take(async () => {
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
      const change = compareSettings(this.#started, this.current, next.settings);
      const hold = () => refuseWhileMoving(change, o.isIdle);
      hold();
      const isSaved = this.#file.isGood && unknown.length === 0 && isDeepStrictEqual(next.document, document);
      if (!isSaved) {
        await this.#file.save(next.document, hold);
        this.#adopt(next, change, []);
      }
      return change;
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
    await this.#turns.ended();
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
      this.#adopt(edit.next, edit.change, edit.faults);
      this.#logFaults();
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
