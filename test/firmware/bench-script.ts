import { encodeFrame, type FrameBody, type FrameHead } from '../../src/carts/serial/codec/codec.js';

export type ResetCause = 'external' | 'power-on' | 'brown-out';

/** The frames that `ready` and `move` send; the motion lasts for minutes. */
export const HELLO = {
  type: 'HELLO',
  protoMin: 1,
  protoMax: 1,
  heartbeatTimeoutMs: 500,
  hostNonce: 7,
} as const;
export const HEARTBEAT = { type: 'HEARTBEAT', armed: true, timeoutMs: 500 } as const;
export const MOVE = {
  type: 'MOVE',
  wireId: 100,
  distanceMm: 50_000,
  angleDdeg: 0,
  maxSpeedMmps: 300,
  ttlMs: 1500,
  maxDurationDs: 6000,
} as const;

/** Commands for the bench, in simulated time. simavr/script.c documents them. */
export class BenchScript {
  readonly session = 0x3c;
  #lines: string[] = [];
  #seq = 0;
  #wireId: number = MOVE.wireId;

  text(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  command(...words: (string | number)[]): this {
    this.#lines.push(words.join(' '));
    return this;
  }

  /** Makes the host transmit a frame after all bytes that are still queued. */
  send(body: FrameBody, head: Partial<FrameHead> = {}): this {
    return this.bytes(this.frame(body, head));
  }

  frame(body: FrameBody, head: Partial<FrameHead> = {}): Uint8Array {
    const ackReq = body.type !== 'HEARTBEAT' && body.type !== 'JOG';
    const { session } = this;
    return encodeFrame({
      seq: this.#seq++ & 0xff,
      session,
      ackReq,
      reply: false,
      retry: false,
      ...head,
      ...body,
    });
  }

  bytes(bytes: Uint8Array): this {
    return this.command('send', Buffer.from(bytes).toString('hex'));
  }

  wait(ms: number): this {
    return this.command('wait', ms * 1000);
  }

  /** Waits until motor enable has this level, for at most `ms` milliseconds. */
  until(level: 0 | 1, ms: number): this {
    return this.command('until', level, ms * 1000);
  }

  /** Waits until the host has transmitted all bytes. */
  drain(): this {
    return this.command('drain', 60_000_000);
  }

  /** Connects the cart to the board; the default motors match the sketch's configuration. */
  cart({ fullMmps = 800, lagMs = 100 } = {}): this {
    return this.command('cart', fullMmps, lagMs);
  }

  estop(pressed: boolean): this {
    return this.command('estop', pressed ? 1 : 0);
  }

  reset(cause: ResetCause): this {
    return this.command('reset', cause);
  }

  mark(text: string): this {
    return this.command('mark', text);
  }

  report(): this {
    return this.command('report');
  }

  /** A copy of the whole simulation executes the commands that `build` adds; then the original continues. */
  branch(build: () => void): this {
    this.command('branch');
    build();
    return this.command('end');
  }

  heartbeat(armed = true): this {
    return this.send({ ...HEARTBEAT, armed });
  }

  /** Sends a heartbeat every 100 ms for `ms` milliseconds. */
  heartbeats(ms: number): this {
    for (let left = ms; left > 0; left -= 100) this.heartbeat().wait(Math.min(left, 100));
    return this;
  }

  /** Opens a session and arms the controller; `bootMs` is the time that the board needs to start. */
  ready(bootMs = 50): this {
    this.wait(bootMs).bytes(Uint8Array.of(0));
    return this.send(HELLO).wait(5).heartbeat().wait(5);
  }

  /** Starts a motion; a negative speed drives backward. */
  move(speedMmps: number = MOVE.maxSpeedMmps, distanceMm: number = MOVE.distanceMm): this {
    return this.send({
      ...MOVE,
      wireId: this.#wireId++,
      distanceMm: Math.sign(speedMmps) * distanceMm,
      maxSpeedMmps: Math.abs(speedMmps),
    });
  }

  /** Presses the reset button for just over 100 ms, the shortest press that counts. */
  pressReset(): this {
    return this.command('button', 1).wait(103).command('button', 0).wait(3);
  }
}
