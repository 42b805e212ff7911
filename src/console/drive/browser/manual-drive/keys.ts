import type { HoldToRun } from './hold-to-run.js';

/** Identified by `code`, so that W, A, S and D have the same position on every keyboard layout. */
const KEYS: Record<string, { ahead: number; left: number }> = {
  ArrowUp: { ahead: 1, left: 0 },
  ArrowDown: { ahead: -1, left: 0 },
  ArrowLeft: { ahead: 0, left: 1 },
  ArrowRight: { ahead: 0, left: -1 },
  KeyW: { ahead: 1, left: 0 },
  KeyS: { ahead: -1, left: 0 },
  KeyA: { ahead: 0, left: 1 },
  KeyD: { ahead: 0, left: -1 },
};

/** Modifier keys stop the cart, because macOS sends no keyup for other keys while Cmd is down. */
const CHORD_KEYS = new Set(['Meta', 'Control', 'Alt', 'AltGraph']);

export class DriveKeys {
  #run: HoldToRun;
  #down = new Set<string>();

  constructor(pad: HTMLElement, run: HoldToRun) {
    this.#run = run;
    // Capture listeners on the window run regardless of the focus and of other listeners.
    addEventListener('keydown', (event) => isChord(event) && this.#lose(), true);
    addEventListener('keyup', (event) => this.#up(event), true);
    pad.addEventListener('keydown', (event) => {
      const { code, repeat } = event;
      if (!(code in KEYS) || isChord(event)) return;
      event.preventDefault();
      if (!repeat) this.#change(() => this.#down.add(code));
    });
    pad.addEventListener('blur', () => this.forget());
  }

  /** Treats all keys as released, because a page without focus receives no keyup events. */
  forget(): void {
    this.#down.clear();
    this.#run.release('keys');
  }

  #up(event: KeyboardEvent): void {
    if (isChord(event)) return this.#lose();
    if (this.#down.has(event.code)) this.#change(() => this.#down.delete(event.code));
  }

  #lose(): void {
    if (this.#down.size === 0) return;
    this.#run.lose('input');
    this.forget();
  }

  #change(act: () => void): void {
    act();
    if (this.#down.size === 0) return this.#run.release('keys');
    const stick = { ahead: 0, left: 0 };
    for (const code of this.#down) {
      stick.ahead += KEYS[code]?.ahead ?? 0;
      stick.left += KEYS[code]?.left ?? 0;
    }
    this.#run.hold('keys', { ahead: unit(stick.ahead), left: unit(stick.left) });
  }
}

/** Returns true for Cmd, Ctrl and Alt, and for any key combined with them. */
function isChord({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || CHORD_KEYS.has(key);
}

function unit(value: number): number {
  return Math.max(-1, Math.min(1, value));
}
