/** The contracts between the rooms and the world outside: types only, no behaviour. */

/** Takes a listener, timer or subscription away again; calling it twice does nothing. */
export type Cancel = () => void;

/** Time comes in through this, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds on a monotonic clock: for every decision. */
  now(): number;
  /** Milliseconds since 1970 UTC: for people and records only, never for a decision. */
  wallTime(): number;
  after(delayMs: number, run: () => void): Cancel;
  every(periodMs: number, run: () => void): Cancel;
}

export type LogFields = Record<string, unknown>;

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** One open byte connection to a controller. A new connection is a new object: nothing is carried over. */
export interface ByteLink {
  /** Hands the bytes to the device at once, or throws `SERIAL_DOWN`: nothing is kept for a later connection. */
  write(bytes: Uint8Array): void;
  onBytes(listener: (bytes: Uint8Array) => void): Cancel;
  /** Called once; `cause` is missing when we closed it ourselves. */
  onClose(listener: (cause?: Error) => void): Cancel;
  close(): Promise<void>;
}

/** Where the controller is reached. */
export interface ByteLinkOpener {
  /** The device path, for people. */
  readonly path: string;
  readonly simulated: boolean;
  /** Opens a fresh connection with empty buffers; rejects with a sentence that names the path and the cause. */
  open(): Promise<ByteLink>;
}

export interface BusMessage {
  topic: string;
  payload: Buffer;
  retain: boolean;
}

export interface PublishOptions {
  qos: 0 | 1;
  retain?: boolean;
  /** MQTT 5 message expiry in whole seconds; left out on MQTT 3.1.1. */
  expiryS?: number;
}

export interface BusStatus {
  connected: boolean;
  /** Why not, in words; empty when connected. */
  reason: string;
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

/** The pins that keep people safe: E-stop input, motor enable, status LED. */
export interface SafetyPins {
  /** How the pins are reached: on the page, in health and in every answer. */
  readonly kind: 'simulated' | 'onoff' | 'gpiod' | 'none';
  /** True while the emergency-stop circuit is closed (healthy). Throws when it cannot be read. */
  readEstopHealthy(): boolean;
  /** Called from the interrupt, on every edge, before any other work. */
  onEstopEdge(listener: () => void): Cancel;
  /** Sets the motor-enable output, synchronously. */
  writeEnable(on: boolean): void;
  writeLed(on: boolean): void;
  close(): Promise<void>;
}
