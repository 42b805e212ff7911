import { actorName } from '../../shared/actor.js';
import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { Signal } from '../../shared/signal.js';
import { TokenBucket } from '../../shared/token-bucket.js';
import type { Cart } from '../control/cart.js';
import type { CartName, CommandGateway, DuplicateCart, RemoteCarts, StopKind } from '../control/contracts.js';
import { cartMessage } from '../messages.js';
import { AuthorityWatch, checkAuthority, REVOKED } from './authority.js';
import { Command } from './command.js';
import { ControlLease, holderOf } from './control-lease.js';
import type {
  Authority,
  CartView,
  EmergencyStop,
  Order,
  Origin,
  Reason,
  StopOrigin,
  StoppedCart,
} from './model.js';
import { checkLimits, orderOf, type RequestRules, repeatsMove, requestOf, stopTargetOf } from './parser.js';
import { CommandRegistry } from './registry.js';
import { INTERRUPTED, restoredCommand, type StoredCommand } from './restore.js';
import { finishWhenConfirmed, ownStopped, resetCart, stopCarts, unknownCart } from './stop-and-reset.js';
import { ViewChanges } from './view-changes.js';

const MAX_NEAR = 49;
/** Renewals of a jog; more than any page sends. */
const RENEWALS = { perSec: 50, burst: 10 };

interface DispatcherDeps {
  cart: Cart;
  /** The remote carts; absent for a simulated cart. */
  remote?: RemoteCarts;
  rules: () => RequestRules;
  clock: Clock;
  log: Log;
}

/**
 * Entry point for every command and stop. New commands for this gateway's cart are checked in this order:
 * limits, sender's authority, control, interlocks, rate limit, free way. Renewals of a jog have a rate limit of their
 * own.
 */
