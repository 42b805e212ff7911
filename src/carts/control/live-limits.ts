import type { Clock } from '../../shared/ports/clock.js';
import type { Reason } from '../command/model.js';
import { fieldMessage } from '../protective-field/messages.js';
import { MAX_TURN_DEGPS, type MotorDriver, type SpeedShares } from '../serial/driver.js';

/** Highest speeds of a motion; Infinity if only the settings' limits apply. */
export interface SpeedLimits {
  speedMmps: number;
  turnDegps: number;
}

export const UNLIMITED: SpeedLimits = {
  speedMmps: Number.POSITIVE_INFINITY,
  turnDegps: Number.POSITIVE_INFINITY,
};

const FULL: SpeedShares = { speed: 1, turn: 1 };
/** Smaller increases are not sent, so that noise does not cause a LIMITS frame for every report. */
const RAISE = { ofFull: 0.04, ofSent: 0.1 };
/**
 * Time limit for the controller to acknowledge a lower speed limit; three attempts take 180 ms. At 300 mm/s, the cart
 * drives 60 mm in this time.
 */
const UNCONFIRMED_MS = 200;

interface LiveLimitsDeps {
  link: { readonly driver: Pick<MotorDriver, 'limitSpeed'> | undefined };
  maxSpeedMmps: () => number;
  /** Called if a cart that must slow down may be too fast; must stop the cart. */
  notSlowed: (reason: Reason) => void;
  clock: Clock;
}

/** Sends the controller the lowest of the speed limits of the protective field and the motion gate. */
export class LiveLimits {
  readonly #deps: LiveLimitsDeps;
  #driver: LiveLimitsDeps['link']['driver'];
  /** The shares sent last; undefined if the controller has not acknowledged them and they must be sent again. */
  #sent: SpeedShares | undefined = FULL;
  /** The highest shares that the controller may be using: those acknowledged last, or sent since. */
  #highest = FULL;
  /** When the gateway first sent a lower limit that the controller has not acknowledged yet. */
  #unconfirmedSinceMs: number | undefined;

  constructor(deps: LiveLimitsDeps) {
    this.#deps = deps;
  }

  /** @param share the share of the highest speeds that the protective field permits. */
  apply(share: number, { speedMmps, turnDegps }: SpeedLimits): void {
    const { driver } = this.#deps.link;
    if (driver !== this.#driver) this.#restart(driver);
    const shares = {
      speed: Math.min(share, speedMmps / this.#deps.maxSpeedMmps()),
      turn: Math.min(share, turnDegps / MAX_TURN_DEGPS),
    };
    if (driver?.limitSpeed && this.#isDue(shares)) this.#send(driver.limitSpeed(shares), shares);
    this.#checkConfirmation();
  }

  #isDue(shares: SpeedShares): boolean {
    const sent = this.#sent;
    if (!sent) return true;
    return (['speed', 'turn'] as const).some((axis) => {
      const raise = shares[axis] - sent[axis];
      const isMuch = raise > Math.min(RAISE.ofFull, RAISE.ofSent * sent[axis]);
      return raise < 0 || isMuch || (raise > 0 && shares[axis] === 1);
    });
  }

  /** Called when the controller's session has changed; a new session starts with the full speed limits. */
  #restart(driver: LiveLimitsDeps['link']['driver']): void {
    this.#driver = driver;
    this.#sent = FULL;
    this.#highest = FULL;
    this.#unconfirmedSinceMs = undefined;
  }

  #send(acknowledged: Promise<void>, shares: SpeedShares): void {
    const driver = this.#driver;
    this.#sent = shares;
    this.#highest = {
      speed: Math.max(this.#highest.speed, shares.speed),
      turn: Math.max(this.#highest.turn, shares.turn),
    };
    const isLower = shares.speed < this.#highest.speed || shares.turn < this.#highest.turn;
    if (isLower) this.#unconfirmedSinceMs ??= this.#deps.clock.now();
    else this.#unconfirmedSinceMs = undefined;
    const isCurrent = () => driver === this.#driver && shares === this.#sent;
    acknowledged.then(
      () => {
        if (!isCurrent()) return;
        this.#highest = shares;
        this.#unconfirmedSinceMs = undefined;
      },
      // The next call to `apply` sends the limits again.
      () => {
        if (isCurrent()) this.#sent = undefined;
      },
    );
  }

  #checkConfirmation(): void {
    const sinceMs = this.#unconfirmedSinceMs;
    if (sinceMs === undefined || this.#deps.clock.now() - sinceMs < UNCONFIRMED_MS) return;
    this.#unconfirmedSinceMs = undefined;
    this.#deps.notSlowed({ code: 'SERIAL_ACK_TIMEOUT', text: fieldMessage('not-slowed') });
  }
}
