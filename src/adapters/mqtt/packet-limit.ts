/** Maximum size of a packet from another broker in bytes. Cartwright's messages are at most 8 kB long. */
export const MAX_RECEIVED_BYTES = 64 * 1024;

/** Checks the length in each packet's header, because MQTT.js would buffer up to 256 MB. */
export class PacketLimit {
  readonly #limitBytes: number;
  /** Outstanding bytes of the current packet's body. */
  #left = 0;
  /** Bytes of the fixed header read so far: a type byte and one to four length bytes (MQTT 3.1.1, 2.2). */
  #headerBytes = 0;
  #length = 0;

  constructor(limitBytes = MAX_RECEIVED_BYTES) {
    this.#limitBytes = limitBytes;
  }

  /** Returns false if a header contains an invalid length or a length above the limit. */
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
