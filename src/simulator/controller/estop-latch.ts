/** The controller's own emergency stop: set by a frame or by its input, ended only on purpose. */
export class ControllerEstopLatch {
  latched: boolean;
  /** In every STATUS. A reset must quote it: it proves that the sender knows of the newest stop. */
  nonce: number;
  readonly #pressed: () => boolean;
  readonly #random: () => number;

  /** `pressed` reads the input. A controller that starts with the button pressed starts latched. */
  constructor(pressed: () => boolean, random: () => number) {
    this.#pressed = pressed;
    this.#random = random;
    this.latched = pressed();
    this.nonce = this.#newNonce();
  }

  /** A stop, or a change of the input: what was known of the latch before is out of date. */
  touch(): void {
    this.nonce = this.#newNonce();
  }

  latch(): void {
    this.latched = true;
    this.touch();
  }

  /** The reset button on the cart; answers whether it ended the latch. */
  resetHere(): boolean {
    if (!this.latched || this.#pressed()) return false;
    this.latched = false;
    return true;
  }

  /** Why a reset is refused; undefined when it may be done. Without a latch there is nothing to refuse. */
  judgeReset(nonce: number): 'ESTOP_ACTIVE' | 'EXPIRED' | undefined {
    if (!this.latched) return undefined;
    if (this.#pressed()) return 'ESTOP_ACTIVE';
    return nonce === this.nonce ? undefined : 'EXPIRED';
  }

  #newNonce(): number {
    return Math.floor(this.#random() * 0x10000);
  }
}
