import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { BusMessage, MessageBus, SubscribeOptions } from '../../shared/ports/mqtt.js';
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

/** Interval between checks for silent carts, short enough for pages to show within 500 ms that a cart is offline. */
const SWEEP_MS = 250;
/** Limits memory use when messages arrive from many cart numbers that are missing from the settings. */
const MAX_CARTS = 2000;
/**
 * For state messages. An older state is useless once a newer one has arrived, and checking a state takes longer
 * than receiving it.
 */
const NEWEST_ONLY: SubscribeOptions = { newestOnly: true };

export interface FleetTrackerDeps {
  bus: MessageBus;
  identity: TopicIdentity;
  clock: Clock;
  log: Log;
  /** Returns the same array until the settings change. */
  known: () => readonly { cartID: number; name: string }[];
  /** True if carts that are missing from the settings also belong to the fleet. */
  allowUnknown: () => boolean;
  /** Earlier sessions of this gateway, whose last will and delayed states do not come from another gateway. */
  oldSessions?: ReadonlySet<string>;
}

/** Receives remote carts' MQTT messages and detects when a cart goes offline. */
export class FleetTracker {
  #deps: FleetTrackerDeps;
  #topics: Topics;
  #carts = new Map<number, RemoteCart>();
  #present = new Set<number>();
  #listed: readonly { cartID: number; name: string }[] = [];
  #names: ReadonlyMap<number, string> = new Map();
  #cancels: Cancel[] = [];
  #change = new Signal<[number]>();
  #ack = new Signal<[number, AckMessage]>();
  #state = new Signal<[number, StateMessage]>();
  #absent = new Signal<[RemoteCart]>();
  #appeared = new Signal<[number]>();
  #superseded = new Signal<[string]>();
  #duplicated = new Set<number>();
  #successor: string | undefined;
  /** The other gateways that use this gateway's cart number. */
  readonly namesake: RemoteCart;

  constructor(deps: FleetTrackerDeps) {
    this.#deps = deps;
    this.namesake = new RemoteCart(deps.identity.cartId, deps.clock, deps.oldSessions ?? new Set());
    this.#topics = new Topics(deps.identity);
  }

  readonly onChange = this.#change.on.bind(this.#change);
  readonly onAck = this.#ack.on.bind(this.#ack);
  /** Emitted for each state that is newer than the cart's previous state. */
  readonly onState = this.#state.on.bind(this.#state);
  /** Emitted once, with the ID of the gateway that replaces this one. */
  readonly onSuperseded = this.#superseded.on.bind(this.#superseded);
  readonly onAbsent = this.#absent.on.bind(this.#absent);
  /** Emitted when a cart comes online, and for every cart when the gateway connects to the broker. */
  readonly onPresent = this.#appeared.on.bind(this.#appeared);

