// Runs on the main thread.

import { Worker } from 'node:worker_threads';
import { errorText, GatewayError } from '../shared/errors.js';
import type { Text } from '../shared/messages/message.js';
import type { Cancel, Clock } from '../shared/ports/clock.js';
import { Backoff, doubling } from '../shared/retry.js';
import { fromWire } from '../shared/worker.js';
import { storeMessage } from './messages.js';
import type {
  DiskState,
  FromWriter,
  StartReport,
  ToWriter,
  WireOperation,
  WriterStart,
  WriterState,
} from './writer/protocol.js';

const PING_INTERVAL_MS = 1000;

interface HeartbeatOptions {
  clock: Clock;
  ping(): void;
}

/** Detects a hung writer thread. At most one ping is pending. */
export class WriterHeartbeat {
  readonly #o: HeartbeatOptions;
  #pingedAtMs: number | undefined;
  #cancel: Cancel = () => {};

  constructor(o: HeartbeatOptions) {
    this.#o = o;
  }

  get silentMs(): number {
    return this.#pingedAtMs === undefined ? 0 : this.#o.clock.now() - this.#pingedAtMs;
  }

  start(): void {
    this.#cancel = this.#o.clock.every(PING_INTERVAL_MS, () => this.#ping());
  }

  answered(): void {
    this.#pingedAtMs = undefined;
  }

  stop(): void {
    this.#cancel();
    this.answered();
  }

  #ping(): void {
    if (this.#pingedAtMs !== undefined) return;
    this.#pingedAtMs = this.#o.clock.now();
    this.#o.ping();
  }
}

interface WriterHostOptions {
  script: URL;
  start: Omit<WriterStart, 'isRestart'>;
  clock: Clock;
  onAnswers(answers: Extract<FromWriter, { kind: 'answers' }>): void;
  /** Called about once a second, and after a restarted thread has opened the database. */
  onState(state: WriterState): void;
  /** Called if the thread could not open the database. If the thread was restarted, `onDown` follows. */
  onRefused(disk: DiskState): void;
  /** Called after the thread has ended unexpectedly. The thread restarts after a delay. */
  onDown(reason: Text): void;
}

export class WriterHost {
  readonly #o: WriterHostOptions;
  readonly #backoff = new Backoff({ delaysMs: doubling(100, 30_000), jitter: 'slight' });
  readonly #heartbeat: WriterHeartbeat;
  #worker: Worker | undefined;
  #isUp = false;
  #isClosing = false;
  #restarts = 0;
  #cancelRestart: Cancel = () => {};

  constructor(o: WriterHostOptions) {
    this.#o = o;
    this.#heartbeat = new WriterHeartbeat({ clock: o.clock, ping: () => this.#post({ kind: 'ping' }) });
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  get silentMs(): number {
    return this.#heartbeat.silentMs;
  }

  get restarts(): number {
    return this.#restarts;
  }

  open(): Promise<{ report: StartReport; state: WriterState }> {
    return this.#start(false);
  }

  /** Calls `onError` for each operation that cannot be cloned. */
  write(operations: readonly WireOperation[], onError: (id: number, error: Error) => void): void {
    try {
      this.#post({ kind: 'write', operations });
    } catch {
      // If one operation cannot be cloned, the whole message is not sent, so each operation is sent separately.
      for (const operation of operations) {
        try {
          this.#post({ kind: 'write', operations: [operation] });
        } catch (error) {
          onError(operation.id, error as Error);
        }
      }
    }
  }

  probe(): void {
    if (this.#isUp) this.#post({ kind: 'probe' });
  }

  /** Ends the thread after it has committed all writes. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#cancelRestart();
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    this.#post({ kind: 'close' });
    await ended;
  }

  #post(message: ToWriter): void {
    this.#worker?.postMessage(message);
  }

  #start(isRestart: boolean): Promise<{ report: StartReport; state: WriterState }> {
    const workerData: WriterStart = { ...this.#o.start, isRestart };
    const worker = new Worker(this.#o.script, { workerData });
    this.#worker = worker;
    let cause: Error | undefined;
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWriter) => {
        if (message.kind === 'answers') return this.#o.onAnswers(message);
        if (message.kind === 'pong') {
          this.#heartbeat.answered();
          return this.#o.onState(message.state);
        }
        if (message.kind === 'refused') {
          cause = fromWire(message.error);
          return this.#o.onRefused(message.disk);
        }
        this.#isUp = true;
        this.#heartbeat.start();
        resolve(message);
      });
      worker.on('error', (error) => {
        cause = error;
      });
      // After the exit, the database is closed and all responses have been received.
      worker.on('exit', () => {
        this.#worker = undefined;
        this.#heartbeat.stop();
        const wasOpening = !this.#isUp && !isRestart;
        this.#isUp = false;
        if (wasOpening)
          reject(cause ?? new GatewayError('STORE_FAILED', 'the writer thread failed to start'));
        else if (!this.#isClosing) this.#restartLater(cause);
      });
    });
  }

  #restartLater(cause: Error | undefined): void {
    this.#o.onDown(
      cause ? storeMessage('writer-failed', { reason: errorText(cause) }) : storeMessage('writer-ended'),
    );
    this.#cancelRestart = this.#o.clock.after(this.#backoff.next(), () => {
      this.#restarts += 1;
      void this.#start(true).then(({ state }) => this.#o.onState(state));
    });
  }

  /** Called after a response, so that the next restart uses the shortest delay. */
  resetBackoff(): void {
    this.#backoff.reset();
  }
}
