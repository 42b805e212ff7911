/** Limits of the store. Only tests change them. */
export interface StoreLimits {
  /** Writes that may wait for their commit, in number and in (estimated) bytes; beyond either: `STORE_BUSY`. */
  queueOperations: number;
  queueBytes: number;
  /** Writes in one transaction. Their answers reach the main thread in one turn, so this bounds that turn. */
  batchOperations: number;
  /** Below this much free space nothing is written: `STORE_FULL`. */
  minFreeBytes: number;
  /** How long to wait for a lock that another process holds. */
  busyTimeoutMs: number;
  /** Pages in the write-ahead log that start a checkpoint. */
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
