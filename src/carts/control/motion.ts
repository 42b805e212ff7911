import { GatewayError, messageOf, never } from '../../shared/errors.js';
import type { Clock, Log } from '../../shared/ports/ports.js';
import { spanText } from '../../shared/span.js';
import { isGood, REVOKED } from '../command/authority.js';
import type { Command } from '../command/command.js';
import type { Order, Reason, Telemetry } from '../command/model.js';
import type { MotionReport, MotorDriver } from '../serial/driver.js';
import { maxDurationMs } from './motion-duration.js';
import type { LimitsSettings } from './settings-schema.js';

const MAX_QUEUE = 8;
/** Without a fresh word from the client a jog ends after this long, here and in the controller, unless it says otherwise. */
const JOG_LEASE_MS = 500;
/** A status that was on its way while the stop was sent says nothing about the stop. */
const STALE_STATUS_MS = 100;
const STANDSTILL_GRACE_MS = 1500;
const PREDECESSOR_FAILED = { code: 'PREDECESSOR_FAILED', text: 'the command before it did not finish' };
const UNCONFIRMED = 'unconfirmed: this controller does not answer';

interface MotionDeps {
  clock: Clock;
  log: Log;
  driver: () => MotorDriver | undefined;
  limits: () => LimitsSettings;
  /** Powers the motors and tells the controller so; called right before the first frame of a motion. */
  arm: () => void;
  /** Why nothing may start now; undefined when it may. Asked again when a waiting command's turn comes. */
  refusal: () => Reason | undefined;
  /** The cart was told to stop and did not come to rest. */
  runaway: () => void;
}

interface Active {
  command: Command;
  wireId: number;
  phase: 'moving' | 'stopping';
  /** A jog whose driver let go: it has not failed, it finishes at standstill. */
  letGo: boolean;
  /** Moving: must have finished by then (jog: the lease). Stopping: must stand still by then. */
  deadlineMs: number;
  stoppedAtMs: number;
}

/** The one motion that a cart can be in, and what waits behind it. The newest wish wins unless it says otherwise. */
export class Motion {
  #deps: MotionDeps;
  #active: Active | undefined;
  #waiting: Command[] = [];
  #wireId = 0;
  /** Whose jog was stopped, and until when his stick counts as still held. */
  #stoppedJog = { principal: '', untilMs: 0 };

  constructor(deps: MotionDeps) {
    this.#deps = deps;
  }

  /** True from the moment a motion is sent until the cart is known to stand. */
  get busy(): boolean {
    return this.#active !== undefined;
  }

  /** A motion runs that nobody has stopped yet. */
  get moving(): boolean {
    return this.#active?.phase === 'moving';
  }

  /** The command that runs, if one does. */
  get command(): Command | undefined {
    return this.#active?.command;
  }

  /** The jog that runs for `principal`, to be renewed by its next word. */
  jogOf(principal: string): Command | undefined {
    const command = this.#active?.phase === 'moving' ? this.#active.command : undefined;
    return command?.order.kind === 'jog' && command.origin.principal === principal ? command : undefined;
  }

