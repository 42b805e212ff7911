import { messageOf, saidBy } from '../../shared/errors.js';
import { type Text, textOf } from '../../shared/messages/message.js';
import type { BusMessage, BusStatus, Cancel, MessageBus, PublishOptions } from '../../shared/ports/ports.js';
import { Backoff, doubling } from '../../shared/retry.js';
import { brokerMessage } from './messages.js';
import { type BusOptions, brokerDown, urlOf } from './options.js';
import { Subscriptions } from './subscriptions.js';

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A connection that ends sooner than this after the broker's welcome was not a good one. */
const EARLY_MS = 5_000;
/** More early ends than this within a minute: somebody else uses our client id. */
const MAX_EARLY = 3;
const MINUTE_MS = 60_000;

/**
 * How long to wait before the next connection: 0.5 s doubling to 30 s, full jitter, so that a fleet does not come back
 * all at once. Two clients with one id throw each other out as fast as they reconnect; that is recognised, and both
 * then wait the full 30 s.
 */
export class Redial {
  #backoff: Backoff;
  #openedAtMs: number | undefined;
  #earlyEnds: number[] = [];
  #contested = false;

  constructor(random: () => number = Math.random) {
    this.#backoff = new Backoff({ delaysMs: doubling(FIRST_MS, LONGEST_MS), jitter: 'full' }, random);
  }

  /** Whether connections keep ending right after they were accepted. Forgotten once one has lasted a minute. */
  get contested(): boolean {
    return this.#contested;
  }

  /** The broker has accepted a connection. */
  opened(nowMs: number): void {
    this.#openedAtMs = nowMs;
  }

  /** A connection has ended, or was never made: ms to wait before the next one. */
  next(nowMs: number): number {
    this.#judge(nowMs);
    return this.#contested ? LONGEST_MS : this.#backoff.next();
  }

  #judge(nowMs: number): void {
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

/** What a live connection tells its owner. */
export interface ConnectionEvents {
  message(message: BusMessage): void;
  /** Once, after the connection was up; with the reason in words. */
  closed(reason: Text): void;
  /** Gives up a connection that is still being made. */
  readonly abort: AbortSignal;
}

/** One live connection to a broker. It never comes back: a new one is dialled. */
export interface Connection {
  publish(topic: string, payload: string, options: PublishOptions): Promise<void>;
  /** Resolves with the filters that the broker refused. */
  subscribe(filters: string[]): Promise<string[]>;
  unsubscribe(filter: string): void;
  end(): Promise<void>;
}

/** Connects once; rejects with an `Error` whose message is the reason in words. */
export type Dial = (options: BusOptions, events: ConnectionEvents) => Promise<Connection>;

const CONTESTED = brokerMessage('client-id-taken');

/** A bus that dials again and again, with nothing carried over from one connection to the next. */
export class Bus implements MessageBus {
  #options: BusOptions;
  #dial: Dial;
  #redial: Redial;
  #connection: Connection | undefined;
  #subscriptions: Subscriptions;
  #listeners = new Set<(status: BusStatus) => void>();
  #reason: Text = brokerMessage('connecting');
  #cancelRetry: Cancel = () => {};
  #told = '';
  #closed = false;
  /** Of the connection that is being made or is up. */
  #abort = new AbortController();

  constructor(options: BusOptions, dial: Dial) {
    this.#options = options;
    this.#dial = dial;
    this.#redial = new Redial(options.random);
    this.#subscriptions = new Subscriptions(options.log, () => this.#connection);
    this.#subscriptions.onRefused((reason) => this.#tell(reason));
  }

  /** Begins to connect. */
  start(): this {
    void this.#connect();
    return this;
  }

  /** While connected, `reason` is empty, or says which subscription the broker has refused. */
  status(): BusStatus {
    const { embedded } = this.#options;
    return {
      connected: this.#connection !== undefined,
      reason: this.#reason,
      url: urlOf(this.#options),
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

  subscribe(filter: string, listener: (message: BusMessage) => void): Cancel {
    return this.#subscriptions.add(filter, listener);
  }

  onStatus(listener: (status: BusStatus) => void): Cancel {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#abort.abort();
    this.#cancelRetry();
    const connection = this.#connection;
    this.#connection = undefined;
    this.#tell(brokerMessage('closed-here'));
    await connection?.end();
  }

  async #connect(): Promise<void> {
    let ended = false;
    this.#abort = new AbortController();
    try {
      const connection = await this.#dial(this.#options, {
        message: (message) => this.#subscriptions.deliver(message),
        closed: (reason) => {
          ended = true;
          this.#lost(reason);
        },
        abort: this.#abort.signal,
      });
      if (this.#closed) return await connection.end();
      // It may have ended before we heard that it was made.
      if (ended) return;
      this.#redial.opened(this.#options.clock.now());
      this.#connection = connection;
      // Before anybody hears of the connection, so that nothing that the news sets off can overtake it.
      this.#subscriptions.renew();
      this.#options.log.info('broker.connected', { url: urlOf(this.#options) });
      this.#tell('');
    } catch (thrown) {
      this.#lost(saidBy(thrown));
    }
  }

  #lost(reason: Text): void {
    if (this.#closed) return;
    const { clock, log } = this.#options;
    const wasConnected = this.#connection !== undefined;
    this.#connection = undefined;
    const delayMs = this.#redial.next(clock.now());
    const text = this.#redial.contested
      ? brokerMessage('contested', { conflict: CONTESTED, reason })
      : reason;
    // Once per change of state: a broker that is off for a night does not fill the card with one sentence.
    if (wasConnected || textOf(text) !== textOf(this.#reason)) log.warn('broker.lost', { reason: text });
    this.#cancelRetry = clock.after(delayMs, () => void this.#connect());
    this.#tell(text);
  }

  #tell(reason: Text): void {
    this.#reason = reason;
    const status = this.status();
    const key = `${status.connected} ${textOf(reason)}`;
    if (key === this.#told) return;
    this.#told = key;
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
