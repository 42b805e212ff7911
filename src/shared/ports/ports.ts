import type { Text } from '../messages/message.js';
/** The contracts between the rooms and the world outside: types only, no behaviour. */

import type { Cancel } from './clock.js';

export type { Cancel, Clock } from './clock.js';

/** Whether the wall clock was set from a time server. For people and records: nothing is decided by it. */
export interface TimeSync {
  /** Undefined when this machine does not tell. */
  synced(): boolean | undefined;
  close(): void;
}

/** Whoever started this process and watches over it: systemd, pm2, or nobody. Telling it something never throws. */
export interface Supervisor {
  /** It serves. `status`: how it is, one sentence for people. */
  ready(status: string): void;
  /** All that must work does; to be told every second. */
  alive(): void;
  status(status: string): void;
  /** It was told to stop, and does. */
  stopping(): void;
  close(): void;
}

export type LogFields = Record<string, unknown>;

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** One open byte connection to a controller. A new connection is a new object: nothing is carried over. */
export interface ByteLink {
  /** Hands the bytes to the device at once, or throws `SERIAL_DOWN`: nothing is kept for a later connection. */
  write(bytes: Uint8Array): void;
  onBytes(listener: (bytes: Uint8Array) => void): Cancel;
  /** Called once; `cause` is missing when we closed it ourselves. */
  onClose(listener: (cause?: Error) => void): Cancel;
  close(): Promise<void>;
}

/** Where the controller is reached. */
export interface ByteLinkOpener {
  /** The device path, for people. */
  readonly path: string;
  readonly simulated: boolean;
  /** Opens a fresh connection with empty buffers; rejects with a sentence that names the path and the cause. */
  open(): Promise<ByteLink>;
}

/** The key that a message was published with, or this process. */
export interface BusSender {
  readonly id: string;
  /** Whether the key is still valid. */
  isGood(): boolean;
}

export interface BusMessage {
  topic: string;
  payload: Buffer;
  retain: boolean;
  /** MQTT 5: where the sender wants to be answered, and what the answer shall carry. */
  responseTopic?: string;
  correlationData?: Buffer;
  /** Only the embedded broker knows it, of clients with a key and of this process. */
  sender?: BusSender;
}

export interface PublishOptions {
  qos: 0 | 1;
  retain?: boolean;
  /** MQTT 5 message expiry in whole seconds; left out on MQTT 3.1.1. */
  expiryS?: number;
  /** MQTT 5: what the message that is answered carried; left out on MQTT 3.1.1. */
  correlationData?: Buffer | undefined;
}

export interface BusStatus {
  connected: boolean;
  /** Why not, in words; empty when connected. */
  reason: Text;
  /** `mqtt://host:port`, without credentials. */
  url: string;
  embedded: boolean;
}

/** A connection to an MQTT broker. Offline it refuses at once: nothing is ever queued for later. */
export interface MessageBus {
  status(): BusStatus;
  /**
   * Resolves when the broker has taken the message (QoS 1: acknowledged it), rejects with `BROKER_DOWN` at once when
   * not connected, and when the connection closes before the acknowledgement.
   */
  publish(topic: string, payload: string, options: PublishOptions): Promise<void>;
  /** Listens on a topic filter (`+` and `#` allowed), renewed after every reconnect. */
  subscribe(filter: string, listener: (message: BusMessage) => void): Cancel;
  /** Called on every change of `status()`. */
  onStatus(listener: (status: BusStatus) => void): Cancel;
  /** Publishes nothing more, disconnects in order (no last will), and ends. */
  close(): Promise<void>;
}

/** The pins that keep people safe: E-stop input, motor enable, status LED. */
export interface SafetyPins {
  /** How the pins are reached: on the page, in health and in every answer. */
  readonly kind: 'simulated' | 'onoff' | 'gpiod' | 'none';
  /** True while the emergency-stop circuit is closed (healthy). Throws when it cannot be read. */
  readEstopHealthy(): boolean;
  /** Called from the interrupt, on every edge, before any other work. */
  onEstopEdge(listener: () => void): Cancel;
  /** Sets the motor-enable output, synchronously. */
  writeEnable(on: boolean): void;
  /** Whether the motors have power, by the read-back input; undefined when none is wired. Throws when it cannot be read. */
  readPowered(): boolean | undefined;
  writeLed(on: boolean): void;
  close(): Promise<void>;
}

