import type { Cancel, Clock } from '../../shared/ports/clock.js';
import { Signal } from '../../shared/signal.js';
import type { ControllerFaults } from './faults.js';

const MAX_NOISE_BYTES = 40;

interface LineDeps {
  clock: Clock;
  faults: ControllerFaults;
  random: () => number;
}

/** The controller's transmit line, with injected faults. */
export class Line {
  readonly #deps: LineDeps;
  readonly #sent = new Signal<[Uint8Array]>();
  readonly #delayed = new Set<Cancel>();
  #noise: Cancel = () => undefined;

  constructor(deps: LineDeps) {
    this.#deps = deps;
  }

  readonly onSend = this.#sent.on.bind(this.#sent);

  send(bytes: Uint8Array): void {
    const { clock, faults } = this.#deps;
    const delayMs = faults.argument('slow');
    if (delayMs === undefined) return this.#emit(bytes);
    const cancel = clock.after(delayMs, () => {
      this.#delayed.delete(cancel);
      this.#emit(bytes);
    });
    this.#delayed.add(cancel);
  }

  updateNoise(): void {
    this.#noise();
    const everyMs = this.#deps.faults.argument('noise');
    this.#noise =
      everyMs === undefined ? () => undefined : this.#deps.clock.every(everyMs, () => this.#sendNoise());
  }

  /** Discards delayed output. */
  clear(): void {
    for (const cancel of this.#delayed) cancel();
    this.#delayed.clear();
  }

  close(): void {
    this.clear();
    this.#noise();
  }

  #emit(bytes: Uint8Array): void {
    const { faults, random } = this.#deps;
    if (faults.has('mute')) return;
    const chance = faults.argument('corrupt') ?? 0;
    this.#sent.emit(chance > 0 && random() < chance ? this.#flipped(bytes) : bytes);
  }

  #flipped(bytes: Uint8Array): Uint8Array {
    const copy = Uint8Array.from(bytes);
    const at = Math.floor(this.#deps.random() * copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(this.#deps.random() * 8));
    return copy;
  }

  #sendNoise(): void {
    const { random } = this.#deps;
    const length = 1 + Math.floor(random() * MAX_NOISE_BYTES);
    this.#emit(Uint8Array.from({ length }, () => Math.floor(random() * 256)));
  }
}
