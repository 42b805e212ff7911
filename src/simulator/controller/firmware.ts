import type { ControllerState } from '../../carts/index.js';
import type { Cancel } from '../../shared/ports/clock.js';
import { Motors } from '../boards/motors.js';
import { Receiver } from '../boards/receiver.js';
import { SimulatedProtectiveField } from '../field/protective-field.js';
import { DistanceSensors } from '../field/sensors.js';
import type { ControllerContext, ControllerProgram } from './context.js';
import {
  banner,
  type ControllerBoot,
  createDialect,
  type DialectName,
  type SimulatedDialect,
} from './dialects.js';
import { ControllerEstopLatch, type FirmwareState, RecentIds, SimulatedSession } from './firmware-state.js';
import { ControllerHealth } from './health.js';
import type { MotionEvent } from './motions.js';
import { motionEvent, stateOf, statusFrame, Transmitter } from './transmitter.js';

const STATUS_MS = { moving: 100, idle: 500 };

/** The reference firmware, from one start of the controller to the next. */
export class Firmware implements FirmwareState, ControllerProgram {
  readonly session = new SimulatedSession();
  readonly recent = new RecentIds();
  readonly estop: ControllerEstopLatch;
  readonly health: ControllerHealth;
  readonly motors: Motors;
  /** Absent in the json-lines dialect, which has no frames for the protective field. */
  readonly field: SimulatedProtectiveField | undefined;
  readonly #context: ControllerContext;
  readonly #boot: ControllerBoot;
  readonly #startedMs: number;
  readonly #dialect: SimulatedDialect;
  readonly #transmitter: Transmitter;
  #status: Cancel = () => undefined;
  #watchdog: Cancel = () => undefined;

  constructor(context: ControllerContext, boot: ControllerBoot, dialect: DialectName) {
    const { clock, chassis, faults, line, random, estopPressed } = context;
    this.#context = context;
    this.#boot = boot;
    this.#startedMs = clock.now();
    this.#transmitter = new Transmitter({
      clock,
      line,
      encode: (frame) => this.#dialect.encode(frame),
      session: () => this.session.id,
    });
    const receiver = new Receiver({
      context,
      boot,
      firmware: this,
      transmitter: this.#transmitter,
      report: () => this.report(),
      emergencyStop: () => this.emergencyStop('frame'),
      armWatchdog: () => this.#armWatchdog(),
    });
    this.#dialect = createDialect(dialect, receiver);
    this.estop = new ControllerEstopLatch(estopPressed, random);
    this.health = new ControllerHealth({ chassis, faults, clock });
    const onTick = (nowMs: number) => this.#checkWatchdogs(nowMs);
    const onMotionEvent = (event: MotionEvent) => this.#onMotionEvent(event);
    this.motors = new Motors({ clock, chassis, faults, health: this.health, onTick, onMotionEvent });
    if (dialect !== 'cgw1' || !context.hasField) return;
    this.field = new SimulatedProtectiveField({
      clock,
      chassis,
      faults,
      motors: this.motors,
      health: this.health,
      plan: context.plan,
      sensors: new DistanceSensors(context),
      report: () => this.report(),
      onContact: () => {
        context.counters.contacts += 1;
      },
    });
  }

  start(): void {
    if (this.#boot.count > 1) this.#context.line.send(new TextEncoder().encode(banner(this.#boot)));
    this.#context.line.send(this.#dialect.opening);
    this.field?.start();
    this.report();
  }

  get state(): ControllerState {
    return stateOf(this);
  }

  receive(bytes: Uint8Array): void {
    this.#dialect.push(bytes);
  }

  /** Sends a STATUS immediately, and then periodically. */
  report(): void {
    const { clock, chassis, onChange } = this.#context;
    this.#status();
    const everyMs = this.motors.phase === 'idle' ? STATUS_MS.idle : STATUS_MS.moving;
    this.#status = clock.after(everyMs, () => this.report());
    this.motors.updatePhysics();
    this.#sendNewFaults();
    this.#transmitter.send(statusFrame(this, chassis, clock.now() - this.#startedMs));
    if (this.field?.isReported && this.session.open) this.#transmitter.send(this.field.ranges(clock.now()));
    onChange();
  }

  emergencyStop(cause: 'frame' | 'input' = 'input'): void {
    this.estop.latch(cause);
    this.motors.stop(0, { event: 'failed', reason: 'estop' });
    this.report();
  }

  kill(): void {
    this.#status();
    this.#watchdog();
    this.#transmitter.clear();
    this.field?.close();
    this.motors.kill();
  }

  #onMotionEvent(event: MotionEvent): void {
    if (event.event === 'started') this.#context.counters.motions += 1;
    else this.recent.add(event.wireId);
    if (this.session.open) this.#transmitter.sendEvent(motionEvent(event, this.motors));
    this.report();
  }

  #checkWatchdogs(nowMs: number): void {
    if (this.session.remainingMs(nowMs) <= 0) this.#loseHost();
    this.field?.check(nowMs);
    if (this.health.critical) this.motors.stop(1, { event: 'failed', reason: 'fault' });
  }

  /** When the timer expires, restarts it if a frame has arrived in the meantime. */
  #armWatchdog(): void {
    this.#watchdog();
    const remainingMs = this.session.remainingMs(this.#context.clock.now());
    if (remainingMs <= 0) return this.#loseHost();
    if (!this.session.open) return;
    this.#watchdog = this.#context.clock.after(remainingMs, () => this.#armWatchdog());
  }

  #loseHost(): void {
    this.#watchdog();
    this.session.expire();
    this.motors.stop(1, { event: 'failed', reason: 'linkLost' });
    this.report();
  }

  #sendNewFaults(): void {
    const bits = this.health.newFaults(this.session.lost);
    if (!this.session.open) return;
    for (const code of bits) {
      this.#transmitter.sendEvent({
        type: 'EVENT',
        wireId: 0,
        event: 'fault',
        code,
        finalMm: 0,
        finalDdeg: 0,
      });
    }
  }
}
