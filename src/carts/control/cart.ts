import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Durations } from '../../shared/metric.js';
import type { Cancel, Clock, Log, SafetyPins } from '../../shared/ports/ports.js';
import { Signal } from '../../shared/signal.js';
import type { Command } from '../command/command.js';
import type { CartFault, CartView, EmergencyStop, Order, Reason, Telemetry } from '../command/model.js';
import { Arming } from '../safety/arming.js';
import { type GuardSettings, Interlocks } from '../safety/interlocks.js';
import type { LatchStore } from '../safety/latch-store.js';
import { LoopLagMonitor } from '../safety/loop-lag-monitor.js';
import { isRolling, RollWatch } from '../safety/runaway-detector.js';
import { type Refusal, refusalError } from '../safety/safety.js';
import { StopAck } from '../safety/stop-ack.js';
import type { MotorDriver } from '../serial/driver.js';
import type { ControllerLink } from '../serial/link.js';
import type { KinematicsSettings, SerialSettings } from '../serial/settings-schema.js';
import { CommandExecutor } from './command-executor.js';
import type { StopKind } from './contracts.js';
import { Odometry } from './odometry.js';
import { type LedPattern, ledLevel } from './status-led.js';

/** The control loop: heartbeats, deadlines and the watch over itself. */
const TICK_MS = 50;
/** A cart that is shut down is waited for this long. */
const STANDSTILL_MS = 2000;

export interface CartSettings extends GuardSettings {
  serial: SerialSettings;
  kinematics: KinematicsSettings;
}

/** One entry of the safety record. */
interface SafetyEvent {
  cartID: number;
  kind: 'estop.latched' | 'estop.reset' | 'protective_stop';
  /** Who or what, in words. */
  by: string;
  latch?: EmergencyStop;
}

interface CartDeps {
  cartId: number;
  name: () => string;
  link: ControllerLink;
  pins: SafetyPins;
  latchStore: LatchStore;
  settings: () => CartSettings;
  /** Why the settings forbid motion; empty when they do not. */
  blocked: () => string;
  /** The gateway is in stop-only mode: nothing moves. */
  stopOnly?: boolean;
  /** Why an emergency stop would be forgotten at the next start; empty when it is remembered. */
  unkept: () => string;
  /** For the status LED. */
  brokerDown: () => boolean;
  clock: Clock;
  log: Log;
}

