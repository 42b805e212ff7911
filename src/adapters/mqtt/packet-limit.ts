/** Maximum size of a packet from another broker in bytes. Cartwright's messages are at most 8 kB long. */
const MAX_RECEIVED_BYTES = 64 * 1024;
/** A site plan has at most 256 kB; the topic and the header need less than 1 kB. */
export const MAX_SITE_PLAN_PACKET_BYTES = 257 * 1024;
const PUBLISH = 3;
/** Longest topic of a large packet. */
const MAX_TOPIC_BYTES = 256;

/** Returns true for `<root>/<fleet>/site/plan`, the topic that permits messages of up to 256 kB. */
export function isSitePlanTopic(topic: string): boolean {
  return topic.endsWith('/site/plan');
}

/** Checks the length in each packet's header, because MQTT.js would buffer up to 256 MB. */
export class PacketLimit {
  readonly #limitBytes: number;
  /** Outstanding bytes of the current packet's body. */
  #left = 0;
  /** Bytes of the fixed header read so far: a type byte and one to four length bytes (MQTT 3.1.1, 2.2). */
  #headerBytes = 0;
  #type = 0;
  #length = 0;
  /** The start of a large packet's body, with the topic; undefined if the packet is not large. */
  #topic: number[] | undefined;

  constructor(limitBytes = MAX_RECEIVED_BYTES) {
    this.#limitBytes = limitBytes;
  }

  /** Returns false if a header contains an invalid length or a length above the limit of its topic. */
  allows(chunk: Uint8Array): boolean {
    let at = 0;
    while (at < chunk.length) {
      if (this.#left === 0 || this.#topic) {
        if (!this.#read(chunk[at] ?? 0)) return false;
        at += 1;
        continue;
      }
      const skipped = Math.min(this.#left, chunk.length - at);
      this.#left -= skipped;
      at += skipped;
    }
    return true;
  }

  #read(byte: number): boolean {
    return this.#topic ? this.#readTopic(this.#topic, byte) : this.#readHeader(byte);
  }

  #readHeader(byte: number): boolean {
    this.#headerBytes += 1;
    if (this.#headerBytes === 1) {
      this.#type = byte >> 4;
      return true;
    }
    this.#length += (byte & 0x7f) * 128 ** (this.#headerBytes - 2);
    const isLarge = this.#length > this.#limitBytes;
    if (isLarge && (this.#type !== PUBLISH || this.#length > MAX_SITE_PLAN_PACKET_BYTES)) return false;
    if ((byte & 0x80) !== 0) return this.#headerBytes < 5;
    if (isLarge) this.#topic = [];
    this.#left = this.#length;
    this.#headerBytes = 0;
    this.#length = 0;
    return true;
  }

  /** The topic is preceded by its length in two bytes (MQTT 3.1.1, 3.3.2.1). */
  #readTopic(start: number[], byte: number): boolean {
    start.push(byte);
    this.#left -= 1;
    if (start.length < 2) return true;
    const [high = 0, low = 0, ...topic] = start;
    const topicBytes = high * 256 + low;
    if (topicBytes > MAX_TOPIC_BYTES) return false;
    if (topic.length < topicBytes) return true;
    this.#topic = undefined;
    return isSitePlanTopic(String.fromCharCode(...topic));
  }
}
