import { randomUUID } from 'node:crypto';
import { type Actor, actorText, conditionActor } from '../../shared/actor.js';
import { errorText, GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Log } from '../../shared/ports/log.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import type { EmergencyStop } from '../command/model.js';
import type { Interlocks } from '../safety/interlocks.js';
import { safetyMessage } from '../safety/messages.js';
import { RecordedPresses } from '../safety/press-id.js';
import { refusalError } from '../safety/refusals.js';
import type { StopAck } from '../safety/stop-ack.js';
import type { ControllerLink } from '../serial/link.js';
import type { CommandExecutor } from './command-executor.js';

export interface SafetyEvent {
  cartID: number;
  kind: 'estop.latched' | 'estop.reset' | 'protective_stop';
  /** `UNKNOWN_ACTOR` if a remote cart does not report it. */
  by: Actor;
  latch?: EmergencyStop;
  /** Identifies the press of Stop all that latched this stop; one press may have stopped several carts. */
  pressId?: string;
  /** True if the event changed nothing, such as a press while a stop was already latched. */
  repeated?: boolean;
}

/** The E-stop input of the motor controller. */
export const AT_CONTROLLER = conditionActor('input', safetyMessage('at-controller'));

interface EstopControlDeps {
  cartId: number;
  interlocks: Interlocks;
  link: ControllerLink;
  pins: SafetyPins;
  stopAck: StopAck;
  executor: Pick<CommandExecutor, 'drop'>;
  changed: () => void;
  record: (event: SafetyEvent) => void;
  log: Log;
}

export class EstopControl {
  readonly #deps: EstopControlDeps;
  /** The reset in progress, shared by concurrent requests. `saved` resolves when the outcome is on disk. */
  #resetting: Promise<{ saved: Promise<void> }> | undefined;
  #recorded = new RecordedPresses();
  /** The presses that were recorded before the last reset. */
  #earlier = new RecordedPresses();

  constructor(deps: EstopControlDeps) {
    this.#deps = deps;
  }

  /**
   * Switches the motor power off, sends the stop frame, queues the write of the latch, fails all commands,
   * then notifies listeners. A press that arrives twice, for example over HTTP and over the manual-drive
   * WebSocket, stops the cart again but is not logged or recorded again.
   * @param id identifies the press, if a person or a program sent it.
   */
  latch(kind: Exclude<EmergencyStop, 'NONE'>, actor: Actor, id?: string): void {
    const by = actorText(actor);
    const { cartId, interlocks, log } = this.#deps;
    // If a press arrives again after a reset, it stops the cart again, so it is recorded as a new press.
    const pressId = id === undefined || this.#earlier.has(id) ? randomUUID() : id;
    // A stop triggered on the cart takes precedence over a stop from a page, so it is not a repetition.
    const repeated = interlocks.latched && kind !== 'MANUAL';
    const isNew = interlocks.latchNow(kind, actor, pressId);
    this.send(kind === 'MANUAL' ? 0 : 1);
    // An exception in a listener must not prevent the write, so the write is queued first.
    if (isNew) void interlocks.save();
    this.#deps.executor.drop({ code: 'ESTOP_ACTIVE', text: safetyMessage('emergency-stop', { by }) });
    this.#deps.changed();
    if (!isNew || !this.#recorded.add(pressId)) return;
    if (!repeated) log.warn('estop.latched', { cartID: cartId, kind, by });
    const event: SafetyEvent = { cartID: cartId, kind: 'estop.latched', by: actor, latch: kind, pressId };
    this.#deps.record(repeated ? { ...event, repeated } : event);
  }

  send(source: number): void {
    const { link, stopAck } = this.#deps;
    let sent: Promise<void> | undefined;
    try {
      sent = link.driver?.estop(source);
    } catch (error) {
      link.fail(error);
    }
    stopAck.follow('estop', sent, this.unreachable);
  }

  get unreachable(): Text {
    const { link, pins } = this.#deps;
    const { reason } = link.view();
    return safetyMessage(pins.kind === 'none' ? 'not-connected-why' : 'not-connected-off', { reason });
  }

  /**
   * Resets the controller, then the gateway; the motors stay off until the next motion. Rejects with
   * RESET_REFUSED or RESET_FORBIDDEN; the message states the reason.
   * @param local true for a reset performed on the cart itself.
   */
  async reset(by: Actor, local: boolean): Promise<void> {
    const refusal = this.#deps.interlocks.resetRefusal(local);
    if (refusal) throw refusalError(refusal);
    this.#resetting ??= this.#endLatch(by, local).finally(() => (this.#resetting = undefined));
    const { saved } = await this.#resetting;
    await saved;
  }

  async #endLatch(by: Actor, local: boolean): Promise<{ saved: Promise<void> }> {
    const { interlocks, link } = this.#deps;
    const { emergencyStops } = interlocks;
    if (!link.driver) {
      const text = safetyMessage('controller-unreachable', { reason: link.view().reason });
      throw new GatewayError('RESET_REFUSED', text, { hint: safetyMessage('connect-hint') });
    }
    // The last status may be older than the gateway's stop frame, so the reset is always sent.
    await link.driver.resetEstop().catch((error: unknown) => {
      const text = safetyMessage('reset-failed', { reason: errorText(error) });
      throw new GatewayError('RESET_REFUSED', text, { cause: error, hint: safetyMessage('retry-hint') });
    });
    // A latching stop that occurs during the reset stays latched.
    if (interlocks.emergencyStops !== emergencyStops) {
      throw new GatewayError('RESET_REFUSED', safetyMessage('pressed-again'));
    }
    const pressed = interlocks.resetRefusal(local);
    if (pressed) throw refusalError(pressed);
    interlocks.controllerReset();
    // A hung disk must not delay the next reset, so the promise is wrapped, not awaited.
    return { saved: this.#unlatch(by) };
  }

  /** Called after the gateway or the button on the cart has reset the controller. */
  onControllerReset(): void {
    const { cartId, interlocks, log } = this.#deps;
    if (!interlocks.latched || this.#resetting) return;
    const refusal = interlocks.localResetRefusal();
    if (!refusal) return void this.#unlatch(conditionActor('input', safetyMessage('reset-button')));
    log.warn('estop.reset_rejected', { cartID: cartId, ...refusal });
    this.send(1);
  }

  #unlatch(by: Actor): Promise<void> {
    const { cartId, interlocks, stopAck, log } = this.#deps;
    interlocks.unlatch();
    this.#earlier = this.#recorded;
    this.#recorded = new RecordedPresses();
    stopAck.clear();
    this.#deps.changed();
    log.info('estop.reset', { cartID: cartId, by: actorText(by) });
    this.#deps.record({ cartID: cartId, kind: 'estop.reset', by });
    return interlocks.save();
  }
}
