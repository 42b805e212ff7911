import type { Aedes, AedesPublishPacket } from 'aedes';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { BusSender, PublishOptions } from '../../shared/ports/mqtt.js';
import type { Connection, ConnectionEvents, Dial } from '../mqtt/bus.js';
import { brokerMessage } from '../mqtt/messages.js';
import { brokerDown } from '../mqtt/options.js';
import { unpooledCopy } from './retained.js';

const ENDED = brokerMessage('closed');
const OWN: BusSender = { id: 'own', isGood: () => true };
const CLOSED = brokerMessage('closed-broker');

/** aedes sets `clientId`, but its types do not declare it. */
type Published = AedesPublishPacket & { clientId?: string };

/** The aedes types do not declare `persistence`. */
type Broker = Aedes & {
  persistence: { createRetainedStreamCombi(filters: string[]): AsyncIterable<AedesPublishPacket> };
};

/**
 * Connects this process to the broker in memory, with full access. The connection needs no last will, because it ends
 * only together with the broker.
 */
export function dialLocally(aedes: Aedes, senderOf: SenderOf): Dial {
  return async (_options, events) => {
    if (aedes.closed) throw new GatewayError('BROKER_DOWN', CLOSED);
    return new LocalConnection(aedes as Broker, events, senderOf);
  };
}

/** Undefined if the client is no longer connected. */
type SenderOf = (clientId: string) => { sender: BusSender | undefined; sourceKey: string } | undefined;

class LocalConnection implements Connection {
  #aedes: Broker;
  #events: ConnectionEvents;
  #senderOf: SenderOf;
  #filters = new Set<string>();
  /** For each retained-message read in progress, the topics published since the read began. */
  #reads = new Set<Set<string>>();
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
      payload: unpooledCopy(payload),
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
      this.#aedes.subscribe(filter, this.#receive, () => undefined);
    }
    const fresh = new Set<string>();
    this.#reads.add(fresh);
    for await (const packet of this.#aedes.persistence.createRetainedStreamCombi(filters)) {
      if (!fresh.has(packet.topic)) this.#pass(packet, true);
    }
    this.#reads.delete(fresh);
    return [];
  }

  unsubscribe(filter: string): void {
    this.#filters.delete(filter);
    this.#aedes.unsubscribe(filter, this.#receive, () => undefined);
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

  /** aedes calls this handler once per matching filter; only the first call delivers the packet. */
  readonly #receive = (packet: AedesPublishPacket, done: () => void): void => {
    done();
    if (this.#ended || packet === this.#newest) return;
    this.#newest = packet;
    for (const fresh of this.#reads) fresh.add(packet.topic);
    this.#pass(packet, false);
  };

  #pass({ topic, payload, clientId }: Published, retain: boolean): void {
    if (this.#ended) return;
    const from = clientId === undefined ? { sender: OWN, sourceKey: OWN.id } : this.#senderOf(clientId);
    this.#events.message({
      topic,
      payload: typeof payload === 'string' ? Buffer.from(payload) : payload,
      retain,
      ...(from?.sender && !retain ? { sender: from.sender } : {}),
      ...(from ? { sourceKey: from.sourceKey } : {}),
    });
  }
}
