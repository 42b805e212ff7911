import { errorText, GatewayError, messageOf } from '../shared/errors.js';
import { parseText, type Text, textJson } from '../shared/messages/message.js';
import { Tally } from '../shared/metric.js';
import type { Alarm, SendResult } from '../shared/ports/alarms.js';
import type { Cancel, Clock } from '../shared/ports/clock.js';
import type { Log } from '../shared/ports/log.js';
import { NOTHING_SAVED, type Store } from '../shared/ports/store.js';
import type { Target } from './alarm.js';
import { type Delivery, Lane, laneRow } from './delivery-lane.js';
import { alarmMessage } from './messages.js';
import type { AlarmReads } from './reads.js';
import type { PutDelivery } from './writes.js';

const GIVE_UP_MS = 600_000;
/** Maximum number of waiting deliveries; if there are more, new deliveries are abandoned immediately. */
const MAX_WAITING = 5000;
const SAVE_RETRY_MS = 5000;
/** Maximum time for closing the outbox, because the gateway must shut down within 5 s. */
const CLOSE_MS = 1500;

export interface OutboxDeps {
  store: Pick<Store, 'write' | 'status'>;
  reads: Pick<AlarmReads, 'waiting' | 'hasInterrupted'>;
  clock: Clock;
  log: Log;
  /** Makes one attempt. Never rejects. */
  send: (alarm: Alarm, target: Target) => Promise<SendResult>;
  /** False if the target has been removed since the alarm was raised. */
  isConfigured: (alarm: Alarm, target: Target) => boolean;
}

/**
 * Returns the target to display. For a webhook, this is only the host, because the path may be secret.
 * Returns an empty string if the URL of a webhook is invalid.
 */
export function targetName({ channel, target }: Target): string {
  if (channel !== 'webhook') return target;
  return URL.canParse(target) ? new URL(target).host : '';
}

function keyOf({ channel, target }: Target): string {
  return `${channel} ${target}`;
}

/**
 * Delivers alarms for up to 10 minutes, at most once to each target. An attempt is recorded before it begins.
 * A delivery whose result remains unknown, because of a crash or a lost connection, is abandoned and
 * reported, not repeated. An alarm that cannot be saved is sent from memory.
 */
