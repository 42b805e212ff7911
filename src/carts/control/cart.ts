import { type Actor, actorText, conditionActor } from '../../shared/actor.js';
import type { Text } from '../../shared/messages/message.js';
import type { Durations } from '../../shared/metric.js';
import type { Cancel } from '../../shared/ports/clock.js';
import { Signal } from '../../shared/signal.js';
import type { Command } from '../command/command.js';
import type { CartPose, CartView, Order, Reason } from '../command/model.js';
import { cartMessage } from '../messages.js';
import { isRolling } from '../safety/runaway-detector.js';
import { type Refusal, refusalError } from '../safety/safety.js';
import { buildParts, type CartDeps, type CartParts } from './cart-parts.js';
import { cartView } from './cart-view.js';
import type { StopKind } from './contracts.js';
import { ControlLoop } from './control-loop.js';
import { ControllerSession } from './controller-session.js';
import type { SafetyEvent } from './estop-control.js';

const STANDSTILL_POLL_MS = 50;
const STANDSTILL_MS = 2000;

/** This gateway's cart, with everything that can move or stop it. */
export class Cart {
  readonly cartId: number;
  readonly #deps: CartDeps;
  readonly #parts: CartParts;
  readonly #session: ControllerSession;
  readonly #loop: ControlLoop;
  #closing = false;
  #closingSinceMs = 0;
  #change = new Signal();
  #safety = new Signal<[SafetyEvent]>();
  #stops = new Signal();

