import { randomUUID } from 'node:crypto';
import { GatewayError } from '../../shared/errors.js';
import { unitText } from '../../shared/messages/messages.js';
import type { Command } from '../command/command.js';
import type { CommandDispatcher } from '../command/dispatcher.js';
import type { Order, Origin, Reason } from '../command/model.js';
import type { Cart } from '../control/cart.js';
import type { LimitsSettings } from '../control/settings-schema.js';
import { cartMessage } from '../messages.js';
import { MAX_TURN_DEGPS } from '../serial/driver.js';
import type { KinematicsSettings } from '../serial/settings-schema.js';
import { MARGIN_MS, SILENCE_MS } from './contact-loss.js';
import type { DriveState, ManualLimits } from './drive-messages.js';
import { driveMessage } from './messages.js';

interface ManualJogDeps {
  cart: Pick<Cart, 'cartId' | 'executor'>;
  dispatcher: Pick<CommandDispatcher, 'accept'>;
  /** Called when the jog begins, when the controls are released, and when the cart is stationary again. */
  onChange: () => void;
  /** Called if the jog ends before the operator releases the controls. */
  onEnded: (reason: Reason) => void;
}

/** The command that runs while the controls are held. */
export class ManualJog {
  #deps: ManualJogDeps;
  #running: Command | undefined;
  /** The released jog, while the cart is braking. */
  #resting: Command | undefined;

  constructor(deps: ManualJogDeps) {
    this.#deps = deps;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /**
   * `speed` is in mm/s, `turn` in deg/s. After a release, calls are ignored until the cart is stationary.
   * Throws RANGE and the dispatcher's errors.
   */
  steer(speed: number, turn: number, limits: DriveState['most'], origin: Origin): void {
    if (this.#resting) return;
    const { cart, dispatcher } = this.#deps;
    within('speed', speed, limits.speedMmps, 'mm/s');
    within('turn', turn, limits.turnDegps, 'deg/s');
    const command = dispatcher.accept(orderOf(cart.cartId, speed, turn, limits.speedMmps), origin);
    if (command !== this.#running) this.#follow(command);
  }

  /** Brakes the cart; the command finishes when the cart is stationary. */
  release(): void {
    const command = this.#running;
    if (!command) return;
    this.#running = undefined;
    this.#resting = command;
    this.#deps.cart.executor.endJog(command);
    this.#deps.onChange();
  }

  stop(reason: Reason): void {
    const command = this.#running;
    this.#running = undefined;
    if (command) this.#deps.cart.executor.endJog(command, reason);
  }

  #follow(command: Command): void {
    this.#running = command;
    const onTransition = (): void => {
      if (!command.final) return;
      if (command === this.#resting) {
        this.#resting = undefined;
        this.#deps.onChange();
      } else if (command === this.#running) {
        this.#running = undefined;
        this.#deps.onEnded(command.reason ?? { code: 'ENDED', text: cartMessage('ended-there') });
      }
    };
    command.onTransition(onTransition);
    // If the serial driver does not support jogs, the command has already been rejected.
    if (command.final) onTransition();
    else this.#deps.onChange();
  }
}

function orderOf(cartId: number, speed: number, turn: number, maxSpeedMmps: number): Order {
  return {
    commandId: randomUUID(),
    cartId,
    kind: 'jog',
    raw: { distanceID: speed, angleID: turn },
    distanceMm: speed,
    angleDdeg: turn * 10,
    maxSpeedMmps,
    ttlMs: SILENCE_MS,
    onBusy: 'reject',
    leaseMs: SILENCE_MS,
  };
}

function within(field: string, value: number, limit: number, unit: string): void {
  if (Math.abs(value) <= limit) return;
  const text = driveMessage('range', { field, value, unit: unitText(unit), limit });
  throw new GatewayError('RANGE', text, { field, limit, unit });
}

/** Maximum time from the last message until the cart is stationary. */
const STOP_WITHIN_MS = 500;

/** Returns the highest limits that let the cart brake to a standstill within 0.5 s of the last message. */
export function manualDriveLimits(
  { maxSpeedMmps, decelMmps2 }: Pick<LimitsSettings, 'maxSpeedMmps' | 'decelMmps2'>,
  { trackMm }: Pick<KinematicsSettings, 'trackMm'>,
): ManualLimits {
  const brakingS = (STOP_WITHIN_MS - SILENCE_MS - MARGIN_MS) / 1000;
  const wheelMmps = Math.min(maxSpeedMmps, decelMmps2 * brakingS);
  const turnDegps = ((wheelMmps / (trackMm / 2)) * 180) / Math.PI;
  return {
    speedMmps: Math.max(1, Math.floor(wheelMmps)),
    turnDegps: Math.max(1, Math.min(MAX_TURN_DEGPS, Math.floor(turnDegps))),
    decelMmps2,
  };
}
