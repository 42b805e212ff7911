import { setAttribute } from '../../../browser/dom.js';
import type { HoldToRun, Stick } from './hold-to-run.js';

/** Fingers are never completely still, so a smaller dead zone would make driving straight ahead difficult. */
const DEAD_ZONE = 0.18;

/** Bit in `buttons` for the left mouse button, a finger or a pen. */
const PRIMARY = 1;

/** The drive pad follows the first pointer and ignores additional fingers. */
export class DrivePad {
  #pad: HTMLElement;
  #run: HoldToRun;
  #pressed: PointerEvent | undefined;
  /** Bounds at the time of the press, so that a layout change during the press does not change the deflection. */
  #bounds = new DOMRect();

  constructor(pad: HTMLElement, run: HoldToRun) {
    this.#pad = pad;
    this.#run = run;
    pad.addEventListener('pointerdown', (event) => this.#press(event));
    pad.addEventListener('pointermove', (event) => this.#pull(event));
    pad.addEventListener('pointerup', (event) => {
      if (this.#isOwn(event)) this.forget();
    });
    for (const lost of ['pointercancel', 'lostpointercapture'] as const) {
      pad.addEventListener(lost, (event) => {
        if (this.#isOwn(event)) this.#lose();
      });
    }
    addEventListener('contextmenu', (event) => this.#refuseMenu(event), true);
  }

  /** Ignores a pointer that is still pressed on the pad until it is released and pressed again. */
  forget(): void {
    const pointerId = this.#pressed?.pointerId;
    this.#pressed = undefined;
    // After a missed release, the pointer would stay captured, and its next press would count as a press on the pad.
    if (pointerId !== undefined && this.#pad.hasPointerCapture(pointerId)) {
      this.#pad.releasePointerCapture(pointerId);
    }
    this.#run.release('pad');
  }

  draw(stick: Stick | undefined): void {
    const { ahead = 0, left = 0 } = stick ?? {};
    const knob = this.#pad.querySelector('[data-knob]');
    setAttribute(knob, 'transform', `translate(${-left * 32} ${-ahead * 32})`);
    this.#pad.toggleAttribute('data-held', stick !== undefined);
  }

  #isOwn({ pointerId }: PointerEvent): boolean {
    return pointerId === this.#pressed?.pointerId;
  }

  #press(event: PointerEvent): void {
    // A second press by the same pointer means that a release was missed.
    if (this.#isOwn(event)) return this.#lose();
    if (this.#pressed || event.button !== 0) return;
    this.#pressed = event;
    this.#bounds = this.#pad.getBoundingClientRect();
    this.#pad.setPointerCapture(event.pointerId);
    this.#run.hold('pad', this.#stickAt(event));
  }

  /** Releasing one of two mouse buttons fires `pointermove`, or no event if a context menu opens. */
  #pull(event: PointerEvent): void {
    if (!this.#isOwn(event)) return;
    if (event.buttons === PRIMARY) return this.#run.hold('pad', this.#stickAt(event));
    if ((event.buttons & PRIMARY) === 0) return this.#lose();
    this.#run.lose('input');
  }

  /**
   * Prevents the context menu. An attempt to open the menu can suppress the release event of a mouse button, so the
   * attempt ends a drive with the mouse, but not a drive with a finger or pen.
   */
  #refuseMenu(event: Event): void {
    const isOnPad = event.target instanceof Node && this.#pad.contains(event.target);
    if (isOnPad || this.#pressed) event.preventDefault();
    if (this.#pressed?.pointerType === 'mouse') this.#run.lose('input');
  }

  #lose(): void {
    this.#run.lose('input');
    this.forget();
  }

  #stickAt({ clientX, clientY }: PointerEvent): Stick {
    const { left, top, width, height } = this.#bounds;
    const x = ((clientX - left) / width) * 2 - 1;
    const y = ((clientY - top) / height) * 2 - 1;
    return { ahead: eased(-y), left: eased(-x) };
  }
}

/** Scales a deflection: 0 at the edge of the dead zone, ±1 at the rim. */
export function eased(way: number, deadZone = DEAD_ZONE): number {
  const far = Math.min(1, Math.abs(way)) - deadZone;
  return far <= 0 ? 0 : (Math.sign(way) * far) / (1 - deadZone);
}
