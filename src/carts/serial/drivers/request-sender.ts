import { GatewayError } from '../../../shared/errors.js';
import type { ResendPolicy } from '../../../shared/retry.js';
import type { FrameBody } from '../codec/codec.js';
import { serialMessage } from '../messages.js';
import type { SerialSettings } from '../settings-schema.js';
import type { FrameWriter } from './frame-writer.js';
import type { RequestKind, Requests } from './requests.js';

const MOVE = 'move';
/** Stops are resent faster than other frames, so that a lost frame does not delay a stop. */
const STOP_EVERY_MS = 20;
const STOP_TRIES = 3;

interface RequestSenderDeps {
  requests: Requests;
  writer: FrameWriter;
  serial: Pick<SerialSettings, 'ackTimeoutMs' | 'retries'>;
  counters: { retried: number };
  /** Called if a stop was not confirmed; must end the heartbeats, so that the controller stops the cart. */
  onStopFailed: (error: unknown) => void;
}

export class RequestSender {
  readonly #deps: RequestSenderDeps;

  constructor(deps: RequestSenderDeps) {
    this.#deps = deps;
  }

  /** If `body` is a function, it is called for every attempt. */
  request(kind: RequestKind, body: FrameBody | (() => FrameBody)): Promise<void> {
    const { ackTimeoutMs, retries } = this.#deps.serial;
    return this.#send(kind, body, { everyMs: ackTimeoutMs, tries: retries + 1, graceMs: ackTimeoutMs });
  }

  /** A stop supersedes a move that has not been acknowledged. */
  urgent(kind: RequestKind, body: FrameBody): Promise<void> {
    const { requests, serial, onStopFailed } = this.#deps;
    // An unacknowledged move must not be sent again after the stop.
    requests.abandon(new GatewayError('STOPPED', serialMessage('stopped-before')), MOVE);
    const graceMs = Math.max(STOP_EVERY_MS, serial.ackTimeoutMs);
    const sent = this.#send(kind, body, { everyMs: STOP_EVERY_MS, tries: STOP_TRIES, graceMs });
    sent.catch((error: unknown) => {
      if (error instanceof GatewayError && error.code === 'SERIAL_LOST') return;
      onStopFailed(error);
    });
    return sent;
  }

  #send(kind: RequestKind, body: FrameBody | (() => FrameBody), policy: ResendPolicy): Promise<void> {
    const { counters, requests, writer } = this.#deps;
    const seq = writer.nextSeq();
    return requests.start(seq, kind, policy, (retry) => {
      if (retry) counters.retried += 1;
      writer.write(typeof body === 'function' ? body() : body, { seq, ackReq: true, retry });
    });
  }
}
