import { GatewayError } from '../../../shared/errors.js';
import type { Message } from '../../../shared/messages/message.js';
import { span } from '../../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../../shared/ports/clock.js';
import type { ByteLink } from '../../../shared/ports/serial.js';
import {
  ACK,
  PACKET_GAP_MS,
  parseRoboclawReply,
  type ReadCommand,
  roboclawRead,
  roboclawWrite,
} from '../codec/roboclaw.js';
import { serialMessage } from '../messages.js';

/** After this much silence, the board has dropped any incomplete packet. */
const SILENCE_MS = PACKET_GAP_MS + 2;

interface RoboclawLineDeps {
  link: ByteLink;
  clock: Clock;
  address: number;
  ackTimeoutMs: number;
  counters: { sent: number; received: number; dropped: number };
  onBroken: () => void;
}

interface Waiting {
  /** Undefined for a write, which is acknowledged by one byte. */
  readCommand: ReadCommand | undefined;
  received: number[];
  resolve: (data: Uint8Array) => void;
  reject: (error: Error) => void;
  cancel: Cancel;
}

/**
 * Replies have no packet ID and are matched to packets in order. After a missing or invalid reply, all
 * pending packets fail, and input is ignored until the line has been silent for `SILENCE_MS`.
 */
export class RoboclawLine {
  readonly #deps: RoboclawLineDeps;
  readonly #unlisten: Cancel;
  #waiting: Waiting[] = [];
  #ignoreUntilMs = 0;

  constructor(deps: RoboclawLineDeps) {
    this.#deps = deps;
    this.#unlisten = deps.link.onBytes((bytes) => this.#onBytes(bytes));
  }

  /** Writes the packet before returning. Rejects with SERIAL_ACK_TIMEOUT or SERIAL_DOWN. */
  async write(command: number, value: number): Promise<void> {
    await this.#send(roboclawWrite(this.#deps.address, command, value), undefined);
  }

  read(readCommand: ReadCommand): Promise<Uint8Array> {
    return this.#send(roboclawRead(this.#deps.address, readCommand.command), readCommand);
  }

  close(): void {
    this.#unlisten();
    this.#rejectAll(new GatewayError('SERIAL_LOST', serialMessage('lost')));
  }

  #send(packet: Uint8Array, readCommand: ReadCommand | undefined): Promise<Uint8Array> {
    const { link, clock, ackTimeoutMs, counters } = this.#deps;
    return new Promise((resolve, reject) => {
      link.write(packet);
      counters.sent += 1;
      if (clock.now() < this.#ignoreUntilMs) {
        // A late reply to an earlier packet could be mistaken for the reply to this packet.
        this.#ignoreInput();
        return reject(unconfirmed(serialMessage('line-resync')));
      }
      const cancel = clock.after(ackTimeoutMs, () =>
        this.#resync(serialMessage('reply-late', { time: span(ackTimeoutMs) })),
      );
      this.#waiting.push({ readCommand, received: [], resolve, reject, cancel });
    });
  }

  #onBytes(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#deps.clock.now() < this.#ignoreUntilMs) this.#ignoreInput();
      else this.#onByte(byte);
    }
  }

  #onByte(byte: number): void {
    const [head] = this.#waiting;
    if (!head) return this.#onInvalid('reply-unexpected');
    if (!head.readCommand) {
      if (byte === ACK) this.#settle(head, new Uint8Array());
      else this.#onInvalid('reply-not-ack');
      return;
    }
    head.received.push(byte);
    const reply = parseRoboclawReply(this.#deps.address, head.readCommand, Uint8Array.from(head.received));
    if (reply) this.#settle(head, reply);
    else if (head.received.length >= head.readCommand.maxBytes + 2) this.#onInvalid('reply-checksum');
  }

  #settle(head: Waiting, reply: Uint8Array): void {
    this.#waiting.shift();
    head.cancel();
    this.#deps.counters.received += 1;
    head.resolve(reply);
  }

  #onInvalid(what: 'reply-unexpected' | 'reply-not-ack' | 'reply-checksum'): void {
    this.#deps.counters.dropped += 1;
    this.#resync(serialMessage(what));
    this.#deps.onBroken();
  }

  #resync(why: Message): void {
    this.#ignoreInput();
    this.#rejectAll(unconfirmed(why));
  }

  #ignoreInput(): void {
    this.#ignoreUntilMs = this.#deps.clock.now() + SILENCE_MS;
  }

  #rejectAll(error: Error): void {
    for (const { cancel, reject } of this.#waiting.splice(0)) {
      cancel();
      reject(error);
    }
  }
}

function unconfirmed(reason: Message): GatewayError {
  return new GatewayError('SERIAL_ACK_TIMEOUT', serialMessage('not-acknowledged', { reason }));
}
