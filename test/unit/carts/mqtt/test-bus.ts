import {
  type BrokerOptions,
  type EmbeddedBroker,
  startBroker,
} from '../../../../src/adapters/broker/broker.js';
import { connectBus } from '../../../../src/adapters/mqtt/mqtt.js';
import type { BusOptions } from '../../../../src/adapters/mqtt/options.js';
import { systemClock } from '../../../../src/shared/clock.js';
import type { BusMessage, BusStatus, MessageBus } from '../../../../src/shared/ports/mqtt.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { GIVE_UP_MS } from '../../../helpers/until.js';

/**
 * Settles as the promise does, or rejects with an error that contains `what` if the promise does not settle
 * in time.
 */
export async function within<T>(promise: Promise<T>, what: string, ms = GIVE_UP_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function openBroker(options: Partial<BrokerOptions> = {}): Promise<EmbeddedBroker> {
  return startBroker({ host: '127.0.0.1', port: 0, log: new RecordingLog(), ...options });
}

let clients = 0;

/** Returns loopback bus options with a unique client ID and immediate reconnection. */
export function busOptions(port: number, options: Partial<BusOptions> = {}): BusOptions {
  clients += 1;
  return {
    host: '127.0.0.1',
    port,
    protocol: 'mqtt',
    protocolVersion: 4,
    clientId: `test-${process.pid}-${clients}`,
    embedded: false,
    clock: systemClock,
    log: new RecordingLog(),
    random: () => 0,
    ...options,
  };
}

export async function openBus(port: number, options: Partial<BusOptions> = {}): Promise<MessageBus> {
  const bus = connectBus(busOptions(port, options));
  await connected(bus);
  return bus;
}

/** Resolves with the first status that satisfies `wanted`, possibly the current one. */
export function status(
  bus: MessageBus,
  what: string,
  wanted: (status: BusStatus) => boolean,
): Promise<BusStatus> {
  const now = bus.status();
  if (wanted(now)) return Promise.resolve(now);
  return within(
    new Promise((resolve) => {
      const cancel = bus.onStatus((next) => {
        if (!wanted(next)) return;
        cancel();
        resolve(next);
      });
    }),
    what,
  );
}

export const connected = (bus: MessageBus) => status(bus, 'connected', (now) => now.connected);
export const disconnected = (bus: MessageBus) => status(bus, 'disconnected', (now) => !now.connected);

export class Inbox {
  readonly messages: BusMessage[] = [];
  #waiting = new Set<() => void>();
  #bus: MessageBus;

  constructor(bus: MessageBus, filter: string) {
    this.#bus = bus;
    bus.subscribe(filter, (message) => {
      this.messages.push(message);
      for (const check of [...this.#waiting]) check();
    });
  }

  /** Resolves with the first message that satisfies `wanted`, which may have arrived before the call. */
  first(what: string, wanted: (message: BusMessage) => boolean = () => true): Promise<BusMessage> {
    return within(
      new Promise((resolve) => {
        const check = () => {
          const found = this.messages.find(wanted);
          if (!found) return;
          this.#waiting.delete(check);
          resolve(found);
        };
        this.#waiting.add(check);
        check();
      }),
      what,
    );
  }

  /** Like `first`, but resolves with the parsed payload. */
  async json(what: string, wanted: (body: Json, topic: string) => boolean = () => true): Promise<Json> {
    return json(await this.first(what, (message) => wanted(json(message), message.topic)));
  }

  /** Resolves when all of this bus's earlier messages have passed through the broker. */
  async settled(): Promise<void> {
    await echo(this.#bus);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert arbitrary members of messages
export type Json = any;

export function json(message: BusMessage): Json {
  try {
    return JSON.parse(message.payload.toString('utf8'));
  } catch {
    return undefined;
  }
}

let echoes = 0;

/**
 * Publishes a message and waits until `bus` receives it from the broker. All earlier messages have then
 * arrived.
 */
export async function echo(bus: MessageBus): Promise<void> {
  echoes += 1;
  const topic = `echo/${process.pid}/${echoes}`;
  const back = new Promise<void>((resolve) => {
    bus.subscribe(topic, () => resolve());
  });
  await bus.publish(topic, 'echo', { qos: 1 });
  await within(back, 'echo');
}

/** Runs a test, then its cleanups in reverse order, even if the test fails. */
export async function withCleanup(
  run: (later: (cleanup: () => unknown) => void) => Promise<void>,
): Promise<void> {
  const cleanups: (() => unknown)[] = [];
  try {
    await run((cleanup) => cleanups.push(cleanup));
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}
