import type { Text } from '../messages/message.js';
import type { Cancel } from './clock.js';

/** The sender of a message: an API key or this process. */
export interface BusSender {
  readonly id: string;
  /** Returns true if the key is still valid. */
  isGood(): boolean;
}

export interface BusMessage {
  topic: string;
  payload: Buffer;
  retain: boolean;
  /** MQTT 5: the topic for the response, and the correlation data to include in the response. */
  responseTopic?: string;
  correlationData?: Buffer;
  /** Set only by the embedded broker, for clients with an API key and for this process. */
  sender?: BusSender;
}

export interface PublishOptions {
  qos: 0 | 1;
  retain?: boolean;
  /** MQTT 5 message expiry in whole seconds; ignored on MQTT 3.1.1. */
  expiryS?: number;
  /** MQTT 5: the correlation data of the request that this message answers; ignored on MQTT 3.1.1. */
  correlationData?: Buffer | undefined;
}

export interface BusStatus {
  connected: boolean;
  /** The reason that the bus is disconnected; empty if it is connected. */
  reason: Text;
  /** `mqtt://host:port`, without credentials. */
  url: string;
  embedded: boolean;
}

/**
 * A connection to an MQTT broker. Messages are never queued: while the connection is down, they are rejected.
 */
export interface MessageBus {
  status(): BusStatus;
  /**
   * Resolves when the message has been sent (QoS 1: acknowledged). Rejects with `BROKER_DOWN` if the
   * connection is down or closes before the acknowledgement.
   */
  publish(topic: string, payload: string, options: PublishOptions): Promise<void>;
  /**
   * Subscribes to a topic filter, in which `+` and `#` are allowed. The subscription is renewed after every
   * reconnection.
   */
  subscribe(filter: string, listener: (message: BusMessage) => void): Cancel;
  onStatus(listener: (status: BusStatus) => void): Cancel;
  /** Disconnects gracefully, so that the broker does not publish the last will. */
  close(): Promise<void>;
}