  /**
   * Throws STOPPED while a driver whose jog was stopped has not let go of his controls: the words of a stick that is
   * still held must not start the cart again behind a stop.
   */
  checkJog(principal: string): void {
    const now = this.#deps.clock.now();
    if (principal !== this.#stoppedJog.principal || now >= this.#stoppedJog.untilMs) return;
    this.#stoppedJog.untilMs = now + JOG_LEASE_MS;
    throw new GatewayError('STOPPED', 'the cart was stopped', {
      hint: 'Let go of the controls, then start again.',
    });
  }

  /** Takes a command now or into the queue. Throws BUSY or QUEUE_FULL, with nothing changed. */
  take(command: Command): void {
    if (!this.#active) return this.#begin(command);
    switch (command.order.onBusy) {
      case 'reject':
        throw new GatewayError('BUSY', 'the cart is busy with another command', {
          hint: 'Stop it first, or wait.',
        });
      case 'queue':
        if (this.#waiting.length >= MAX_QUEUE) {
          throw new GatewayError('QUEUE_FULL', `${MAX_QUEUE} commands are waiting already`, {
            limit: MAX_QUEUE,
          });
        }
        break;
      case 'replace':
        this.#supersede();
        break;
      default:
        never(command.order.onBusy);
    }
    this.#waiting.push(command);
    command.advance('QUEUED', 'the cart is still moving');
  }

  /** Renews a running jog with a new speed. */
  renewJog(order: Order): void {
    if (!this.#active) return;
    const leaseMs = leaseOf(order);
    this.#active.deadlineMs = this.#deps.clock.now() + leaseMs;
    this.#deps.driver()?.jog(this.#active.wireId, order.distanceMm, order.angleDdeg, leaseMs);
  }

  /** Stops a running jog. Without a reason its driver let go of the controls, and it finishes when the cart stands. */
  endJog(command: Command, reason?: Reason): void {
    const active = this.#active;
    if (active?.command !== command || active.phase === 'stopping') return;
    if (reason) return void this.stop(2, reason);
    this.#deps.driver()?.stop(2);
    active.letGo = true;
    this.#awaitStandstill(active);
  }

  /**
   * Sends the stop, then ends the running command and everything that waits. Returns the acknowledgement of the
   * controller; undefined without a controller.
   */
  stop(
    category: 1 | 2,
    reason: Reason,
    state: 'CANCELLED' | 'FAILED' = 'CANCELLED',
  ): Promise<void> | undefined {
    const sent = this.#deps.driver()?.stop(category);
    this.#endWaiting('CANCELLED', reason);
    if (!this.#active) return sent;
    this.#rememberJog(this.#active.command);
    this.#active.command.end(state, reason);
    this.#awaitStandstill(this.#active);
    return sent;
  }

  /** Stops this command if it runs, takes it out of the queue if it waits; what was to follow it does not start. */
  cancel(command: Command, reason: Reason): void {
    const running = this.#active?.command === command;
    const at = running ? 0 : this.#waiting.indexOf(command);
    if (at < 0) return;
    const behind = this.#waiting.splice(at);
    if (running) this.stop(2, reason);
    else command.end('CANCELLED', reason);
    for (const follower of behind) follower.end('CANCELLED', PREDECESSOR_FAILED);
  }

  /** Ends everything without a word to the controller: the link is gone, or the E-stop frame was sent already. */
  drop(reason: Reason): void {
    const active = this.#active;
    this.#active = undefined;
    if (active) this.#rememberJog(active.command);
    this.#endWaiting('FAILED', reason);
    active?.command.end('FAILED', reason);
  }

  /** Keeps the deadlines; called from the control loop. */
  tick(): void {
    const now = this.#deps.clock.now();
    for (const command of this.#waiting) if (command.remainingTtlMs() <= 0) expire(command);
    this.#waiting = this.#waiting.filter((command) => !command.final);
    const active = this.#active;
    if (!active || now < active.deadlineMs) return;
    if (active.phase === 'stopping') {
      this.drop({ code: 'NOT_STOPPED', text: 'the cart did not come to rest in time' });
      return this.#deps.runaway();
    }
    if (active.command.order.kind === 'jog') {
      return void this.stop(2, {
        code: 'LEASE_ENDED',
        text: `nothing received from the driver's controls for ${spanText(leaseOf(active.command.order))}`,
      });
    }
    this.stop(2, { code: 'TIMEOUT', text: 'the cart needed longer than the motion can take' }, 'FAILED');
  }

  /** Takes what the controller tells of a motion; an unknown wireId is an old story. */
  onReport({ wireId, event, code, finalMm, finalDdeg }: MotionReport): void {
    const active = this.#active;
    if (!active || wireId !== active.wireId) return;
    const { command } = active;
    const traits = this.#deps.driver()?.traits;
    if (event === 'started') {
      if (traits?.ack === 'none') return void command.advance('RUNNING', UNCONFIRMED);
      // The acknowledgement may have been lost, or still be on its way through this process.
      command.advance('ACKNOWLEDGED', 'acknowledged');
      return void command.advance('RUNNING', 'the controller started');
    }
    const result = {
      distanceMm: finalMm,
      angleDeg: finalDdeg / 10,
      estimated: !traits?.feedback,
    };
    if (event === 'finished' || (event === 'cancelled' && active.letGo)) command.finish(result);
    else if (event === 'expired') expire(command);
    else {
      command.result ??= result;
      if (event === 'cancelled')
        command.end('CANCELLED', { code: 'STOPPED', text: 'the controller was told to stop' });
      else
        command.end('FAILED', {
          code: 'CONTROLLER_FAILED',
          text: `the controller gave up (${event}, code ${code})`,
        });
      if (active.phase === 'moving') this.#endFollowers();
    }
    this.#release();
  }

  /** A cart that was told to stop and reports rest is free for the next command. */
  onTelemetry({ state, speedMmps, omegaDdegps, progressMm }: Telemetry): void {
    const active = this.#active;
    if (active?.phase !== 'stopping' || state === 'RUNNING' || state === 'STOPPING') return;
    const fresh = this.#deps.clock.now() - active.stoppedAtMs >= STALE_STATUS_MS;
    if (!fresh || speedMmps !== 0 || omegaDdegps !== 0) return;
    // The controller's own report comes first where there is one.
    if (active.letGo) active.command.finish({ distanceMm: progressMm, angleDeg: 0, estimated: true });
    this.#release();
  }

  #begin(command: Command): void {
    const { driver, limits, clock, arm } = this.#deps;
    const line = driver();
    if (!line)
      return void command.end('FAILED', { code: 'SERIAL_DOWN', text: 'the controller is not connected' });
    const { order } = command;
    const wireId = ++this.#wireId;
    const jog = order.kind === 'jog';
    const durationMs = jog ? leaseOf(order) : maxDurationMs(order, limits());
    const active: Active = {
      command,
      wireId,
      phase: 'moving',
      letGo: false,
      deadlineMs: clock.now() + durationMs,
      stoppedAtMs: 0,
    };
    this.#active = active;
    try {
      arm();
      if (jog) line.jog(wireId, order.distanceMm, order.angleDdeg, durationMs);
    } catch (error) {
      return this.#refused(active, error);
    }
    if (jog) {
      command.advance('RUNNING', 'jogging');
      return;
    }
    const { raw, distanceMm, angleDdeg, maxSpeedMmps } = order;
    const remainingTtlMs = () => command.remainingTtlMs();
    command.advance('SENT', 'handed to the line');
    line
      .move({ wireId, raw, distanceMm, angleDdeg, maxSpeedMmps, maxDurationMs: durationMs, remainingTtlMs })
      .then(
        () => this.#acknowledged(active, line),
        (error: unknown) => this.#refused(active, error),
      );
  }

  #acknowledged(active: Active, line: MotorDriver): void {
    // Nobody says that he has it: then that state is passed over.
    if (line.traits.ack === 'none') active.command.advance('RUNNING', UNCONFIRMED);
    else active.command.advance('ACKNOWLEDGED', 'acknowledged');
  }

  /** What waits was meant to follow a motion that went well: after any other end it would start from the wrong place. */
  #endFollowers(): void {
    this.#endWaiting('CANCELLED', PREDECESSOR_FAILED);
  }

  #refused(active: Active, error: unknown): void {
    const { command } = active;
    const code = error instanceof GatewayError ? error.code : 'SERIAL_DOWN';
    const text = messageOf(error);
    if (this.#active !== active) return void command.end('FAILED', { code, text });
    // Already being stopped: only rest, not this refusal, makes way for the next command.
    if (active.phase === 'stopping') return;
    // Nobody knows whether the cart moves now, so it is stopped.
    if (code === 'SERIAL_ACK_TIMEOUT') return void this.stop(2, { code, text }, 'FAILED');
    if (code === 'CONTROLLER_EXPIRED') expire(command);
    else this.#endFollowers();
    command.end('FAILED', { code: code === 'CONTROLLER_ESTOP_ACTIVE' ? 'ESTOP_ACTIVE' : code, text });
    this.#release();
  }

  /** The newest wins: what waits is dropped, what runs is braked. */
  #supersede(): void {
    const reason = { code: 'SUPERSEDED', text: 'a newer command took its place' };
    if (this.#active?.phase === 'stopping') this.#endWaiting('CANCELLED', reason);
    else this.stop(2, reason);
  }

  #rememberJog({ order, origin }: Command): void {
    // Who drives by a lease has lost it by the stop: his words count no more.
    if (order.kind !== 'jog' || order.leaseMs !== undefined) return;
    this.#stoppedJog = { principal: origin.principal, untilMs: this.#deps.clock.now() + JOG_LEASE_MS };
  }

  #awaitStandstill(active: Active): void {
    const now = this.#deps.clock.now();
    if (active.phase === 'stopping') return;
    const { maxSpeedMmps, decelMmps2 } = this.#deps.limits();
    active.phase = 'stopping';
    active.stoppedAtMs = now;
    active.deadlineMs = now + (maxSpeedMmps / decelMmps2) * 1000 + STANDSTILL_GRACE_MS;
  }

  #release(): void {
    this.#active = undefined;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const refusal = this.#deps.refusal();
      if (next.remainingTtlMs() <= 0) expire(next);
      else if (!isGood(next.authority)) {
        next.end('CANCELLED', REVOKED);
        this.#endFollowers();
      } else if (refusal) next.end('FAILED', refusal);
      else return this.#begin(next);
    }
  }

  #endWaiting(state: 'CANCELLED' | 'FAILED', reason: Reason): void {
    for (const command of this.#waiting.splice(0)) command.end(state, reason);
  }
}

function leaseOf({ leaseMs = JOG_LEASE_MS }: Order): number {
  return leaseMs;
}

function expire(command: Command): void {
  command.end('EXPIRED', {
    code: 'EXPIRED',
    text: `the cart did not start within ${spanText(command.order.ttlMs)}`,
  });
}
