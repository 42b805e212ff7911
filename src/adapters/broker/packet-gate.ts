import type { Socket } from 'node:net';
import type { InputScheduler, Source } from '../../shared/input-scheduler.js';
import { isSitePlanTopic, MAX_SITE_PLAN_PACKET_BYTES } from '../mqtt/packet-limit.js';

/** Maximum size of a CONNECT packet. A gateway's packet, with its API key and last will, is smaller than 1 kB. */
const MAX_CONNECT_BYTES = 4096;
/**
 * Maximum size of a packet: Cartwright's messages are at most 8 kB long, and the topic and the header need less
 * than 1 kB.
 */
export const MAX_PACKET_BYTES = 9 * 1024;
/** A cart's Home Assistant device has many entities. */
const MAX_HOME_ASSISTANT_BYTES = 64 * 1024;
/** Maximum length of a topic that permits larger messages. */
const MAX_LARGE_TOPIC_BYTES = 256;
/** Time limit in ms for a packet to arrive completely; enough for 64 kB at 64 kbit/s, or 257 kB at 256 kbit/s. */
const PACKET_DEADLINE_MS = 10_000;
const PUBLISH = 3;
/** A fixed header has a type byte and one to four length bytes (MQTT 3.1.1, 2.2). */
const MAX_HEADER_BYTES = 5;

export type PacketFault = 'size' | 'deadline';

interface GateOptions {
  inputs: InputScheduler;
  /** Called for each packet, because the client is anonymous until it is authenticated. */
  source: () => Source;
  now: () => number;
  /** Called once; must close the socket. */
  rejected: (fault: PacketFault, limitBytes: number) => void;
}

/**
 * Passes only complete packets from a socket to aedes, one at a time, when it is the client's turn. Otherwise, aedes
 * would handle everything that has arrived at once, and its parser would buffer incomplete packets of up to 256 MB.
 * Packets that must wait stay in the socket, which stops reading when its buffer is full.
 */
export class PacketGate {
  readonly #socket: Socket;
  readonly #o: GateOptions;
  readonly #read: (size?: number) => Buffer | null;
  #isAuthenticated = false;
  #isQueued = false;
  #isGranted = false;
  #isRejected = false;
  /** True while aedes handles a packet. */
  #isHandling = false;
  /** The part of the current packet that has been read: its fixed header and, if it is large, its topic. */
  #parts: Buffer[] = [];
  #headerBytes = 0;
  /** Outstanding bytes of the current packet; undefined while its header is incomplete. */
  #left: number | undefined;
  #length = 0;
  #topicBytes: number | undefined;
  #isTopicRead = false;
  #incompleteSinceMs: number | undefined;

  constructor(socket: Socket, o: GateOptions) {
    this.#socket = socket;
    this.#o = o;
    this.#read = socket.read.bind(socket);
    // Intercepts `read()`, which aedes calls after each `readable` event and after each packet. Node itself calls
    // `read(0)`.
    socket.read = (size?: number) => (size === 0 ? this.#read(0) : this.#next());
  }

  /** Permits larger packets from now on, because the client is authenticated. */
  authenticated(): void {
    this.#isAuthenticated = true;
  }

  /** Must be called regularly. Rejects the current packet if it has not arrived in time. */
  check(): void {
    const sinceMs = this.#incompleteSinceMs;
    if (sinceMs !== undefined && this.#o.now() - sinceMs > PACKET_DEADLINE_MS) this.#reject('deadline', 0);
  }

  #next(): Buffer | null {
    // Lets Node emit `end` after the last byte.
    if (this.#socket.readableLength === 0) return this.#read(0);
    // Under low load, packets are handled as they arrive. A packet that aedes reads while it is still handling
    // another must wait.
    if (!this.#isGranted && (this.#isHandling || !this.#o.inputs.hasTime())) {
      this.#enqueue();
      return null;
    }
    this.#isGranted = false;
    const packet = this.#isRejected ? null : this.#take();
    if (packet || this.#isRejected) this.#incompleteSinceMs = undefined;
    else this.#incompleteSinceMs ??= this.#o.now();
    if (packet) {
      this.#isHandling = true;
      process.nextTick(this.#handled);
    }
    return packet;
  }

  readonly #handled = (): void => {
    this.#isHandling = false;
  };

  #enqueue(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.#o.inputs.queue(this.#o.source(), {
      run: () => {
        this.#isQueued = false;
        this.#isGranted = true;
        this.#socket.emit('readable');
      },
      isGone: () => this.#socket.destroyed,
    });
  }

