import type { BusMessage, BusStatus, Cancel, MessageBus, PublishOptions } from '../ports.js';
import { GatewayError } from '../util/errors.js';
import { Signal } from '../util/signal.js';

interface Subscription {
  filter: string;
  listener: (message: BusMessage) => void;
  cancel: Cancel;
}

/**
 * A bus whose connection can be exchanged while it is used: new broker settings take effect without a restart, and
 * nobody who holds this bus need know. Nothing is carried over but the subscriptions.
 */
export class BusSwitch implements MessageBus {
  #current: MessageBus | undefined;
  #reason = 'not connected yet';
  #url = '';
  #embedded: boolean;
  #unlisten: Cancel = () => undefined;
  #subscriptions = new Set<Subscription>();
  #status = new Signal<[BusStatus]>();

  constructor(embedded: boolean) {
    this.#embedded = embedded;
  }

  readonly onStatus = this.#status.on.bind(this.#status);

  /** Uses this connection from now on. */
  use(bus: MessageBus): void {
    this.#current = bus;
    for (const subscription of this.#subscriptions) this.#attach(subscription);
    this.#unlisten = bus.onStatus((status) => this.#status.emit(status));
    this.#status.emit(bus.status());
  }

  /** Ends the connection in use; until the next one every publish is refused with `reason`. */
  async release(reason: string, { url, embedded }: { url: string; embedded: boolean }): Promise<void> {
    const old = this.#current;
    this.#current = undefined;
    this.#unlisten();
    this.#reason = reason;
    this.#url = url;
    this.#embedded = embedded;
    this.#status.emit(this.status());
    await old?.close();
  }

  status(): BusStatus {
    const none = { connected: false, reason: this.#reason, url: this.#url, embedded: this.#embedded };
    return this.#current?.status() ?? none;
  }

  async publish(topic: string, payload: string, options: PublishOptions): Promise<void> {
    if (!this.#current) throw new GatewayError('BROKER_DOWN', this.#reason);
    await this.#current.publish(topic, payload, options);
  }

  subscribe(filter: string, listener: (message: BusMessage) => void): Cancel {
    const subscription: Subscription = { filter, listener, cancel: () => undefined };
    this.#subscriptions.add(subscription);
    this.#attach(subscription);
    return () => {
      this.#subscriptions.delete(subscription);
      subscription.cancel();
    };
  }

  close(): Promise<void> {
    return this.release('closed', this.status());
  }

  #attach(subscription: Subscription): void {
    subscription.cancel =
      this.#current?.subscribe(subscription.filter, subscription.listener) ?? subscription.cancel;
  }
}
