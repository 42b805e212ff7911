import { randomUUID } from 'node:crypto';
import {
  type CartPose,
  type CartView,
  Command,
  type CommandGateway,
  CommandRegistry,
  cartMessage,
  type Order,
  type Origin,
  type Reason,
  type SafetyView,
  type StopKind,
  type StopOrigin,
  safetyMessage,
  type Telemetry,
} from '../../carts/index.js';
import { actorText } from '../../shared/actor.js';
import { signedDegrees } from '../../shared/angles.js';
import { type ErrorCode, GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import { Signal } from '../../shared/signal.js';

/** Distance that a cart can travel on a full battery. */
const RANGE_MM = 2_000_000;
const DEG_PER_S = 90;

interface Run {
  command: Command;
  from: CartPose;
  startedMs: number;
  durationMs: number;
  end: Cancel;
}

const FREE: SafetyView = {
  mayMove: true,
  reason: '',
  code: '',
  emergencyStop: 'NONE',
  input: 'healthy',
  pins: 'simulated',
  resetNeeds: '',
};

/** Moves at constant speed with one timer per move, so that one process can simulate a thousand carts. */
export class KinematicCart implements CommandGateway {
  readonly #cartID: number;
  readonly #clock: Clock;
  readonly #registry: CommandRegistry;
  readonly #change = new Signal();
  readonly #command = new Signal<[Command]>();
  #pose: CartPose;
  #travelledMm = 0;
  #run: Run | undefined;
  #lastId: string | undefined;
  #safety = FREE;
  #emergencyStops = 0;

  constructor(cartID: number, pose: CartPose, clock: Clock) {
    this.#cartID = cartID;
    this.#pose = pose;
    this.#clock = clock;
    this.#registry = new CommandRegistry(clock);
  }

  readonly onOwnChange = this.#change.on.bind(this.#change);
  readonly onOwnCommand = this.#command.on.bind(this.#command);

  accept(order: Order, origin: Origin): Command {
    if (order.kind === 'stop') this.stopOwn('stop', origin);
    const existing = this.#registry.repeated(order);
    if (existing) return existing;
    if (order.kind === 'jog') {
      throw new GatewayError(
        'UNSUPPORTED_PARAMETER',
        'carts in the simulated fleet do not support jog commands',
      );
    }
    const { mayMove, reason } = this.#safety;
    if (order.kind === 'move' && !mayMove) throw new GatewayError('ESTOP_ACTIVE', reason);
    if (this.#run && order.onBusy !== 'replace') throw new GatewayError('BUSY', cartMessage('busy'));
    const command = new Command(order, origin, {
      destination: 'serial',
      simulated: true,
      clock: this.#clock,
    });
    this.#registry.add(command);
    command.onTransition((moved) => this.#command.emit(moved));
    if (order.kind === 'stop') command.finish({ distanceMm: 0, angleDeg: 0, estimated: false });
    else this.#begin(command);
    return command;
  }

  find(commandId: string): Command | undefined {
    return this.#registry.find(commandId);
  }

  protect(command: Command, { code, text }: Reason): void {
    if (this.#run?.command === command) this.#halt(code, text, 'FAILED');
    this.#change.emit();
  }

  stopOwn(kind: StopKind, { actor, pressId = randomUUID() }: StopOrigin): void {
    const by = actorText(actor);
    if (kind === 'estop') {
      this.#emergencyStops += 1;
      this.#safety = {
        ...FREE,
        mayMove: false,
        code: 'ESTOP_ACTIVE',
        emergencyStop: 'REMOTE',
        reason: safetyMessage('latched', { by }),
        stoppedBy: by,
        stoppedAt: new Date(this.#clock.wallTime()).toISOString(),
        pressId,
      };
    }
    this.#halt('STOPPED', cartMessage('stopped-by', { by }));
    this.#change.emit();
  }

  /** Resolves immediately, because the latch is stored only in memory. */
  async latchSaved(): Promise<void> {}

  async stopConfirmed(): Promise<void> {}

  get emergencyStops(): number {
    return this.#emergencyStops;
  }

  async resetOwn(): Promise<void> {
    this.#safety = FREE;
    this.#change.emit();
  }

  ownCart(): CartView {
    return {
      cartID: this.#cartID,
      name: `Cart ${this.#cartID}`,
      destination: 'serial',
      simulated: true,
      online: true,
      reason: '',
      ageMs: 0,
      faults: [],
      moving: this.#run !== undefined,
      safety: this.#safety,
      telemetry: this.#telemetry(),
      pose: this.#poseNow(),
      ...(this.#lastId === undefined ? {} : { commandId: this.#lastId }),
    };
  }

  close(): void {
    this.#halt('STOPPING', cartMessage('shutting-down'));
  }

  #begin(command: Command): void {
    this.#halt('SUPERSEDED', cartMessage('superseded'));
    const { distanceMm, angleDdeg, maxSpeedMmps } = command.order;
    const turnMs = (Math.abs(angleDdeg) / 10 / DEG_PER_S) * 1000;
    const durationMs = turnMs + (Math.abs(distanceMm) / maxSpeedMmps) * 1000;
    const end = this.#clock.after(durationMs, () => this.#arrive(command));
    this.#run = { command, from: this.#pose, startedMs: this.#clock.now(), durationMs, end };
    this.#lastId = command.id;
    command.advance('SENT', 'simulated');
    command.advance('ACKNOWLEDGED', 'simulated');
    command.advance('RUNNING', 'simulated');
    this.#change.emit();
  }

  #arrive(command: Command): void {
    const { distanceMm, angleDdeg } = command.order;
    this.#settle();
    command.finish({ distanceMm, angleDeg: angleDdeg / 10, estimated: false });
    this.#change.emit();
  }

  #halt(code: ErrorCode, text: Text, state: 'CANCELLED' | 'FAILED' = 'CANCELLED'): void {
    const run = this.#run;
    if (!run) return;
    const { command } = run;
    const { distanceMm, angleDdeg } = command.order;
    const progress = this.#progress(run);
    run.end();
    this.#settle();
    command.measure({
      distanceMm: Math.round(distanceMm * progress),
      angleDeg: Math.round(angleDdeg * progress) / 10,
      estimated: false,
    });
    command.end(state, { code, text });
  }

  #settle(): void {
    if (!this.#run) return;
    this.#travelledMm += Math.abs(this.#run.command.order.distanceMm) * this.#progress(this.#run);
    this.#pose = this.#poseNow();
    this.#run = undefined;
  }

  #progress({ startedMs, durationMs }: Run): number {
    return durationMs === 0 ? 1 : Math.min(1, (this.#clock.now() - startedMs) / durationMs);
  }

  #poseNow(): CartPose {
    if (!this.#run) return this.#pose;
    const { from, command } = this.#run;
    const progress = this.#progress(this.#run);
    const headingDeg = from.headingDeg + (command.order.angleDdeg / 10) * progress;
    const stepMm = command.order.distanceMm * progress;
    const rad = (headingDeg * Math.PI) / 180;
    return {
      xMm: from.xMm + stepMm * Math.cos(rad),
      yMm: from.yMm + stepMm * Math.sin(rad),
      headingDeg: signedDegrees(headingDeg),
    };
  }

  #telemetry(): Telemetry {
    const soc = Math.max(0, 100 - Math.round((this.#travelledMm / RANGE_MM) * 100));
    const isStopped = this.#safety.emergencyStop !== 'NONE';
    return {
      state: isStopped ? 'ESTOP' : this.#run ? 'RUNNING' : 'IDLE',
      faults: [],
      progressMm: this.#run ? this.#run.command.order.distanceMm * this.#progress(this.#run) : 0,
      odoLeftMm: this.#travelledMm,
      odoRightMm: this.#travelledMm,
      speedMmps: this.#run ? this.#run.command.order.maxSpeedMmps : 0,
      omegaDdegps: 0,
      batteryMv: 22_000 + soc * 40,
      batteryCa: this.#run ? 200 : 20,
      soc,
      tempBoardC: null,
      tempM1C: null,
      tempM2C: null,
    };
  }
}
