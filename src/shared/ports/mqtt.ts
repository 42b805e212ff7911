import type { Text } from '../messages/message.js';
import type { Cancel } from './clock.js';

/** The sender of a message: an API key or this process. */
export interface BusSender {
  readonly id: string;
  isGood(): boolean;
}

export interface BusMessage {
  topic: string;
  payload: Buffer;
  retain: boolean;
  /** MQTT 5 response topic. The response must contain `correlationData`. */
  responseTopic?: string;
  correlationData?: Buffer;
  /** Set only by the embedded broker, for clients with an API key and for this process. */
  sender?: BusSender;
  /**
   * Messages with the same key share one turn in the round robin. Set by the embedded broker: the sender's
   * API key or address.
   */
  sourceKey?: string;
}

export interface SubscribeOptions {
  /** If true, delivers only the newest waiting message of each topic. Default: false. */
  newestOnly?: boolean;
}

export interface PublishOptions {
  qos: 0 | 1;
  retain?: boolean;
  /** MQTT 5 message expiry in whole seconds; ignored on MQTT 3.1.1. */
  expiryS?: number;
  /** The request's correlation data (MQTT 5); ignored on MQTT 3.1.1. */
  correlationData?: Buffer | undefined;
}

export interface BusStatus {
  connected: boolean;
  /** The reason for a disconnection; empty if connected. */
  reason: Text;
  /** `mqtt://host:port`, without credentials. */
  url: string;
  embedded: boolean;
}

/** Never queues messages; `publish` rejects while the bus is disconnected. */
export interface MessageBus {
  status(): BusStatus;
  /** Resolves when the message has been sent or, with QoS 1, acknowledged. Rejects with `BROKER_DOWN`. */
  publish(topic: string, payload: string, options: PublishOptions): Promise<void>;
  /** Subscribes to a topic filter (`+` and `#` allowed) and resubscribes after every reconnection. */
  subscribe(filter: string, listener: (message: BusMessage) => void, options?: SubscribeOptions): Cancel;
  onStatus(listener: (status: BusStatus) => void): Cancel;
  /** Disconnects gracefully, so that the broker does not publish the last will. */
  close(): Promise<void>;
}
