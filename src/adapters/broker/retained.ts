/** What all others together may have retained: a fleet of 1,000 carts has 8 MB. The broker keeps it in memory for ever. */
export const MAX_RETAINED_BYTES = 32 * 1024 * 1024;
/** What one user name may have of it, so that nobody can take the room of all others. */
export const MAX_RETAINED_SHARE = MAX_RETAINED_BYTES / 2;
/** What a retained message costs beside its topic and payload. */
const MESSAGE_BYTES = 512;

/** Counts retained messages, as a broker keeps them: the newest of each topic, and an empty one clears it. */
export class RetainedBudget {
  readonly #kept = new Map<string, { bytes: number; username: string }>();
  /** Of each user name that has something retained. */
  readonly #shares = new Map<string, number>();
  #sum = 0;

  /** Counts a message; false, and it does not count, when it would be too much. */
  takes({ topic, payload }: { topic: string; payload: string | Buffer }, username: string): boolean {
    const before = this.#kept.get(topic);
    const bytes = payload.length === 0 ? 0 : MESSAGE_BYTES + topic.length + payload.length;
    const growth = bytes - (before?.bytes ?? 0);
    const share = this.#shareOf(username) + bytes - (before?.username === username ? before.bytes : 0);
    if (growth > 0 && (this.#sum + growth > MAX_RETAINED_BYTES || share > MAX_RETAINED_SHARE)) return false;
    this.#sum += growth;
    if (before) this.#add(before.username, -before.bytes);
    this.#add(username, bytes);
    if (bytes === 0) this.#kept.delete(topic);
    else this.#kept.set(topic, { bytes, username });
    return true;
  }

  #shareOf(username: string): number {
    return this.#shares.get(username) ?? 0;
  }

  #add(username: string, bytes: number): void {
    const share = this.#shareOf(username) + bytes;
    if (share === 0) this.#shares.delete(username);
    else this.#shares.set(username, share);
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
