import type { LetGo } from '../../manual-drive/drive-messages.js';
import type { DriveConnection } from './socket.js';

const SEND_MS = 100;

/** Where the controls stand, each from −1 to 1. */
export interface Stick {
  ahead: number;
  left: number;
}

type Control = 'pad' | 'keys' | 'gamepad';

interface Held {
  by: Control;
  stick: Stick;
  /** Something has stopped the cart while this was held: it counts no more, until it is let go. */
  isInvalid: boolean;
}

/**
 * What is held, and what that makes of the cart. A press begins to drive; from then on the gateway hears ten times a
 * second where the controls stand. The control that was pressed first counts, and the others only after its release.
 */
export class HoldToRun {
  #connection: DriveConnection;
  #locked: () => string;
  #onChange: () => void;
  #held: Held | undefined;
  #wantsLease = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param locked why nothing may move now; empty when it may. */
  constructor(connection: DriveConnection, locked: () => string, onChange: () => void) {
    this.#connection = connection;
    this.#locked = locked;
    this.#onChange = onChange;
  }

  /** Where the controls stand, if they count. */
  get stick(): Stick | undefined {
    return this.#held?.isInvalid ? undefined : this.#held?.stick;
  }

  /** A control is held and stands here now. The first call is its press. */
  hold(by: Control, stick: Stick): void {
    if (!this.#held) this.#press(by, stick);
    else if (this.#held.by === by) this.#held.stick = stick;
    this.#onChange();
  }

  /** A control is held no more, by the driver's will. */
  release(by: Control): void {
    if (this.#held?.by !== by) return;
    this.#sendRelease('released');
    this.#held = undefined;
    this.#onChange();
  }

  /** What is held is no more to be trusted. */
  lose(why: Exclude<LetGo, 'released'>): void {
    this.#sendRelease(why);
    this.#onChange();
  }

  /** To be called with every word of the gateway, and when the connection is lost. */
  follow(): void {
    if (!this.stick) return;
    const { state } = this.#connection;
    if (state && state.lease > 0) {
      if (this.#wantsLease) this.#sendStick();
      this.#wantsLease = false;
      return;
    }
    const isUnderWay = this.#wantsLease && state && !state.ended && state.asking.length === 0;
    // The lease was lost, or is not to be had now: getting it later must not move the cart.
    if (!isUnderWay) this.#invalidate();
  }

  #press(by: Control, stick: Stick): void {
    const { state } = this.#connection;
    const isTaken = state?.driver && !state.driver.isYou;
    this.#held = { by, stick, isInvalid: this.#locked() !== '' || !state || Boolean(isTaken) };
    if (this.#held.isInvalid || !state) return;
    this.#wantsLease = state.lease === 0;
    if (this.#wantsLease) this.#connection.send({ say: 'take' });
    this.#timer = setInterval(() => this.#sendStick(), SEND_MS);
    this.#sendStick();
  }

  #sendStick(): void {
    const { stick } = this;
    const { state } = this.#connection;
    if (!stick || !state || state.lease === 0) return;
    if (this.#locked() !== '') return this.lose('stale');
    const { speedMmps, turnDegps } = state.most;
    this.#connection.drive(Math.round(stick.ahead * speedMmps), Math.round(stick.left * turnDegps));
  }

  #sendRelease(why: LetGo): void {
    const lease = this.#connection.state?.lease ?? 0;
    if (this.stick && lease > 0) this.#connection.send({ say: 'let-go', lease, why });
    this.#invalidate();
  }

  #invalidate(): void {
    clearInterval(this.#timer);
    this.#wantsLease = false;
    if (this.#held) this.#held.isInvalid = true;
  }
}
