import type { Text } from '../messages/message.js';
import type { Cancel } from './clock.js';

/** The key that a message was published with, or this process. */
export interface BusSender {
  readonly id: string;
  /** Whether the key is still valid. */
  isGood(): boolean;
}

export interface BusMessage {
  topic: string;
  payload: Buffer;
  retain: boolean;
  /** MQTT 5: where the sender wants to be answered, and what the answer shall carry. */
  responseTopic?: string;
  correlationData?: Buffer;
  /** Only the embedded broker knows it, of clients with a key and of this process. */
  sender?: BusSender;
}

export interface PublishOptions {
  qos: 0 | 1;
  retain?: boolean;
  /** MQTT 5 message expiry in whole seconds; left out on MQTT 3.1.1. */
  expiryS?: number;
  /** MQTT 5: what the message that is answered carried; left out on MQTT 3.1.1. */
  correlationData?: Buffer | undefined;
}

export interface BusStatus {
  connected: boolean;
  /** Why not, in words; empty when connected. */
  reason: Text;
  /** `mqtt://host:port`, without credentials. */
  url: string;
  embedded: boolean;
}

/** A connection to an MQTT broker. Offline it refuses at once: nothing is ever queued for later. */
export interface MessageBus {
  status(): BusStatus;
  /**
   * Resolves when the broker has taken the message (QoS 1: acknowledged it), rejects with `BROKER_DOWN` at once when
   * not connected, and when the connection closes before the acknowledgement.
   */
  publish(topic: string, payload: string, options: PublishOptions): Promise<void>;
  /** Listens on a topic filter (`+` and `#` allowed), renewed after every reconnect. */
  subscribe(filter: string, listener: (message: BusMessage) => void): Cancel;
  /** Called on every change of `status()`. */
  onStatus(listener: (status: BusStatus) => void): Cancel;
  /** Publishes nothing more, disconnects in order (no last will), and ends. */
  close(): Promise<void>;
}
