import type { ControllerState } from '../../carts/serial/codec/codec.js';
import type { Cancel } from '../../shared/ports/ports.js';
import { Motors } from '../boards/motors.js';
import { Receiver } from '../boards/receiver.js';
import type { ControllerContext, Program } from './context.js';
import { type Boot, banner, createDialect, type Dialect, type DialectName } from './dialects.js';
import { ControllerEstopLatch, type FirmwareState, RecentIds, Session } from './firmware-state.js';
import { Health } from './health.js';
import type { MotionNews } from './orders.js';
import { motionEvent, stateOf, statusOf, Transmitter } from './transmitter.js';

const STATUS_MS = { moving: 100, idle: 500 };

/** The controller's program from one start to the next: everything in here is forgotten by a reset. */
export class Firmware implements FirmwareState, Program {
  readonly session = new Session();
  readonly recent = new RecentIds();
  readonly estop: ControllerEstopLatch;
  readonly health: Health;
  readonly motors: Motors;
  readonly #world: ControllerContext;
  readonly #boot: Boot;
  readonly #startedMs: number;
  readonly #dialect: Dialect;
  readonly #transmitter: Transmitter;
  #status: Cancel = () => undefined;
  #watchdog: Cancel = () => undefined;

  constructor(world: ControllerContext, boot: Boot, dialect: DialectName) {
    const { clock, body, faults, line, random, estopPressed } = world;
    this.#world = world;
    this.#boot = boot;
    this.#startedMs = clock.now();
    this.#transmitter = new Transmitter({
      clock,
      line,
      encode: (frame) => this.#dialect.encode(frame),
      session: () => this.session.id,
    });
    const receiver = new Receiver({
      world,
      boot,
      parts: this,
      transmitter: this.#transmitter,
      report: () => this.report(),
      emergencyStop: () => this.emergencyStop(),
      guard: () => this.#guard(),
    });
    this.#dialect = createDialect(dialect, receiver);
    this.estop = new ControllerEstopLatch(estopPressed, random);
    this.health = new Health({ body, faults, clock });
    const onTick = (nowMs: number) => this.#watch(nowMs);
    const onNews = (news: MotionNews) => this.#onNews(news);
    this.motors = new Motors({ clock, body, faults, health: this.health, onTick, onNews });
  }

  /** Its first words. */
  start(): void {
    if (this.#boot.count > 1) this.#world.line.send(new TextEncoder().encode(banner(this.#boot)));
    this.#world.line.send(this.#dialect.opening);
    this.report();
  }

  get state(): ControllerState {
    return stateOf(this);
  }

  receive(bytes: Uint8Array): void {
    this.#dialect.push(bytes);
  }

  /** Sends a STATUS now, and the next ones in their rhythm. */
  report(): void {
    const { clock, body, onChange } = this.#world;
    this.#status();
    const everyMs = this.motors.phase === 'standing' ? STATUS_MS.idle : STATUS_MS.moving;
    this.#status = clock.after(everyMs, () => this.report());
    this.motors.settle();
    this.#tellNewFaults();
    this.#transmitter.send(statusOf(this, body, clock.now() - this.#startedMs));
    onChange();
  }

  /** Power off at once, and no motion until it is reset on purpose. */
  emergencyStop(): void {
    this.estop.latch();
    this.motors.stop(0, { event: 'failed', reason: 'estop' });
    this.report();
  }

  /** The power is gone: nothing more is sent, no timer is left. */
  kill(): void {
    this.#status();
    this.#watchdog();
    this.#transmitter.clear();
    this.motors.kill();
  }

  #onNews(news: MotionNews): void {
    if (news.event === 'started') this.#world.counters.motions += 1;
    else this.recent.add(news.wireId);
    if (this.session.open) this.#transmitter.post(motionEvent(news, this.motors));
    this.report();
  }

  /** Before every step of a motion: is the host still there, are the motors still well? */
  #watch(nowMs: number): void {
    if (this.session.patienceMs(nowMs) <= 0) this.#loseHost();
    if (this.health.critical) this.motors.stop(1, { event: 'failed', reason: 'fault' });
  }

  /** Wakes when the host has been silent for too long; a frame in between only makes it sleep again. */
  #guard(): void {
    this.#watchdog();
    const patienceMs = this.session.patienceMs(this.#world.clock.now());
    if (patienceMs <= 0) return this.#loseHost();
    if (!this.session.open) return;
    this.#watchdog = this.#world.clock.after(patienceMs, () => this.#guard());
  }

  #loseHost(): void {
    this.#watchdog();
    this.session.lose();
    this.motors.stop(1, { event: 'failed', reason: 'linkLost' });
    this.report();
  }

  #tellNewFaults(): void {
    const bits = this.health.newFaults(this.session.lost);
    if (!this.session.open) return;
    for (const code of bits) {
      this.#transmitter.post({ type: 'EVENT', wireId: 0, event: 'fault', code, finalMm: 0, finalDdeg: 0 });
    }
  }
}
