import { randomBytes } from 'node:crypto';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { joined } from '../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { Signal } from '../../shared/signal.js';
import type { SettingsChange } from '../document/change.js';
import type { Reading } from '../document/document.js';
import { settingsMessage } from '../messages.js';
import { sectionMessage } from '../schema/messages.js';
import type { Section } from '../schema/schema.js';
import type { TrialFile, TrialRecord } from './trial-file.js';

/** A mistake in one of these can cut off whoever made it, from the gateway or from the cart. */
const CUTS_OFF: readonly Section[] = ['gateway', 'mqtt', 'serial', 'limits'];
/** A rollback that cannot be now, because the cart moves or the disk is full, is tried again after so long. */
const RETRY_MS = 1000;

/** A change that undoes itself unless somebody confirms it. */
interface TrialView {
  id: string;
  by: string;
  /** Titles of the sections that were changed: `MQTT broker, Limits`. */
  what: Text;
  /** Until it is undone; 0 while that waits for the cart to stand still. */
  leftMs: number;
}

/** Who does something, and whether the cart stands still. */
interface Actor {
  by: string;
  isIdle: () => boolean;
}

interface TrialOptions {
  file: TrialFile;
  clock: Clock;
  log: Log;
  /** How long there is for confirming, ms. */
  periodMs: number;
  host: {
    /** Runs a job when every earlier one has ended. */
    inTurn: <T>(job: () => Promise<T>) => Promise<T>;
    /** Saves and tells the settings without the change. */
    undo: (record: TrialRecord, actor: Actor) => Promise<unknown>;
  };
}

/**
 * The one change that may be on trial: in force, and undone unless somebody who still reaches the gateway confirms it in
 * time. The time is monotonic.
 */
export class Trial {
  readonly #o: TrialOptions;
  readonly #news = new Signal();
  #prepared: { record: TrialRecord; actor: Actor } | undefined;
  #pending: { record: TrialRecord; actor: Actor; endsAtMs: number } | undefined;
  #cancelTimer: Cancel = () => {};
  #isStopped = false;

  constructor(o: TrialOptions) {
    this.#o = o;
  }

  view(): TrialView | undefined {
    if (!this.#pending) return undefined;
    const { record, endsAtMs } = this.#pending;
    const sections = Object.keys(record.before) as Section[];
    return {
      id: record.id,
      by: record.by,
      what: joined(
        sections.map((section) => sectionMessage(section)),
        'list',
      ),
      leftMs: Math.max(0, Math.ceil(endsAtMs - this.#o.clock.now())),
    };
  }

  /** How long there is for confirming, ms. */
  get periodMs(): number {
    return this.#o.periodMs;
  }

  /** Calls when a change goes on trial and when that is over. */
  onNews(listener: () => void): Cancel {
    return this.#news.on(listener);
  }

  /**
   * Puts on the disk what undoes the change, before the change itself is there. Rejects with `CONFLICT` while another
   * change is on trial, and with `WRITE_FAILED`.
   */
  async prepare(old: Reading, next: Reading, o: Actor & { changed: readonly Section[] }): Promise<void> {
    if (this.#pending) {
      throw new GatewayError('CONFLICT', settingsMessage('other-trial'), {
        hint: settingsMessage('other-trial-hint'),
      });
    }
    const partOf = ({ document }: Reading) =>
      Object.fromEntries(o.changed.map((section) => [section, document[section]]));
    const id = randomBytes(6).toString('hex');
    const record = { id, by: o.by, before: partOf(old), after: partOf(next) };
    await this.#o.file.write(record);
    this.#prepared = { record, actor: { by: o.by, isIdle: o.isIdle } };
  }

  /** The change was not made after all. */
  async abandon(): Promise<void> {
    this.#prepared = undefined;
    // A record that stays does no harm: what is not in force is not undone.
    await this.#o.file.remove().catch(() => {});
  }

  /** The prepared change is in force: the clock starts. */
  begin(): void {
    if (!this.#prepared) throw new TypeError('no trial was prepared');
    const { clock, log, periodMs } = this.#o;
    this.#pending = { ...this.#prepared, endsAtMs: clock.now() + periodMs };
    this.#prepared = undefined;
    this.#expireIn(periodMs);
    const { id, by } = this.#pending.record;
    log.info('settings.trial_begun', { id, by, periodMs });
    this.#news.emit();
  }

  /** Keeps the change for good. Rejects with `CONFLICT` when `id` is not on trial, and with `WRITE_FAILED`. */
  confirm(id: string, by: string): Promise<void> {
    return this.#o.host.inTurn(async () => {
      this.#expect(id);
      await this.#end();
      this.#o.log.info('settings.confirmed', { id, by });
    });
  }

  /** Undoes the change now. Rejects with `CONFLICT` when `id` is not on trial, `NOT_IDLE` and `WRITE_FAILED`. */
  rollBack(id: string, actor: Actor): Promise<void> {
    return this.#o.host.inTurn(async () => {
      const record = this.#expect(id);
      await this.#o.host.undo(record, actor);
      await this.#end();
      this.#o.log.warn('settings.rolled_back', { id, by: actor.by, madeBy: record.by });
    });
  }

  /** Stops the clock. The record stays on the disk: what nobody confirmed is undone at the next start. */
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

  async #end(): Promise<void> {
    await this.#o.file.remove();
    this.#cancelTimer();
    this.#pending = undefined;
    this.#news.emit();
  }

  #expireIn(delayMs: number): void {
    if (this.#isStopped) return;
    this.#cancelTimer = this.#o.clock.after(delayMs, () => void this.#expire());
  }

  async #expire(): Promise<void> {
    if (!this.#pending) return;
    const { record, actor } = this.#pending;
    try {
      await this.rollBack(record.id, { ...actor, by: 'nobody confirmed it' });
    } catch (error) {
      // Confirmed or rolled back by hand while this waited for its turn.
      if (this.#pending?.record !== record) return;
      this.#o.log.warn('settings.rollback_waits', { id: record.id, reason: messageOf(error) });
      this.#expireIn(RETRY_MS);
    }
  }
}

/** Whether a change could cut off whoever makes it. */
export function couldCutOff({ changed }: Pick<SettingsChange, 'changed'>): boolean {
  return changed.some((section) => CUTS_OFF.includes(section));
}
