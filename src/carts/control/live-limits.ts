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
 * Time limit for the controller to acknowledge a lower limit, or a later one; three attempts take 180 ms. At 300 mm/s,
 * the cart drives 60 mm in this time.
 */
const UNCONFIRMED_MS = 200;

/** Limits that the controller has not acknowledged yet. */
interface SentShares {
  shares: SpeedShares;
  /** When they were first sent. */
  atMs: number;
}

interface LiveLimitsDeps {
  link: { readonly driver: Pick<MotorDriver, 'limitSpeed'> | undefined };
  /** Maximum speed of the controller's session. */
  maxSpeedMmps: () => number;
  /** Called if a cart that must slow down may be too fast; must stop the cart. */
  notSlowed: (reason: Reason) => void;
  clock: Clock;
}

/**
 * Sends the controller the lowest of the speed limits of the protective field and the motion gate.
 *
 * The controller applies limits in the order in which they are sent, so it uses those that it acknowledged last, or any
 * that were sent since. Limits that fall continuously are sent more often than a slow line acknowledges them. Therefore,
 * each lower limit must be acknowledged within `UNCONFIRMED_MS` of its own first transmission, or a later one must be,
 * as long as the speeds have not been raised again.
 */
export class LiveLimits {
  readonly #deps: LiveLimitsDeps;
  #driver: LiveLimitsDeps['link']['driver'];
  #limits = UNLIMITED;
  /** The shares sent last; undefined if the controller has not acknowledged them and they must be sent again. */
  #sent: SpeedShares | undefined = FULL;
  #acknowledged = FULL;
  /** In the order in which they were sent. */
  #unconfirmed: readonly SentShares[] = [];

  constructor(deps: LiveLimitsDeps) {
    this.#deps = deps;
  }

  /** The latest limits, which the controller may not have received yet. */
  get limits(): SpeedLimits {
    return this.#limits;
  }

  /** @param share the share of the highest speeds that the protective field permits. */
  apply(share: number, { speedMmps, turnDegps }: SpeedLimits): void {
    const { driver } = this.#deps.link;
    if (driver !== this.#driver) this.#restart(driver);
    const maxSpeedMmps = this.#deps.maxSpeedMmps();
    const shares = {
      speed: Math.min(share, speedMmps / maxSpeedMmps),
      turn: Math.min(share, turnDegps / MAX_TURN_DEGPS),
    };
    this.#limits = { speedMmps: shares.speed * maxSpeedMmps, turnDegps: shares.turn * MAX_TURN_DEGPS };
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
    this.#acknowledged = FULL;
    this.#unconfirmed = [];
  }

  #send(acknowledged: Promise<void>, shares: SpeedShares): void {
    const driver = this.#driver;
    this.#sent = shares;
    const latest = this.#unconfirmed.at(-1);
    const isRepeated = latest?.shares.speed === shares.speed && latest.shares.turn === shares.turn;
    const sent = isRepeated ? latest : { shares, atMs: this.#deps.clock.now() };
    if (!isRepeated) this.#unconfirmed = [...this.#unconfirmed, sent];
    acknowledged.then(
      () => {
        const index = this.#unconfirmed.indexOf(sent);
        if (index < 0) return;
        this.#acknowledged = sent.shares;
        this.#unconfirmed = this.#unconfirmed.slice(index + 1);
      },
      // The next call to `apply` sends the limits again.
      () => {
        if (driver === this.#driver && shares === this.#sent) this.#sent = undefined;
      },
    );
  }

  /** When the first of the limits was sent that the controller still has to follow but may be exceeding. */
  get #exceededSinceMs(): number | undefined {
    const used = [this.#acknowledged, ...this.#unconfirmed.map(({ shares }) => shares)];
    const speed = Math.max(...used.map((shares) => shares.speed));
    const turn = Math.max(...used.map((shares) => shares.turn));
    const isLower = ({ shares }: SentShares) => shares.speed < speed || shares.turn < turn;
    let sinceMs: number | undefined;
    for (const sent of this.#unconfirmed) sinceMs = isLower(sent) ? (sinceMs ?? sent.atMs) : undefined;
    return sinceMs;
  }

  #checkConfirmation(): void {
    const sinceMs = this.#exceededSinceMs;
    if (sinceMs === undefined || this.#deps.clock.now() - sinceMs < UNCONFIRMED_MS) return;
    this.#deps.notSlowed({ code: 'SERIAL_ACK_TIMEOUT', text: fieldMessage('not-slowed') });
  }
}
