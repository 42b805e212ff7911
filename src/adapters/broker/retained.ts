/** Maximum total size of all network clients' retained messages, which are kept in memory; 1,000 carts use 8 MB. */
export const MAX_RETAINED_BYTES = 32 * 1024 * 1024;
/** Maximum size of the retained messages per username, so that one client cannot use the whole budget. */
export const MAX_RETAINED_SHARE = MAX_RETAINED_BYTES / 2;
/** Memory in bytes that a retained message needs in addition to its topic and payload. */
const MESSAGE_BYTES = 512;

/** Counts only the latest message per topic, as the broker does. An empty payload clears the topic. */
export class RetainedBudget {
  readonly #messages = new Map<string, { bytes: number; username: string }>();
  readonly #shares = new Map<string, number>();
  #sum = 0;

  /** Returns false if the message would exceed a limit; such a message is not counted. */
  accepts({ topic, payload }: { topic: string; payload: string | Buffer }, username: string): boolean {
    const before = this.#messages.get(topic);
    const bytes = payload.length === 0 ? 0 : MESSAGE_BYTES + topic.length + payload.length;
    const growth = bytes - (before?.bytes ?? 0);
    const share = this.#shareOf(username) + bytes - (before?.username === username ? before.bytes : 0);
    if (growth > 0 && (this.#sum + growth > MAX_RETAINED_BYTES || share > MAX_RETAINED_SHARE)) return false;
    this.#sum += growth;
    if (before) this.#add(before.username, -before.bytes);
    this.#add(username, bytes);
    if (bytes === 0) this.#messages.delete(topic);
    else this.#messages.set(topic, { bytes, username });
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

/** Copies the payload into a separate buffer; `Buffer.from` allocates small buffers from a shared pool. */
export function unpooledCopy(payload: string | Buffer): Buffer {
  const copy = Buffer.alloc(Buffer.byteLength(payload));
  if (typeof payload === 'string') copy.write(payload);
  else copy.set(payload);
  return copy;
}
