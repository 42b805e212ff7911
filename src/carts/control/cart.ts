import { type Actor, actorText, conditionActor } from '../../shared/actor.js';
import type { Text } from '../../shared/messages/message.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { CartLocation } from '../../shared/ports/navigation/plan-pose.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import { Signal } from '../../shared/signal.js';
import type { Command } from '../command/command.js';
import type { CartPose, CartSitePlan, CartView, Order, Origin, Reason } from '../command/model.js';
import { cartMessage } from '../messages.js';
import { ProtectiveField } from '../protective-field/protective-field.js';
import type { ProtectiveFieldSettings } from '../protective-field/settings-schema.js';
import { type InterlockSettings, Interlocks } from '../safety/interlocks.js';
import type { LatchStore } from '../safety/latch-store.js';
import { MotorArming } from '../safety/motor-arming.js';
import { type Refusal, refusalError } from '../safety/refusals.js';
import { isRolling } from '../safety/runaway-detector.js';
import { StopAck } from '../safety/stop-ack.js';
import type { ControllerLink } from '../serial/link.js';
import type { KinematicsSettings, SerialSettings } from '../serial/settings-schema.js';
import { cartView } from './cart-view.js';
import { CommandExecutor } from './command-executor.js';
import type { MotionGate, StopKind } from './contracts.js';
import { ControlLoop } from './control-loop.js';
import { ControllerSession } from './controller-session.js';
import { AT_CONTROLLER, EstopControl, type SafetyEvent } from './estop-control.js';
import { GatedMotions } from './gated-motions.js';
import { LiveLimits } from './live-limits.js';

const STANDSTILL_POLL_MS = 50;
const STANDSTILL_MS = 2000;

export interface CartSettings extends InterlockSettings {
  serial: SerialSettings;
  kinematics: KinematicsSettings;
  protectiveField: ProtectiveFieldSettings;
}

interface CartDeps {
  cartId: number;
  name: () => string;
  link: ControllerLink;
  pins: SafetyPins;
  latchStore: LatchStore;
  settings: () => CartSettings;
  settingsInvalidReason: () => Text;
  /** Why an update of the controller's firmware blocks motion; empty if it does not. */
  firmwareBlock: () => Text;
  /** The reason why an update of the gateway's software blocks motion; empty if it does not. */
  softwareBlock: () => Text;
  stopOnly?: boolean;
  /** Why motion is forbidden; undefined unless another gateway uses this cart's number. */
  duplicate?: () => Refusal | undefined;
  latchUnsavableReason: () => Text;
  brokerDown: () => boolean;
  location?: () => CartLocation | undefined;
  sitePlan?: () => CartSitePlan | undefined;
  gate?: MotionGate;
  clock: Clock;
  log: Log;
}

/**
 * This gateway's cart, with everything that can move or stop it. Each of its methods involves several parts of the
 * cart; a caller that needs only one part uses that part directly.
 */
export class Cart {
  readonly cartId: number;
  readonly link: ControllerLink;
  readonly interlocks: Interlocks;
  readonly arming: MotorArming;
  readonly field: ProtectiveField;
  readonly executor: CommandExecutor;
  readonly estop: EstopControl;
  readonly stopAck = new StopAck();
  readonly loop: ControlLoop;
  readonly #deps: CartDeps;
  readonly #session: ControllerSession;
  readonly #gated: GatedMotions;
  readonly #limitSpeed: () => void;
  #closing = false;
  #closingSinceMs = 0;
  #change = new Signal();
  #safety = new Signal<[SafetyEvent]>();
  #stops = new Signal();

