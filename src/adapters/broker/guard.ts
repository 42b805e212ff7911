/**
 * Follows the packet borders of an MQTT byte stream and says when a packet announces more than the limit. The broker's
 * parser has no limit of its own: it would collect up to 256 MB for one packet.
 */
export class PacketSizeGuard {
  #limitBytes: number;
  /** Bytes of the current packet's body that are still to come. */
  #left = 0;
  /** Bytes of the fixed header read so far: the first is the type, up to four more are the length. */
  #headerBytes = 0;
  #length = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get limitBytes(): number {
    return this.#limitBytes;
  }

  /** Allows larger packets from the next one on. */
  raise(limitBytes: number): void {
    this.#limitBytes = limitBytes;
  }

  /** False as soon as a packet over the limit (or with a length that MQTT does not know) has been announced. */
  allows(chunk: Uint8Array): boolean {
    let at = 0;
    while (at < chunk.length) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, chunk.length - at);
        this.#left -= skipped;
        at += skipped;
        continue;
      }
      if (!this.#readHeader(chunk[at] ?? 0)) return false;
      at += 1;
    }
    return true;
  }

  #readHeader(byte: number): boolean {
    this.#headerBytes += 1;
    if (this.#headerBytes === 1) return true;
    this.#length += (byte & 0x7f) * 128 ** (this.#headerBytes - 2);
    if (this.#length > this.#limitBytes) return false;
    if ((byte & 0x80) !== 0) return this.#headerBytes < 5;
    this.#left = this.#length;
    this.#headerBytes = 0;
    this.#length = 0;
    return true;
  }
}
