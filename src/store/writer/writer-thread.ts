import { Worker } from 'node:worker_threads';
import { GatewayError, saidBy } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import { Backoff, doubling } from '../../shared/retry.js';
import { storeMessage } from '../messages.js';
import {
  type DiskState,
  type FromWriter,
  fromWire,
  type StartReport,
  type ToWriter,
  type WireOperation,
  type WriterStart,
  type WriterState,
} from './protocol.js';

const ASK_EVERY_MS = 1000;

interface PulseOptions {
  clock: Clock;
  /** Asks the thread for a sign of life. */
  ask(): void;
}

/** Whether a thread still takes its messages. One question is on its way at a time. */
export class WriterHeartbeat {
  readonly #o: PulseOptions;
  #askedAtMs: number | undefined;
  #cancel: Cancel = () => {};

  constructor(o: PulseOptions) {
    this.#o = o;
  }

  /** How long the thread has owed an answer; 0 when it owes none. */
  get silentMs(): number {
    return this.#askedAtMs === undefined ? 0 : this.#o.clock.now() - this.#askedAtMs;
  }

  start(): void {
    this.#cancel = this.#o.clock.every(ASK_EVERY_MS, () => this.#ask());
  }

  answered(): void {
    this.#askedAtMs = undefined;
  }

  stop(): void {
    this.#cancel();
    this.answered();
  }

  #ask(): void {
    if (this.#askedAtMs !== undefined) return;
    this.#askedAtMs = this.#o.clock.now();
    this.#o.ask();
  }
}

interface WriterThreadOptions {
  /** The compiled root of the thread, a module that calls `runWriter`. */
  script: URL;
  start: Omit<WriterStart, 'isRestart'>;
  clock: Clock;
  onAnswers(answers: Extract<FromWriter, { kind: 'answers' }>): void;
  /** How the thread is: about every second, and when one that was started again has the database open. */
  onState(state: WriterState): void;
  /** What the disk is like on which a thread could not open the database; `onDown` follows, but for the first thread. */
  onRefused(disk: DiskState): void;
  /** The thread ended by itself; it is started again after a while. `reason` is a sentence. */
  onDown(reason: Text): void;
}

/** The writer thread as the main thread sees it: started, kept alive, ended. */
export class WriterThread {
  readonly #o: WriterThreadOptions;
  readonly #backoff = new Backoff({ delaysMs: doubling(100, 30_000), jitter: 'slight' });
  readonly #pulse: WriterHeartbeat;
  #worker: Worker | undefined;
  #isUp = false;
  #isClosing = false;
  #restarts = 0;
  #cancelRestart: Cancel = () => {};

  constructor(o: WriterThreadOptions) {
    this.#o = o;
    this.#pulse = new WriterHeartbeat({ clock: o.clock, ask: () => this.#post({ kind: 'ping' }) });
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** How long the thread has owed an answer, ms; 0 when it owes none. */
  get silentMs(): number {
    return this.#pulse.silentMs;
  }

  get restarts(): number {
    return this.#restarts;
  }

  /** Starts the thread for the first time; rejects with what keeps the database from opening. */
  open(): Promise<{ report: StartReport; state: WriterState }> {
    return this.#start(false);
  }

  /**
   * Sends operations in their order. What cannot be copied to another thread is left out: `onBad` is called with it.
   */
  write(operations: readonly WireOperation[], onBad: (id: number, error: Error) => void): void {
    try {
      this.#post({ kind: 'write', operations });
    } catch {
      // One of them cannot be copied, and none has been sent.
      for (const operation of operations) {
        try {
          this.#post({ kind: 'write', operations: [operation] });
        } catch (error) {
          onBad(operation.id, error as Error);
        }
      }
    }
  }

  /** Asks the thread to find out whether the disk takes writes again. */
  probe(): void {
    if (this.#isUp) this.#post({ kind: 'probe' });
  }

  /** Lets the thread commit what it was sent, and ends it. */
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
          this.#pulse.answered();
          return this.#o.onState(message.state);
        }
        if (message.kind === 'refused') {
          cause = fromWire(message.error);
          return this.#o.onRefused(message.disk);
        }
        this.#isUp = true;
        this.#pulse.start();
        resolve(message);
      });
      worker.on('error', (error) => {
        cause = error;
      });
      // The thread has ended and let go of the file; every answer it sent has been taken.
      worker.on('exit', () => {
        this.#worker = undefined;
        this.#pulse.stop();
        const wasOpening = !this.#isUp && !isRestart;
        this.#isUp = false;
        if (wasOpening)
          reject(cause ?? new GatewayError('STORE_FAILED', 'the writer thread ended at its start'));
        else if (!this.#isClosing) this.#restartLater(cause);
      });
    });
  }

  #restartLater(cause: Error | undefined): void {
    this.#o.onDown(
      cause ? storeMessage('writer-failed', { reason: saidBy(cause) }) : storeMessage('writer-ended'),
    );
    this.#cancelRestart = this.#o.clock.after(this.#backoff.next(), () => {
      this.#restarts += 1;
      void this.#start(true).then(({ state }) => this.#o.onState(state));
    });
  }

  /** The thread has done its work once: the next restart need not wait long. */
  worked(): void {
    this.#backoff.reset();
  }
}