  start(): void {
    const { bus, clock } = this.#deps;
    this.#cancels = [
      this.#listen('connection', checkConnection, (cart, message) => cart.onConnection(message)),
      this.#listen(
        'state',
        checkState,
        (cart, message) => {
          if (cart.onState(message)) this.#state.emit(cart.cartId, message);
        },
        NEWEST_ONLY,
      ),
      this.#listen(
        'visualization',
        checkVisualization,
        (cart, message) => cart.onVisualization(message),
        NEWEST_ONLY,
      ),
      this.#listen('ack', checkAck, ({ cartId }, message) => this.#ack.emit(cartId, message)),
      this.#listenForNamesake('connection', checkConnection, (message) =>
        this.namesake.onConnection(message),
      ),
      this.#listenForNamesake('state', checkState, (message) => {
        this.#checkGeneration(message);
        if (this.namesake.onState(message)) this.#state.emit(message.cartID, message);
      }),
      this.#listenForNamesake('ack', checkAck, (message) => this.#ack.emit(message.cartID, message)),
      clock.every(SWEEP_MS, () => {
        for (const cart of this.#carts.values()) this.#watch(cart);
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

  /** Returns the carts in the settings and, if `allowUnknown` returns true, all carts that have sent a message. */
  ids(): number[] {
    const listed = this.names.keys();
    const unlisted = this.#deps.allowUnknown() ? [...this.#carts.keys()] : [];
    return [...new Set([...listed, ...unlisted])].filter((cartId) => this.includes(cartId));
  }

  /** Returns the carts that have sent a message and are missing from the settings. */
  unlisted(): number[] {
    return [...this.#carts.keys()].filter((cartId) => !this.names.has(cartId));
  }

  get names(): ReadonlyMap<number, string> {
    const listed = this.#deps.known();
    if (listed !== this.#listed) {
      this.#listed = listed;
      this.#names = new Map(listed.map(({ cartID, name }) => [cartID, name]));
    }
    return this.#names;
  }

  includes(cartId: number): boolean {
    if (cartId === this.#deps.identity.cartId) return false;
    return this.#deps.allowUnknown() || this.names.has(cartId);
  }

  cart(cartId: number): RemoteCart {
    if (cartId === this.#deps.identity.cartId) return this.namesake;
    return this.#carts.get(cartId) ?? new RemoteCart(cartId, this.#deps.clock);
  }

  /**
   * The gateway that was restored from a backup of this gateway and therefore replaces it; undefined if no such gateway
   * has published since this gateway started.
   */
  get successor(): string | undefined {
    return this.#successor;
  }

  /** Returns the numbers that are used by several gateways, in ascending order. */
  duplicated(): number[] {
    return [...this.#duplicated].toSorted((a, b) => a - b);
  }

  /** Returns false while the other gateway is still publishing. */
  clearDuplicate(cartId: number): boolean {
    if (!this.#duplicated.has(cartId)) return true;
    if (!this.cart(cartId).sessions.clear()) return false;
    this.#duplicated.delete(cartId);
    this.#deps.log.info('remote_cart.duplicate_cleared', { cartID: cartId });
    this.#change.emit(cartId);
    return true;
  }

  changed(cartId: number): void {
    this.#change.emit(cartId);
  }

  #listen<T extends { cartID: number }>(
    name: TopicName,
    check: Checker<T>,
    take: (cart: RemoteCart, message: T) => void,
    options?: SubscribeOptions,
  ): Cancel {
    const receive = (message: BusMessage): void => {
      const cart = this.#cartOf(message, name);
      if (!cart) return;
      const read = readMessage(message, check);
      if ('refusal' in read) {
        return this.#deps.log.debug('mqtt.message_ignored', { topic: message.topic, ...read.refusal });
      }
      if (read.value.cartID !== cart.cartId) return;
      this.#carts.set(cart.cartId, cart);
      take(cart, read.value);
      this.#checkDuplicate(cart);
      this.#watch(cart);
      if (this.includes(cart.cartId)) this.#change.emit(cart.cartId);
    };
    return this.#deps.bus.subscribe(this.#topics.every(name), receive, options);
  }

  /**
   * Subscribes to the topic of this gateway's cart, which a gateway can read even if it cannot read the topics
   * of other carts. The broker also returns this gateway's own messages.
   */
  #listenForNamesake<T extends { cartID: number; sessionId: string }>(
    name: TopicName,
    check: Checker<T>,
    take: (message: T) => void,
  ): Cancel {
    const { bus, identity } = this.#deps;
    return bus.subscribe(this.#topics.of(identity.cartId, name), (message) => {
      if (message.retain && name !== 'connection') return;
      const read = message.payload.length > 0 ? readMessage(message, check) : undefined;
      if (!read || !('value' in read)) return;
      const { cartID, sessionId } = read.value;
      if (cartID !== identity.cartId || sessionId === identity.sessionId) return;
      take(read.value);
      this.#checkDuplicate(this.namesake);
      this.#change.emit(cartID);
    });
  }

  /**
   * Detects a gateway that replaces this one. Ignores this gateway's earlier sessions, whose generation is higher if
   * a restore was undone.
   */
  #checkGeneration({ gatewayId, sessionId, x: { generation = 0 } = {} }: StateMessage): void {
    const { identity, log, oldSessions } = this.#deps;
    const { cartId, generation: own = 0 } = identity;
    if (generation <= own || this.#successor !== undefined || oldSessions?.has(sessionId)) return;
    this.#successor = gatewayId;
    log.error('remote_cart.superseded', { cartID: cartId, gateway: gatewayId, generation, own });
    this.#superseded.emit(gatewayId);
  }

  #checkDuplicate({ cartId, sessions }: RemoteCart): void {
    if (!sessions.isDuplicated || this.#duplicated.has(cartId)) return;
    this.#duplicated.add(cartId);
    const gateways = sessions.rivals.map(({ gatewayId }) => gatewayId);
    this.#deps.log.error('remote_cart.duplicated', { cartID: cartId, gateways });
    this.#change.emit(cartId);
  }

  /** Returns undefined for this gateway's cart and for retained states. Includes carts outside the fleet. */
  #cartOf({ topic, retain, payload }: BusMessage, name: TopicName): RemoteCart | undefined {
    const cartId = this.#topics.parse(topic)?.cartId;
    if (cartId === undefined || payload.length === 0 || cartId === this.#deps.identity.cartId)
      return undefined;
    // Retained messages except `connection` are ignored, because a retained state's age is unknown.
    if (retain && name !== 'connection') return undefined;
    const known = this.#carts.get(cartId);
    if (known) return known;
    // The limit applies only to unlisted carts, so that their messages cannot prevent a listed cart from being tracked.
    const hasSpace = this.names.has(cartId) || this.#carts.size < MAX_CARTS;
    return hasSpace ? new RemoteCart(cartId, this.#deps.clock) : undefined;
  }

  #watch(cart: RemoteCart): void {
    const { cartId } = cart;
    const present = cart.present && this.includes(cartId);
    if (present === this.#present.has(cartId)) return;
    this.#deps.log.info(present ? 'remote_cart.connected' : 'remote_cart.lost', {
      cartID: cartId,
      reason: cart.absence,
    });
    if (present) {
      this.#present.add(cartId);
      this.#appeared.emit(cartId);
    } else {
      this.#present.delete(cartId);
      this.#absent.emit(cart);
    }
    this.#change.emit(cartId);
  }
}
