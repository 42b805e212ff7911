import type { KeyObject } from 'node:crypto';
import { type Actor, actorName } from '../../shared/actor.js';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { recognised } from '../../shared/messages/recognise.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { Signal } from '../../shared/signal.js';
import { Command } from '../command/command.js';
import type {
  Authority,
  CartView,
  EmergencyStop,
  Order,
  Origin,
  Reason,
  StopOrigin,
  StoppedCart,
} from '../command/model.js';
import { CommandRegistry } from '../command/registry.js';
import type { CartName, DuplicateCart, RemoteCarts, StopKind } from '../control/contracts.js';
import { cartMessage } from '../messages.js';
import { HeartbeatPublisher } from '../mqtt/heartbeat-publisher.js';
import { encodeMessage } from '../mqtt/messages/encode.js';
import type { Basis } from '../mqtt/messages/schema.js';
import { Headers, Topics } from '../mqtt/messages/topics.js';
import { commandBody } from '../mqtt/messages/write.js';
import { type Refusal, refusalError } from '../safety/refusals.js';
import { REMOVED_MS } from './cart-sessions.js';
import { fleetMessage } from './messages.js';
import { RemoteActions } from './remote-actions.js';
import { RemoteCancels } from './remote-cancels.js';
import type { RemoteCart } from './remote-cart.js';
import { RemoteCommands } from './remote-commands.js';
import { RemoteStops } from './remote-stops.js';
import { FleetTracker, type FleetTrackerDeps } from './tracker.js';

/** Replaces texts published by another gateway with messages, which the pages can translate. */
function withMessages(view: CartView): CartView {
  const { safety } = view;
  return {
    ...view,
    reason: recognised(view.reason),
    safety: {
      ...safety,
      reason: recognised(safety.reason),
      resetNeeds: recognised(safety.resetNeeds),
      ...(safety.stoppedBy ? { stoppedBy: recognised(safety.stoppedBy) } : {}),
    },
    faults: view.faults.map((fault) => ({ ...fault, message: recognised(fault.message) })),
  };
}

interface RemoteCartRegistryDeps extends FleetTrackerDeps {
  siteKey?: KeyObject | undefined;
  onReset?: (cartId: number, by: Actor) => void;
}

/** A command to a remote cart is either rejected immediately or tracked until it ends. */
export class RemoteCartRegistry implements RemoteCarts {
  #deps: RemoteCartRegistryDeps;
  #log: Log;
  #topics: Topics;
  #headers: Headers;
  #tracker: FleetTracker;
  #actions: RemoteActions;
  #registry: CommandRegistry;
  #commands: RemoteCommands;
  #cancels: RemoteCancels;
  #stops: RemoteStops;
  #heartbeat: HeartbeatPublisher;
  #seq = new Map<number, number>();
  #transition = new Signal<[Command]>();

