import type { HoldToRun } from './hold-to-run.js';

/** By `code`, so that W, A, S and D are where they are meant to be on every keyboard. */
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

/** Arrows and W, A, S, D, while the pad has the focus. */
export class DriveKeys {
  #run: HoldToRun;
  #down = new Set<string>();

  constructor(pad: HTMLElement, run: HoldToRun) {
    this.#run = run;
    pad.addEventListener('keydown', (event) => {
      const { code, repeat, ctrlKey, metaKey, altKey } = event;
      if (!(code in KEYS) || ctrlKey || metaKey || altKey) return;
      event.preventDefault();
      if (!repeat) this.#change(() => this.#down.add(code));
    });
    pad.addEventListener('keyup', ({ code }) => {
      if (this.#down.has(code)) this.#change(() => this.#down.delete(code));
    });
    pad.addEventListener('blur', () => this.forget());
  }

  /** Keys come up unheard when the focus is elsewhere. */
  forget(): void {
    this.#down.clear();
    this.#run.release('keys');
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

function unit(value: number): number {
  return Math.max(-1, Math.min(1, value));
}
