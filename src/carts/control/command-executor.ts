import { type Actor, isSameActor } from '../../shared/actor.js';
import { type ErrorCode, errorText, GatewayError, never } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import { isGood, REVOKED } from '../command/authority.js';
import type { Command } from '../command/command.js';
import type { Order, Reason, Telemetry } from '../command/model.js';
import { cartMessage } from '../messages.js';
import { type ProtectiveField, SLOWEST_SHARE } from '../protective-field/protective-field.js';
import type { MotorArming } from '../safety/motor-arming.js';
import { refusalError } from '../safety/refusals.js';
import { MAX_TURN_DEGPS, type MotionReport, type MotorDriver } from '../serial/driver.js';
import { NACK_ERROR_CODES } from '../serial/drivers/requests.js';
import type { ControllerLink } from '../serial/link.js';
import { initialState, isHeld, step } from './command-machine.js';
import type { GatedMotions } from './gated-motions.js';
import type { SpeedLimits } from './live-limits.js';
import type { Effect, MachineInput } from './machine-types.js';
import { type MotionLimits, maxDurationMs, paceOf } from './motion-duration.js';

interface CommandExecutorDeps {
  link: Pick<ControllerLink, 'driver' | 'end' | 'fail'>;
  arming: Pick<MotorArming, 'arm'>;
  field: Pick<ProtectiveField, 'refusal'>;
  gated: Pick<GatedMotions, 'send' | 'slowest' | 'limitedJog'>;
  /** Sends the controller the speed limits of the motion that is about to start. */
  limitSpeed: (phase: 'start') => void;
  /** The speed limits that apply to the running motion. */
  speedLimits: () => SpeedLimits;
  limits: () => MotionLimits;
  /** Returns why motion is forbidden, if it is; called once before each queued command starts. */
  refusal: () => Reason | undefined;
  /** Called if the controller reports that its E-stop ended the motion; must call `drop`. */
  estopped: () => void;
  clock: Clock;
}

/** Error codes of motions that were rejected, not acknowledged in time, or superseded by a stop. */
const ANSWERS: ReadonlySet<ErrorCode> = new Set([...NACK_ERROR_CODES, 'SERIAL_ACK_TIMEOUT', 'STOPPED']);

/** Passes inputs to the command state machine and performs the effects that the state machine returns. */
export class CommandExecutor {
  readonly #deps: CommandExecutorDeps;
  #state = initialState<Command>();
  #stopSent: Promise<void> | undefined;
  #hasField = false;
  #lastCommandId: string | undefined;

  constructor(deps: CommandExecutorDeps) {
    this.#deps = deps;
  }

  get busy(): boolean {
    return this.#state.motion !== undefined;
  }

  get moving(): boolean {
    return this.#state.motion?.phase === 'moving';
  }

  get command(): Command | undefined {
    return this.#state.motion?.command;
  }

  /** The limits of the controller's session. After a change of the settings, a running motion keeps them. */
  get limits(): MotionLimits {
    return this.#state.session?.limits ?? this.#deps.limits();
  }

  get lastCommandId(): string | undefined {
    return this.#lastCommandId;
  }

  /** Returns the actor's running jog, which the actor's next jog command renews. */
  jogOf(actor: Actor): Command | undefined {
    const command = this.moving ? this.command : undefined;
    return command?.order.kind === 'jog' && isSameActor(command.origin.actor, actor) ? command : undefined;
  }