/** What the local network is told of this gateway. */
export interface Announcement {
  /** For people; 63 bytes at most. */
  name: string;
  /** The host name of the service, `….local`. */
  host: string;
  port: number;
  txt: Readonly<Record<string, string>>;
}

/** Tells it until the answer is closed, which takes it back. Rejects when nobody can be told. */
export type Announce = (what: Announcement) => Promise<{ close(): Promise<void> }>;

export type SqlValue = string | number | bigint | Uint8Array | null;

/** Named parameters, without their `@`: `{ id: 'abc' }` for `WHERE id = @id`. */
export type SqlParams = Readonly<Record<string, SqlValue>>;

/** One prepared query; a row is a plain object, one member a column. */
export interface Statement<Row> {
  get(params?: SqlParams): Row | undefined;
  all(params?: SqlParams): Row[];
  /**
   * Row by row. Run it to its end in the same turn: until then the statement cannot be used again and the write-ahead
   * log cannot shrink. Long answers page by key instead.
   */
  iterate(params?: SqlParams): IterableIterator<Row>;
}

/** The main thread's read-only view: it sees what was committed last and never waits for a writer. */
export interface ReadDatabase {
  /** Compiles a query; keep the statement, compiling costs more than running. */
  prepare<Row>(sql: string): Statement<Row>;
}

export interface WriteStatement<Row> {
  run(params?: SqlParams): { changes: number; lastInsertRowid: number | bigint };
  get(params?: SqlParams): Row | undefined;
  all(params?: SqlParams): Row[];
}

/** What a write operation works on, inside its own savepoint. Transactions are the store's business. */
export interface WriteDatabase {
  /** Compiled once for each text, so it may be called in every operation. */
  prepare<Row = unknown>(sql: string): WriteStatement<Row>;
}

/**
 * One change, as a plain synchronous function of a room's `writes.ts`. It runs on the writer thread: arguments and
 * result are copied (plain data only). What it throws fails its own caller alone and undoes what it did.
 */
export type WriteOperation = (db: WriteDatabase, args: never) => unknown;

/** Something that was taken away and that an older database must not bring back. Only the last of a `subject` and `what` counts. */
export interface Revocation {
  subject: string;
  what: string;
  value: string;
  /** Rises with each revocation. */
  sequence: number;
}

/** Applies revocations to a database that is older than them. Returns one record for each change, for the log. */
export type ReplayRevocations = (
  db: WriteDatabase,
  revocations: readonly Revocation[],
) => readonly ReplayedRevocation[];

/** `text`: the change in a few words for people, such as `user eve disabled`. */
export interface ReplayedRevocation {
  text: string;
  fields: LogFields;
}

/** The operations of a room by name, `room.verb` (`beacons.put`). */
export type WriteOperations = Readonly<Record<string, WriteOperation>>;

export interface CommittedWrite {
  name: string;
  args: unknown;
  /** What the operation returned; missing when `outcome` is `unknown`. */
  result?: unknown;
}

/** What one transaction changed: for caches of what was read. */
export interface Commit {
  /** `unknown`: the writer died or its disk failed before it answered, so these may have been saved or not. */
  outcome: 'saved' | 'unknown';
  /** The names of `writes`, each once. */
  names: readonly string[];
  /** In the order in which they were made; operations that failed are left out. */
  writes: readonly CommittedWrite[];
}

