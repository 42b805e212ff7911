import type { Aedes, AedesPublishPacket } from 'aedes';
import type { PublishOptions } from '../ports.js';
import { messageOf } from '../util/errors.js';
import { aloneInMemory } from './broker-retained.js';
import type { Connection, ConnectionEvents, Dial } from './mqtt-bus.js';
import { brokerDown } from './mqtt-reasons.js';

const ENDED = 'the connection was closed';

/** A broker and where it keeps its retained messages, which its types leave out. */
type Broker = Aedes & {
  persistence: { createRetainedStreamCombi(filters: string[]): AsyncIterable<AedesPublishPacket> };
};

/**
 * How this process connects to its own broker: a connection as any other, without a socket, and without a packet that is
 * written and read again for every message. It has all rights, and no last will, since the broker ends with it.
 */
export function dialLocally(aedes: Aedes): Dial {
  return async (_options, events) => new LocalConnection(aedes as Broker, events);
}

interface Arrival {
  packet: AedesPublishPacket;
  retain: boolean;
  taken: () => void;
}

class LocalConnection implements Connection {
  #aedes: Broker;
  #events: ConnectionEvents;
  #filters = new Set<string>();
  #arrivals: Arrival[] = [];
  /** For each reading of retained messages, the topics that were published since. */
  #reading = new Set<Set<string>>();
  #newest: AedesPublishPacket | undefined;
  #ended = false;

  constructor(aedes: Broker, events: ConnectionEvents) {
    this.#aedes = aedes;
    this.#events = events;
    aedes.once('closed', this.#brokerClosed);
  }

  async publish(topic: string, payload: string, { qos, retain = false }: PublishOptions): Promise<void> {
    if (this.#ended) throw brokerDown(ENDED);
    const packet = {
      cmd: 'publish',
      topic,
      payload: aloneInMemory(payload),
      qos,
      retain,
      dup: false,
    } as const;
    const taken = new Promise<void>((resolve, reject) => {
      this.#aedes.publish(packet, (error) => (error ? reject(brokerDown(messageOf(error))) : resolve()));
    });
    if (qos === 1) return taken;
    // Nobody acknowledges it, so it waits for no client that reads slowly.
    taken.catch(() => undefined);
  }

  async subscribe(filters: string[]): Promise<string[]> {
    for (const filter of filters) {
      this.#filters.add(filter);
      this.#aedes.subscribe(filter, this.#take, () => undefined);
    }
    // What comes while the retained messages are read is newer than they are.
    const fresh = new Set<string>();
    this.#reading.add(fresh);
    for await (const packet of this.#aedes.persistence.createRetainedStreamCombi(filters)) {
      if (!fresh.has(packet.topic)) this.#arrive({ packet, retain: true, taken: () => undefined });
    }
    this.#reading.delete(fresh);
    return [];
  }

  unsubscribe(filter: string): void {
    this.#filters.delete(filter);
    this.#aedes.unsubscribe(filter, this.#take, () => undefined);
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#aedes.off('closed', this.#brokerClosed);
    for (const filter of this.#filters) this.unsubscribe(filter);
    for (const { taken } of this.#arrivals.splice(0)) taken();
  }

  readonly #brokerClosed = (): void => {
    void this.end();
    this.#events.closed('the broker was closed');
  };

  /** The broker calls this for each filter that fits, one after the other; a message is delivered once. */
  readonly #take = (packet: AedesPublishPacket, taken: () => void): void => {
    if (this.#ended || packet === this.#newest) return taken();
    this.#newest = packet;
    for (const fresh of this.#reading) fresh.add(packet.topic);
    this.#arrive({ packet, retain: false, taken });
  };

  /**
   * Delivered a turn later, as by a socket: whoever publishes is not in the middle of it when the answer comes. The broker
   * takes no more from those outside while too many wait.
   */
  #arrive(arrival: Arrival): void {
    this.#arrivals.push(arrival);
    if (this.#arrivals.length === 1) setImmediate(() => this.#deliver());
  }

  #deliver(): void {
    for (const { packet, retain, taken } of this.#arrivals.splice(0)) {
      const { topic, payload } = packet;
      const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
      this.#events.message({ topic, payload: bytes, retain });
      taken();
    }
  }
}