export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #lanes = new Map<string, Lane>();
  readonly #results = new Tally();
  /** The latest failure of each target since its last successful delivery. */
  readonly #faults = new Map<string, Target & { text: Text }>();
  #open = 0;
  /** Final results that the store has not accepted yet. */
  #unsaved: PutDelivery[] = [];
  #retry: Cancel | undefined;
  #isClosed = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  /** Reports the deliveries that a crash interrupted and resumes those that were waiting. */
  async start(): Promise<void> {
    const { reads, clock } = this.#deps;
    if (reads.hasInterrupted()) await this.#abandon();
    for (const { alarm: json, reason, ...row } of reads.waiting()) {
      const alarm: Alarm = JSON.parse(json);
      // The wall clock may have been set back, so the remaining time is limited to 10 minutes.
      const leftMs = Math.min(GIVE_UP_MS, alarm.at + GIVE_UP_MS - clock.wallTime());
      this.#open += 1;
      this.#enqueue({
        ...row,
        alarm,
        reason: parseText(reason),
        dueMs: 0,
        deadlineMs: clock.now() + leftMs,
        isUnsaved: false,
      });
    }
  }

  /** Returns immediately and never throws. */
  add(alarm: Alarm, targets: readonly Target[]): void {
    const { clock } = this.#deps;
    const deadlineMs = clock.now() + GIVE_UP_MS;
    const fresh = { alarm, attempts: 0, reason: '', dueMs: 0, deadlineMs, isUnsaved: false };
    const deliveries = targets.map(({ channel, target }): Delivery => ({ ...fresh, channel, target }));
    this.#open += deliveries.length;
    if (this.#open <= MAX_WAITING) return void this.#accept(deliveries);
    const reason = alarmMessage('queue-full');
    for (const delivery of deliveries) this.#onResult({ ...delivery, reason }, 'given_up');
  }

  /** Number of deliveries by outcome and channel since startup; `retried` counts failed attempts. */
  get results(): Tally {
    return this.#results;
  }

  get faults(): (Target & { text: Text })[] {
    return [...this.#faults.values()];
  }

  /** Must be called after a successful test, because a test is not a delivery of the outbox. */
  clearFault(target: Target): void {
    this.#faults.delete(keyOf(target));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#retry?.();
    const lanes = Promise.all([...this.#lanes.values()].map((lane) => lane.close()));
    let cancel: Cancel = () => undefined;
    const timeout = new Promise<void>((resolve) => {
      cancel = this.#deps.clock.after(CLOSE_MS, resolve);
    });
    await Promise.race([lanes, timeout]);
    cancel();
  }

  async #abandon(): Promise<void> {
    const { store, log } = this.#deps;
    const reason = alarmMessage('interrupted');
    try {
      const rows = await store.write<(Target & { alarm: string })[]>('alarms.abandon', {
        reason: textJson(reason),
      });
      for (const { alarm, channel, target } of rows) {
        this.#reportFailure({ alarm: JSON.parse(alarm), channel, target, attempts: 1, reason });
        this.#results.add('given_up', channel);
      }
    } catch (error) {
      log.warn('alarm.save_failed', { reason: messageOf(error) });
    }
  }

  async #accept(deliveries: readonly Delivery[]): Promise<void> {
    const { store, log } = this.#deps;
    try {
      await store.write(
        'alarms.put',
        deliveries.map((delivery) => laneRow(delivery, 'waiting')),
      );
    } catch (error) {
      const isUnsaved = this.#isNothingSaved(error);
      for (const delivery of deliveries) delivery.isUnsaved = isUnsaved;
      log.warn('alarm.save_failed', { reason: messageOf(error) });
    }
    for (const delivery of deliveries) this.#enqueue(delivery);
  }

  #isNothingSaved(error: unknown): boolean {
    if (this.#deps.store.status().readOnly) return true;
    if (!(error instanceof GatewayError)) return false;
    const { code, text } = error;
    if (code === 'STORE_FULL' || code === 'STORE_BUSY') return true;
    return typeof text !== 'string' && text.code === NOTHING_SAVED;
  }

  #enqueue(delivery: Delivery): void {
    if (this.#isClosed) return;
    // There is one lane per server: one for each webhook, one for all e-mails and one for all MQTT messages.
    const key = delivery.channel === 'webhook' ? delivery.target : delivery.channel;
    let lane = this.#lanes.get(key);
    if (!lane) {
      const { clock, isConfigured } = this.#deps;
      lane = new Lane({
        clock,
        send: (alarm, target) => this.#send(alarm, target),
        begin: (deliveries) => this.#begin(deliveries),
        save: (rows) => this.#save(rows),
        isConfigured: ({ alarm, channel, target }) => isConfigured(alarm, { channel, target }),
        onResult: (settled, outcome) => this.#onResult(settled, outcome),
      });
      this.#lanes.set(key, lane);
    }
    lane.add(delivery);
  }

  /** After an unexpected error, the outcome is unknown, because the message may already have been sent. */
  async #send(alarm: Alarm, target: Target): Promise<SendResult> {
    try {
      return await this.#deps.send(alarm, target);
    } catch (error) {
      return { outcome: 'unknown', reason: alarmMessage('unanswered', { reason: errorText(error) }) };
    }
  }

  async #begin(deliveries: readonly Delivery[]): Promise<{ held: readonly Delivery[]; reason: Text }> {
    try {
      await this.#deps.store.write(
        'alarms.put',
        deliveries.map((delivery) => laneRow(delivery, 'sending')),
      );
      for (const delivery of deliveries) delivery.isUnsaved = false;
      return { held: [], reason: '' };
    } catch (error) {
      // Unsaved deliveries can still be sent, because they are not repeated after a crash; saved ones must wait.
      return { held: deliveries.filter(({ isUnsaved }) => !isUnsaved), reason: errorText(error) };
    }
  }

  async #save(rows: readonly PutDelivery[]): Promise<void> {
    const all = [...this.#unsaved.splice(0), ...rows];
    try {
      await this.#deps.store.write('alarms.put', all);
    } catch {
      // Failed writes of `waiting` rows are not retried, because those deliveries may already be `sending`.
      const final = all.filter(({ row }) => row.state !== 'waiting');
      this.#unsaved = [...final, ...this.#unsaved].slice(-MAX_WAITING);
      if (this.#unsaved.length === 0 || this.#isClosed) return;
      this.#retry ??= this.#deps.clock.after(SAVE_RETRY_MS, () => {
        this.#retry = undefined;
        void this.#save([]);
      });
    }
  }

  #onResult(delivery: Delivery, outcome: 'delivered' | 'retried' | 'given_up'): void {
    const { channel, target } = delivery;
    this.#results.add(outcome, channel);
    if (outcome === 'retried') return this.#reportDelay(delivery);
    this.#open -= 1;
    if (outcome === 'delivered') this.clearFault({ channel, target });
    else this.#reportFailure(delivery);
  }

  /** Logs only the first failure, because an attempt can fail every minute. */
  #reportDelay({ alarm, channel, target, reason }: Delivery): void {
    const name = targetName({ channel, target });
    if (!this.#faults.has(keyOf({ channel, target }))) {
      const { id: alarmId, kind } = alarm;
      this.#deps.log.warn('alarm.delivery_delayed', { alarmId, kind, channel, target: name, reason });
    }
    this.#setFault({ channel, target }, alarmMessage('delayed', { target: name, reason }));
  }

  #setFault({ channel, target }: Target, text: Text): void {
    this.#faults.set(keyOf({ channel, target }), { channel, target, text });
  }

  #reportFailure(delivery: Pick<Delivery, 'alarm' | 'channel' | 'target' | 'attempts' | 'reason'>): void {
    const { alarm, channel, attempts, reason } = delivery;
    const { id: alarmId, kind } = alarm;
    const target = targetName(delivery);
    this.#setFault(delivery, alarmMessage('given-up', { target, reason }));
    this.#deps.log.warn('alarm.delivery_failed', { alarmId, kind, channel, target, attempts, reason });
  }
}
