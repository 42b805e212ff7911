import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type {
  BusMessage,
  BusStatus,
  MessageBus,
  PublishOptions,
  SubscribeOptions,
} from '../../shared/ports/mqtt.js';
import { Signal } from '../../shared/signal.js';
import { brokerMessage } from './messages.js';

interface Subscription {
  filter: string;
  listener: (message: BusMessage) => void;
  options: SubscribeOptions | undefined;
  cancel: Cancel;
}

interface BusTraffic {
  connects: number;
  received: number;
  published: number;
  /** Messages that the broker did not accept, including those published while the bus was disconnected. */
  failed: number;
  waiting: number;
}

/** A bus whose broker can change without a restart. Subscriptions carry over to the new connection. */
export class ReplaceableBus implements MessageBus {
  #current: MessageBus | undefined;
  #reason: Text = brokerMessage('not-connected-yet');
  #url = '';
  #embedded: boolean;
  #unlisten: Cancel = () => undefined;
  #subscriptions = new Set<Subscription>();
  #status = new Signal<[BusStatus]>();
  readonly traffic: BusTraffic = { connects: 0, received: 0, published: 0, failed: 0, waiting: 0 };

  constructor(embedded: boolean) {
    this.#embedded = embedded;
    this.#status.on(({ connected }) => {
      if (connected) this.traffic.connects += 1;
    });
  }

  readonly onStatus = this.#status.on.bind(this.#status);

  use(bus: MessageBus): void {
    this.#current = bus;
    for (const subscription of this.#subscriptions) this.#attach(subscription);
    this.#unlisten = bus.onStatus((status) => this.#status.emit(status));
    this.#status.emit(bus.status());
  }

  /** Closes the connection. Every publish is rejected with `reason` until `use` is called again. */
  async release(reason: Text, { url, embedded }: { url: string; embedded: boolean }): Promise<void> {
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
    const { traffic } = this;
    traffic.waiting += 1;
    try {
      if (!this.#current) throw new GatewayError('BROKER_DOWN', this.#reason);
      await this.#current.publish(topic, payload, options);
      traffic.published += 1;
    } catch (error) {
      traffic.failed += 1;
      throw error;
    } finally {
      traffic.waiting -= 1;
    }
  }

  subscribe(filter: string, listener: (message: BusMessage) => void, options?: SubscribeOptions): Cancel {
    const counted = (message: BusMessage): void => {
      this.traffic.received += 1;
      listener(message);
    };
    const subscription: Subscription = { filter, listener: counted, options, cancel: () => undefined };
    this.#subscriptions.add(subscription);
    this.#attach(subscription);
    return () => {
      this.#subscriptions.delete(subscription);
      subscription.cancel();
    };
  }

  close(): Promise<void> {
    return this.release(brokerMessage('released'), this.status());
  }

  #attach(subscription: Subscription): void {
    subscription.cancel =
      this.#current?.subscribe(subscription.filter, subscription.listener, subscription.options) ??
      subscription.cancel;
  }
}
