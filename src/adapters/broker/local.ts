import type { Aedes, AedesPublishPacket } from 'aedes';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { BusMessage, BusSender, PublishOptions } from '../../shared/ports/ports.js';
import type { Connection, ConnectionEvents, Dial } from '../mqtt/bus.js';
import { brokerMessage } from '../mqtt/messages.js';
import { brokerDown } from '../mqtt/options.js';
import { aloneInMemory } from './retained.js';

const ENDED = brokerMessage('closed');
/** This process: what it publishes comes with no client id. */
const OWN: BusSender = { id: 'own', isGood: () => true };
const CLOSED = brokerMessage('closed-broker');

/** The client is left out of the types as well. */
type Published = AedesPublishPacket & { clientId?: string };

/** A broker and where it keeps its retained messages, which its types leave out. */
type Broker = Aedes & {
  persistence: { createRetainedStreamCombi(filters: string[]): AsyncIterable<AedesPublishPacket> };
};

/**
 * How this process connects to its own broker: a connection as any other, without a socket, and without a packet that is
 * written and read again for every message. It has all rights, and no last will, since the broker ends with it.
 */
export function dialLocally(aedes: Aedes, senderOf: SenderOf): Dial {
  return async (_options, events) => {
    if (aedes.closed) throw new GatewayError('BROKER_DOWN', CLOSED);
    return new LocalConnection(aedes as Broker, events, senderOf);
  };
}

/** The key of the client that is connected by an id. */
type SenderOf = (clientId: string) => BusSender | undefined;

class LocalConnection implements Connection {
  #aedes: Broker;
  #events: ConnectionEvents;
  #senderOf: SenderOf;
  #filters = new Set<string>();
  #arrivals: BusMessage[] = [];
  /** For each reading of retained messages, the topics that were published since. */
  #reading = new Set<Set<string>>();
  #newest: AedesPublishPacket | undefined;
  #ended = false;

  constructor(aedes: Broker, events: ConnectionEvents, senderOf: SenderOf) {
    this.#aedes = aedes;
    this.#events = events;
    this.#senderOf = senderOf;
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
    return new Promise((resolve, reject) => {
      this.#aedes.publish(packet, (error) => (error ? reject(brokerDown(messageOf(error))) : resolve()));
    });
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
      if (!fresh.has(packet.topic)) this.#arrive(packet, true);
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
  }

  readonly #brokerClosed = (): void => {
    void this.end();
    this.#events.closed(CLOSED);
  };

  /** The broker calls this for each filter that fits, one after the other; a message is delivered once. */
  readonly #take = (packet: AedesPublishPacket, taken: () => void): void => {
    taken();
    if (this.#ended || packet === this.#newest) return;
    this.#newest = packet;
    for (const fresh of this.#reading) fresh.add(packet.topic);
    this.#arrive(packet, false);
  };

  /** Delivered a turn later, as by a socket: whoever publishes is not in the middle of it when the answer comes. */
  #arrive({ topic, payload, clientId }: Published, retain: boolean): void {
    const sender = retain ? undefined : clientId === undefined ? OWN : this.#senderOf(clientId);
    if (this.#arrivals.length === 0) setImmediate(() => this.#deliver());
    this.#arrivals.push({
      topic,
      payload: typeof payload === 'string' ? Buffer.from(payload) : payload,
      retain,
      ...(sender ? { sender } : {}),
    });
  }

  #deliver(): void {
    for (const message of this.#arrivals.splice(0)) if (!this.#ended) this.#events.message(message);
  }
}
