import { GatewayError } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Origin } from '../command/model.js';
import { SILENCE_MS } from './contact-loss.js';
import { driveMessage } from './messages.js';

/** A motion that continues only while an operator holds its control, for example the run of a route. */
export interface HeldMotion {
  /** Called ten times a second while the control is held. Throws if this operator may not hold it. */
  hold(id: string, origin: Origin): void;
  /** Called once when the control is no longer held. */
  release(): void;
}

interface HeldControlDeps {
  clock: Clock;
  onChange: () => void;
}

/** Releases the held motion when the page that holds its control is silent. */
export class HeldControl {
  readonly #deps: HeldControlDeps;
  #motion: HeldMotion | undefined;
  #silence: Cancel | undefined;

  constructor(deps: HeldControlDeps) {
    this.#deps = deps;
  }

  get isHeld(): boolean {
    return this.#silence !== undefined;
  }

  serve(motion: HeldMotion): Cancel {
    this.#motion = motion;
    return () => {
      this.release();
      this.#motion = undefined;
    };
  }

  /** Throws NOT_FOUND if there is nothing to hold, and the motion's errors. */
  hold(id: string, origin: Origin): void {
    if (!this.#motion) throw new GatewayError('NOT_FOUND', driveMessage('nothing-to-hold'));
    this.#motion.hold(id, origin);
    const wasHeld = this.isHeld;
    this.#silence?.();
    this.#silence = this.#deps.clock.after(SILENCE_MS, () => this.release());
    if (!wasHeld) this.#deps.onChange();
  }

  release(): void {
    if (!this.#silence) return;
    this.#silence();
    this.#silence = undefined;
    this.#motion?.release();
    this.#deps.onChange();
  }
}
