import { randomUUID } from 'node:crypto';
import { GatewayError } from '../../shared/errors.js';
import type { Command } from '../command/command.js';
import type { CommandDispatcher } from '../command/dispatcher.js';
import type { Order, Origin, Reason } from '../command/model.js';
import type { LimitsSettings } from '../control/settings-schema.js';
import { cartMessage } from '../messages.js';
import { MAX_TURN_DEGPS } from '../serial/driver.js';
import type { KinematicsSettings } from '../serial/settings-schema.js';
import type { DriveState } from './drive-messages.js';
import { driveMessage } from './messages.js';

interface HandJogDeps {
  cartId: number;
  dispatcher: Pick<CommandDispatcher, 'accept' | 'endJog'>;
  /** The jog has begun, or the cart stands again. */
  onChange: () => void;
  /** The jog has ended, and not by the will of its driver. */
  onEnded: (reason: Reason) => void;
}

/** The jog of whoever drives by hand: one command from the press of the controls to their release. */
export class HandJog {
  #deps: HandJogDeps;
  #running: Command | undefined;
  /** Was let go of, until the cart stands. */
  #resting: Command | undefined;

  constructor(deps: HandJogDeps) {
    this.#deps = deps;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Drives with this speed (mm/s) and turn (deg/s) from now on. While the cart still comes to rest nothing happens and
   * nothing is kept: the next word comes in a moment. Throws what the dispatcher refuses with, and RANGE.
   */
  steer(speed: number, turn: number, most: DriveState['most'], origin: Origin): void {
    if (this.#resting) return;
    const { dispatcher, cartId } = this.#deps;
    within('speed', speed, most.speedMmps, 'mm/s');
    within('turn', turn, most.turnDegps, 'deg/s');
    const command = dispatcher.accept(orderOf(cartId, speed, turn, most.speedMmps), origin);
    if (command !== this.#running) this.#follow(command);
  }

  /** The driver took his hand off: the cart brakes, and the command finishes where it stands. */
  letGo(): void {
    const command = this.#running;
    if (!command) return;
    this.#running = undefined;
    this.#resting = command;
    this.#deps.dispatcher.endJog(command);
    this.#deps.onChange();
  }

  /** Stops for a reason; the frame is on its way to the line when this returns. */
  stop(reason: Reason): void {
    const command = this.#running;
    this.#running = undefined;
    if (command) this.#deps.dispatcher.endJog(command, reason);
  }

  #follow(command: Command): void {
    this.#running = command;
    const look = (): void => {
      if (!command.final) return;
      if (command === this.#resting) {
        this.#resting = undefined;
        this.#deps.onChange();
      } else if (command === this.#running) {
        this.#running = undefined;
        this.#deps.onEnded(command.reason ?? { code: 'ENDED', text: cartMessage('ended-there') });
      }
    };
    command.onTransition(look);
    // A driver that cannot jog has refused it already.
    if (command.final) look();
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
  const text = driveMessage('range', { field, value, unit, limit });
  throw new GatewayError('RANGE', text, { field, limit, unit });
}

/** A driver who is not heard for this long drives no more, at the gateway and in the controller. */
const SILENCE_MS = 250;
/** From the last word to standstill. */
const STAND_WITHIN_MS = 500;
/** For the way to the controller and for its next control step. */
const MARGIN_MS = 30;

/**
 * How fast a cart may be driven by hand: so that it stands half a second after the last word, braking included. Stronger
 * brakes in the settings allow more.
 */
export function handLimits(
  { maxSpeedMmps, decelMmps2 }: Pick<LimitsSettings, 'maxSpeedMmps' | 'decelMmps2'>,
  { trackMm }: Pick<KinematicsSettings, 'trackMm'>,
): { speedMmps: number; turnDegps: number } {
  const brakingS = (STAND_WITHIN_MS - SILENCE_MS - MARGIN_MS) / 1000;
  const wheelMmps = Math.min(maxSpeedMmps, decelMmps2 * brakingS);
  const turnDegps = ((wheelMmps / (trackMm / 2)) * 180) / Math.PI;
  return {
    speedMmps: Math.max(1, Math.floor(wheelMmps)),
    turnDegps: Math.max(1, Math.min(MAX_TURN_DEGPS, Math.floor(turnDegps))),
  };
}
