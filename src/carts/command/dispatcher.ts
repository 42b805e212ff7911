import { GatewayError } from '../../shared/errors.js';
import type { Clock, Log } from '../../shared/ports/ports.js';
import { Signal } from '../../shared/signal.js';
import type { Cart } from '../control/cart.js';
import type { CommandGateway, RemoteCarts, StopKind } from '../control/contracts.js';
import { ViewChanges } from '../control/view-changes.js';
import { type Refusal, refusalError } from '../safety/safety.js';
import { ownStopped } from '../safety/stop-ack.js';
import { AuthorityWatch, isGood, REVOKED } from './authority.js';
import { Command } from './command.js';
import { CommandRateLimit, ControlLease } from './control-lock.js';
import type { Authority, CartView, EmergencyStop, Order, Origin, Reason, StoppedCart } from './model.js';
import { checkLimits, parseCommand, type RequestRules } from './parser.js';
import { CommandRegistry } from './registry.js';
import { LOST, recalled } from './restore.js';

/** Other carts on a page that is not about the fleet. */
const MAX_NEAR = 49;

interface DeskDeps {
  cart: Cart;
  /** Other carts; a simulated cart knows none. */
  remote?: RemoteCarts;
  rules: () => RequestRules;
  clock: Clock;
  log: Log;
}

/**
 * Where every wish arrives, whichever way it came, and is sent to its cart. The order of the checks is the order of
 * worth: what repeats is answered again, what is unsafe is refused, and only then do rate and ownership count.
 */
export class CommandDispatcher implements CommandGateway {
  #deps: DeskDeps;
  #ledger: CommandRegistry;
  #lease: ControlLease;
  #rate: CommandRateLimit;
  #authorities = new AuthorityWatch((command) => this.#revoke(command));
  #ownChanges: ViewChanges;
  #ownCommand = new Signal<[Command]>();
  #command = new Signal<[Command]>();
  #cartChange = new Signal<[number]>();

