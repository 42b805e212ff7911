import type { HoldToRun, Stick } from './hold-to-run.js';

/** So much of the way from the middle does nothing: a finger is never quite still, and straight on should be easy. */
const DEAD_ZONE = 0.18;

/** The bit of the left button; of a finger or a pen, that it touches. */
const PRIMARY = 1;

/** The pad that is pulled from its middle, with one finger; further fingers are not for it. */
export class DrivePad {
  #pad: HTMLElement;
  #run: HoldToRun;
  /** The press that counts, until it is let go. */
  #pressed: PointerEvent | undefined;

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

  /** Whatever is still on the pad counts no more. */
  forget(): void {
    const pointerId = this.#pressed?.pointerId;
    this.#pressed = undefined;
    // A pointer whose release was never heard stays captured, and its next press, wherever it is, would be one here.
    if (pointerId !== undefined && this.#pad.hasPointerCapture(pointerId)) {
      this.#pad.releasePointerCapture(pointerId);
    }
    this.#run.release('pad');
  }

  draw(stick: Stick | undefined): void {
    const { ahead = 0, left = 0 } = stick ?? {};
    const knob = this.#pad.querySelector('[data-knob]');
    knob?.setAttribute('transform', `translate(${-left * 32} ${-ahead * 32})`);
    this.#pad.toggleAttribute('data-held', stick !== undefined);
  }

  #isOwn({ pointerId }: PointerEvent): boolean {
    return pointerId === this.#pressed?.pointerId;
  }

  #press(event: PointerEvent): void {
    // Nothing is pressed twice: the release in between went unheard.
    if (this.#isOwn(event)) return this.#lose();
    if (this.#pressed || event.button !== 0) return;
    this.#pressed = event;
    this.#pad.setPointerCapture(event.pointerId);
    this.#run.hold('pad', this.#stickAt(event));
  }

  /** While a mouse has another button down, the release of the first is only a move; a menu may swallow it altogether. */
  #pull(event: PointerEvent): void {
    if (!this.#isOwn(event)) return;
    if (event.buttons === PRIMARY) return this.#run.hold('pad', this.#stickAt(event));
    if ((event.buttons & PRIMARY) === 0) return this.#lose();
    this.#run.lose('input');
  }

  /** A menu swallows the release. A finger or a pen asks for one by holding still, which is no reason to stop. */
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