export class CommandDispatcher implements CommandGateway {
  #deps: DispatcherDeps;
  #registry: CommandRegistry;
  readonly lease: ControlLease;
  /** Per cart: `ratePerSec` commands per second, with bursts of up to `ratePerSec`. */
  #rate: TokenBucket;
  #renewals: TokenBucket;
  #authorities = new AuthorityWatch((command) => this.#revoke(command));
  #ownChanges: ViewChanges;
  #ownCommand = new Signal<[Command]>();
  #command = new Signal<[Command]>();
  #cartChange = new Signal<[number]>();

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#registry = new CommandRegistry(deps.clock);
    this.lease = new ControlLease(deps.clock);
    const perSec = () => deps.rules().limits.ratePerSec;
    this.#rate = new TokenBucket({
      clock: deps.clock,
      get burst() {
        return perSec();
      },
      get refillMs() {
        return 1000 / perSec();
      },
    });
    const { burst, perSec: renewals } = RENEWALS;
    this.#renewals = new TokenBucket({ clock: deps.clock, burst, refillMs: 1000 / renewals });
    deps.cart.loop.onTurn(() => this.#authorities.check());
    this.#ownChanges = new ViewChanges(() => this.ownCart(), deps.clock);
    deps.cart.onChange(() => this.#ownChanges.check());
    deps.cart.loop.onTurn(() => this.#ownChanges.check());
    this.#ownChanges.onChange(() => this.#cartChange.emit(deps.cart.cartId));
    deps.remote?.onChange((cartId) => this.#cartChange.emit(cartId));
    deps.remote?.onCommand((command) => this.#command.emit(command));
    this.#ownCommand.on((command) => this.#command.emit(command));
  }

  readonly onOwnCommand = this.#ownCommand.on.bind(this.#ownCommand);
  /** Emitted for every transition of every local or remote command. */
  readonly onCommand = this.#command.on.bind(this.#command);
  /** Emitted with the number of a cart whose view has changed. */
  readonly onCartChange = this.#cartChange.on.bind(this.#cartChange);

  onOwnChange(listener: () => void) {
    return this.#ownChanges.onChange(listener);
  }

  /**
   * Accepts a `POST /` body. Throws INVALID_INPUT, RANGE, CART_UNKNOWN or the code of the blocking interlock.
   * The command may not have been sent yet; use `reached()` to wait for a later state.
   */
  submit(body: unknown, origin: Origin, idempotencyKey?: string, authority?: Authority): Command {
    const { cart, remote, rules } = this.#deps;
    const request = requestOf(body, idempotencyKey);
    const known = this.find(request.commandId);
    if (known && repeatsMove(request, known.order, rules())) return known;
    const order = orderOf(request, rules());
    if (order.cartId !== cart.cartId) return this.#acceptRemote(order, origin, authority);
    const command = this.accept(order, origin, authority);
    // Another gateway with this gateway's cart number must also stop its cart.
    if (order.kind === 'stop' && remote?.hasNamesake) void remote.stop(order.cartId, 'stop', origin);
    return command;
  }

  /** Returns the cart numbers that are used by more than one gateway. */
  duplicates(): DuplicateCart[] {
    return this.#deps.remote?.duplicates() ?? [];
  }

  /** See `RemoteCarts`. */
  unlisted(): CartName[] {
    return this.#deps.remote?.unlisted() ?? [];
  }

  /** Throws CART_UNKNOWN, and DUPLICATE_IDENTITY while the other gateway is still publishing. */
  clearDuplicate(cartId: number): void {
    this.cartView(cartId);
    this.#deps.remote?.clearDuplicate(cartId);
  }

  accept(order: Order, origin: Origin, authority?: Authority): Command {
    return order.kind === 'stop'
      ? this.#acceptStop(order, origin, authority)
      : this.#acceptMotion(order, origin, authority);
  }

  /** Restores commands, oldest first. Marks unfinished commands as failed; they are not executed again. */
  restore(records: readonly StoredCommand[]): void {
    for (const record of records) {
      const command = restoredCommand(record, this.#deps.clock);
      if (!command) continue;
      this.#registry.add(command);
      if (command.end('FAILED', INTERRUPTED)) this.#command.emit(command);
    }
  }

  find(commandId: string): Command | undefined {
    return this.#registry.find(commandId);
  }

  newest(count: number): Command[] {
    return this.#registry.newest(count);
  }

  protect(command: Command, reason: Reason): void {
    this.#deps.cart.protect(command, reason);
  }

  stopOwn(kind: StopKind, { actor, pressId }: StopOrigin): void {
    this.#deps.cart.stop(kind, actor, pressId);
  }

  latchSaved(): Promise<void> {
    return this.#deps.cart.interlocks.saved();
  }

  stopConfirmed(): Promise<void> {
    return this.#deps.cart.stopAck.confirmed();
  }

  get emergencyStops(): number {
    return this.#deps.cart.interlocks.emergencyStops;
  }

  resetOwn(origin: Origin): Promise<void> {
    return this.#deps.cart.estop.reset(origin.actor, false);
  }

  stop(cartId: number | null, kind: StopKind, origin: StopOrigin): Promise<StoppedCart[]> {
    return stopCarts(this.#deps, cartId, kind, origin);
  }

  /**
   * Executes the stop in a rejected `POST /` body. The numbers alone determine whether a request is a stop.
   * Resolves with undefined if the request is not a stop or the cart does not exist.
   */
  async stopNevertheless(body: unknown, origin: Origin): Promise<StoppedCart[] | undefined> {
    const target = stopTargetOf(body, this.#deps.rules());
    if (!target) return undefined;
    const { cartId } = target;
    const { cart, remote } = this.#deps;
    if (cartId !== null && cartId !== cart.cartId && !remote?.has(cartId)) return undefined;
    return await this.stop(cartId, 'stop', origin);
  }

  /** Throws REVOKED if the authority has ended, and the errors of `resetCart`. */
  async reset(cartId: number, origin: Origin, seen?: string, authority?: Authority): Promise<EmergencyStop> {
    checkAuthority(authority);
    return await resetCart(this.#deps, { cartId, origin, seen, view: this.cartView(cartId) });
  }

  ownCart(): CartView {
    const { holder } = this.lease;
    const view = this.#deps.cart.view();
    return holder ? { ...view, controlledBy: actorName(holder) } : view;
  }

  /** Returns this gateway's cart, followed by the remote carts in ascending order of cart number. */
  carts(): CartView[] {
    return [this.ownCart(), ...(this.#deps.remote?.carts() ?? [])];
  }

  /** Returns this gateway's cart and at most `MAX_NEAR` remote carts; only the Fleet page shows more. */
  near(): CartView[] {
    return [this.ownCart(), ...(this.#deps.remote?.carts(MAX_NEAR) ?? [])];
  }

  /** Throws CART_UNKNOWN. */
  cartView(cartId: number): CartView {
    const { cart, remote } = this.#deps;
    const view = cartId === cart.cartId ? this.ownCart() : remote?.cart(cartId);
    if (!view) throw unknownCart(cartId);
    return view;
  }

  #revoke(command: Command): void {
    const { cart, remote, log } = this.#deps;
    log.warn('command.revoked', { commandId: command.id, cartID: command.order.cartId });
    if (command.destination === 'serial') cart.executor.cancel(command, REVOKED);
    else remote?.cancel(command, REVOKED);
  }

  #acceptStop(order: Order, origin: Origin, authority: Authority | undefined): Command {
    const { cart, clock } = this.#deps;
    // The stop precedes all checks, so that a reused command ID cannot prevent it.
    cart.stop('stop', origin.actor);
    // A repeated stop is a new command, which reports its own confirmation.
    this.#registry.repeated(order);
    const command = this.#createCommand(order, origin, authority);
    finishWhenConfirmed(command, ownStopped(cart, clock));
    this.#register(command);
    return command;
  }

  #acceptMotion(order: Order, origin: Origin, authority: Authority | undefined): Command {
    const { cart, rules } = this.#deps;
    const known = this.#registry.repeated(order);
    if (known?.order.kind === 'move') return known;
    checkLimits(order, rules());
    checkAuthority(authority);
    this.lease.check(holderOf(origin));
    if (order.kind === 'jog') {
      if (cart.executor.jogOf(origin.actor)) takeRate(this.#renewals, order.cartId, RENEWALS.perSec);
      const running = cart.renewJog(origin, order);
      if (running) {
        this.lease.take(holderOf(origin));
        return running;
      }
      if (known) return known;
    }
    cart.checkReady(order, origin);
    this.#takeRate(order.cartId);
    cart.checkWay(order, origin);
    const command = this.#createCommand(order, origin, authority);
    cart.execute(command);
    this.lease.take(holderOf(origin));
    this.#register(command);
    return command;
  }

  #takeRate(cartId: number): void {
    takeRate(this.#rate, cartId, this.#deps.rules().limits.ratePerSec);
  }

  #createCommand(order: Order, origin: Origin, authority: Authority | undefined): Command {
    const { cart, clock } = this.#deps;
    const { simulated } = cart.link;
    const command = new Command(order, origin, { destination: 'serial', simulated, clock, authority });
    command.onTransition((changed) => {
      // After a stop has been repeated, its ID belongs to the repetition.
      if (order.kind !== 'stop' || this.find(order.commandId) === changed) this.#ownCommand.emit(changed);
    });
    return command;
  }

  #register(command: Command): void {
    this.#registry.add(command);
    this.#authorities.add(command);
    this.#ownCommand.emit(command);
  }

  #acceptRemote(order: Order, origin: Origin, authority?: Authority): Command {
    const { remote, rules } = this.#deps;
    // The stop precedes all checks and is resent until the cart confirms it.
    const stopped =
      order.kind === 'stop' && remote?.has(order.cartId)
        ? remote.stop(order.cartId, 'stop', origin)
        : undefined;
    const known = this.#registry.repeated(order);
    if (known && !stopped) return known;
    checkLimits(order, rules());
    if (!remote?.has(order.cartId)) throw unknownCart(order.cartId);
    if (order.kind !== 'stop') {
      checkAuthority(authority);
      this.#takeRate(order.cartId);
    }
    const command = remote.send(order, origin, authority);
    if (stopped) {
      finishWhenConfirmed(
        command,
        stopped.then((carts) => carts.find(({ confirmed }) => !confirmed) ?? carts[0]),
      );
    }
    this.#registry.add(command);
    this.#authorities.add(command);
    this.#command.emit(command);
    return command;
  }
}

/** Throws RATE if the cart's rate limit has been reached. */
function takeRate(bucket: TokenBucket, cartId: number, limit: number): void {
  if (bucket.take(String(cartId)) === 0) return;
  const text = cartMessage('rate', { cartID: cartId, limit });
  throw new GatewayError('RATE', text, { limit, unit: 'commands/s', retryAfterS: 1 });
}
