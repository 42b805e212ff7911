/** What all others together may have retained: a fleet of 1,000 carts has 8 MB. The broker keeps it in memory for ever. */
export const RETAINED_BYTES_MOST = 32 * 1024 * 1024;
/** What a retained message costs beside its topic and payload. */
const MESSAGE_BYTES = 512;

/** Counts retained messages, as a broker keeps them: the newest of each topic, and an empty one clears it. */
export class RetainedBudget {
  readonly #bytes = new Map<string, number>();
  #sum = 0;

  /** Counts a message; false, and it does not count, when it would be too much. */
  takes({ topic, payload }: { topic: string; payload: string | Buffer }): boolean {
    const before = this.#bytes.get(topic) ?? 0;
    const after = payload.length === 0 ? 0 : MESSAGE_BYTES + topic.length + payload.length;
    const sum = this.#sum - before + after;
    if (after > before && sum > RETAINED_BYTES_MOST) return false;
    this.#sum = sum;
    if (after === 0) this.#bytes.delete(topic);
    else this.#bytes.set(topic, after);
    return true;
  }
}

/** The same bytes, in memory that is shared with nothing. */
export function aloneInMemory(payload: string | Buffer): Buffer {
  // Not `Buffer.from`, which cuts small ones from a piece that others share.
  const alone = Buffer.alloc(Buffer.byteLength(payload));
  if (typeof payload === 'string') alone.write(payload);
  else alone.set(payload);
  return alone;
}
