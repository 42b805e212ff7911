import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Actor, actorName, actorText } from '../../shared/actor.js';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { Signal } from '../../shared/signal.js';
import type { SettingsChange } from '../document/change.js';
import { applyChanges, diffDocuments, maskChanges, type ValueChange } from '../document/diff.js';
import type { JsonObject, ReadDocument } from '../document/document.js';
import { NOT_CONFIRMED } from '../history/history.js';
import { settingsMessage } from '../messages.js';
import type { Section, Settings } from '../schema/schema.js';
import { sectionTitles } from '../schema/section-titles.js';
import type { TrialFile, TrialRecord } from './trial-file.js';

/** A mistake in these sections can cut off access to the gateway or the cart. */
const RISKY_SECTIONS: readonly Section[] = ['gateway', 'mqtt', 'serial', 'limits'];
/** Retry interval for a rollback while the cart is moving, and for writes while the disk is full. */
const RETRY_MS = 1000;

interface TrialView {
  id: string;
  by: Text;
  /** Titles of the changed sections, such as `MQTT broker, Limits`. */
  what: Text;
  /** Time in ms until the rollback; 0 while the cart's motion delays the rollback. */
  leftMs: number;
}

interface TrialEnd {
  id: string;
  /** Titles of the changed sections. */
  what: Text;
  /**
   * `confirmed`: the changes remain. `rolledBack`: a user rolled them back. `expired`: they were rolled back because no
   * user confirmed them in time.
   */
  outcome: 'confirmed' | 'rolledBack' | 'expired';
  /** The user who confirmed or rolled back the changes; empty if the trial expired. */
  by: Text;
}

export interface Author {
  by: Actor;
  isIdle: () => boolean;
  /** Throws if the caller is not permitted to change one of the sections. Omitted if the trial expires. */
  authorise?: (changed: readonly Section[]) => void;
}

/** A trial that is over, but whose record is still on disk. */
export interface LeftoverTrial {
  /** True if the file still contains the change, because the settings without it could not be saved. */
  isUnsaved: boolean;
  /** False if only the next save may remove the record. */
  isRetried: boolean;
}

interface TrialOptions {
  file: TrialFile;
  /** A trial that was left over at startup. */
  leftover: LeftoverTrial | undefined;
  clock: Clock;
  log: Log;
  /** Time limit for confirming a change on trial. */
  trialMs: number;
  host: {
    enqueue: <T>(job: () => Promise<T>) => Promise<T>;
    rollBack: (record: TrialRecord, author: Author) => Promise<void>;
    /** Saves the settings in use, unless the file has been edited. */
    save: () => Promise<void>;
  };
}

/** Manages the single change on trial, which is rolled back unless it is confirmed in time. */
export class Trial {
  readonly #o: TrialOptions;
  readonly #changes = new Signal();
  #prepared: { record: TrialRecord; author: Author } | undefined;
  #pending: { record: TrialRecord; author: Author; endsAtMs: number } | undefined;
  #leftover: LeftoverTrial | undefined;
  #ended: TrialEnd | undefined;
  #cancelTimer: Cancel = () => {};
  #isStopped = false;

  constructor(o: TrialOptions) {
    this.#o = o;
    this.#leftover = o.leftover;
    if (o.leftover?.isRetried) this.#removeLater();
  }