  /** Throws STOPPED if the actor is still holding the controls of a stopped jog. */
  checkReleased(actor: Actor): void {
    if (!isHeld(this.#state, actor, this.#deps.clock.now())) return;
    this.#feed({ type: 'held' });
    const hint = cartMessage('stopped-hint');
    throw new GatewayError('STOPPED', cartMessage('stopped'), { hint });
  }

  connected({ traits, field }: MotorDriver): void {
    this.#hasField = field !== undefined;
    const session = {
      acknowledges: traits.ack !== 'none',
      measures: traits.feedback,
      limits: this.#deps.limits(),
    };
    this.#feed({ type: 'connected', session });
  }

  lost(reason: Reason): void {
    this.#feed({ type: 'lost', reason });
  }

  /** Fails every command. The ESTOP frame has already been sent, so no other frame is sent. */
  drop(reason: Reason): void {
    this.#feed({ type: 'drop', reason });
  }

  /** Starts or queues the command. Throws BUSY or QUEUE_FULL without sending anything. */
  execute(command: Command): void {
    this.#feed({ type: 'execute', command });
  }

  renewJog(order: Order): void {
    this.#feed({ type: 'renew', order });
  }

  endJog(command: Command, reason?: Reason): void {
    if (!this.moving || this.command !== command) return;
    if (reason) void this.stop(2, reason);
    else this.#feed({ type: 'release', command });
  }

  /** Ends all commands. Resolves on the acknowledgement; returns undefined if no stop could be sent. */
  stop(
    category: 1 | 2,
    reason: Reason,
    state: 'CANCELLED' | 'FAILED' = 'CANCELLED',
  ): Promise<void> | undefined {
    this.#feed({ type: 'stop', category, reason, state });
    return this.#stopSent;
  }

  /** Also cancels the commands that are queued behind the command. */
  cancel(command: Command, reason: Reason): void {
    this.#feed({ type: 'cancel', command, reason });
  }

  /** Cancels the queued commands of all actors except `holder`; a running motion continues. */
  passControl(holder: Actor): void {
    this.#feed({ type: 'control', holder });
  }

  tick(): void {
    const { command } = this;
    this.#feed({ type: 'tick', pace: command ? paceOf(command.order, this.#deps.speedLimits()) : 1 });
  }

  /** @param reason why the protective field ended the motion, if it did. */
  onReport(report: MotionReport, reason?: Reason): void {
    this.#feed({ type: 'report', report, reason });
  }

  onJogRejected(wireId: number, error: GatewayError): void {
    this.#onMotionError(wireId, error);
  }

  onTelemetry(telemetry: Telemetry): void {
    this.#feed({ type: 'status', telemetry });
  }

  /** The new state is set before the effects are performed, because a listener may send further inputs. */
  #feed(input: MachineInput<Command>): void {
    const { state, effects } = step(this.#state, input, this.#deps.clock.now());
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: Effect<Command>): void {
    switch (effect.type) {
      case 'start':
        return this.#start(effect);
      case 'renew': {
        const { wireId, order, leaseMs } = effect;
        return this.#jog(wireId, order, leaseMs);
      }
      case 'stop':
        this.#stopSent = this.#send((driver) => driver.stop(effect.category));
        return;
      case 'runaway':
        return this.#deps.link.end(effect.reason);
      case 'estop':
        return this.#deps.estopped();
      case 'advance':
        effect.command.advance(effect.state, effect.cause);
        return;
      case 'finish':
        effect.command.finish(effect.result);
        return;
      case 'end':
        effect.command.end(effect.state, effect.reason);
        return;
      case 'measured':
        effect.command.measure(effect.result);
        return;
      case 'next':
        return this.#next();
      default:
        never(effect);
    }
  }

  #send<Sent>(write: (driver: MotorDriver) => Sent): Sent | undefined {
    const { link } = this.#deps;
    try {
      return link.driver && write(link.driver);
    } catch (error) {
      link.fail(error);
      return undefined;
    }
  }

  /**
   * Starts a motion. A CGW1 controller receives these frames, in this order and in one event-loop iteration:
   * 1. If the motors are off: an unarmed HEARTBEAT. The motor-enable output is then switched on, and an
   *    armed HEARTBEAT follows.
   * 2. If the speed limits near obstacles or zones have changed: LIMITS.
   * 3. MOVE or JOG.
   */
  #start({ command, wireId, durationMs, startByMs }: Extract<Effect<Command>, { type: 'start' }>): void {
    const { arming, clock, gated, limitSpeed, link } = this.#deps;
    const { kind, raw, distanceMm, angleDdeg, maxSpeedMmps } = command.order;
    this.#lastCommandId = command.id;
    const refusal = gated.send(command.order, command.origin);
    if (refusal) return this.#refuse(wireId, refusalError(refusal));
    try {
      // Each step can stop the cart before it returns: a failed write latches the E-stop or ends the session, and an
      // unconfirmed speed limit triggers a protective stop. After such a stop, nothing more may be written.
      arming.arm();
      if (!this.#isMoving(wireId)) return;
      limitSpeed('start');
    } catch (error) {
      return this.#refuse(wireId, error);
    }
    if (!this.#isMoving(wireId)) return;
    if (kind === 'jog') return this.#jog(wireId, command.order, durationMs);
    const remainingTtlMs = (): number => startByMs - clock.now();
    const request = {
      wireId,
      raw,
      distanceMm,
      angleDdeg,
      maxSpeedMmps,
      // The controller's own time limit cannot be extended later.
      maxDurationMs: maxDurationMs(command.order, this.limits, this.#slowest),
    };
    link.driver?.move({ ...request, remainingTtlMs }).then(
      () => this.#feed({ type: 'ack', wireId }),
      (error: unknown) => this.#onMotionError(wireId, error),
    );
  }

  #isMoving(wireId: number): boolean {
    return this.moving && this.#state.motion?.wireId === wireId;
  }

  #jog(wireId: number, order: Order, leaseMs: number): void {
    const { distanceMm, angleDdeg } = this.#deps.gated.limitedJog(order);
    try {
      this.#deps.link.driver?.jog(wireId, distanceMm, angleDdeg, leaseMs);
    } catch (error) {
      this.#onMotionError(wireId, error);
    }
  }

  /** Errors that are not in `ANSWERS` end the session, because the controller may have received the motion. */
  #onMotionError(wireId: number, error: unknown): void {
    if (this.#state.motion?.wireId !== wireId) return;
    if (error instanceof GatewayError && ANSWERS.has(error.code)) this.#refuse(wireId, error);
    else this.#deps.link.fail(error);
  }

  #refuse(wireId: number, error: unknown): void {
    const code = error instanceof GatewayError ? error.code : 'SERIAL_DOWN';
    const { command } = this;
    // The controller uses the same code for a blocked direction as for a fault, so the protective field determines the
    // reason.
    const blocked =
      code === 'CONTROLLER_FAULT' && command ? this.#deps.field.refusal(command.order) : undefined;
    const reason = blocked ?? {
      ...(error instanceof GatewayError && error.info),
      code,
      text: errorText(error),
    };
    this.#feed({ type: 'nack', wireId, reason });
  }

  #next(): void {
    const [first] = this.#state.waiting;
    if (first) this.#feed({ type: 'next', refused: this.#refusalOf(first.command) });
  }

  /** The lowest speeds to which the protective field or a zone can limit a motion. */
  get #slowest(): SpeedLimits {
    const { speedMmps, turnDegps } = this.#deps.gated.slowest;
    const share = this.#hasField ? SLOWEST_SHARE : 1;
    return {
      speedMmps: Math.min(speedMmps, share * this.limits.maxSpeedMmps),
      turnDegps: Math.min(turnDegps, share * MAX_TURN_DEGPS),
    };
  }

  #refusalOf({ authority, order }: Command): Extract<MachineInput, { type: 'next' }>['refused'] {
    if (!isGood(authority)) return { state: 'CANCELLED', reason: REVOKED };
    const reason = this.#deps.refusal() ?? this.#deps.field.refusal(order);
    return reason && { state: 'FAILED', reason };
  }
}
