/** Changed only by tests. */
export interface StoreLimits {
  /** Maximum number and estimated size of pending writes; above either, writes fail with `STORE_BUSY`. */
  queueOperations: number;
  queueBytes: number;
  /** Writes per transaction. The main thread processes their answers in one turn of the event loop. */
  batchOperations: number;
  /** If less space than this is free, writes fail with `STORE_FULL`. */
  minFreeBytes: number;
  busyTimeoutMs: number;
  /** Number of pages in the write-ahead log that triggers a checkpoint. */
  checkpointPages: number;
  keepBackups: number;
}

const MIB = 1024 * 1024;

export const STORE_LIMITS: Readonly<StoreLimits> = {
  queueOperations: 10_000,
  queueBytes: 16 * MIB,
  batchOperations: 512,
  minFreeBytes: 32 * MIB,
  busyTimeoutMs: 2000,
  checkpointPages: 1000,
  keepBackups: 7,
};