  /**
   * Returns the next packet, or null if it is incomplete; Node then emits `readable` when more bytes arrive.
   */
  #take(): Buffer | null {
    if (this.#left === undefined && !this.#readHeader()) return null;
    if (this.#length > this.#limitBytes() && !this.#readTopic()) return null;
    const left = this.#left ?? 0;
    if (left > 0) {
      const body = this.#read(left);
      if (!body) return null;
      this.#parts.push(body);
    }
    const packet = this.#parts.length === 1 ? (this.#parts[0] ?? null) : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#headerBytes = 0;
    this.#left = undefined;
    this.#length = 0;
    this.#topicBytes = undefined;
    this.#isTopicRead = false;
    return packet;
  }

  #limitBytes(): number {
    return this.#isAuthenticated ? MAX_PACKET_BYTES : MAX_CONNECT_BYTES;
  }

  /** Returns false if the header is incomplete or its length is invalid. */
  #readHeader(): boolean {
    for (;;) {
      const bytes = this.#read(this.#headerBytes === 0 ? 2 : 1);
      if (!bytes) return false;
      this.#parts.push(bytes);
      const isFirst = this.#headerBytes === 0;
      this.#headerBytes += bytes.length;
      const byte = bytes.at(-1) ?? 0;
      // After a client has half-closed the connection, a single byte may remain.
      if (isFirst && bytes.length < 2) return true;
      this.#length += (byte & 0x7f) * 128 ** (this.#headerBytes - 2);
      if (this.#length > MAX_SITE_PLAN_PACKET_BYTES) return this.#reject('size', this.#limitBytes());
      if ((byte & 0x80) === 0) break;
      if (this.#headerBytes === MAX_HEADER_BYTES) return this.#reject('size', this.#limitBytes());
    }
    this.#left = this.#length;
    return true;
  }

  /**
   * Reads the topic of a packet that exceeds the usual limit. Returns false if the topic is incomplete, or if
   * the topic does not permit larger packets.
   */
  #readTopic(): boolean {
    if (this.#isTopicRead) return true;
    const isPublish = (this.#parts[0]?.[0] ?? 0) >> 4 === PUBLISH;
    if (!this.#isAuthenticated || !isPublish) return this.#reject('size', this.#limitBytes());
    if (this.#topicBytes === undefined) {
      const length = this.#read(2);
      if (!length) return false;
      this.#parts.push(length);
      this.#topicBytes = length.readUInt16BE();
      if (this.#topicBytes === 0 || this.#topicBytes > MAX_LARGE_TOPIC_BYTES)
        return this.#reject('size', this.#limitBytes());
    }
    const topic = this.#read(this.#topicBytes);
    if (!topic) return false;
    this.#parts.push(topic);
    this.#left = this.#length - 2 - topic.length;
    this.#isTopicRead = true;
    const limitBytes = largeTopicLimit(topic.toString('latin1')) ?? this.#limitBytes();
    return this.#length <= limitBytes || this.#reject('size', limitBytes);
  }

  #reject(fault: PacketFault, limitBytes: number): false {
    this.#isRejected = true;
    this.#o.rejected(fault, limitBytes);
    return false;
  }
}

function largeTopicLimit(topic: string): number | undefined {
  if (topic.startsWith('homeassistant/')) return MAX_HOME_ASSISTANT_BYTES;
  return isSitePlanTopic(topic) ? MAX_SITE_PLAN_PACKET_BYTES : undefined;
}