/** Everything since the gateway started. */
export interface StoreMetrics {
  transactions: number;
  /** Acknowledged write operations. */
  operations: number;
  /** Operations that threw, or whose transaction failed. */
  failedOperations: number;
  /** Refused before they were queued: `STORE_BUSY`. */
  refusedOperations: number;
  fsyncs: number;
  /** To the write-ahead log and, at a checkpoint, to the database file. */
  bytesWritten: number;
  /** Write amplification, for each acknowledged operation; 0 before the first. */
  fsyncsPerWrite: number;
  bytesPerWrite: number;
  writerRestarts: number;
  /** From the start of the newest transaction to its commit, ms. */
  lastCommitMs: number;
  /** Of the file system; -1 when it is not known yet. */
  freeBytes: number;
  walBytes: number;
}

export interface BackupReport {
  path: string;
  bytes: number;
  ms: number;
}

export interface StoreStatus {
  healthy: boolean;
  /** The file system takes no writes, or had no room to open the database at the start. */
  readOnly: boolean;
  /** Why writes fail, in words; empty when healthy. */
  reason: Text;
  /** Loud lines that stay until the next start: a damaged file set aside, a failed nightly backup. */
  notices: readonly Text[];
  /** The backup that took the place of a damaged database at this start. */
  restoredFrom?: string;
  /** The number of the newest migration. */
  schemaVersion: number;
  /** Writes that wait for their commit. */
  queueOperations: number;
  queueBytes: number;
  /** How long the writer has owed an answer; 0 when it owes none. */
  writerSilentMs: number;
  metrics: StoreMetrics;
  /** The newest good backup; `at` in ms since 1970 UTC. */
  lastBackup?: { path: string; bytes: number; at: number };
}

/** The gateway's one database. */
export interface Store {
  readonly read: ReadDatabase;
  /** Why the disk takes no write at all, so that nothing that happens now is remembered, a stop neither; else empty. */
  readonly unwritable: Text;
  /**
   * Runs a write operation and resolves with its result once it is durable (committed and fsynced). Operations are made
   * in the order of the calls. Rejects with what the operation threw; `STORE_BUSY` when too much waits already;
   * `STORE_FULL` (disk) and `STORE_FAILED` with nothing saved, or, as its sentence then says, not known whether;
   * `TOO_LARGE` when it could never fit; `STOPPING` after `close()`.
   */
  write<Result = unknown>(name: string, args: unknown): Promise<Result>;
  status(): StoreStatus;
  /** Called after every commit, before the promises of its writes resolve. */
  onCommit(listener: (commit: Commit) => void): Cancel;
  /** Makes a verified copy of the database beside it while writes go on. Rejects with `STORE_FAILED` or `STORE_FULL`. */
  backup(): Promise<BackupReport>;
  /** Refuses new writes, commits those that wait, and ends the writer. */
  close(): Promise<void>;
}

/** A finished copy of the database. */
export interface KeptBackup {
  /** Its file name, which is also how it is asked for. */
  name: string;
  bytes: number;
  /** ms since 1970 UTC, by the clock of then. */
  at: number;
}

/** What a look through a backup found. */
export interface BackupCheck extends KeptBackup {
  /** What is damaged, in words; empty when it is sound. */
  damage: Text;
  /** Rows of each table in the backup and in the database of now: what a restore would take away. */
  tables: readonly { table: string; kept: number; now: number }[];
}

/** A backup that takes the place of the database at the next start. */
export interface RestoreChoice {
  name: string;
  /** Who chose it, and when (ms since 1970 UTC). */
  by: string;
  at: number;
}

/** The backups that are kept. Names that are not among them are refused with `NOT_FOUND`. */
export interface BackupShelf {
  /** Newest first. */
  list(): KeptBackup[];
  /** Where the file lies. */
  pathOf(name: string): string;
  /** Reads the whole backup, on a thread of its own. */
  check(name: string): Promise<BackupCheck>;
  /** Checks the backup, and notes it for the next start. Rejects with `STORE_FAILED` when it is damaged. */
  choose(name: string, by: string): Promise<RestoreChoice>;
  /** Takes the choice back. */
  cancel(): Promise<void>;
  chosen(): RestoreChoice | undefined;
}
