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

/** Rejects with the name of what a test waits for when it never comes. */
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

/** Options of a bus on the loopback, with its own client id and reconnecting at once. */
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

/** A bus that is connected. */
export async function openBus(port: number, options: Partial<BusOptions> = {}): Promise<MessageBus> {
  const bus = connectBus(busOptions(port, options));
  await connected(bus);
  return bus;
}

/** Resolves with the first status that satisfies `wanted`, the present one included. */
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

/** Collects what arrives on a filter, and lets a test wait for a certain message, past or to come. */
export class Inbox {
  readonly messages: BusMessage[] = [];
  #waiting = new Set<() => void>();
  #bus: MessageBus;

  constructor(bus: MessageBus, filter: string) {
    this.#bus = bus;
    bus.subscribe(filter, (message) => {
      this.messages.push(message);
      for (const look of [...this.#waiting]) look();
    });
  }

  /** The first message, past or to come, that satisfies `wanted`. */
  first(what: string, wanted: (message: BusMessage) => boolean = () => true): Promise<BusMessage> {
    return within(
      new Promise((resolve) => {
        const look = () => {
          const found = this.messages.find(wanted);
          if (!found) return;
          this.#waiting.delete(look);
          resolve(found);
        };
        this.#waiting.add(look);
        look();
      }),
      what,
    );
  }

  /** As `first`, of the JSON in the payloads. */
  async json(what: string, wanted: (body: Json, topic: string) => boolean = () => true): Promise<Json> {
    return json(await this.first(what, (message) => wanted(json(message), message.topic)));
  }

  /** Everything that was published on this bus before has gone through the broker and come back when this resolves. */
  async settled(): Promise<void> {
    await echo(this.#bus);
  }
}

/** JSON of unknown make, for assertions. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of messages, and assert what they find
export type Json = any;

export function json(message: BusMessage): Json {
  try {
    return JSON.parse(message.payload.toString('utf8'));
  } catch {
    return undefined;
  }
}

let echoes = 0;

/** Sends a message through the broker to oneself: what the broker had taken before has been delivered by then. */
export async function echo(bus: MessageBus): Promise<void> {
  echoes += 1;
  const topic = `echo/${process.pid}/${echoes}`;
  const back = new Promise<void>((resolve) => {
    bus.subscribe(topic, () => resolve());
  });
  await bus.publish(topic, 'echo', { qos: 1 });
  await within(back, 'echo');
}

/** Runs the cleanups in reverse order, whatever the test did. */
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
