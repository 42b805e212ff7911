import type { Clock } from '../../../shared/ports/clock.js';
import type { ByteLink } from '../../../shared/ports/serial.js';
import type { Frame, FrameBody, FrameHead } from '../codec/codec.js';
import type { Dialect } from './dialects.js';

/** After a pause of this length, the line may contain part of a frame or noise. */
const PAUSE_MS = 1000;

interface FrameWriterDeps {
  link: ByteLink;
  dialect: Dialect;
  session: number;
  clock: Clock;
  counters: { sent: number };
}

export class FrameWriter {
  readonly #deps: FrameWriterDeps;
  #seq = 0;
  #writtenMs = Number.NEGATIVE_INFINITY;

  constructor(deps: FrameWriterDeps) {
    this.#deps = deps;
  }

  nextSeq(): number {
    const seq = this.#seq;
    this.#seq = (seq + 1) & 0xff;
    return seq;
  }

  write(body: FrameBody, head: Partial<FrameHead> = {}): void {
    const { clock, counters, dialect, link, session } = this.#deps;
    const seq = head.seq ?? this.nextSeq();
    const frame: Frame = { session, ackReq: false, reply: false, retry: false, ...head, seq, ...body };
    if (clock.now() - this.#writtenMs >= PAUSE_MS) link.write(dialect.opening);
    link.write(dialect.encode(frame));
    this.#writtenMs = clock.now();
    counters.sent += 1;
  }

  /** Replies are not counted, because they are not requests of this host. */
  reply(body: FrameBody, seq: number): void {
    const { dialect, link, session } = this.#deps;
    link.write(dialect.encode({ seq, session, ackReq: false, reply: true, retry: false, ...body }));
  }
}