  constructor(deps: RemoteCartRegistryDeps) {
    this.#deps = deps;
    this.#log = deps.log;
    this.#topics = new Topics(deps.identity);
    this.#headers = new Headers(deps.identity);
    this.#tracker = new FleetTracker(deps);
    this.#actions = new RemoteActions(deps);
    this.#registry = new CommandRegistry(deps.clock);
    this.#commands = new RemoteCommands({
      identity: deps.identity,
      clock: deps.clock,
      isLive: (cartId, sessionId, withinMs) => {
        const cart = this.#tracker.cart(cartId);
        return cart.basis?.sessionId === sessionId || cart.isLive(sessionId, withinMs);
      },
      moved: (command) => this.#transition.emit(command),
      cancel: ({ id, order }) => this.#cancels.cancel(order.cartId, id),
    });
    this.#cancels = new RemoteCancels({
      clock: deps.clock,
      log: deps.log,
      send: (...cancel) => this.#actions.cancel(...cancel),
    });
    const carts = () => this.#commands.carts();
    this.#heartbeat = new HeartbeatPublisher({ ...deps, key: deps.siteKey, carts });
    this.#stops = new RemoteStops({
      clock: deps.clock,
      log: deps.log,
      send: (...stop) => this.#actions.stop(...stop),
      ids: () => this.#stoppable(),
      name: (cartId) => this.#view(cartId).name,
      unreachable: (cartId) => this.#unreachable(this.#tracker.cart(cartId)),
      rivals: (cartId) => this.#tracker.cart(cartId).sessions.rivals,
      changed: (cartId) => this.#tracker.changed(cartId),
    });
    this.#tracker.onPresent((cartId) => {
      this.#stops.reachable(cartId);
      this.#cancels.reachable(cartId);
    });
    this.#tracker.onAck((cartId, ack) => {
      this.#stops.onAck(cartId, ack);
      this.#cancels.onAck(cartId, ack);
      this.#actions.onAck(cartId, ack);
      this.#commands.onAck(cartId, ack);
    });
    this.#tracker.onState((cartId, state) => {
      this.#stops.onState(cartId, state);
      this.#cancels.onState(cartId, state);
      this.#actions.onState(cartId, state);
      this.#commands.onState(cartId, state);
    });
    this.#tracker.onAbsent((cart) => this.#commands.onAbsent(cart));
  }

  readonly onCommand = this.#transition.on.bind(this.#transition);

  onChange(listener: (cartId: number) => void) {
    return this.#tracker.onChange(listener);
  }

  start(): void {
    this.#tracker.start();
  }

  /** Commands that are running on remote carts are not cancelled. */
  close(): void {
    this.#tracker.close();
    this.#commands.close();
    this.#heartbeat.close();
    this.#cancels.close();
    this.#stops.close();
  }

  has(cartId: number): boolean {
    return this.#tracker.includes(cartId);
  }

  carts(limit = Number.POSITIVE_INFINITY): CartView[] {
    const ids = this.#tracker.ids().toSorted((a, b) => a - b);
    return ids.slice(0, limit).map((cartId) => withMessages(this.#view(cartId)));
  }

  cart(cartId: number): CartView | undefined {
    return this.has(cartId) ? withMessages(this.#view(cartId)) : undefined;
  }

  unlisted(): CartName[] {
    const ids = this.#tracker.unlisted().toSorted((a, b) => a - b);
    return ids.map((cartID) => ({ cartID, name: this.#tracker.cart(cartID).view('', '').name }));
  }

  send(order: Order, origin: Origin, authority?: Authority): Command {
    const known = this.#registry.repeated(order);
    if (known && order.kind !== 'stop') return known;
    const { cart, basis } = this.#target(order);
    if (order.kind !== 'stop') this.#stops.commanded(order.cartId);
    const jog = order.kind === 'jog' ? this.#commands.jogOf(order.cartId, origin.actor) : undefined;
    const seq = this.#nextSeq(order.cartId);
    const publish = () => this.#publish(order, origin, seq, basis);
    if (jog) {
      publish().catch((thrown: unknown) =>
        this.#log.debug('remote_cart.jog_renewal_failed', {
          cartID: order.cartId,
          reason: messageOf(thrown),
        }),
      );
      return jog;
    }
    const { clock } = this.#deps;
    const { simulated } = cart.view('', '');
    const command = new Command(order, origin, { destination: 'mqtt', simulated, clock, authority });
    this.#registry.add(command);
    if (order.kind === 'stop') {
      this.#publishStop(command, publish);
      return command;
    }
    this.#heartbeat.begin(order.cartId);
    this.#commands.follow(command, basis, publish);
    return command;
  }

  /**
   * The command only adds the stop to the cart's list of commands. It is not tracked, because an acknowledgement of
   * an earlier stop with the same ID must not confirm this stop, which `stop` repeats until the cart confirms it.
   */
  #publishStop(command: Command, publish: () => Promise<void>): void {
    command.onTransition(() => {
      if (this.#registry.find(command.id) === command) this.#transition.emit(command);
    });
    publish().catch((thrown: unknown) =>
      this.#log.debug('remote_cart.stop_command_failed', {
        cartID: command.order.cartId,
        reason: messageOf(thrown),
      }),
    );
    command.advance('SENT', 'published');
  }

  cancel(command: Command, reason: Reason): void {
    this.#commands.revoked(command, reason);
  }

  get hasNamesake(): boolean {
    return this.#tracker.namesake.sessions.rivals.length > 0;
  }

  stop(cartId: number | null, kind: StopKind, origin: StopOrigin): Promise<StoppedCart[]> {
    this.#log.info('remote_cart.stop_sent', { cartID: cartId ?? 'all', kind, by: actorName(origin.actor) });
    this.#commands.stopped(cartId, origin.actor);
    return this.#stops.stop(cartId, kind, origin);
  }

  giveUpStop(cartId: number): void {
    this.#stops.giveUp(cartId);
  }

  async reset(cartId: number, origin: Origin): Promise<EmergencyStop> {
    const cart = this.#reachable(cartId);
    this.#log.info('remote_cart.reset_sent', { cartID: cartId, by: actorName(origin.actor) });
    return this.#actions.reset(cart, origin);
  }

  duplicates(): DuplicateCart[] {
    return this.#tracker.duplicated().map((cartID) => {
      const { sessions } = this.#tracker.cart(cartID);
      const gateways = [...new Set(sessions.rivals.map(({ gatewayId }) => gatewayId))];
      const key = cartID === this.#deps.identity.cartId ? 'duplicate-own' : 'duplicate';
      const reason = fleetMessage(key, { cartID, gateways: gateways.join(', ') });
      return { cartID, gateways, reason, isSilent: sessions.silentMs >= REMOVED_MS };
    });
  }

  /** Calls the listener once with the reason if a restored gateway replaces this one. */
  onSuperseded(listener: (reason: Text) => void): Cancel {
    const { cartId } = this.#deps.identity;
    return this.#tracker.onSuperseded(() => listener(this.duplicate(cartId)?.text ?? ''));
  }

  duplicate(cartId: number): Refusal | undefined {
    const { successor } = this.#tracker;
    if (successor !== undefined && cartId === this.#deps.identity.cartId) {
      const text = fleetMessage('superseded', { gateway: successor, cartID: cartId });
      return { code: 'DUPLICATE_IDENTITY', text, hint: fleetMessage('superseded-hint') };
    }
    const found = this.duplicates().find(({ cartID }) => cartID === cartId);
    if (!found) return undefined;
    return { code: 'DUPLICATE_IDENTITY', text: found.reason, hint: fleetMessage('duplicate-hint') };
  }

  clearDuplicate(cartId: number): void {
    if (this.#tracker.clearDuplicate(cartId)) return;
    const text = fleetMessage('duplicate-live', { cartID: cartId, limit: REMOVED_MS / 1000 });
    throw new GatewayError('DUPLICATE_IDENTITY', text, { hint: fleetMessage('duplicate-hint') });
  }

  #view(cartId: number): CartView {
    const { connected, reason } = this.#deps.bus.status();
    const unreachable = connected ? '' : fleetMessage('broker-down', { reason });
    const reported = this.#tracker.cart(cartId).view(this.#tracker.names.get(cartId) ?? '', unreachable);
    const duplicate = this.duplicate(cartId);
    const view = duplicate ? refusing(reported, duplicate) : reported;
    const stopPending = this.#stops.overdue(cartId);
    if (!stopPending) return view;
    if (stopPending !== 'estop' || !view.safety.mayMove) return { ...view, stopPending };
    return {
      ...refusing(view, { code: 'STOP_UNCONFIRMED', text: fleetMessage('unconfirmed') }),
      stopPending,
    };
  }

  #unreachable(cart: RemoteCart): Reason | undefined {
    const { connected, reason } = this.#deps.bus.status();
    if (!connected) return { code: 'BROKER_DOWN', text: fleetMessage('broker-down', { reason }) };
    // If another gateway has the same client ID, the broker often disconnects it. Messages are sent to it anyway,
    // because its cart may be moving.
    if (cart.present || cart === this.#tracker.namesake) return undefined;
    return { code: 'CART_OFFLINE', text: cart.absence };
  }

  /** Includes this gateway's cart number if another gateway also uses it. */
  #stoppable(): number[] {
    const { cartId, sessions } = this.#tracker.namesake;
    return sessions.rivals.length > 0 ? [cartId, ...this.#tracker.ids()] : this.#tracker.ids();
  }

  /** Throws if the command cannot be sent now; commands are never queued for an offline cart. */
  #target({ cartId, kind }: Order): { cart: RemoteCart; basis: Basis } {
    const cart = this.#reachable(cartId);
    const { basis } = cart;
    if (!basis) throw offline(cartId, cart.absence);
    const duplicate = kind === 'stop' ? undefined : this.duplicate(cartId);
    if (duplicate) throw refusalError(duplicate);
    if (kind !== 'stop' && this.#stops.pending(cartId) === 'estop') {
      const hint = fleetMessage('unconfirmed-hint');
      throw new GatewayError('STOP_UNCONFIRMED', fleetMessage('unconfirmed'), { hint });
    }
    if (kind !== 'stop' && cart.emergencyStop !== 'NONE') {
      const text = fleetMessage('latched-cart', { cartID: cartId });
      throw new GatewayError('ESTOP_ACTIVE', text, { hint: fleetMessage('latched-hint') });
    }
    return { cart, basis };
  }

  #reachable(cartId: number): RemoteCart {
    if (!this.has(cartId)) {
      throw new GatewayError('CART_UNKNOWN', cartMessage('unknown-cart', { cartID: cartId }), {
        field: 'cartID',
      });
    }
    const { connected, reason } = this.#deps.bus.status();
    if (!connected) {
      const text = fleetMessage('unreachable', { cartID: cartId, reason });
      throw new GatewayError('BROKER_DOWN', text, { retryAfterS: 5 });
    }
    const cart = this.#tracker.cart(cartId);
    if (!cart.present) throw offline(cartId, cart.absence);
    return cart;
  }

  #publish(order: Order, origin: Origin, seq: number, basis: Basis): Promise<void> {
    const topic = this.#topics.of(order.cartId, 'command');
    const header = this.#headers.next(topic, this.#deps.clock.wallTime(), order.cartId);
    const payload = encodeMessage('command', { ...header, ...commandBody(order, origin, seq, basis) });
    const expiryS = Math.max(1, Math.ceil(order.ttlMs / 1000));
    return this.#deps.bus.publish(topic, payload, { qos: 0, expiryS });
  }

  #nextSeq(cartId: number): number {
    const seq = (this.#seq.get(cartId) ?? 0) + 1;
    this.#seq.set(cartId, seq);
    return seq;
  }
}

/** Returns the view of a cart that must not be moved. If a stop is latched, the stop remains the reason. */
function refusing(view: CartView, { code, text: reason }: Refusal): CartView {
  if (view.safety.emergencyStop !== 'NONE') return view;
  return { ...view, safety: { ...view.safety, mayMove: false, code, reason } };
}

function offline(cartId: number, reason: Text): GatewayError {
  return new GatewayError('CART_OFFLINE', fleetMessage('offline', { cartID: cartId, reason }), {
    retryAfterS: 5,
  });
}