  constructor(deps: DeskDeps) {
    this.#deps = deps;
    this.#ledger = new CommandRegistry(deps.clock);
    this.#lease = new ControlLease(deps.clock);
    this.#rate = new CommandRateLimit(deps.clock, () => deps.rules().limits.ratePerSec);
    deps.cart.onTurn(() => this.#authorities.look());
    this.#ownChanges = new ViewChanges(() => this.ownCart(), deps.clock);
    deps.cart.onChange(() => this.#ownChanges.check());
    deps.cart.onTurn(() => this.#ownChanges.check());
    this.#ownChanges.onChange(() => this.#cartChange.emit(deps.cart.cartId));
    deps.remote?.onChange((cartId) => this.#cartChange.emit(cartId));
    deps.remote?.onCommand((command) => this.#command.emit(command));
    this.#ownCommand.on((command) => this.#command.emit(command));
  }

  readonly onOwnCommand = this.#ownCommand.on.bind(this.#ownCommand);
  /** Every transition of every command, own and remote. */
  readonly onCommand = this.#command.on.bind(this.#command);
  /** The view of this cart has changed. */
  readonly onCartChange = this.#cartChange.on.bind(this.#cartChange);

  onOwnChange(listener: () => void) {
    return this.#ownChanges.onChange(listener);
  }

  /**
   * Takes a command in the customer's words. Throws INVALID_INPUT, RANGE, CART_UNKNOWN or what the cart refuses with;
   * the answer's state says how far it got, `reached()` waits for more.
   */
  submit(body: unknown, origin: Origin, idempotencyKey?: string, authority?: Authority): Command {
    const order = parseCommand(body, this.#deps.rules(), idempotencyKey);
    return order.cartId === this.#deps.cart.cartId
      ? this.accept(order, origin, authority)
      : this.#sendAway(order, origin, authority);
  }

  accept(order: Order, origin: Origin, authority?: Authority): Command {
    const { cart, clock, rules } = this.#deps;
    // Stopped first, judged second: a stop is never refused for its id.
    if (order.kind === 'stop') cart.stop('stop', origin.principal);
    const known = this.#ledger.repeated(order);
    if (known && order.kind !== 'jog') return known;
    checkLimits(order, rules());
    if (order.kind !== 'stop') {
      checkAuthority(authority);
      this.#lease.check(holderOf(origin));
    }
    if (order.kind === 'jog') {
      const running = cart.renewJog(origin.principal, order);
      if (running) {
        this.#lease.take(holderOf(origin));
        return running;
      }
      if (known) return known;
      cart.checkJog(origin.principal);
    }
    if (order.kind !== 'stop') {
      const refusal = cart.refusal();
      if (refusal) throw refusalError(refusal);
      this.#rate.take(order.cartId);
    }
    const command = new Command(order, origin, {
      destination: 'serial',
      simulated: cart.simulated,
      clock,
      authority,
    });
    command.onTransition((changed) => this.#ownCommand.emit(changed));
    if (order.kind === 'stop') {
      const reason = cart.unreachable;
      if (reason === undefined) command.finish({ distanceMm: 0, angleDeg: 0, estimated: false });
      else command.end('FAILED', { code: 'SERIAL_DOWN', text: `the stop could not be sent: ${reason}` });
    } else {
      cart.begin(command);
      this.#lease.take(holderOf(origin));
    }
    this.#ledger.add(command);
    this.#authorities.add(command);
    this.#ownCommand.emit(command);
    return command;
  }

  /** Stops a jog, if it still runs, before this returns; without a reason its driver let go, and it finishes well. */
  endJog(command: Command, reason?: Reason): void {
    this.#deps.cart.endJog(command, reason);
  }

  /** Whoever held control has handed over, or is gone: the next one need not wait for his silence to grow long enough. */
  releaseControl(origin: Origin): void {
    this.#lease.release(holderOf(origin));
  }

  /** Why the own cart may not move now; undefined when it may. */
  get refusal(): Refusal | undefined {
    return this.#deps.cart.refusal();
  }

  /** Takes up the commands of earlier processes, oldest first: none of them is resumed or carried out again. */
  recall(records: readonly unknown[]): void {
    for (const record of records) {
      const command = recalled(record, this.#deps.clock);
      if (!command) continue;
      this.#ledger.add(command);
      if (command.end('FAILED', LOST)) this.#command.emit(command);
    }
  }

  find(commandId: string): Command | undefined {
    return this.#ledger.find(commandId);
  }

  /** The newest commands, newest first. */
  newest(count: number): Command[] {
    return this.#ledger.newest(count);
  }

  protect(command: Command, reason: Reason): void {
    this.#deps.cart.protect(command, reason);
  }

  stopOwn(kind: StopKind, origin: Origin): void {
    this.#deps.cart.stop(kind, origin.principal);
  }

  latchSaved(): Promise<void> {
    return this.#deps.cart.latchSaved();
  }

  stopConfirmed(): Promise<void> {
    return this.#deps.cart.stopConfirmed();
  }

  get emergencyStops(): number {
    return this.#deps.cart.emergencyStops;
  }

  resetOwn(origin: Origin): Promise<void> {
    return this.#deps.cart.reset(origin.principal, false);
  }

  /**
   * Stops one cart, or with `null` every cart: the own one first, before anything that can wait or fail. Resolves within
   * about a second with what the carts have confirmed, when the latch is on disk. Rejects CART_UNKNOWN and WRITE_FAILED.
   */
  async stop(cartId: number | null, kind: StopKind, origin: Origin): Promise<StoppedCart[]> {
    const { cart, remote, clock } = this.#deps;
    const isOwn = cartId === null || cartId === cart.cartId;
    if (!isOwn && !remote?.has(cartId)) throw unknownCart(cartId);
    if (isOwn) this.stopOwn(kind, origin);
    const own = isOwn ? [ownStopped(cart, clock)] : [];
    const others = cartId === null || !isOwn ? remote?.stop(cartId, kind, origin) : undefined;
    if (isOwn) await this.latchSaved();
    return [...(await Promise.all(own)), ...((await others) ?? [])];
  }

  /**
   * Ends the latch of one cart and answers what its latch says then. `seen`: `stoppedAt` of the stop that whoever resets was
   * shown; a newer one is not ended (RESET_REFUSED).
   */
  async reset(cartId: number, origin: Origin, seen?: string, authority?: Authority): Promise<EmergencyStop> {
    const { cart, remote } = this.#deps;
    checkAuthority(authority);
    const { stoppedAt } = this.cartView(cartId).safety;
    if (seen !== undefined && stoppedAt !== undefined && seen !== stoppedAt) {
      throw new GatewayError('RESET_REFUSED', 'the emergency stop was pressed again', {
        field: 'stoppedAt',
        hint: 'See who stopped the cart, and reset it then.',
      });
    }
    if (cartId !== cart.cartId) {
      if (!remote?.has(cartId)) throw unknownCart(cartId);
      // Also when the cart cannot be reached: this is how an operator gives a stop up.
      remote.giveUpStop(cartId);
      return remote.reset(cartId, origin);
    }
    await this.resetOwn(origin);
    return cart.view().safety.emergencyStop;
  }

  ownCart(): CartView {
    const { holder } = this.#lease;
    const view = this.#deps.cart.view();
    return holder ? { ...view, controlledBy: holder } : view;
  }

  /** Every cart: the own one first, then the others by number. */
  carts(): CartView[] {
    return [this.ownCart(), ...(this.#deps.remote?.carts() ?? [])];
  }

  /** The carts that every page shows: the own one and the first others. A fleet of a thousand has a page of its own. */
  near(): CartView[] {
    return [this.ownCart(), ...(this.#deps.remote?.carts(MAX_NEAR) ?? [])];
  }

  /** One cart. Throws CART_UNKNOWN. */
  cartView(cartId: number): CartView {
    const { cart, remote } = this.#deps;
    const view = cartId === cart.cartId ? this.ownCart() : remote?.cart(cartId);
    if (!view) throw unknownCart(cartId);
    return view;
  }

  #revoke(command: Command): void {
    const { cart, remote, log } = this.#deps;
    log.warn('command.revoked', { commandId: command.id, cartID: command.order.cartId });
    if (command.destination === 'serial') cart.cancel(command, REVOKED);
    else remote?.cancel(command, REVOKED);
  }

  #sendAway(order: Order, origin: Origin, authority?: Authority): Command {
    const known = this.#ledger.repeated(order);
    if (known) return known;
    const { remote, rules } = this.#deps;
    checkLimits(order, rules());
    if (!remote?.has(order.cartId)) throw unknownCart(order.cartId);
    if (order.kind !== 'stop') {
      checkAuthority(authority);
      this.#rate.take(order.cartId);
    }
    const command = remote.send(order, origin, authority);
    this.#ledger.add(command);
    this.#authorities.add(command);
    this.#command.emit(command);
    return command;
  }
}

/** Control is held by a page or program of this gateway as one, or by another gateway. */
function holderOf({ source, gatewayId, principal }: Origin): string {
  return source === 'mqtt' ? `gateway ${gatewayId}` : principal;
}

/** The door was passed before the body was read, which can take half a minute. */
function checkAuthority(authority: Authority | undefined): void {
  if (!isGood(authority)) throw new GatewayError(REVOKED.code, REVOKED.text);
}

function unknownCart(cartId: number): GatewayError {
  return new GatewayError('CART_UNKNOWN', `there is no cart ${cartId}`, {
    field: 'cartID',
    hint: 'Add it to the list of carts in the settings.',
  });
}
