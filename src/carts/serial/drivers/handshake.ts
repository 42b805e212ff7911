import { randomInt } from 'node:crypto';
import { GatewayError } from '../../../shared/errors.js';
import type { Clock } from '../../../shared/ports/clock.js';
import type { FrameOf } from '../codec/codec.js';
import { serialMessage } from '../messages.js';
import type { SerialSettings } from '../settings-schema.js';

const PROTO = 1;
/** HELLO is repeated, because an Arduino resets when its port is opened and misses frames for 1 to 2 s. */
const EVERY_MS = 250;
const TIMEOUT_MS = 5000;

type Hello = Pick<FrameOf<'HELLO'>, 'type' | 'protoMin' | 'protoMax' | 'heartbeatTimeoutMs' | 'hostNonce'>;

interface HandshakeDeps {
  clock: Clock;
  serial: SerialSettings;
  send: (hello: Hello) => void;
}

/** Sends HELLO until the controller replies with the same nonce. Other replies are ignored. */
export class Handshake {
  readonly #deps: HandshakeDeps;
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

  cancel(): void {
    this.#fail(new GatewayError('SERIAL_LOST', serialMessage('lost')));
  }

  #reply(): Promise<FrameOf<'HELLO_R'>> {
    const { clock, serial, send } = this.#deps;
    const hostNonce = randomInt(2 ** 32);
    const deadlineMs = clock.now() + TIMEOUT_MS;
    const hello: Hello = {
      ...{ type: 'HELLO', protoMin: PROTO, protoMax: PROTO },
      ...{ heartbeatTimeoutMs: serial.timeoutMs, hostNonce },
    };
    return new Promise((resolve, reject) => {
      const attempt = (): void => {
        if (clock.now() >= deadlineMs) {
          const text = serialMessage('no-answer', { driver: serial.driver, limit: TIMEOUT_MS / 1000 });
          const hint = serialMessage('no-answer-hint');
          return this.#fail(new GatewayError('HELLO_TIMEOUT', text, { hint }));
        }
        try {
          send(hello);
        } catch (error) {
          this.#fail(error);
        }
      };
      const cancel = clock.every(EVERY_MS, attempt);
      this.#fail = (error) => {
        cancel();
        reject(error);
      };
      this.#onReply = (reply) => {
        if (reply.hostNonce !== hostNonce) return;
        cancel();
        resolve(reply);
      };
      attempt();
    });
  }
}
