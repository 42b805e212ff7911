import type { HoldToRun, Stick } from './hold-to-run.js';
import { eased } from './pad.js';

/** Small deflections are ignored, because worn sticks do not return exactly to the centre. */
const DEAD_ZONE = 0.2;
/** The shoulder buttons in the standard gamepad layout. */
const HOLD_BUTTONS = [4, 5];
const POLL_MS = 50;

/** Drives with the left stick, which must be centred when the operator begins to hold a shoulder button. */
export class DriveGamepad {
  #run: HoldToRun;
  #onChange: () => void;
  #index: number | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isHeld = false;
  /** True after the shoulder buttons have been released while the stick is centred. */
  #isReady = false;

  /** @param onChange called when a gamepad is connected or disconnected. */
  constructor(run: HoldToRun, onChange: () => void) {
    this.#run = run;
    this.#onChange = onChange;
    addEventListener('gamepadconnected', ({ gamepad }) => {
      if (gamepad.mapping !== 'standard' || this.#index !== undefined) return;
      this.#index = gamepad.index;
      this.#isReady = false;
      this.#timer = setInterval(() => this.#poll(), POLL_MS);
      this.#onChange();
    });
    addEventListener('gamepaddisconnected', ({ gamepad }) => {
      if (gamepad.index === this.#index) this.#leave();
    });
  }

  /** True if a gamepad with the standard layout is connected. */
  get isConnected(): boolean {
    return this.#index !== undefined;
  }

  /** Ignores the gamepad until the shoulder button is released and pressed again. */
  forget(): void {
    this.#isHeld = false;
    this.#isReady = false;
    this.#run.release('gamepad');
  }

  #leave(): void {
    clearInterval(this.#timer);
    this.#index = undefined;
    if (this.#isHeld) this.#run.lose('input');
    this.forget();
    this.#onChange();
  }

  #poll(): void {
    const gamepad = navigator.getGamepads()[this.#index ?? -1];
    if (!gamepad?.connected) return this.#leave();
    // All visible pages receive gamepad input, but only the page that has focus drives.
    if (!document.hasFocus()) return this.forget();
    const stick: Stick = {
      ahead: eased(-(gamepad.axes[1] ?? 0), DEAD_ZONE),
      left: eased(-(gamepad.axes[0] ?? 0), DEAD_ZONE),
    };
    const isPressed = HOLD_BUTTONS.some((button) => gamepad.buttons[button]?.pressed);
    if (!isPressed) {
      if (this.#isHeld) this.#run.release('gamepad');
      this.#isHeld = false;
      this.#isReady = stick.ahead === 0 && stick.left === 0;
    } else if (this.#isReady) {
      this.#isHeld = true;
      this.#run.hold('gamepad', stick);
    }
  }
}
