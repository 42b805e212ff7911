import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { BusMessage, MessageBus } from '../../shared/ports/mqtt.js';
import { Signal } from '../../shared/signal.js';
import type { Checker } from '../../shared/validation/validate.js';
import {
  checkAck,
  checkConnection,
  checkState,
  checkVisualization,
  readMessage,
} from '../mqtt/messages/read.js';
import type { AckMessage } from '../mqtt/messages/schema.js';
import type { StateMessage } from '../mqtt/messages/state-schema.js';
import { type TopicIdentity, type TopicName, Topics } from '../mqtt/messages/topics.js';
import { RemoteCart } from './remote-cart.js';

/** A page shows within 500 ms that a cart is gone. */
const SWEEP_MS = 250;
/** More carts than this are not remembered, so that a flood of invented ones does not fill the memory. */
const MAX_PEERS = 2000;

export interface FleetDeps {
  bus: MessageBus;
  identity: TopicIdentity;
  clock: Clock;
  log: Log;
  /** The carts of the settings; the same array for as long as they are the same. */
  known: () => readonly { cartID: number; name: string }[];
  /** Whether carts that are not in the settings count as well. */
  allowUnknown: () => boolean;
}

/** Hears what the other carts say on the tree, and notices when one falls silent. */
export class FleetTracker {
  #deps: FleetDeps;
  #topics: Topics;
  #peers = new Map<number, RemoteCart>();
  #present = new Set<number>();
  #listed: readonly { cartID: number; name: string }[] = [];
  #names: ReadonlyMap<number, string> = new Map();
  #cancels: Cancel[] = [];
  #change = new Signal<[number]>();
  #ack = new Signal<[number, AckMessage]>();
  #state = new Signal<[number, StateMessage]>();
  #absent = new Signal<[RemoteCart]>();
  #appeared = new Signal<[number]>();

  constructor(deps: FleetDeps) {
    this.#deps = deps;
    this.#topics = new Topics(deps.identity);
  }

  /** What is known of a cart has changed. */
  readonly onChange = this.#change.on.bind(this.#change);
  readonly onAck = this.#ack.on.bind(this.#ack);
  /** A state that is newer than the one before. */
  readonly onState = this.#state.on.bind(this.#state);
  /** A cart that was there is not there any more. */
  readonly onAbsent = this.#absent.on.bind(this.#absent);
  /** A cart has come, or the connection to the broker has. */
  readonly onPresent = this.#appeared.on.bind(this.#appeared);

  start(): void {
    const { bus, clock } = this.#deps;
    this.#cancels = [
      this.#listen('connection', checkConnection, (peer, message) => peer.onConnection(message)),
      this.#listen('state', checkState, (peer, message) => {
        if (peer.onState(message)) this.#state.emit(peer.cartId, message);
      }),
      this.#listen('visualization', checkVisualization, (peer, message) => peer.onVisualization(message)),
      this.#listen('ack', checkAck, ({ cartId }, message) => this.#ack.emit(cartId, message)),
      clock.every(SWEEP_MS, () => {
        for (const peer of this.#peers.values()) this.#watch(peer);
      }),
      bus.onStatus(() => {
        for (const cartId of this.ids()) {
          this.#change.emit(cartId);
          if (bus.status().connected) this.#appeared.emit(cartId);
        }
      }),
    ];
  }

  close(): void {
    for (const cancel of this.#cancels.splice(0)) cancel();
  }

  /** Every other cart that counts: those of the settings, and those heard of if these may be commanded. */
  ids(): number[] {
    const listed = this.names.keys();
    const heard = this.#deps.allowUnknown() ? [...this.#peers.keys()] : [];
    return [...new Set([...listed, ...heard])].filter((cartId) => this.counts(cartId));
  }

  /** The names of the carts in the settings. Asked with every message: a list of a thousand is not searched. */
  get names(): ReadonlyMap<number, string> {
    const listed = this.#deps.known();
    if (listed !== this.#listed) {
      this.#listed = listed;
      this.#names = new Map(listed.map(({ cartID, name }) => [cartID, name]));
    }
    return this.#names;
  }

  /** Whether this is another cart that may be commanded. */
  counts(cartId: number): boolean {
    if (cartId === this.#deps.identity.cartId) return false;
    return this.#deps.allowUnknown() || this.names.has(cartId);
  }

  /** What is known of a cart that counts. */
  peer(cartId: number): RemoteCart {
    return this.#peers.get(cartId) ?? new RemoteCart(cartId, this.#deps.clock);
  }

  /** Reports a change of a cart that its messages do not show. */
  changed(cartId: number): void {
    this.#change.emit(cartId);
  }

  #listen<T extends { cartID: number }>(
    name: TopicName,
    check: Checker<T>,
    take: (peer: RemoteCart, message: T) => void,
  ): Cancel {
    return this.#deps.bus.subscribe(this.#topics.every(name), (message) => {
      const peer = this.#sender(message, name);
      if (!peer) return;
      const read = readMessage(message, check);
      if ('refusal' in read) {
        return this.#deps.log.debug('tree.message_ignored', { topic: message.topic, ...read.refusal });
      }
      if (read.value.cartID !== peer.cartId) return;
      this.#peers.set(peer.cartId, peer);
      take(peer, read.value);
      this.#watch(peer);
      if (this.counts(peer.cartId)) this.#change.emit(peer.cartId);
    });
  }

  /**
   * The cart that a message is about; undefined for our own, and for what a broker had kept. Also one that does not
   * count yet: once it is in the settings it is known at once, and not when it next says that it is online.
   */
  #sender({ topic, retain, payload }: BusMessage, name: TopicName): RemoteCart | undefined {
    const cartId = this.#topics.parse(topic)?.cartId;
    if (cartId === undefined || payload.length === 0 || cartId === this.#deps.identity.cartId)
      return undefined;
    // Only being online is for keeping. A retained state was true once, nobody knows when.
    if (retain && name !== 'connection') return undefined;
    const known = this.#peers.get(cartId);
    return known ?? (this.#peers.size < MAX_PEERS ? new RemoteCart(cartId, this.#deps.clock) : undefined);
  }

  #watch(peer: RemoteCart): void {
    const { cartId } = peer;
    const present = peer.present && this.counts(cartId);
    if (present === this.#present.has(cartId)) return;
    this.#deps.log.info(present ? 'peer.appeared' : 'peer.lost', { cartID: cartId, reason: peer.absence });
    if (present) {
      this.#present.add(cartId);
      this.#appeared.emit(cartId);
    } else {
      this.#present.delete(cartId);
      this.#absent.emit(peer);
    }
    this.#change.emit(cartId);
  }
}
