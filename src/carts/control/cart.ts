import { messageOf } from '../../shared/errors.js';
import { type Text, textOf } from '../../shared/messages/message.js';
import type { Durations } from '../../shared/metric.js';
import type { Cancel, Clock, Log, SafetyPins } from '../../shared/ports/ports.js';
import { Signal } from '../../shared/signal.js';
import type { Command } from '../command/command.js';
import type { CartView, Order, Reason, Telemetry } from '../command/model.js';
import { type InterlockSettings, Interlocks } from '../safety/interlocks.js';
import type { LatchStore } from '../safety/latch-store.js';
import { LoopLagMonitor } from '../safety/loop-lag-monitor.js';
import { Arming } from '../safety/motor-enable.js';
import { isRolling, RollWatch } from '../safety/runaway-detector.js';
import { type Refusal, refusalError } from '../safety/safety.js';
import { StopAck } from '../safety/stop-ack.js';
import type { MotorDriver } from '../serial/driver.js';
import type { ControllerLink } from '../serial/link.js';
import type { KinematicsSettings, SerialSettings } from '../serial/settings-schema.js';
import { cartView } from './cart-view.js';
import { CommandExecutor } from './command-executor.js';
import type { StopKind } from './contracts.js';
import { EstopControl, type SafetyEvent } from './estop-control.js';
import { Odometry } from './odometry.js';
import { type LedPattern, ledLevel } from './status-led.js';

/** The control loop: heartbeats, deadlines and the watch over itself. */
const TICK_MS = 50;
/** A cart that is shut down is waited for this long. */
const STANDSTILL_MS = 2000;

export interface CartSettings extends InterlockSettings {
  serial: SerialSettings;
  kinematics: KinematicsSettings;
}

interface CartDeps {
  cartId: number;
  name: () => string;
  link: ControllerLink;
  pins: SafetyPins;
  latchStore: LatchStore;
  settings: () => CartSettings;
  /** Why the settings forbid motion; empty when they do not. */
  settingsInvalidReason: () => Text;
  /** The gateway is in stop-only mode: nothing moves. */
  stopOnly?: boolean;
  /** Why an emergency stop would be forgotten at the next start; empty when it is remembered. */
  latchUnsavableReason: () => Text;
  /** For the status LED. */
  brokerDown: () => boolean;
  clock: Clock;
  log: Log;
}

/** The cart that this gateway rides on: its link, its one motion, and everything that may stop it. */
export class Cart {
  readonly cartId: number;
  #deps: CartDeps;
  #interlocks: Interlocks;
  #arming: Arming;
  #executor: CommandExecutor;
  #estop: EstopControl;
  #odometry: Odometry;
  #closing = false;
  #closingSinceMs = 0;
  #rolling = new RollWatch();
  #stopAck = new StopAck();
  #loop: Cancel = () => undefined;
  #lag = new LoopLagMonitor(TICK_MS);
  #change = new Signal();
  #safety = new Signal<[SafetyEvent]>();
  #turn = new Signal();