  view(): TrialView | undefined {
    if (!this.#pending) return undefined;
    const { record, endsAtMs } = this.#pending;
    return {
      id: record.id,
      by: actorText(record.by),
      what: titlesOf(record),
      leftMs: Math.max(0, Math.ceil(endsAtMs - this.#o.clock.now())),
    };
  }

  /** Returns the changes on trial, with secrets masked; empty if no change is on trial. */
  changes(): ValueChange[] {
    if (!this.#pending) return [];
    const { before, after } = this.#pending.record;
    return maskChanges(diffDocuments(before, after));
  }

  /** The change on trial; undefined if no change is on trial. */
  get record(): TrialRecord | undefined {
    return this.#pending?.record;
  }

  /** How the latest trial ended; undefined if no trial has ended since the gateway started. */
  get ended(): TrialEnd | undefined {
    return this.#ended;
  }

  get trialMs(): number {
    return this.#o.trialMs;
  }

  onChange(listener: () => void): Cancel {
    return this.#changes.on(listener);
  }

  /** Must precede the save. Rejects with `WRITE_FAILED`, or `CONFLICT` if another change is on trial. */
  async prepare(
    old: ReadDocument,
    next: ReadDocument,
    o: Author & { changed: readonly Section[] },
  ): Promise<void> {
    if (this.#pending) {
      throw new GatewayError('CONFLICT', settingsMessage('other-trial'), {
        hint: settingsMessage('other-trial-hint'),
      });
    }
    const partOf = ({ document }: ReadDocument) =>
      Object.fromEntries(o.changed.map((section) => [section, document[section]]));
    const id = randomBytes(6).toString('hex');
    const record = { id, by: o.by, before: partOf(old), after: partOf(next) };
    try {
      await this.#o.file.write(record);
    } catch (error) {
      // The record may be on disk even if the write failed.
      await this.#discardRecord();
      throw error;
    }
    this.#prepared = { record, author: { by: o.by, isIdle: o.isIdle } };
  }

  /** Must be called if the prepared change was not saved. */
  async abandon(): Promise<void> {
    this.#prepared = undefined;
    await this.#discardRecord();
  }

  get hasLeftover(): boolean {
    return this.#leftover !== undefined;
  }

  /**
   * Removes the record of a trial that is over. Must precede every save and every manual edit. Otherwise, the next
   * start would roll back saved values that equal those of the trial, although they are not on trial. Rejects with
   * `WRITE_FAILED`.
   */
  async removeLeftover(): Promise<void> {
    if (!this.#leftover) return;
    if (this.#leftover.isUnsaved) await this.#o.host.save();
    await this.#o.file.remove();
    this.#leftover = undefined;
    this.#cancelTimer();
  }

  /** Starts the timer. Must be called when the prepared change is saved. */
  begin(): void {
    if (!this.#prepared) throw new TypeError('no trial was prepared');
    const { clock, log, trialMs } = this.#o;
    this.#pending = { ...this.#prepared, endsAtMs: clock.now() + trialMs };
    this.#prepared = undefined;
    this.#expireIn(trialMs);
    const { id, by } = this.#pending.record;
    log.info('settings.trial_started', { id, by: actorName(by), periodMs: trialMs });
    this.#notify();
  }

  /**
   * Rejects with `CONFLICT` if the change `id` is not on trial, or with `WRITE_FAILED` or the error of `authorise`.
   */
  confirm(id: string, { by, authorise }: Omit<Author, 'isIdle'>): Promise<void> {
    return this.#o.host.enqueue(async () => {
      const record = this.#expect(id);
      authorise?.(sectionsOf(record));
      await this.#o.file.remove();
      this.#endConfirmed(record, by);
    });
  }

  /**
   * Makes these changes of the trial permanent, because they have been saved without a trial. Ends the trial if no
   * others are left. Rejects with `WRITE_FAILED`.
   */
  async keep(changes: readonly ValueChange[], by: Actor): Promise<void> {
    const pending = this.#pending;
    if (!pending || changes.length === 0) return;
    const { id, after } = pending.record;
    const before = applyChanges(pending.record.before, changes);
    const left = Object.keys(after).filter((section) => !isDeepStrictEqual(before[section], after[section]));
    if (left.length === 0) {
      await this.#o.file.remove();
      return this.#endConfirmed(pending.record, by);
    }
    const partOf = (document: JsonObject) =>
      Object.fromEntries(left.map((section) => [section, document[section]]));
    const record = { ...pending.record, before: partOf(before), after: partOf(after) };
    await this.#o.file.write(record);
    pending.record = record;
    const pointers = changes.map(({ pointer }) => pointer);
    this.#o.log.info('settings.partly_confirmed', { id, by: actorName(by), changed: pointers });
    this.#notify();
  }

  /**
   * Rejects with `CONFLICT` if the change `id` is not on trial, or with `NOT_IDLE`, `WRITE_FAILED` or the error of
   * `authorise`.
   */
  rollBack(id: string, author: Author, outcome: 'rolledBack' | 'expired' = 'rolledBack'): Promise<void> {
    return this.#o.host.enqueue(async () => {
      const record = this.#expect(id);
      await this.#o.host.rollBack(record, author);
      const by = outcome === 'expired' ? '' : actorText(author.by);
      // The trial ends as soon as the settings are saved: it can no longer be confirmed or rolled back.
      this.#end({ id, what: titlesOf(record), outcome, by });
      await this.#discardRecord();
      this.#o.log.warn('settings.rolled_back', {
        id,
        by: actorName(author.by),
        madeBy: actorName(record.by),
      });
    });
  }

  /** Stops the timer. The record remains, so that the next start rolls back the change. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer();
  }

  #expect(id: string): TrialRecord {
    if (this.#pending?.record.id === id) return this.#pending.record;
    throw new GatewayError('CONFLICT', settingsMessage('trial-over'), {
      hint: settingsMessage('trial-over-hint'),
    });
  }

  #endConfirmed(record: TrialRecord, by: Actor): void {
    const { id } = record;
    this.#end({ id, what: titlesOf(record), outcome: 'confirmed', by: actorText(by) });
    this.#o.log.info('settings.confirmed', { id, by: actorName(by) });
  }

  #end(ended: TrialEnd): void {
    this.#cancelTimer();
    this.#pending = undefined;
    this.#ended = ended;
    this.#notify();
  }

  /** Never rejects, because the response does not depend on the removal. */
  async #discardRecord(): Promise<void> {
    this.#leftover = { isUnsaved: false, isRetried: true };
    await this.removeLeftover().catch(() => this.#removeLater());
  }

  #removeLater(): void {
    if (this.#isStopped) return;
    const remove = () => this.#o.host.enqueue(() => this.removeLeftover()).catch(() => this.#removeLater());
    this.#cancelTimer = this.#o.clock.after(RETRY_MS, () => void remove());
  }

  /**
   * Notifies the listeners. A listener that throws must not affect the response, because the trial has already begun or
   * ended.
   */
  #notify(): void {
    for (const error of this.#changes.emitToAll()) {
      this.#o.log.error('settings.listener_failed', { reason: messageOf(error) });
    }
  }

