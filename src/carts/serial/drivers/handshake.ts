import { randomInt } from 'node:crypto';
import { GatewayError } from '../../../shared/errors.js';
import type { Cancel, Clock } from '../../../shared/ports/clock.js';
import type { FrameOf } from '../codec/codec.js';
import { serialMessage } from '../messages.js';
import type { SerialSettings } from '../settings-schema.js';
import type { FrameWriter } from './frame-writer.js';

const PROTO = 1;
/** Interval in ms between repeated HELLOs, and the minimum time between HELLOs that frames trigger. */
const EVERY_MS = 250;
/**
 * If no frame has triggered a HELLO, one is sent this many ms after the port was opened. Until then, the gateway
 * sends no other bytes, because every byte keeps an Arduino's boot loader running. Boot loaders start the firmware
 * after 1.4 s of silence.
 */
const FIRST_MS = 2000;
const TIMEOUT_MS = 6000;

interface HandshakeDeps {
  clock: Clock;
  serial: SerialSettings;
  /** True if HELLO is repeated until the controller replies; false if only a further frame triggers one. */
  repeats: boolean;
  writer: Pick<FrameWriter, 'write'>;
}

/** Sends HELLO until the controller replies with the same nonce; ignores replies with a different nonce. */
export class Handshake {
  readonly #deps: HandshakeDeps;
  #onFrame: () => void = () => undefined;
  #onReply: (reply: FrameOf<'HELLO_R'>) => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;

  constructor(deps: HandshakeDeps) {
    this.#deps = deps;
  }

  /** Rejects with HELLO_TIMEOUT, INCOMPATIBLE, SERIAL_LOST or the line's error. */
  async start(): Promise<FrameOf<'HELLO_R'>> {
    const reply = await this.#reply();
    if (reply.proto === PROTO) return reply;
    const text = serialMessage('protocol-version', { theirs: reply.proto, ours: PROTO });
    throw new GatewayError('INCOMPATIBLE', text, { hint: serialMessage('protocol-hint') });
  }

  onReply(reply: FrameOf<'HELLO_R'>): void {
    this.#onReply(reply);
  }

  /** Every valid frame shows that the controller's firmware is running. */
  onFrame(): void {
    this.#onFrame();
  }

  cancel(): void {
    this.#fail(new GatewayError('SERIAL_LOST', serialMessage('lost')));
  }

  #reply(): Promise<FrameOf<'HELLO_R'>> {
    const { clock, repeats } = this.#deps;
    const hostNonce = randomInt(2 ** 32);
    return new Promise((resolve, reject) => {
      const timers: Cancel[] = [];
      const end = (): void => {
        for (const cancel of timers) cancel();
        this.#onFrame = () => undefined;
      };
      let sentMs = Number.NEGATIVE_INFINITY;
      const send = (): void => {
        sentMs = clock.now();
        this.#send(hostNonce);
      };
      const greet = (): void => {
        if (clock.now() - sentMs >= EVERY_MS) send();
      };
      this.#fail = (error) => {
        end();
        reject(error);
      };
      this.#onReply = (reply) => {
        if (reply.hostNonce !== hostNonce) return;
        end();
        resolve(reply);
      };
      this.#onFrame = greet;
      timers.push(clock.after(TIMEOUT_MS, () => this.#fail(this.#noAnswer())));
      timers.push(clock.after(FIRST_MS, greet));
      if (repeats) timers.push(clock.after(FIRST_MS, () => timers.push(clock.every(EVERY_MS, send))));
    });
  }

  #send(hostNonce: number): void {
    const { serial, writer } = this.#deps;
    const protocol = { protoMin: PROTO, protoMax: PROTO };
    try {
      writer.write(
        { type: 'HELLO', ...protocol, heartbeatTimeoutMs: serial.timeoutMs, hostNonce },
        { ackReq: true },
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  #noAnswer(): GatewayError {
    const { serial } = this.#deps;
    const text = serialMessage('no-answer', { driver: serial.driver, limit: TIMEOUT_MS / 1000 });
    return new GatewayError('HELLO_TIMEOUT', text, { hint: serialMessage('no-answer-hint') });
  }
}
