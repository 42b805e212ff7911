import { constants, setPriority } from 'node:os';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { type ErrorCode, type ErrorDetails, GatewayError, messageOf } from './errors.js';
import { messageJson, parseMessageJson, type Text } from './messages/message.js';
import { moduleUrl } from './package-root.js';
import type { Clock } from './ports/clock.js';

/** Structured cloning loses an error's class, so the receiver recreates the error. */
export type WireError =
  | {
      isGatewayError: true;
      code: ErrorCode;
      message: string;
      /** Details as JSON, because details that cannot be cloned must not block other writes' responses. */
      info: string;
    }
  /** `code` is empty if the error has no code. */
  | { isGatewayError: false; code: string; message: string; stack?: string };

export function toWire(thrown: unknown): WireError {
  const message = messageOf(thrown);
  if (thrown instanceof GatewayError) {
    const { code, text, info } = thrown;
    return { isGatewayError: true, code, message, info: messageJson({ text, info }) };
  }
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return { isGatewayError: false, code, message, ...(stack ? { stack } : {}) };
}

/** Recreates a `GatewayError`, or an `Error` with the other thread's stack and `code`. */
export function fromWire(wire: WireError): Error {
  if (wire.isGatewayError) {
    const { text = wire.message, info = {} } = detailsOf(wire.info);
    return new GatewayError(wire.code, text, info);
  }
  const error = new Error(wire.message);
  if (wire.stack) error.stack = wire.stack;
  return wire.code ? Object.assign(error, { code: wire.code }) : error;
}

function detailsOf(info: string): { text?: Text; info?: ErrorDetails } {
  return parseMessageJson(info) as { text?: Text; info?: ErrorDetails };
}

/** The only message from a worker that `runWorker` has started. */
export type WorkerAnswer<Report> = { report: Report } | { error: WireError };

interface WorkerOptions {
  resourceLimits?: ResourceLimits;
  /** Ends the thread. */
  signal?: AbortSignal | undefined;
  /** After this time, `done` rejects with the error, and the thread ends as soon as it executes no native code. */
  limit?: { clock: Clock; ms: number; late: () => GatewayError };
}

/**
 * Runs a worker once, on its own thread.
 * @param script path of the module, relative to the compiled sources.
 * @param interrupted returns the error for a thread that ends without a response; `cause` is the error that the
 * thread has thrown.
 */
export function runWorker<Report>(
  script: string,
  workerData: unknown,
  interrupted: (cause?: Error) => GatewayError,
  { resourceLimits, signal, limit }: WorkerOptions = {},
): { done: Promise<Report>; cancel: () => Promise<void> } {
  const worker = new Worker(moduleUrl(script), { workerData, ...(resourceLimits ? { resourceLimits } : {}) });
  const cancel = async (): Promise<void> => void (await worker.terminate());
  if (signal?.aborted) void cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  const done = new Promise<Report>((resolve, reject) => {
    let cause: Error | undefined;
    const endLimit = limit?.clock.after(limit.ms, () => {
      reject(limit.late());
      void cancel();
    });
    worker.on('message', (answer: WorkerAnswer<Report>) => {
      endLimit?.();
      if ('error' in answer) reject(fromWire(answer.error));
      else resolve(answer.report);
    });
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      endLimit?.();
      signal?.removeEventListener('abort', cancel);
      reject(interrupted(cause));
    });
  });
  return { done, cancel };
}

/**
 * Gives the calling thread the lowest priority, so that its work does not delay the other threads. On Linux, the
 * priority belongs to the thread, and process ID 0 names the calling thread. Has no effect where the operating system
 * does not permit it, such as in a service whose system calls are restricted.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, constants.priority.PRIORITY_LOW);
  } catch {
    // The work continues at normal priority, so it may slow down the other threads.
  }
}
