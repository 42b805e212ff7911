import type { Cancel, Clock } from '../../shared/ports/ports.js';
import { Signal } from '../../shared/signal.js';
import type { FaultPanel } from './faults.js';

const NOISE_MOST_BYTES = 40;

interface LineDeps {
  clock: Clock;
  faults: FaultPanel;
  random: () => number;
}

/** The controller's transmit wire, with everything that can go wrong on it. */
export class Line {
  readonly #deps: LineDeps;
  readonly #sent = new Signal<[Uint8Array]>();
  readonly #late = new Set<Cancel>();
  #noise: Cancel = () => undefined;

  constructor(deps: LineDeps) {
    this.#deps = deps;
  }

  /** The bytes as they arrive at the other end. */
  readonly onSend = this.#sent.on.bind(this.#sent);

  send(bytes: Uint8Array): void {
    const { clock, faults } = this.#deps;
    const lateMs = faults.argument('slow');
    if (lateMs === undefined) return this.#emit(bytes);
    const cancel = clock.after(lateMs, () => {
      this.#late.delete(cancel);
      this.#emit(bytes);
    });
    this.#late.add(cancel);
  }

  /** Starts or ends the noise, as the panel says. */
  retune(): void {
    this.#noise();
    const everyMs = this.#deps.faults.argument('noise');
    this.#noise =
      everyMs === undefined ? () => undefined : this.#deps.clock.every(everyMs, () => this.#hiss());
  }

  /** What was on its way is lost: the power is off, or the controller restarted. */
  clear(): void {
    for (const cancel of this.#late) cancel();
    this.#late.clear();
  }

  /** No timer is left. */
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

  #hiss(): void {
    const { random } = this.#deps;
    const length = 1 + Math.floor(random() * NOISE_MOST_BYTES);
    this.#emit(Uint8Array.from({ length }, () => Math.floor(random() * 256)));
  }
}
