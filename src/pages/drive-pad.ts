import type { HoldToRun, Stick } from './hold-to-run.js';

/** So much of the way from the middle does nothing: a finger is never quite still, and straight on should be easy. */
const DEAD_ZONE = 0.18;

/** The pad that is pulled from its middle, with one finger; further fingers are not for it. */
export class DrivePad {
  #pad: HTMLElement;
  #run: HoldToRun;
  #pointer: number | undefined;

  constructor(pad: HTMLElement, run: HoldToRun) {
    this.#pad = pad;
    this.#run = run;
    pad.addEventListener('pointerdown', (event) => this.#press(event));
    pad.addEventListener('pointermove', (event) => {
      if (event.pointerId === this.#pointer) run.hold('pad', this.#stickAt(event));
    });
    pad.addEventListener('pointerup', ({ pointerId }) => {
      if (pointerId === this.#pointer) this.forget();
    });
    for (const lost of ['pointercancel', 'lostpointercapture'] as const) {
      pad.addEventListener(lost, ({ pointerId }) => {
        if (pointerId !== this.#pointer) return;
        run.lose('input');
        this.forget();
      });
    }
    // A long press must not open a menu under the finger.
    pad.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  /** Whatever is still on the pad counts no more. */
  forget(): void {
    this.#pointer = undefined;
    this.#run.release('pad');
  }

  draw(stick: Stick | undefined): void {
    const { ahead = 0, left = 0 } = stick ?? {};
    const knob = this.#pad.querySelector('[data-knob]');
    knob?.setAttribute('transform', `translate(${-left * 32} ${-ahead * 32})`);
    this.#pad.toggleAttribute('data-held', stick !== undefined);
  }

  #press(event: PointerEvent): void {
    if (this.#pointer !== undefined || event.button !== 0) return;
    this.#pointer = event.pointerId;
    this.#pad.setPointerCapture(event.pointerId);
    this.#run.hold('pad', this.#stickAt(event));
  }

  #stickAt({ clientX, clientY }: PointerEvent): Stick {
    const { left, top, width, height } = this.#pad.getBoundingClientRect();
    const x = ((clientX - left) / width) * 2 - 1;
    const y = ((clientY - top) / height) * 2 - 1;
    return { ahead: eased(-y), left: eased(-x) };
  }
}

/** From the edge of the dead zone at 0 to the rim at 1. */
export function eased(way: number, deadZone = DEAD_ZONE): number {
  const far = Math.min(1, Math.abs(way)) - deadZone;
  return far <= 0 ? 0 : (Math.sign(way) * far) / (1 - deadZone);
}
