/** Only tests change these limits. */
export interface StoreLimits {
  /**
   * Maximum number and maximum estimated size of pending writes. If either is exceeded, writes fail with
   * `STORE_BUSY`.
   */
  queueOperations: number;
  queueBytes: number;
  /**
   * Maximum number of writes per transaction. The main thread processes their answers in one turn of the
   * event loop.
   */
  batchOperations: number;
  /** If the free space is less than this, writes fail with `STORE_FULL`. */
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
