import { type Text, textJson } from '../shared/messages/message.js';
import type { Alarm, SendResult } from '../shared/ports/alarms.js';
import type { Cancel, Clock } from '../shared/ports/clock.js';
import { doubling, type RetryPolicy, retryDelayMs } from '../shared/retry.js';
import type { Target } from './alarm.js';
import { alarmMessage } from './messages.js';
import type { DeliveryRow, PutDelivery } from './writes.js';

const RETRY: RetryPolicy = { delaysMs: doubling(5000, 60_000), jitter: 'none' };
/** Maximum number of messages in flight; a crash leaves at most this many results unknown. */
const BATCH = 5;

/** The delivery of one alarm to one target. */
export interface Delivery extends Target {
  alarm: Alarm;
  /** Number of failed attempts. */
  attempts: number;
  /** Why the last attempt failed; empty before the first attempt. */
  reason: Text;
  /** Monotonic time in ms of the next attempt. At `deadlineMs`, the delivery is abandoned. */
  dueMs: number;
  deadlineMs: number;
  /** True if the delivery could not be saved and exists only in memory. */
  isUnsaved: boolean;
}

export interface LaneDeps {
  clock: Clock;
  /** Makes one attempt. Never rejects. */
  send: (alarm: Alarm, target: Target) => Promise<SendResult>;
  /**
   * Records that deliveries are about to be sent. Resolves with the deliveries to withhold. Never rejects.
   */
  begin: (deliveries: readonly Delivery[]) => Promise<{ held: readonly Delivery[]; reason: Text }>;
  /** Records results; never rejects. */
  save: (rows: readonly PutDelivery[]) => Promise<void>;
  isConfigured: (delivery: Delivery) => boolean;
  onResult: (delivery: Delivery, outcome: 'delivered' | 'retried' | 'given_up') => void;
}

export function laneRow(delivery: Delivery, state: DeliveryRow['state']): PutDelivery {
  const { alarm, channel, target, attempts, reason } = delivery;
  return { alarm, row: { alarmId: alarm.id, channel, target, state, attempts, reason: textJson(reason) } };
}

/**
 * The deliveries to one server, oldest first. While the server is failing, deliveries are attempted one by
 * one, at intervals that double from 5 s to 60 s.
 */
export class Lane {
  readonly #deps: LaneDeps;
  #waiting: Delivery[] = [];
  #failures = 0;
  #dueMs = 0;
  #timer: Cancel = () => undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(deps: LaneDeps) {
    this.#deps = deps;
  }

  add(delivery: Delivery): void {
    this.#waiting.push(delivery);
    this.#pump();
  }

  /** Starts no further attempts and waits for those in progress. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer();
    await this.#running;
  }

  #pump(): void {
    if (this.#running || this.#isClosed) return;
    this.#timer();
    const { clock } = this.#deps;
    const now = clock.now();
    const ended = this.#take(({ deadlineMs }) => deadlineMs <= now);
    const size = this.#failures > 0 ? 1 : BATCH;
    const ready = now < this.#dueMs ? [] : this.#take(({ dueMs }) => dueMs <= now, size);
    if (ended.length + ready.length > 0) {
      this.#running = this.#run(ended, ready).then(() => {
        this.#running = undefined;
        this.#pump();
      });
      return;
    }
    if (this.#waiting.length === 0) return;
    const times = this.#waiting.map((delivery) =>
      Math.min(delivery.deadlineMs, Math.max(delivery.dueMs, this.#dueMs)),
    );
    this.#timer = clock.after(Math.min(...times) - now, () => this.#pump());
  }

  #take(matches: (delivery: Delivery) => boolean, limit = Number.POSITIVE_INFINITY): Delivery[] {
    const taken: Delivery[] = [];
    this.#waiting = this.#waiting.filter((delivery) => {
      if (taken.length >= limit || !matches(delivery)) return true;
      taken.push(delivery);
      return false;
    });
    return taken;
  }

  async #run(ended: readonly Delivery[], ready: readonly Delivery[]): Promise<void> {
    const { isConfigured, save, begin, send } = this.#deps;
    const tooLate = ended.map((delivery) => {
      const reason = delivery.reason || alarmMessage('not-tried');
      return this.#giveUp(delivery, alarmMessage('too-late', { reason }));
    });
    const removed = ready.filter((delivery) => !isConfigured(delivery));
    const dropped = removed.map((delivery) => this.#giveUp(delivery, alarmMessage('removed')));
    if (tooLate.length + dropped.length > 0) await save([...tooLate, ...dropped]);

    const wanted = ready.filter((delivery) => !removed.includes(delivery));
    if (wanted.length === 0) return;
    const { held, reason } = await begin(wanted);
    const begun = wanted.filter((delivery) => !held.includes(delivery));
    const results = await Promise.all(
      wanted.map(async (delivery): Promise<SendResult> => {
        if (!begun.includes(delivery)) return { outcome: 'failed', scope: 'channel', reason };
        return await send(delivery.alarm, delivery);
      }),
    );
    const isReached = results.some(({ outcome }) => outcome === 'delivered');
    const rows = wanted.flatMap((delivery, at) => {
      const result = results[at];
      return result ? this.#settle(delivery, result, isReached) : [];
    });
    if (isReached) this.#failures = 0;
    else if (results.some((result) => result.outcome !== 'failed' || result.scope === 'channel')) {
      this.#failures += 1;
      this.#dueMs = this.#deps.clock.now() + retryDelayMs(RETRY, this.#failures);
    }
    await save(rows);
  }

  #settle(delivery: Delivery, result: SendResult, isReached: boolean): PutDelivery[] {
    if (result.outcome === 'delivered') {
      this.#deps.onResult(delivery, 'delivered');
      return [laneRow(delivery, 'delivered')];
    }
    delivery.attempts += 1;
    if (result.outcome === 'unknown') return [this.#giveUp(delivery, result.reason)];
    delivery.reason = result.reason;
    // Delays only this delivery. If the server itself is failing, all deliveries to it are delayed instead.
    if (isReached || result.scope === 'message') {
      delivery.dueMs = this.#deps.clock.now() + retryDelayMs(RETRY, delivery.attempts);
    }
    this.#waiting.push(delivery);
    this.#deps.onResult(delivery, 'retried');
    // If an unsaved delivery were saved, it could be sent twice: from memory and, after a crash, from disk.
    return delivery.isUnsaved ? [] : [laneRow(delivery, 'waiting')];
  }

  #giveUp(delivery: Delivery, reason: Text): PutDelivery {
    delivery.reason = reason;
    this.#deps.onResult(delivery, 'given_up');
    return laneRow(delivery, 'given_up');
  }
}