  constructor(deps: CartDeps) {
    const { cartId, link, settings, clock, log } = deps;
    this.#deps = deps;
    this.cartId = cartId;
    this.link = link;
    const changed = () => this.#change.emit();
    const protect = (reason: Reason) => this.#protect(reason);
    const interlocks = new Interlocks(deps);
    const arming = new MotorArming({ interlocks, link, clock });
    const field = new ProtectiveField({
      link,
      settings,
      order: () => this.executor.command?.order,
      telemetry: () => interlocks.telemetry,
      clock,
    });
    const limits = new LiveLimits({
      link,
      maxSpeedMmps: () => this.executor.limits.maxSpeedMmps,
      notSlowed: (reason) => {
        if (this.executor.moving) protect(reason);
      },
      clock,
    });
    const gated = new GatedMotions({
      gate: deps.gate,
      link,
      telemetry: () => interlocks.telemetry,
      kinematics: () => settings().kinematics,
      executor: () => this.executor,
      protect,
      clock,
    });
    const limitSpeed = (phase?: 'start') => limits.apply(field.speedShare(phase), gated.limits);
    this.#gated = gated;
    this.#limitSpeed = limitSpeed;
    const executor = new CommandExecutor({
      link,
      arming,
      field,
      speedLimits: () => limits.limits,
      limits: () => settings().limits,
      refusal: () => this.refusal(),
      gated,
      limitSpeed,
      estopped: () => this.estop.latch('MANUAL', AT_CONTROLLER),
      clock,
    });
    const { stopAck } = this;
    const estop = new EstopControl({
      cartId,
      interlocks,
      link,
      pins: deps.pins,
      stopAck,
      executor,
      changed,
      record: (event) => this.#safety.emit(event),
      log,
    });
    interlocks.onAsserted((cause) => estop.latch('MANUAL', conditionActor('input', cause)));
    this.interlocks = interlocks;
    this.arming = arming;
    this.field = field;
    this.executor = executor;
    this.estop = estop;
    const parts = { interlocks, arming, field, gated, limitSpeed, executor, estop, stopAck };
    const disarmIfStanding = () => this.#disarmIfStanding();
    this.#session = new ControllerSession({ ...deps, ...parts, protect, changed, disarmIfStanding });
    this.loop = new ControlLoop({ ...deps, ...parts, protect });
  }

  /** Emitted when `view()` may have changed, except for changes caused only by the passage of time. */
  readonly onChange = this.#change.on.bind(this.#change);
  /** Emitted on every new latched stop, reset and protective stop. */
  readonly onSafety = this.#safety.on.bind(this.#safety);

  /** Emitted after every stop by a person, a program or another gateway, even if the cart is stationary. */
  readonly onStop = this.#stops.on.bind(this.#stops);

  async start(): Promise<void> {
    await this.interlocks.start();
    this.loop.start();
    this.link.start();
  }

  /** True from sending a motion until the cart is known to be stationary, and during uncommanded motion. */
  get busy(): boolean {
    return this.executor.busy || isRolling(this.interlocks.telemetry);
  }