  constructor(deps: CartDeps) {
    this.#deps = deps;
    this.cartId = deps.cartId;
    const changed = () => this.#change.emit();
    const protect = (reason: Reason) => this.#protect(reason);
    this.#parts = buildParts(deps, {
      refusal: () => this.refusal(),
      changed,
      record: (event) => this.#safety.emit(event),
      protect,
    });
    this.#parts.interlocks.onAsserted((cause) =>
      this.#parts.estop.latch('MANUAL', conditionActor('input', cause)),
    );
    const disarmIfStanding = () => this.#disarmIfStanding();
    this.#session = new ControllerSession({ ...deps, ...this.#parts, protect, changed, disarmIfStanding });
    this.#loop = new ControlLoop({ ...deps, ...this.#parts, protect });
  }

  /** Emitted when `view()` may have changed, except for changes caused only by the passage of time. */
  readonly onChange = this.#change.on.bind(this.#change);
  /** Emitted on every new E-stop latch, reset and protective stop. */
  readonly onSafety = this.#safety.on.bind(this.#safety);

  /** Emitted after every stop by a person, a program or another gateway, even if the cart is stationary. */
  readonly onStop = this.#stops.on.bind(this.#stops);

  /** Called after every iteration of the control loop, 20 times a second. */
  onTurn(listener: () => void): Cancel {
    return this.#loop.onTurn(listener);
  }

  get loopFault(): Text {
    return this.#loop.fault;
  }

  async start(): Promise<void> {
    await this.#parts.interlocks.start();
    this.#loop.start();
    this.#deps.link.start();
  }

  /** True from sending a motion until the cart is known to be stationary, and during uncommanded motion. */
  get busy(): boolean {
    return this.#parts.executor.busy || isRolling(this.#parts.interlocks.telemetry);
  }

  get motorsOn(): boolean {
    return this.#parts.arming.on;
  }

  get heartbeatGaps(): Durations {
    return this.#parts.arming.heartbeatGaps;
  }

  refusal(): Refusal | undefined {
    if (this.#closing) return { code: 'STOPPING', text: cartMessage('shutting-down') };
    const refusal = this.#parts.interlocks.refusal();
    if (refusal) return refusal;
    const { link } = this.#deps;
    if (link.ready) return undefined;
    const { state, reason } = link.view();
    const text = cartMessage('not-ready', { reason });
    return { code: state === 'INCOMPATIBLE' ? 'INCOMPATIBLE' : 'SERIAL_DOWN', text };
  }

  get simulated(): boolean {
    return this.#deps.link.simulated;
  }

  /** Throws OBSTACLE if the protective field blocks the motion. */
  checkField(order: Order): void {
    this.#parts.field.check(order);
  }

  /** Callers must check `refusal()` first. Throws BUSY or QUEUE_FULL without sending. */
  execute(command: Command): void {
    command.onTransition(() => this.#change.emit());
    this.#parts.executor.execute(command);
  }

  /** Throws STOPPED if the actor is still holding the controls of a stopped jog. */
  checkJog(actor: Actor): void {
    this.#parts.executor.checkJog(actor);
  }

  /** Returns undefined if the actor has no running jog. Throws if motion is forbidden. */
  renewJog(actor: Actor, order: Order): Command | undefined {
    const command = this.#parts.executor.jogOf(actor);
    if (!command) return undefined;
    const refusal = this.refusal();
    if (refusal) throw refusalError(refusal);
    this.#parts.field.check(order);
    this.#parts.executor.renewJog(order);
    return command;
  }

  /** If `reason` is omitted, the jog finishes when the cart is stationary. */
  endJog(command: Command, reason?: Reason): void {
    this.#parts.executor.endJog(command, reason);
  }

  /** Also ends the commands that are queued behind the command. */
  cancel(command: Command, reason: Reason): void {
    this.#parts.executor.cancel(command, reason);
  }

  /** Cancels the queued commands of everyone except `holder`; a running motion continues. */
  passControl(holder: Actor): void {
    this.#parts.executor.passControl(holder);
  }

  protect(command: Command, reason: Reason): void {
    if (this.#parts.executor.command === command) this.#protect(reason);
    else this.#parts.executor.cancel(command, reason);
  }

  /** @param pressId identifies the E-stop press if a person or a program triggered the E-stop. */
  stop(kind: StopKind, by: Actor, pressId?: string): void {
    this.#stop(kind, by, pressId);
    this.#stops.emit();
  }

  stopConfirmed(): Promise<void> {
    return this.#parts.stopAck.confirmed();
  }

  latchSaved(): Promise<void> {
    return this.#parts.interlocks.saved();
  }

  get emergencyStops(): number {
    return this.#parts.interlocks.emergencyStops;
  }

  reset(by: Actor, local: boolean): Promise<void> {
    return this.#parts.estop.reset(by, local);
  }

  /** Undefined if the driver has no feedback, because an estimated pose would look like a measurement. */
  get pose(): CartPose | undefined {
    return this.#deps.link.driver?.traits.feedback === false ? undefined : this.#session.pose;
  }

  view(): CartView {
    return cartView({
      cartId: this.cartId,
      name: this.#deps.name(),
      link: this.#deps.link,
      nowMs: this.#deps.clock.now(),
      interlocks: this.#parts.interlocks,
      refusal: this.refusal(),
      moving: this.busy,
      loopFault: this.#loop.fault,
      pose: this.pose,
      location: this.#deps.location?.(),
      field: this.#parts.field.view(),
      commandId: this.#parts.executor.lastCommandId,
      stopPending: this.#parts.stopAck.unconfirmed,
    });
  }

  /** Forbids new motion and ramps down any running motion; does not wait until the cart is stationary. */
  shutDown(): void {
    this.#closing = true;
    this.#closingSinceMs = this.#deps.clock.now();
    if (this.#parts.executor.busy || this.#parts.arming.on) {
      this.stop('halt', conditionActor('schedule', cartMessage('shutdown')));
    }
  }

  /** Stops the cart (category 1), waits up to 2 s until it is stationary, then closes the serial line. */
  async close(): Promise<void> {
    const { clock, link } = this.#deps;
    if (!this.#closing) this.shutDown();
    await new Promise<void>((resolve) => {
      const check = clock.every(STANDSTILL_POLL_MS, () => {
        if (this.#parts.executor.busy && clock.now() - this.#closingSinceMs < STANDSTILL_MS) return;
        check();
        resolve();
      });
    });
    this.#parts.arming.disarm();
    this.#loop.stop();
    this.#parts.interlocks.close();
    await link.close();
    await this.#parts.interlocks.saved().catch(() => undefined);
  }

  #stop(kind: StopKind, actor: Actor, pressId?: string): void {
    if (kind === 'estop') return this.#parts.estop.latch('REMOTE', actor, pressId);
    const by = actorText(actor);
    const reason: Reason = { code: 'STOPPED', text: cartMessage('stopped-by', { by }) };
    this.#deps.log.info('cart.stopped', { cartID: this.cartId, kind, by });
    const sent = this.#parts.executor.stop(kind === 'stop' ? 2 : 1, reason);
    this.#parts.stopAck.follow(kind, sent, this.#parts.estop.unreachable);
    if (kind === 'stop') return;
    this.#parts.arming.disarmAtRest();
    this.#disarmIfStanding();
  }

  /** Stops the cart without latching: the next command can start when `reason` no longer applies. */
  #protect(reason: Reason): void {
    this.#deps.log.warn('cart.protectively_stopped', { cartID: this.cartId, ...reason });
    this.#parts.executor.stop(2, reason, 'FAILED');
    const by = conditionActor('input', reason.text);
    this.#safety.emit({ cartID: this.cartId, kind: 'protective_stop', by });
  }

  #disarmIfStanding(): void {
    if (!this.busy) this.#parts.arming.onStandstill();
  }
}
