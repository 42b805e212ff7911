import { errorText, messageOf } from '../../shared/errors.js';
import { processInputs } from '../../shared/input-scheduler.js';
import { type Text, textOf } from '../../shared/messages/message.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type {
  BusMessage,
  BusStatus,
  MessageBus,
  PublishOptions,
  SubscribeOptions,
} from '../../shared/ports/mqtt.js';
import { Backoff, doubling } from '../../shared/retry.js';
import { Inbox } from './inbox.js';
import { brokerMessage } from './messages.js';
import { type BusOptions, brokerDown, brokerUrlOf } from './options.js';
import { Subscriptions } from './subscriptions.js';

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A connection that ends within this time in ms after CONNACK counts as an early disconnection. */
const EARLY_MS = 5_000;
/** More early disconnections than this within a minute mean that another client uses the same client ID. */
const MAX_EARLY = 3;
const MINUTE_MS = 60_000;

/** Reconnect delays double from 0.5 s to 30 s, with full jitter; 30 s while the client ID is contested. */
export class ReconnectPolicy {
  #backoff: Backoff;
  #openedAtMs: number | undefined;
  #earlyEnds: number[] = [];
  #contested = false;

  constructor(random: () => number = Math.random) {
    this.#backoff = new Backoff({ delaysMs: doubling(FIRST_MS, LONGEST_MS), jitter: 'full' }, random);
  }

  /** True after several early disconnections, until a connection has lasted for a minute. */
  get contested(): boolean {
    return this.#contested;
  }

  opened(nowMs: number): void {
    this.#openedAtMs = nowMs;
  }

  next(nowMs: number): number {
    this.#recordEnd(nowMs);
    return this.#contested ? LONGEST_MS : this.#backoff.next();
  }

  #recordEnd(nowMs: number): void {
    if (this.#openedAtMs === undefined) return;
    const lastedMs = nowMs - this.#openedAtMs;
    this.#openedAtMs = undefined;
    if (lastedMs >= MINUTE_MS) this.#contested = false;
    if (lastedMs >= EARLY_MS) {
      this.#backoff.reset();
      return;
    }
    this.#earlyEnds = [...this.#earlyEnds.filter((atMs) => nowMs - atMs < MINUTE_MS), nowMs];
    if (this.#earlyEnds.length > MAX_EARLY) this.#contested = true;
  }
}

export interface ConnectionEvents {
  message(message: BusMessage): void;
  /** Calls `next` when the connection may read more messages. */
  whenRoom(next: () => void): void;
  /** Called once, when an established connection has ended. */
  closed(reason: Text): void;
  readonly abort: AbortSignal;
}

/** A single connection to a broker; it never reconnects. */
export interface Connection {
  publish(topic: string, payload: string, options: PublishOptions): Promise<void>;
  /** Resolves with the filters that the broker rejected. */
  subscribe(filters: string[]): Promise<string[]>;
  unsubscribe(filter: string): void;
  end(): Promise<void>;
}

/** Connects once. Rejects with an `Error` whose message can be shown to the operator. */
export type Dial = (options: BusOptions, events: ConnectionEvents) => Promise<Connection>;

const CONTESTED = brokerMessage('client-id-taken');

/** Reconnects automatically. */
export class Bus implements MessageBus {
  #options: BusOptions;
  #dial: Dial;
  #reconnect: ReconnectPolicy;
  #connection: Connection | undefined;
  #subscriptions: Subscriptions;
  #listeners = new Set<(status: BusStatus) => void>();
  #reason: Text = brokerMessage('connecting');
  #cancelRetry: Cancel = () => {};
  #lastEmitted = '';
  #closed = false;
  #abort = new AbortController();
  #inbox: Inbox;

  constructor(options: BusOptions, dial: Dial) {
    this.#options = options;
    this.#dial = dial;
    this.#reconnect = new ReconnectPolicy(options.random);
    this.#subscriptions = new Subscriptions(options.log, () => this.#connection);
    this.#inbox = this.#newInbox();
    this.#subscriptions.onRejected((reason) => this.#setReason(reason));
  }

  start(): this {
    void this.#connect();
    return this;
  }

  /** The `reason` of a connected bus is empty or names the subscriptions that the broker rejected. */
  status(): BusStatus {
    const { embedded } = this.#options;
    return {
      connected: this.#connection !== undefined,
      reason: this.#reason,
      url: brokerUrlOf(this.#options),
      embedded,
    };
  }

  async publish(topic: string, payload: string, options: PublishOptions): Promise<void> {
    if (!this.#connection) throw brokerDown(this.#reason);
    await this.#connection.publish(topic, payload, options).catch((thrown: unknown) => {
      this.#options.log.warn('broker.publish_failed', { topic, reason: messageOf(thrown) });
      throw thrown;
    });
  }

  subscribe(filter: string, listener: (message: BusMessage) => void, options?: SubscribeOptions): Cancel {
    return this.#subscriptions.add(filter, listener, options);
  }

  onStatus(listener: (status: BusStatus) => void): Cancel {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#abort.abort();
    this.#cancelRetry();
    this.#inbox.close();
    const connection = this.#connection;
    this.#connection = undefined;
    this.#setReason(brokerMessage('closed-here'));
    await connection?.end();
  }

  #newInbox(): Inbox {
    return new Inbox({
      inputs: this.#options.inputs ?? processInputs,
      deliver: (message) => this.#subscriptions.deliver(message),
      isNewestOnly: (topic) => this.#subscriptions.isNewestOnly(topic),
    });
  }

  async #connect(): Promise<void> {
    let ended = false;
    this.#abort = new AbortController();
    this.#inbox = this.#newInbox();
    const inbox = this.#inbox;
    try {
      const connection = await this.#dial(this.#options, {
        message: (message) => inbox.add(message),
        whenRoom: (next) => inbox.whenRoom(next),
        closed: (reason) => {
          ended = true;
          inbox.close();
          this.#lost(reason);
        },
        abort: this.#abort.signal,
      });
      if (this.#closed) return await connection.end();
      // The connection may end before `dial` resolves.
      if (ended) return;
      this.#reconnect.opened(this.#options.clock.now());
      this.#connection = connection;
      // Called before the status listeners, so that the subscriptions are sent before the listeners' messages.
      this.#subscriptions.renew();
      this.#options.log.info('broker.connected', { url: brokerUrlOf(this.#options) });
      this.#setReason('');
    } catch (thrown) {
      this.#lost(errorText(thrown));
    }
  }

  #lost(reason: Text): void {
    if (this.#closed) return;
    const { clock, log } = this.#options;
    const wasConnected = this.#connection !== undefined;
    this.#connection = undefined;
    const delayMs = this.#reconnect.next(clock.now());
    const text = this.#reconnect.contested
      ? brokerMessage('contested', { conflict: CONTESTED, reason })
      : reason;
    // Logs only changes, so that a long broker outage does not fill the log.
    if (wasConnected || textOf(text) !== textOf(this.#reason))
      log.warn('broker.connection_lost', { reason: text });
    this.#cancelRetry = clock.after(delayMs, () => void this.#connect());
    this.#setReason(text);
  }

  #setReason(reason: Text): void {
    this.#reason = reason;
    const status = this.status();
    const key = `${status.connected} ${textOf(reason)}`;
    if (key === this.#lastEmitted) return;
    this.#lastEmitted = key;
    for (const listener of [...this.#listeners]) this.#call(listener, status);
  }

  #call(listener: (status: BusStatus) => void, status: BusStatus): void {
    try {
      listener(status);
    } catch (cause) {
      this.#options.log.error('broker.listener_failed', { cause });
    }
  }
}