  refusal(): Refusal | undefined {
    if (this.#closing) return { code: 'STOPPING', text: cartMessage('shutting-down') };
    const refusal = this.interlocks.refusal();
    if (refusal) return refusal;
    const { link } = this;
    if (link.ready) return undefined;
    const { state, reason } = link.view();
    const text = cartMessage('not-ready', { reason });
    return { code: state === 'INCOMPATIBLE' ? 'INCOMPATIBLE' : 'SERIAL_DOWN', text };
  }

  /**
   * Throws an error if the cart must not move: STOPPED if the actor is still holding the controls of a stopped jog, or
   * the code of a refusal.
   */
  checkReady({ kind }: Order, origin: Origin): void {
    if (kind === 'jog') this.executor.checkReleased(origin.actor);
    const refusal = this.refusal();
    if (refusal) throw refusalError(refusal);
  }

  /** Throws a code of the motion gate or OBSTACLE if the way is blocked. Can take some milliseconds. */
  checkWay(order: Order, origin: Origin): void {
    // A queued command is checked when it starts: from another position, and after obstacles may have moved away.
    if (order.onBusy === 'queue') return;
    this.#gated.checkAccepted(order, origin);
    this.field.check(order);
  }

  /** Callers must call `checkReady` and `checkWay` first. Throws BUSY or QUEUE_FULL without sending anything. */
  execute(command: Command): void {
    command.onTransition(() => this.#change.emit());
    this.executor.execute(command);
  }

  /** Returns undefined if the actor has no running jog. Throws if motion is forbidden. */
  renewJog(origin: Origin, order: Order): Command | undefined {
    const command = this.executor.jogOf(origin.actor);
    if (!command) return undefined;
    const refusal = this.refusal();
    if (refusal) throw refusalError(refusal);
    this.field.check(order);
    this.#gated.renew(order, origin);
    this.#limitSpeed();
    this.executor.renewJog(order);
    return command;
  }

  protect(command: Command, reason: Reason): void {
    if (this.executor.command === command) this.#protect(reason);
    else this.executor.cancel(command, reason);
  }

  /** @param pressId identifies the press of a latching stop if a person or a program sent the stop. */
  stop(kind: StopKind, by: Actor, pressId?: string): void {
    this.#stop(kind, by, pressId);
    this.#stops.emit();
  }

  /** Undefined if the driver has no feedback, because an estimated pose would look like a measurement. */
  get pose(): CartPose | undefined {
    return this.link.driver?.traits.feedback === false ? undefined : this.#session.pose;
  }

  /**
   * The pose according to the wheels' travel, and when it was measured. Undefined without a session, because the
   * controller may then restart its counts. During a pause in the reports, the counts continue.
   */
  get odometer(): { pose: CartPose; atMs: number } | undefined {
    const { driver, lastReportMs } = this.link;
    return driver && this.pose && { pose: this.pose, atMs: lastReportMs };
  }

  view(): CartView {
    return cartView({
      cartId: this.cartId,
      name: this.#deps.name(),
      link: this.link,
      nowMs: this.#deps.clock.now(),
      interlocks: this.interlocks,
      refusal: this.refusal(),
      moving: this.busy,
      loopFault: this.loop.fault,
      warnings: this.#deps.gate?.warnings() ?? [],
      pose: this.pose,
      location: this.#deps.location?.(),
      field: this.field.view(),
      sitePlan: this.#deps.sitePlan?.(),
      commandId: this.executor.lastCommandId,
      stopPending: this.stopAck.unconfirmed,
    });
  }

  /** Forbids new motion and ramps down any running motion; does not wait until the cart is stationary. */
  shutDown(): void {
    this.#closing = true;
    this.#closingSinceMs = this.#deps.clock.now();
    if (this.executor.busy || this.arming.on) {
      this.stop('halt', conditionActor('schedule', cartMessage('shutdown')));
    }
  }

  /** Stops the cart (category 1), waits up to 2 s until it is stationary, then closes the serial line. */
  async close(): Promise<void> {
    const { clock } = this.#deps;
    if (!this.#closing) this.shutDown();
    await new Promise<void>((resolve) => {
      const check = clock.every(STANDSTILL_POLL_MS, () => {
        if (this.executor.busy && clock.now() - this.#closingSinceMs < STANDSTILL_MS) return;
        check();
        resolve();
      });
    });
    this.arming.disarm();
    this.loop.stop();
    this.interlocks.close();
    await this.link.close();
    await this.interlocks.saved().catch(() => undefined);
  }

  #stop(kind: StopKind, actor: Actor, pressId?: string): void {
    if (kind === 'estop') return this.estop.latch('REMOTE', actor, pressId);
    const by = actorText(actor);
    const reason: Reason = { code: 'STOPPED', text: cartMessage('stopped-by', { by }) };
    this.#deps.log.info('cart.stopped', { cartID: this.cartId, kind, by });
    const sent = this.executor.stop(kind === 'stop' ? 2 : 1, reason);
    this.stopAck.follow(kind, sent, this.estop.unreachable);
    if (kind === 'stop') return;
    this.arming.disarmAtRest();
    this.#disarmIfStanding();
  }

  /** Stops the cart without latching: the next command can start when `reason` no longer applies. */
  #protect(reason: Reason): void {
    this.#deps.log.warn('cart.protectively_stopped', { cartID: this.cartId, ...reason });
    this.executor.stop(2, reason, 'FAILED');
    const by = conditionActor('input', reason.text);
    this.#safety.emit({ cartID: this.cartId, kind: 'protective_stop', by });
  }

  #disarmIfStanding(): void {
    if (!this.busy) this.arming.onStandstill();
  }
}
