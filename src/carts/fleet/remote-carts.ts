import type { KeyObject } from 'node:crypto';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
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
  StoppedCart,
} from '../command/model.js';
import { CommandRegistry } from '../command/registry.js';
import type { RemoteCarts, StopKind } from '../control/contracts.js';
import { cartMessage } from '../messages.js';
import { HeartbeatPublisher } from '../mqtt/heartbeat-publisher.js';
import type { Basis } from '../mqtt/messages/schema.js';
import { Headers, Topics } from '../mqtt/messages/topics.js';
import { commandBody } from '../mqtt/messages/write.js';
import { fleetMessage } from './messages.js';
import { RemoteActions } from './remote-actions.js';
import type { RemoteCart } from './remote-cart.js';
import { RemoteCommands } from './remote-commands.js';
import { RemoteStops } from './remote-stops.js';
import { type FleetDeps, FleetTracker } from './tracker.js';

interface PeersDeps extends FleetDeps {
  /** Signs the heartbeats for carts that carry out commands of this gateway. */
  siteKey?: KeyObject | undefined;
}

/** The other carts of the fleet, and the way to command them: over the MQTT tree, refused at once or followed to the end. */
export class RemoteCartRegistry implements RemoteCarts {
  #deps: PeersDeps;
  #log: Log;
  #topics: Topics;
  #headers: Headers;
  #fleet: FleetTracker;
  #actions: RemoteActions;
  #ledger: CommandRegistry;
  #commands: RemoteCommands;
  #stops: RemoteStops;
  #heartbeat: HeartbeatPublisher;
  #seq = new Map<number, number>();
  #moved = new Signal<[Command]>();

