import { errorText, GatewayError } from '../../shared/errors.js';
import { type Text, textOf } from '../../shared/messages/message.js';
import { principalText } from '../../shared/messages/messages.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import type { EmergencyStop, Origin, Reason } from '../command/model.js';
import type { Interlocks } from '../safety/interlocks.js';
import { safetyMessage } from '../safety/messages.js';
import { refusalError } from '../safety/safety.js';
import type { StopAck } from '../safety/stop-ack.js';
import type { ControllerLink } from '../serial/link.js';

export interface SafetyEvent {
  cartID: number;
  kind: 'estop.latched' | 'estop.reset' | 'protective_stop';
  /** The principal or the condition that caused the event; empty if a remote cart does not report it. */
  by: Text;
  latch?: EmergencyStop;
}

export interface EstopControlDeps {
  cartId: number;
  interlocks: Interlocks;
  link: ControllerLink;
  pins: SafetyPins;
  stopAck: StopAck;
  drop: (reason: Reason) => void;
  broken: (error: unknown) => void;
  changed: () => void;
  record: (event: SafetyEvent) => void;
  clock: Clock;
  log: Log;
}

/** A recorded E-stop; `atMs` is the time of its first arrival on the monotonic clock. */
interface Press {
  by: string;
  source: Origin['source'] | undefined;
  atMs: number;
}

/** The longest time between the arrivals of one press over HTTP and over the manual-drive WebSocket. */
const SAME_PRESS_MS = 3000;

export class EstopControl {
  readonly #deps: EstopControlDeps;
  /** The reset in progress, shared by concurrent requests. `saved` resolves when the outcome is on disk. */
  #resetting: Promise<{ saved: Promise<void> }> | undefined;
  #recorded: Press | undefined;

  constructor(deps: EstopControlDeps) {
    this.#deps = deps;
  }

  /**
   * Switches the motor power off, sends the stop frame, queues the write of the latch, fails all commands,
   * then notifies listeners. A repeated stop sends its frame but is not logged or recorded again.
   * @param source the path on which the stop arrived, if a person or a program sent it.
   */
  latch(kind: Exclude<EmergencyStop, 'NONE'>, cause: Text, source?: Origin['source']): void {
    const by = principalText(cause);
    const { cartId, interlocks, log } = this.#deps;
    const isNew = interlocks.latchNow(kind, by);
    this.send(kind === 'MANUAL' ? 0 : 1);
    // The write is queued before any listener runs, so that an exception in a listener cannot prevent it.
    if (isNew) void interlocks.save();
    this.#deps.drop({ code: 'ESTOP_ACTIVE', text: safetyMessage('emergency-stop', { by }) });
    this.#deps.changed();
    if (!isNew || this.#isRecorded({ by: textOf(by), source, atMs: this.#deps.clock.now() })) return;
    log.warn('estop.latched', { cartID: cartId, kind, by });
    this.#deps.record({ cartID: cartId, kind: 'estop.latched', by, latch: kind });
  }

  /**
   * Returns true if the same press has already been recorded: the Drive page sends each press both over HTTP
   * and over the WebSocket. Each recorded press accounts for one arrival on the other path only, so a second
   * press is recorded.
   */
  #isRecorded(press: Press): boolean {
    const { by, source, atMs } = this.#recorded ?? press;
    const paths = new Set([source, press.source]);
    const isSame = by === press.by && press.atMs - atMs < SAME_PRESS_MS;
    const isRecorded = isSame && paths.has('http') && paths.has('socket');
    this.#recorded = isRecorded ? undefined : press;
    return isRecorded;
  }

  send(source: number): void {
    const { link, stopAck, broken } = this.#deps;
    let sent: Promise<void> | undefined;
    try {
      sent = link.driver?.estop(source);
    } catch (error) {
      broken(error);
    }
    stopAck.follow('estop', sent, this.unreachable);
  }

  get unreachable(): Text {
    const { link, pins } = this.#deps;
    const { reason } = link.view();
    return safetyMessage(pins.kind === 'none' ? 'not-connected-why' : 'not-connected-off', { reason });
  }

  /**
   * Resets the latch in the controller, then in the gateway. The motors stay off until the next motion.
   * Rejects with RESET_REFUSED or RESET_FORBIDDEN; the message states the reason.
   * @param local true for a reset performed on the cart itself.
   */
  async reset(by: Text, local: boolean): Promise<void> {
    const refusal = this.#deps.interlocks.resetRefusal(local);
    if (refusal) throw refusalError(refusal);
    this.#resetting ??= this.#endLatch(by, local).finally(() => (this.#resetting = undefined));
    const { saved } = await this.#resetting;
    await saved;
  }

  async #endLatch(by: Text, local: boolean): Promise<{ saved: Promise<void> }> {
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
    // An emergency stop that occurs during the reset stays latched.
    if (interlocks.emergencyStops !== emergencyStops) {
      throw new GatewayError('RESET_REFUSED', safetyMessage('pressed-again'));
    }
    const pressed = interlocks.resetRefusal(local);
    if (pressed) throw refusalError(pressed);
    interlocks.controllerReset();
    // The promise is wrapped, not awaited, because a hung disk must not delay the next reset.
    return { saved: this.#unlatch(by) };
  }

  /** Called after the gateway, or the button on the cart, has reset the controller. */
  onControllerReset(): void {
    const { cartId, interlocks, log } = this.#deps;
    if (!interlocks.latched || this.#resetting) return;
    const refusal = interlocks.localResetRefusal();
    if (!refusal) return void this.#unlatch(safetyMessage('reset-button'));
    log.warn('estop.reset_rejected', { cartID: cartId, ...refusal });
    this.send(1);
  }

  #unlatch(by: Text): Promise<void> {
    const { cartId, interlocks, stopAck, log } = this.#deps;
    interlocks.unlatch();
    this.#recorded = undefined;
    stopAck.clear();
    this.#deps.changed();
    log.info('estop.reset', { cartID: cartId, by });
    this.#deps.record({ cartID: cartId, kind: 'estop.reset', by });
    return interlocks.save();
  }
}