  constructor(deps: CartDeps) {
    this.#deps = deps;
    this.cartId = deps.cartId;
    this.#interlocks = new Interlocks({
      ...deps,
      driver: () => deps.link.driver,
      realController: () => deps.link.ready && !deps.link.simulated,
    });
    this.#arming = new Arming({
      power: this.#interlocks.power,
      driver: () => deps.link.driver,
      latched: () => this.#interlocks.latched,
      broken: (error) => this.#lineBroke(error),
      clock: deps.clock,
    });
    this.#odometry = new Odometry(() => deps.settings().kinematics.trackMm);
    this.#executor = new CommandExecutor({
      clock: deps.clock,
      driver: () => deps.link.driver,
      limits: () => deps.settings().limits,
      arm: () => this.#arming.arm(),
      refusal: () => this.refusal(),
      runaway: ({ text }) => deps.link.end({ code: 'NOT_STOPPED', text: textOf(text) }),
      broken: (error) => this.#lineBroke(error),
    });
    this.#estop = new EstopControl({
      ...{ cartId: deps.cartId, interlocks: this.#interlocks, link: deps.link, pins: deps.pins },
      ...{ stopAck: this.#stopAck, log: deps.log },
      drop: (reason) => this.#executor.drop(reason),
      broken: (error) => this.#lineBroke(error),
      changed: () => this.#change.emit(),
      record: (event) => this.#safety.emit(event),
    });
    this.#interlocks.onAsserted((cause) => this.#estop.latch('MANUAL', cause));
    deps.link.onReady((driver) => this.#onReady(driver));
    deps.link.onLost((reason) => this.#onLost(reason));
    deps.link.onChange(() => this.#change.emit());
  }

  /** Something that `view()` shows may have changed; some of it changes with time alone, and without a call. */
  readonly onChange = this.#change.on.bind(this.#change);
  /** For the record: what stopped the cart, and who allowed it to move again. */
  readonly onSafety = this.#safety.on.bind(this.#safety);

  /** A turn of the control loop has ended, 20 times a second. */
  readonly onTurn = this.#turn.on.bind(this.#turn);

  /** Why the control loop cannot be trusted now; empty when it can. */
  get loopFault(): string {
    return this.#lag.fault;
  }

  async start(): Promise<void> {
    await this.#interlocks.start();
    this.#lag.begin(this.#deps.clock.now());
    this.#loop = this.#deps.clock.every(TICK_MS, () => this.#tick());
    this.#deps.link.start();
  }

  /** From the moment a motion is sent until the cart is known to stand, whoever or whatever made it move. */
  get busy(): boolean {
    return this.#executor.busy || isRolling(this.#interlocks.telemetry);
  }

  /** The pauses between heartbeats to the controller. */
  get beatGaps(): Durations {
    return this.#arming.beatGaps;
  }

  /** Why no motion may start now, worst reason first; undefined when it may. */
  refusal(): Refusal | undefined {
    if (this.#closing) return { code: 'STOPPING', text: 'the gateway is shutting down' };
    const refusal = this.#interlocks.refusal();
    if (refusal) return refusal;
    const { link } = this.#deps;
    if (link.ready) return undefined;
    const { state, reason } = link.view();
    const text = `the motor controller is not ready: ${reason}`;
    return { code: state === 'INCOMPATIBLE' ? 'INCOMPATIBLE' : 'SERIAL_DOWN', text };
  }

  /** Whether the controller is a simulation. */
  get simulated(): boolean {
    return this.#deps.link.simulated;
  }

  /** Why the controller cannot be reached; undefined when it can. */
  get unreachable(): Text | undefined {
    const { link } = this.#deps;
    return link.driver ? undefined : link.view().reason;
  }

  /** Starts or queues a command that `refusal()` does not forbid. Throws BUSY or QUEUE_FULL, with nothing sent. */
  begin(command: Command): void {
    command.onTransition(() => this.#change.emit());
    this.#executor.take(command);
  }

  /** Throws STOPPED while the driver's controls are still held behind a stop. */
  checkJog(principal: string): void {
    this.#executor.checkJog(principal);
  }

  /** The jog of `principal` that runs, renewed with a new speed; undefined when none runs. Throws `refusal()`. */
  renewJog(principal: string, order: Order): Command | undefined {
    const command = this.#executor.jogOf(principal);
    if (!command) return undefined;
    const refusal = this.refusal();
    if (refusal) throw refusalError(refusal);
    this.#executor.renewJog(order);
    return command;
  }

  /** Stops a running jog; without a reason its driver let go, and it finishes when the cart stands. */
  endJog(command: Command, reason?: Reason): void {
    this.#executor.endJog(command, reason);
  }

  /** Ends this command, running or waiting, and what waits behind it; another one is left alone. */
  cancel(command: Command, reason: Reason): void {
    this.#executor.cancel(command, reason);
  }

  /** A protective stop if this command runs; if it waits, it ends without one. */
  protect(command: Command, reason: Reason): void {
    if (this.#executor.command === command) this.#protect(reason);
    else this.#executor.cancel(command, reason);
  }

  /** Stops at once: the frame is on its way to the line when this returns. */
  stop(kind: StopKind, by: string): void {
    if (kind === 'estop') return this.#estop.latch('REMOTE', by);
    const reason = { code: 'STOPPED', text: `stopped by ${by}` };
    this.#deps.log.info('cart.stopped', { cartID: this.cartId, kind, by });
    const sent = this.#executor.stop(kind === 'stop' ? 2 : 1, reason);
    this.#stopAck.follow(kind, sent, this.#estop.unreachable);
    if (kind === 'stop') return;
    this.#arming.disarmAtRest();
    this.#disarmIfStanding();
  }

  /** Resolves when the controller has acknowledged the last stop; rejects with the reason when it did not. */
  stopConfirmed(): Promise<void> {
    return this.#stopAck.confirmed();
  }

  /** Resolves when the latch is on disk: only then may an emergency stop be acknowledged. */
  latchSaved(): Promise<void> {
    return this.#interlocks.saved();
  }

  /** Counts every emergency stop since the start, also those that found the cart latched. */
  get emergencyStops(): number {
    return this.#interlocks.emergencyStops;
  }

  /** Ends the latch. Rejects RESET_REFUSED or RESET_FORBIDDEN with what is missing. */
  reset(by: string, local: boolean): Promise<void> {
    return this.#estop.reset(by, local);
  }

  view(): CartView {
    return cartView({
      ...{
        cartId: this.cartId,
        name: this.#deps.name(),
        link: this.#deps.link,
        nowMs: this.#deps.clock.now(),
      },
      ...{
        interlocks: this.#interlocks,
        refusal: this.refusal(),
        moving: this.busy,
        loopFault: this.#lag.fault,
      },
      ...{
        pose: this.#odometry.pose,
        commandId: this.#executor.lastCommandId,
        stopPending: this.#stopAck.unconfirmed,
      },
    });
  }

  /** From now on nothing moves any more, and what moves is ramped down; returns at once. */
  shutDown(): void {
    this.#closing = true;
    this.#closingSinceMs = this.#deps.clock.now();
    if (this.#executor.busy || this.#arming.on) this.stop('halt', 'the gateway, which is shutting down');
  }

  /** Stops the cart (category 1), waits until it stands (2 s at most), then lets go of the line. */
  async close(): Promise<void> {
    const { clock, link } = this.#deps;
    if (!this.#closing) this.shutDown();
    await new Promise<void>((resolve) => {
      const check = clock.every(TICK_MS, () => {
        if (this.#executor.busy && clock.now() - this.#closingSinceMs < STANDSTILL_MS) return;
        check();
        resolve();
      });
    });
    this.#arming.disarm();
    this.#loop();
    this.#interlocks.close();
    await link.close();
    await this.#interlocks.saved().catch(() => undefined);
  }

  #onReady(driver: MotorDriver): void {
    this.#odometry.forget();
    this.#executor.connected(driver);
    driver.onTelemetry((telemetry) => this.#onTelemetry(telemetry));
    driver.onMotion((report) => this.#executor.onReport(report));
    // A latch that is older than this session: the controller must know before anything else.
    if (this.#interlocks.latched) this.#stopAck.follow('estop', driver.estop(1), '');
    else this.#stopAck.clear();
    this.#arming.beat();
    this.#change.emit();
  }

  #onLost(reason: Reason): void {
    this.#arming.disarm();
    this.#interlocks.telemetry = undefined;
    this.#executor.lost({ code: reason.code, text: reason.text });
    this.#change.emit();
  }

  #onTelemetry(telemetry: Telemetry): void {
    const before = this.#interlocks.telemetry;
    this.#interlocks.telemetry = telemetry;
    if (before?.state === 'ESTOP' && telemetry.state !== 'ESTOP') this.#estop.onControllerReset();
    this.#odometry.add(telemetry);
    if (telemetry.state === 'ESTOP' && !this.#interlocks.latched) {
      this.#estop.latch('MANUAL', 'the emergency stop at the controller');
    }
    this.#executor.onTelemetry(telemetry);
    this.#disarmIfStanding();
    this.#watchRolling(telemetry);
    const { level, reasons } = this.#interlocks.watch();
    // Once: a controller answers a stop with a status, and that would be answered with a stop.
    if (level === 'stop' && this.#executor.moving)
      this.#protect({ code: 'PROTECTIVE_STOP', text: reasons.join('; ') });
    this.#change.emit();
  }

  /** Wheels that turn without a command are told to stop, and then left to the controller's own deadman. */
  #watchRolling(telemetry: Telemetry): void {
    const { clock, link, settings } = this.#deps;
    if (!this.#rolling.watch(clock.now(), telemetry, this.#executor.busy, settings().limits)) return;
    link.end({ code: 'NOT_STOPPED', text: 'the wheels turn although nothing was commanded' });
  }

  #tick(): void {
    const { clock, link, pins, settings } = this.#deps;
    const now = clock.now();
    if (this.#lag.tick(now)) this.#onLag();
    link.tick(this.#executor.busy);
    this.#executor.tick();
    this.#interlocks.tick();
    // A tick that comes a little early must not put the heartbeat off by a whole tick.
    if (this.#arming.beatAgeMs >= settings().serial.heartbeatMs - TICK_MS / 4) this.#arming.beat();
    pins.writeLed(ledLevel(this.#ledPattern, now));
    this.#turn.emit();
  }

  #onLag(): void {
    const text = this.#lag.fault;
    this.#deps.log.error('loop.lagged', { cartID: this.cartId, text });
    if (this.#executor.moving) this.#protect({ code: 'LOOP_LAG', text });
  }

  /** A stop that is not latched: the cause ends the command, and the next one may start when the cause is gone. */
  #protect(reason: Reason): void {
    this.#deps.log.warn('cart.protective_stop', { cartID: this.cartId, ...reason });
    this.#executor.stop(2, reason, 'FAILED');
    this.#safety.emit({ cartID: this.cartId, kind: 'protective_stop', by: textOf(reason.text) });
  }

  #disarmIfStanding(): void {
    if (!this.busy) this.#arming.stands();
  }

  /** A line that refuses a byte is a lost line. */
  #lineBroke(error: unknown): void {
    this.#deps.link.end({ code: 'SERIAL_LOST', text: messageOf(error) });
  }

  get #ledPattern(): LedPattern {
    if (this.#interlocks.latched) return 'estop';
    if (!this.#deps.link.driver) return 'serial-down';
    if (this.#executor.busy) return 'moving';
    return this.#deps.brokerDown() ? 'broker-down' : 'ready';
  }
}
