import { randomInt } from 'node:crypto';
import { GatewayError } from '../../../shared/errors.js';
import type { Cancel, Clock } from '../../../shared/ports/clock.js';
import type { FrameOf } from '../codec/codec.js';
import { serialMessage } from '../messages.js';
import type { SerialSettings } from '../settings-schema.js';

const PROTO = 1;
/** Interval in ms of repeated HELLOs, and the minimum time between HELLOs that frames trigger. */
const EVERY_MS = 250;

/** When HELLO is sent. All times are in ms after the port was opened. */
export interface HelloTiming {
  /**
   * Time of the first HELLO that no frame triggered. Until then, the line is silent, because every byte keeps
   * an Arduino's boot loader running.
   */
  firstMs: number;
  /** True if HELLO is repeated until the controller replies. Otherwise, each frame triggers a HELLO. */
  repeats: boolean;
  timeoutMs: number;
}

type Hello = Pick<FrameOf<'HELLO'>, 'type' | 'protoMin' | 'protoMax' | 'heartbeatTimeoutMs' | 'hostNonce'>;

interface HandshakeDeps {
  clock: Clock;
  serial: SerialSettings;
  timing: HelloTiming;
  send: (hello: Hello) => void;
}

/** Sends HELLO until the controller replies with the same nonce. Other replies are ignored. */
export class Handshake {
  readonly #deps: HandshakeDeps;
  #onFrame: () => unknown = () => undefined;
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

  /** Called for every valid frame, which shows that the controller's firmware is running. */
  onFrame(): void {
    this.#onFrame();
  }

  cancel(): void {
    this.#fail(new GatewayError('SERIAL_LOST', serialMessage('lost')));
  }

  #reply(): Promise<FrameOf<'HELLO_R'>> {
    const { clock, timing } = this.#deps;
    const hostNonce = randomInt(2 ** 32);
    return new Promise((resolve, reject) => {
      const timers: Cancel[] = [];
      const end = (): void => {
        for (const cancel of timers) cancel();
        this.#onFrame = () => undefined;
      };
      let sentMs = Number.NEGATIVE_INFINITY;
      const greet = (): void => {
        sentMs = clock.now();
        this.#send(hostNonce);
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
      timers.push(clock.after(timing.timeoutMs, () => this.#fail(this.#noAnswer())));
      if (timing.repeats) timers.push(clock.every(EVERY_MS, greet));
      else this.#onFrame = () => clock.now() - sentMs >= EVERY_MS && greet();
      if (timing.firstMs > 0) timers.push(clock.after(timing.firstMs, greet));
      else greet();
    });
  }

  #send(hostNonce: number): void {
    const { serial, send } = this.#deps;
    const protocol = { protoMin: PROTO, protoMax: PROTO };
    try {
      send({ type: 'HELLO', ...protocol, heartbeatTimeoutMs: serial.timeoutMs, hostNonce });
    } catch (error) {
      this.#fail(error);
    }
  }

  #noAnswer(): GatewayError {
    const { serial, timing } = this.#deps;
    const text = serialMessage('no-answer', { driver: serial.driver, limit: timing.timeoutMs / 1000 });
    return new GatewayError('HELLO_TIMEOUT', text, { hint: serialMessage('no-answer-hint') });
  }
}