  constructor(deps: PeersDeps) {
    this.#deps = deps;
    this.#log = deps.log;
    this.#topics = new Topics(deps.identity);
    this.#headers = new Headers(deps.identity);
    this.#fleet = new FleetTracker(deps);
    this.#actions = new RemoteActions(deps);
    this.#ledger = new CommandRegistry(deps.clock);
    this.#commands = new RemoteCommands({
      gatewayId: deps.identity.gatewayId,
      clock: deps.clock,
      moved: (command) => this.#moved.emit(command),
      cancel: (command) => this.#cancel(command),
    });
    const carts = () => this.#commands.carts();
    this.#heartbeat = new HeartbeatPublisher({ ...deps, key: deps.siteKey, carts });
    this.#stops = new RemoteStops({
      clock: deps.clock,
      log: deps.log,
      send: (...stop) => this.#actions.stop(...stop),
      ids: () => this.#fleet.ids(),
      name: (cartId) => this.#view(cartId).name,
      unreachable: (cartId) => this.#unreachable(this.#fleet.peer(cartId)),
      changed: (cartId) => this.#fleet.changed(cartId),
    });
    this.#fleet.onPresent((cartId) => this.#stops.reachable(cartId));
    this.#fleet.onAck((cartId, ack) => {
      this.#stops.onAck(cartId, ack);
      this.#actions.onAck(cartId, ack);
      this.#commands.onAck(cartId, ack);
    });
    this.#fleet.onState((cartId, state) => {
      this.#stops.onState(cartId, state);
      this.#actions.onState(cartId, state);
      this.#commands.onState(cartId, state);
    });
    this.#fleet.onAbsent((peer) => this.#commands.onAbsent(peer));
  }

  readonly onCommand = this.#moved.on.bind(this.#moved);

  onChange(listener: (cartId: number) => void) {
    return this.#fleet.onChange(listener);
  }

  start(): void {
    this.#fleet.start();
  }

  /** Hears nothing more. Commands that run elsewhere go on there. */
  close(): void {
    this.#fleet.close();
    this.#commands.close();
    this.#heartbeat.close();
    this.#stops.close();
  }

  has(cartId: number): boolean {
    return this.#fleet.counts(cartId);
  }

  carts(most = Number.POSITIVE_INFINITY): CartView[] {
    const ids = this.#fleet.ids().toSorted((a, b) => a - b);
    return ids.slice(0, most).map((cartId) => this.#view(cartId));
  }

  cart(cartId: number): CartView | undefined {
    return this.has(cartId) ? this.#view(cartId) : undefined;
  }

  send(order: Order, origin: Origin, authority?: Authority): Command {
    const known = this.#ledger.repeated(order);
    if (known) return known;
    const { peer, basis } = this.#target(order);
    if (order.kind !== 'stop') this.#stops.commanded(order.cartId);
    const jog = order.kind === 'jog' ? this.#commands.jogOf(order.cartId, origin.principal) : undefined;
    const seq = this.#nextSeq(order.cartId);
    const publish = () => this.#publish(order, origin, seq, basis);
    if (jog) {
      publish().catch((thrown: unknown) =>
        this.#log.debug('peer.jog_not_renewed', { cartID: order.cartId, reason: messageOf(thrown) }),
      );
      return jog;
    }
    const { clock } = this.#deps;
    const { simulated } = peer.view('', '');
    const command = new Command(order, origin, { destination: 'mqtt', simulated, clock, authority });
    this.#ledger.add(command);
    this.#heartbeat.begin(order.cartId);
    this.#commands.follow(command, basis, publish);
    return command;
  }

  cancel(command: Command, reason: Reason): void {
    this.#commands.revoked(command, reason);
  }

  stop(cartId: number | null, kind: StopKind, origin: Origin): Promise<StoppedCart[]> {
    this.#log.info('peer.stop_sent', { cartID: cartId ?? 'all', kind, by: origin.principal });
    this.#commands.stopped(cartId, origin.principal);
    return this.#stops.stop(cartId, kind, origin);
  }

  giveUpStop(cartId: number): void {
    this.#stops.giveUp(cartId);
  }

  async reset(cartId: number, origin: Origin): Promise<EmergencyStop> {
    const peer = this.#reachable(cartId);
    this.#log.info('peer.reset_sent', { cartID: cartId, by: origin.principal });
    return this.#actions.reset(peer, origin);
  }

  #view(cartId: number): CartView {
    const { connected, reason } = this.#deps.bus.status();
    const unreachable = connected ? '' : fleetMessage('broker-down', { reason });
    const view = this.#fleet.peer(cartId).view(this.#fleet.names.get(cartId) ?? '', unreachable);
    const stopPending = this.#stops.overdue(cartId);
    if (!stopPending) return view;
    if (stopPending !== 'estop' || !view.safety.mayMove) return { ...view, stopPending };
    const safety = {
      ...view.safety,
      mayMove: false,
      code: 'STOP_UNCONFIRMED',
      reason: fleetMessage('unconfirmed'),
    };
    return { ...view, stopPending, safety };
  }

  #unreachable(peer: RemoteCart): Reason | undefined {
    const { connected, reason } = this.#deps.bus.status();
    if (!connected) return { code: 'BROKER_DOWN', text: fleetMessage('broker-down', { reason }) };
    return peer.present ? undefined : { code: 'CART_OFFLINE', text: peer.absence };
  }

  /** Refuses at once what cannot be done now: nothing is kept until it can. */
  #target({ cartId, kind }: Order): { peer: RemoteCart; basis: Basis } {
    const peer = this.#reachable(cartId);
    const { basis } = peer;
    if (!basis) throw offline(cartId, peer.absence);
    if (kind !== 'stop' && this.#stops.pending(cartId) === 'estop') {
      const hint = fleetMessage('unconfirmed-hint');
      throw new GatewayError('STOP_UNCONFIRMED', fleetMessage('unconfirmed'), { hint });
    }
    if (kind !== 'stop' && peer.emergencyStop !== 'NONE') {
      const text = fleetMessage('latched-cart', { cartID: cartId });
      throw new GatewayError('ESTOP_ACTIVE', text, { hint: fleetMessage('latched-hint') });
    }
    return { peer, basis };
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
    const peer = this.#fleet.peer(cartId);
    if (!peer.present) throw offline(cartId, peer.absence);
    return peer;
  }

  #cancel({ id, order }: Command): void {
    this.#actions.cancel(order.cartId, id).catch((thrown: unknown) => {
      this.#log.warn('peer.cancel_failed', { commandId: id, reason: messageOf(thrown) });
    });
  }

  #publish(order: Order, origin: Origin, seq: number, basis: Basis): Promise<void> {
    const topic = this.#topics.of(order.cartId, 'command');
    const header = this.#headers.next(topic, this.#deps.clock.wallTime(), order.cartId);
    const payload = JSON.stringify({ ...header, ...commandBody(order, origin, seq, basis) });
    const expiryS = Math.max(1, Math.ceil(order.ttlMs / 1000));
    return this.#deps.bus.publish(topic, payload, { qos: 0, expiryS });
  }

  #nextSeq(cartId: number): number {
    const seq = (this.#seq.get(cartId) ?? 0) + 1;
    this.#seq.set(cartId, seq);
    return seq;
  }
}

function offline(cartId: number, reason: Text): GatewayError {
  return new GatewayError('CART_OFFLINE', fleetMessage('offline', { cartID: cartId, reason }), {
    retryAfterS: 5,
  });
}
