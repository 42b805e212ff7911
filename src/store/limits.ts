/** Only tests change these limits. */
export interface StoreLimits {
  /** Maximum number and size of pending writes; further writes fail with `STORE_BUSY`. */
  queueOperations: number;
  queueBytes: number;
  /** Maximum number of writes per transaction. Their responses delay the main thread's event loop. */
  batchOperations: number;
  /** If less disk space than this is free, writes fail with `STORE_FULL`. */
  minFreeBytes: number;
  busyTimeoutMs: number;
  /** Write-ahead log size that triggers a checkpoint, in pages. */
  checkpointPages: number;
  keepBackups: number;
  /** Maximum size of an uploaded backup. */
  maxUploadBytes: number;
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
  maxUploadBytes: 2048 * MIB,
};