  #expireIn(delayMs: number): void {
    if (this.#isStopped) return;
    this.#cancelTimer = this.#o.clock.after(delayMs, () => void this.#expire());
  }

  async #expire(): Promise<void> {
    if (!this.#pending) return;
    const { record, author } = this.#pending;
    try {
      await this.rollBack(record.id, { ...author, by: NOT_CONFIRMED }, 'expired');
    } catch (error) {
      // The trial ended while the rollback was queued.
      if (this.#pending?.record.id !== record.id) return;
      this.#o.log.warn('settings.rollback_deferred', { id: record.id, reason: messageOf(error) });
      this.#expireIn(RETRY_MS);
    }
  }
}

function titlesOf(record: TrialRecord): Text {
  return sectionTitles(sectionsOf(record));
}

function sectionsOf({ before }: TrialRecord): Section[] {
  return Object.keys(before) as Section[];
}

/**
 * Limits that become stricter with a lower value. `onBusy` and `decelMmps2` have no stricter value, because a
 * higher deceleration can tip a load.
 */
const LOWER_IS_STRICTER = [
  ...(['maxDistanceMm', 'holdAboveMm', 'maxAngleDeg', 'maxSpeedMmps'] as const),
  ...(['defaultSpeedMmps', 'accelMmps2'] as const),
  ...(['maxMotorC', 'ratePerSec', 'ttlMs', 'remoteHeartbeatMs'] as const),
];

/**
 * Returns true if the change could cut off access or loosen a limit and therefore requires confirmation. A change
 * that only tightens limits does not, because its rollback would loosen them again.
 */
export function isRisky({ changed, settings, previous }: SettingsChange): boolean {
  const unnamed = ({ gateway }: Settings) => ({ ...gateway, name: '' });
  const isHarmless: Partial<Record<Section, () => boolean>> = {
    gateway: () => isDeepStrictEqual(unnamed(settings), unnamed(previous)),
    limits: () => onlyTightens(previous.limits, settings.limits),
  };
  return changed.some((section) => RISKY_SECTIONS.includes(section) && !isHarmless[section]?.());
}

function onlyTightens(from: Settings['limits'], to: Settings['limits']): boolean {
  // 0 is the loosest value, because it turns the site heartbeat off.
  const order = (limits: Settings['limits']) => ({
    ...limits,
    remoteHeartbeatMs: limits.remoteHeartbeatMs || Number.POSITIVE_INFINITY,
  });
  const [old, next] = [order(from), order(to)];
  return (
    LOWER_IS_STRICTER.every((name) => next[name] <= old[name]) &&
    next.minBatteryMv >= old.minBatteryMv &&
    next.decelMmps2 === old.decelMmps2 &&
    next.onBusy === old.onBusy
  );
}
