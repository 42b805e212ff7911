import type { DriveState, LetGo } from '../../../../carts/pure.js';
import type { DriveConnection } from './socket.js';

const SEND_MS = 100;

/** `ahead` and `left` range from −1 to 1. */
export interface Stick {
  ahead: number;
  left: number;
}

type Control = 'pad' | 'keys' | 'gamepad';

interface Held {
  by: Control;
  stick: Stick;
  /** True if this press must not move the cart, for example after a stop; a new press is required. */
  isInvalid: boolean;
}

interface HoldToRunOptions {
  connection: DriveConnection;
  /** Returns why the cart must not move, or an empty string. */
  locked: () => string;
  /** Returns the speed limits that the operator selected, which must not exceed the gateway's limits. */
  limits: (most: DriveState['most']) => DriveState['most'];
  onChange: () => void;
}

/** While a control is held, its position is sent ten times per second and all other controls are ignored. */
export class HoldToRun {
  #connection: DriveConnection;
  #locked: () => string;
  #onChange: () => void;
  #limits: (most: DriveState['most']) => DriveState['most'];
  #held: Held | undefined;
  #wantsLease = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor({ connection, locked, limits, onChange }: HoldToRunOptions) {
    this.#connection = connection;
    this.#locked = locked;
    this.#limits = limits;
    this.#onChange = onChange;
  }

  /** Position of the active control; undefined if no control is active. */
  get stick(): Stick | undefined {
    return this.#held?.isInvalid ? undefined : this.#held?.stick;
  }

  /** Sets the position of a held control. The first call after a release counts as a press. */
  hold(by: Control, stick: Stick): void {
    if (!this.#held) this.#press(by, stick);
    else if (this.#held.by === by) this.#held.stick = stick;
    this.#onChange();
  }

  release(by: Control): void {
    if (this.#held?.by !== by) return;
    this.#sendRelease('released');
    this.#held = undefined;
    this.#onChange();
  }

  /** Called when the position of the held control is no longer reliable. */
  lose(why: Exclude<LetGo, 'released'>): void {
    this.#sendRelease(why);
    this.#onChange();
  }

  /** Called for every state that the gateway sends, and when the connection is lost. */
  follow(): void {
    if (!this.stick) return;
    const { state } = this.#connection;
    if (state && state.lease > 0) {
      if (this.#wantsLease) this.#sendStick();
      this.#wantsLease = false;
      return;
    }
    const isUnderWay = this.#wantsLease && state && !state.ended && state.asking.length === 0;
    // The lease was lost or denied; a lease that is obtained later must not let this press move the cart.
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
    const { speedMmps, turnDegps } = this.#limits(state.most);
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
