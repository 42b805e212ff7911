import type { Text } from '../../shared/messages/message.js';
import { span } from '../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import { Signal } from '../../shared/signal.js';
import type { Reason } from '../command/model.js';
import type { Interlocks } from '../safety/interlocks.js';
import { safetyMessage } from '../safety/messages.js';
import type { MotorArming } from '../safety/motor-arming.js';
import type { Refusal } from '../safety/refusals.js';
import type { ControllerLink } from '../serial/link.js';
import type { SerialSettings } from '../serial/settings-schema.js';
import type { CommandExecutor } from './command-executor.js';
import type { GatedMotions } from './gated-motions.js';

const TICK_MS = 50;
/**
 * If an iteration of the control loop is delayed by more than this, a moving cart is stopped. If the loop
 * hangs, the controller stops the cart after 500 ms.
 */
const LATE_MS = 250;

interface ControlLoopDeps {
  cartId: number;
  link: ControllerLink;
  interlocks: Interlocks;
  arming: MotorArming;
  gated: Pick<GatedMotions, 'tick'>;
  limitSpeed: () => void;
  executor: CommandExecutor;
  pins: SafetyPins;
  settings: () => { serial: Pick<SerialSettings, 'heartbeatMs'> };
  brokerDown: () => boolean;
  duplicate?: () => Refusal | undefined;
  protect: (reason: Reason) => void;
  clock: Clock;
  log: Log;
}

/**
 * Every 50 ms, checks deadlines, sends the controller the heartbeat that is due (`MotorArming.writeHeartbeat`), and
 * drives the enable pulse and the status LED.
 */
export class ControlLoop {
  readonly #deps: ControlLoopDeps;
  #cancel: Cancel = () => undefined;
  #lastMs = 0;
  #fault: Text = '';
  #isDuplicated = false;
  #turn = new Signal();

  constructor(deps: ControlLoopDeps) {
    this.#deps = deps;
  }

  readonly onTurn = this.#turn.on.bind(this.#turn);

  get fault(): Text {
    return this.#fault;
  }

  start(): void {
    const { clock } = this.#deps;
    this.#lastMs = clock.now();
    this.#cancel = clock.every(TICK_MS, () => this.#tick());
  }

  stop(): void {
    this.#cancel();
  }

  #tick(): void {
    const { arming, clock, executor, gated, interlocks, limitSpeed, link, pins, settings } = this.#deps;
    const now = clock.now();
    this.#checkLateness(now);
    this.#checkDuplicate();
    link.tick(executor.busy);
    executor.tick();
    interlocks.tick();
    gated.tick();
    limitSpeed();
    // After a late tick, the heartbeat is sent early, because the next tick would be too late. `TICK_MS / 4` allows
    // for ticks that are a little early or late.
    if (arming.heartbeatAgeMs + TICK_MS > settings().serial.heartbeatMs + TICK_MS / 4)
      arming.writeHeartbeat();
    pins.writeLed(ledLevel(this.#ledPattern, now));
    this.#turn.emit();
  }

  #checkLateness(nowMs: number): void {
    const { cartId, executor, protect, log } = this.#deps;
    const lateMs = nowMs - this.#lastMs - TICK_MS;
    this.#lastMs = nowMs;
    if (lateMs < TICK_MS) this.#fault = '';
    if (lateMs <= LATE_MS) return;
    const text = safetyMessage('loop-late', { time: span(lateMs) });
    this.#fault = text;
    log.error('loop.lagged', { cartID: cartId, text });
    if (executor.moving) protect({ code: 'LOOP_LAG', text: safetyMessage('too-busy') });
  }

  /**
   * Stops a moving cart when another gateway is found to use its number, because the command may have been meant
   * for the other cart.
   */
  #checkDuplicate(): void {
    const { duplicate, executor, protect } = this.#deps;
    const refusal = duplicate?.();
    if (refusal && !this.#isDuplicated && executor.moving)
      protect({ code: refusal.code, text: refusal.text });
    this.#isDuplicated = refusal !== undefined;
  }

  get #ledPattern(): LedPattern {
    const { brokerDown, executor, interlocks, link } = this.#deps;
    if (interlocks.latched) return 'estop';
    if (!link.driver) return 'serial-down';
    if (executor.busy) return 'moving';
    return brokerDown() ? 'broker-down' : 'ready';
  }
}

/** The LED stays off while the gateway is not running. */
type LedPattern = 'ready' | 'moving' | 'estop' | 'serial-down' | 'broker-down';

const LED_SLOT_MS = 125;
/** Each character lasts 125 ms (`#` = on); the pattern repeats. */
const LED_PATTERNS: Record<LedPattern, string> = {
  ready: '####----',
  moving: '#',
  estop: '#-',
  'broker-down': '#-#-------------',
  'serial-down': '#-#-#-----------',
};

function ledLevel(pattern: LedPattern, nowMs: number): boolean {
  const slots = LED_PATTERNS[pattern];
  return slots[Math.floor(nowMs / LED_SLOT_MS) % slots.length] === '#';
}