/** The cart that this gateway rides on: its link, its one motion, and everything that may stop it. */
export class Cart {
  readonly cartId: number;
  #deps: CartDeps;
  #guard: Interlocks;
  #arming: Arming;
  #motion: CommandExecutor;
  #odometry: Odometry;
  #telemetry: Telemetry | undefined;
  #lastCommandId: string | undefined;
  #resetting = false;
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
    this.#guard = new Interlocks({
      ...deps,
      driver: () => deps.link.driver,
      realController: () => deps.link.ready && !deps.link.simulated,
    });
    this.#arming = new Arming({
      power: this.#guard.power,
      driver: () => deps.link.driver,
      latched: () => this.#guard.latched,
      broken: (error) => this.#lineBroke(error),
      clock: deps.clock,
    });
    this.#odometry = new Odometry(() => deps.settings().kinematics.trackMm);
    this.#motion = new CommandExecutor({
      clock: deps.clock,
      driver: () => deps.link.driver,
      limits: () => deps.settings().limits,
      arm: () => this.#arming.arm(),
      refusal: () => this.refusal(),
      runaway: ({ text }) => deps.link.end({ code: 'NOT_STOPPED', text }),
      broken: (error) => this.#lineBroke(error),
    });
    this.#guard.onAsserted((cause) => this.#latchEstop('MANUAL', cause));
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
    await this.#guard.start();
    this.#lag.begin(this.#deps.clock.now());
    this.#loop = this.#deps.clock.every(TICK_MS, () => this.#tick());
    this.#deps.link.start();
  }

  /** From the moment a motion is sent until the cart is known to stand, whoever or whatever made it move. */
  get busy(): boolean {
    return this.#motion.busy || isRolling(this.#telemetry);
  }

  /** The pauses between heartbeats to the controller. */
  get beatGaps(): Durations {
    return this.#arming.beatGaps;
  }

  /** Why no motion may start now, worst reason first; undefined when it may. */
  refusal(): Refusal | undefined {
    if (this.#closing) return { code: 'STOPPING', text: 'the gateway is shutting down' };
    const refusal = this.#guard.refusal();
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
  get unreachable(): string | undefined {
    const { link } = this.#deps;
    return link.driver ? undefined : link.view().reason;
  }

  /** Starts or queues a command that `refusal()` does not forbid. Throws BUSY or QUEUE_FULL, with nothing sent. */
  begin(command: Command): void {
    this.#lastCommandId = command.id;
    command.onTransition(() => this.#change.emit());
    this.#motion.take(command);
  }

  /** Throws STOPPED while the driver's controls are still held behind a stop. */
  checkJog(principal: string): void {
    this.#motion.checkJog(principal);
  }

  /** The jog of `principal` that runs, renewed with a new speed; undefined when none runs. */
  renewJog(principal: string, order: Order): Command | undefined {
    const command = this.#motion.jogOf(principal);
    if (command && !this.refusal()) this.#motion.renewJog(order);
    return command;
  }

  /** Stops a running jog; without a reason its driver let go, and it finishes when the cart stands. */
  endJog(command: Command, reason?: Reason): void {
    this.#motion.endJog(command, reason);
  }

  /** Ends this command, running or waiting, and what waits behind it; another one is left alone. */
  cancel(command: Command, reason: Reason): void {
    this.#motion.cancel(command, reason);
  }

  /** A protective stop if this command runs; if it waits, it ends without one. */
  protect(command: Command, reason: Reason): void {
    if (this.#motion.command === command) this.#protect(reason);
    else this.#motion.cancel(command, reason);
  }

  /** Stops at once: the frame is on its way to the line when this returns. */
  stop(kind: StopKind, by: string): void {
    if (kind === 'estop') return this.#latchEstop('REMOTE', by);
    const reason = { code: 'STOPPED', text: `stopped by ${by}` };
    this.#deps.log.info('cart.stopped', { cartID: this.cartId, kind, by });
    const sent = this.#motion.stop(kind === 'stop' ? 2 : 1, reason);
    this.#stopAck.follow(kind, sent, this.#whyDown());
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
    return this.#guard.saved();
  }

  /** Counts every emergency stop since the start, also those that found the cart latched. */
  get emergencyStops(): number {
    return this.#guard.emergencyStops;
  }

  /**
   * Ends the latch, first in the controller, then here. `local`: by an act on the cart itself. Rejects
   * RESET_REFUSED or RESET_FORBIDDEN with what is missing. It only permits a restart: nothing moves, the motors stay off.
   */
  async reset(by: string, local: boolean): Promise<void> {
    const { link } = this.#deps;
    const refusal = this.#guard.resetRefusal(local);
    if (refusal) throw refusalError(refusal);
    const { emergencyStops } = this;
    if (!link.driver) {
      const text = `the motor controller cannot be asked: ${link.view().reason}`;
      throw new GatewayError('RESET_REFUSED', text, {
        hint: 'Reset when the controller is connected again.',
      });
    }
    // Always, and not only when the last status says so: that one may be older than our own stop frame.
    this.#resetting = true;
    await link.driver
      .resetEstop()
      .catch((error: unknown) => {
        const text = `the controller did not end its stop: ${messageOf(error)}`;
        throw new GatewayError('RESET_REFUSED', text, { cause: error, hint: 'Try again in a moment.' });
      })
      .finally(() => (this.#resetting = false));
    // Pressed again while the controller answered: that stop is a new one, and stays.
    if (this.emergencyStops !== emergencyStops) {
      throw new GatewayError('RESET_REFUSED', 'the emergency stop was pressed again');
    }
    const pressed = this.#guard.resetRefusal(local);
    if (pressed) throw refusalError(pressed);
    if (this.#telemetry?.state === 'ESTOP') this.#hear({ ...this.#telemetry, state: 'IDLE' });
    await this.#unlatch(by);
  }

  view(): CartView {
    const { link, name, clock } = this.#deps;
    return {
      cartID: this.cartId,
      name: name(),
      destination: 'serial',
      simulated: link.simulated,
      online: link.driver !== undefined,
      reason: link.view().reason,
      moving: this.busy,
      ageMs: link.heardAtMs > 0 ? Math.round(clock.now() - link.heardAtMs) : null,
      link: link.view(),
      safety: this.#guard.view(this.refusal()),
      ...(this.#telemetry ? { telemetry: this.#telemetry } : {}),
      // Without a sensor there is no place: one made of wishes would look like one that was measured.
      ...(link.driver?.traits.feedback === false ? {} : { pose: this.#odometry.pose }),
      ...(this.#lastCommandId ? { commandId: this.#lastCommandId } : {}),
      ...(this.#stopAck.unconfirmed ? { stopPending: this.#stopAck.unconfirmed } : {}),
      faults: this.#faults(),
    };
  }

  /** From now on nothing moves any more, and what moves is ramped down; returns at once. */
  shutDown(): void {
    this.#closing = true;
    this.#closingSinceMs = this.#deps.clock.now();
    if (this.#motion.busy || this.#arming.on) this.stop('halt', 'the gateway, which is shutting down');
  }

  /** Stops the cart (category 1), waits until it stands (2 s at most), then lets go of the line. */
  async close(): Promise<void> {
    const { clock, link } = this.#deps;
    if (!this.#closing) this.shutDown();
    await new Promise<void>((resolve) => {
      const check = clock.every(TICK_MS, () => {
        if (this.#motion.busy && clock.now() - this.#closingSinceMs < STANDSTILL_MS) return;
        check();
        resolve();
      });
    });
    this.#arming.disarm();
    this.#loop();
    this.#guard.close();
    await link.close();
    await this.#guard.saved().catch(() => undefined);
  }

  #faults(): CartFault[] {
    const path = `carts/${this.cartId}`;
    const { fatal } = this.#guard;
    const unprotected = this.#deps.link.driver?.traits.warning ?? '';
    const others = [...this.#guard.faults(), this.#lag.fault, unprotected].filter(Boolean);
    return [
      ...(fatal ? [{ path, message: fatal, level: 'FATAL' as const }] : []),
      ...others.map((message) => ({ path, message })),
    ];
  }

  #onReady(driver: MotorDriver): void {
    this.#odometry.forget();
    this.#motion.connected(driver);
    driver.onTelemetry((telemetry) => this.#onTelemetry(telemetry));
    driver.onMotion((report) => this.#motion.onReport(report));
    // A latch that is older than this session: the controller must know before anything else.
    if (this.#guard.latched) this.#stopAck.follow('estop', driver.estop(1), '');
    else this.#stopAck.clear();
    this.#arming.beat();
    this.#change.emit();
  }

  #onLost(reason: Reason): void {
    this.#arming.disarm();
    this.#hear(undefined);
    this.#motion.lost({ code: reason.code, text: reason.text });
    this.#change.emit();
  }

  #onTelemetry(telemetry: Telemetry): void {
    const before = this.#telemetry;
    this.#hear(telemetry);
    if (before?.state === 'ESTOP' && telemetry.state !== 'ESTOP') this.#onControllerReset();
    this.#odometry.add(telemetry);
    if (telemetry.state === 'ESTOP' && !this.#guard.latched) {
      this.#latchEstop('MANUAL', 'the emergency stop at the controller');
    }
    this.#motion.onTelemetry(telemetry);
    this.#disarmIfStanding();
    this.#watchRolling(telemetry);
    const { level, reasons } = this.#guard.watch();
    // Once: a controller answers a stop with a status, and that would be answered with a stop.
    if (level === 'stop' && this.#motion.moving)
      this.#protect({ code: 'PROTECTIVE_STOP', text: reasons.join('; ') });
    this.#change.emit();
  }

  /** The controller ended its stop: because we asked it to, or because somebody pressed the reset button on the cart. */
  #onControllerReset(): void {
    if (!this.#guard.latched || this.#resetting) return;
    const refusal = this.#guard.localResetRefusal();
    if (!refusal) return void this.#unlatch('the reset button on the cart');
    this.#deps.log.warn('estop.reset_refused', { cartID: this.cartId, ...refusal });
    this.#tellEstop(1);
  }

  #unlatch(by: string): Promise<void> {
    this.#guard.unlatch();
    this.#stopAck.clear();
    this.#change.emit();
    this.#deps.log.info('estop.reset', { cartID: this.cartId, by });
    this.#safety.emit({ cartID: this.cartId, kind: 'estop.reset', by });
    return this.#guard.save();
  }

  #tellEstop(source: number): void {
    let sent: Promise<void> | undefined;
    try {
      sent = this.#deps.link.driver?.estop(source);
    } catch (error) {
      this.#lineBroke(error);
    }
    this.#stopAck.follow('estop', sent, this.#whyDown());
  }

  /** Why a stop does not reach the controller. */
  #whyDown(): string {
    const { link, pins } = this.#deps;
    const power = pins.kind === 'none' ? '' : '; motor enable is off';
    return `the motor controller is not connected (${link.view().reason})${power}`;
  }

  /** Wheels that turn without a command are told to stop, and then left to the controller's own deadman. */
  #watchRolling(telemetry: Telemetry): void {
    const { clock, link, settings } = this.#deps;
    if (!this.#rolling.watch(clock.now(), telemetry, this.#motion.busy, settings().limits)) return;
    link.end({ code: 'NOT_STOPPED', text: 'the wheels turn although nothing was commanded' });
  }

  #tick(): void {
    const { clock, link, pins, settings } = this.#deps;
    const now = clock.now();
    if (this.#lag.tick(now)) this.#onLag();
    link.tick(this.#motion.busy);
    this.#motion.tick();
    this.#guard.tick();
    // A tick that comes a little early must not put the heartbeat off by a whole tick.
    if (this.#arming.beatAgeMs >= settings().serial.heartbeatMs - TICK_MS / 4) this.#arming.beat();
    pins.writeLed(ledLevel(this.#ledPattern(), now));
    this.#turn.emit();
  }

  #onLag(): void {
    const text = this.#lag.fault;
    this.#deps.log.error('loop.lagged', { cartID: this.cartId, text });
    if (this.#motion.moving) this.#protect({ code: 'LOOP_LAG', text });
  }

  /** A stop that is not latched: the cause ends the command, and the next one may start when the cause is gone. */
  #protect(reason: Reason): void {
    this.#deps.log.warn('cart.protective_stop', { cartID: this.cartId, ...reason });
    this.#motion.stop(2, reason, 'FAILED');
    this.#safety.emit({ cartID: this.cartId, kind: 'protective_stop', by: reason.text });
  }

  #disarmIfStanding(): void {
    if (!this.busy) this.#arming.stands();
  }

  /** A line that refuses a byte is a lost line. */
  #lineBroke(error: unknown): void {
    this.#deps.link.end({ code: 'SERIAL_LOST', text: messageOf(error) });
  }

  /** In this order: power off, stop frame, commands, disk, world. */
  #latchEstop(kind: Exclude<EmergencyStop, 'NONE'>, by: string): void {
    const { log } = this.#deps;
    const isNew = this.#guard.latchNow(kind, by);
    this.#tellEstop(kind === 'MANUAL' ? 0 : 1);
    this.#motion.drop({ code: 'ESTOP_ACTIVE', text: `emergency stop: ${by}` });
    if (isNew) void this.#guard.save();
    log.warn('estop.latched', { cartID: this.cartId, kind, by });
    this.#change.emit();
    this.#safety.emit({ cartID: this.cartId, kind: 'estop.latched', by, latch: kind });
  }

  #hear(telemetry: Telemetry | undefined): void {
    this.#telemetry = telemetry;
    this.#guard.telemetry = telemetry;
  }

  #ledPattern(): LedPattern {
    if (this.#guard.latched) return 'estop';
    if (!this.#deps.link.driver) return 'serial-down';
    if (this.#motion.busy) return 'moving';
    return this.#deps.brokerDown() ? 'broker-down' : 'ready';
  }
}
