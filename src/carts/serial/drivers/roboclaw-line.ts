import { GatewayError } from '../../../shared/errors.js';
import type { Message } from '../../../shared/messages/message.js';
import { span } from '../../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../../shared/ports/clock.js';
import type { ByteLink } from '../../../shared/ports/serial.js';
import {
  ACK,
  PACKET_GAP_MS,
  type Question,
  roboclawAnswer,
  roboclawRead,
  roboclawWrite,
} from '../codec/roboclaw.js';
import { serialMessage } from '../messages.js';

/** Longer than the silence after which the board has thrown away what it did not understand. */
const SILENCE_MS = PACKET_GAP_MS + 2;

interface RoboclawLineDeps {
  link: ByteLink;
  clock: Clock;
  address: number;
  ackTimeoutMs: number;
  counters: { sent: number; received: number; dropped: number };
  /** Something came that is no answer, or a wrong one. */
  onBroken: () => void;
}

interface Waiting {
  /** Undefined: a write, which is answered by one byte. */
  question: Question | undefined;
  received: number[];
  resolve: (data: Uint8Array) => void;
  reject: (error: Error) => void;
  cancel: Cancel;
}

/**
 * Packets and their answers. An answer does not say what it answers: the board takes packets in order, so the oldest that
 * waits is meant. When one is missing or wrong, everything that waits is given up, and nothing is believed until the
 * line has been silent.
 */
export class RoboclawLine {
  readonly #deps: RoboclawLineDeps;
  readonly #unlisten: Cancel;
  #waiting: Waiting[] = [];
  #deafUntilMs = 0;

  constructor(deps: RoboclawLineDeps) {
    this.#deps = deps;
    this.#unlisten = deps.link.onBytes((bytes) => this.#onBytes(bytes));
  }

  /** On the wire before this returns. Rejects SERIAL_ACK_TIMEOUT when it is not acknowledged, SERIAL_DOWN when closed. */
  async write(command: number, value: number): Promise<void> {
    await this.#send(roboclawWrite(this.#deps.address, command, value), undefined);
  }

  /** Resolves with the data bytes of the answer; rejects as `write` does. */
  read(question: Question): Promise<Uint8Array> {
    return this.#send(roboclawRead(this.#deps.address, question.command), question);
  }

  close(): void {
    this.#unlisten();
    this.#giveUp(new GatewayError('SERIAL_LOST', serialMessage('lost')));
  }

  #send(packet: Uint8Array, question: Question | undefined): Promise<Uint8Array> {
    const { link, clock, ackTimeoutMs, counters } = this.#deps;
    return new Promise((resolve, reject) => {
      link.write(packet);
      counters.sent += 1;
      if (clock.now() < this.#deafUntilMs) {
        // Nobody could tell its answer from a late one: it goes unheard.
        this.#listenLater();
        return reject(unconfirmed(serialMessage('line-resync')));
      }
      const cancel = clock.after(ackTimeoutMs, () =>
        this.#resync(serialMessage('reply-late', { time: span(ackTimeoutMs) })),
      );
      this.#waiting.push({ question, received: [], resolve, reject, cancel });
    });
  }

  #onBytes(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#deps.clock.now() < this.#deafUntilMs) this.#listenLater();
      else this.#onByte(byte);
    }
  }

  #onByte(byte: number): void {
    const [head] = this.#waiting;
    if (!head) return this.#onWrong('reply-unexpected');
    if (!head.question) {
      if (byte === ACK) this.#settle(head, new Uint8Array());
      else this.#onWrong('reply-not-ack');
      return;
    }
    head.received.push(byte);
    const answer = roboclawAnswer(this.#deps.address, head.question, Uint8Array.from(head.received));
    if (answer) this.#settle(head, answer);
    else if (head.received.length >= head.question.most + 2) this.#onWrong('reply-checksum');
  }

  #settle(head: Waiting, answer: Uint8Array): void {
    this.#waiting.shift();
    head.cancel();
    this.#deps.counters.received += 1;
    head.resolve(answer);
  }

  #onWrong(what: 'reply-unexpected' | 'reply-not-ack' | 'reply-checksum'): void {
    this.#deps.counters.dropped += 1;
    this.#resync(serialMessage(what));
    this.#deps.onBroken();
  }

  #resync(why: Message): void {
    this.#listenLater();
    this.#giveUp(unconfirmed(why));
  }

  #listenLater(): void {
    this.#deafUntilMs = this.#deps.clock.now() + SILENCE_MS;
  }

  #giveUp(error: Error): void {
    for (const { cancel, reject } of this.#waiting.splice(0)) {
      cancel();
      reject(error);
    }
  }
}

function unconfirmed(reason: Message): GatewayError {
  return new GatewayError('SERIAL_ACK_TIMEOUT', serialMessage('not-acknowledged', { reason }));
}
