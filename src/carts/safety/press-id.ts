const MAX_LENGTH = 64;
const MAX_RECORDED = 16;

/**
 * Adds the press ID to the origin if the ID is valid. A stop with an invalid ID is still executed, because the ID
 * is used only to record the press.
 */
export function withPressId<O extends object>(origin: O, pressId: unknown): O & { pressId?: string } {
  const isValid = typeof pressId === 'string' && pressId !== '' && pressId.length <= MAX_LENGTH;
  return isValid ? { ...origin, pressId } : origin;
}

/** The presses since the last reset; at most the latest 16. */
export class RecordedPresses {
  #ids: readonly string[] = [];

  has(pressId: string): boolean {
    return this.#ids.includes(pressId);
  }

  /** Returns false if the press has already been recorded. */
  add(pressId: string): boolean {
    if (this.has(pressId)) return false;
    this.#ids = [...this.#ids.slice(1 - MAX_RECORDED), pressId];
    return true;
  }
}
