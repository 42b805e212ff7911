import { readFileSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { ipPrefixOf } from './addresses.js';
import { systemClock } from './clock.js';
import { FairConnectionLimit } from './connection-limit.js';
import { type InputScheduler, processInputs } from './input-scheduler.js';
import type { Clock } from './ports/clock.js';
import { TokenBucket } from './token-bucket.js';

const MB = 1024 * 1024;
/** Used if the kernel reports no limit; the same values as in systemd/cartwright.service. */
const DEFAULT_GRANT: Grant = { files: 8192, memoryBytes: 384 * MB };
/** `MemoryHigh` divided by `MemoryMax` in the unit file. */
const HIGH_SHARE_OF_MAX = 3 / 4;
/** Descriptors for files, the serial line, pins, the camera, child processes and the stop's latch file. */
const RESERVED_FILES = 256;
/** Granted memory per connection. An idle connection uses 10 kB, and 60 kB with TLS. */
const MEMORY_PER_CONNECTION = 96 * 1024;
const CHECK_MS = 100;
/**
 * Connections closed per iteration. Each takes up to 0.5 ms, because all of its pipelined requests are
 * aborted.
 */
const MAX_CLOSED = 16;
/**
 * Maximum number of connections that wait to be accepted. The kernel drops further ones, whose clients retry after 1 s.
 */
export const LISTEN_BACKLOG = 4096;
/** An address that has opened as many connections as it may hold can open one more connection per this many ms. */
const REOPEN_MS = 10;

/** The limits that the unit file sets for this process: `LimitNOFILE` and `MemoryHigh`. */
export interface Grant {
  files: number;
  memoryBytes: number;
}

/** Limits for the connections of all servers together. A holder is a user, an API key or an address. */
export interface Budget {
  connections: number;
  connectionsPerHolder: number;
  /** Bytes in flight: unread responses, unprocessed input, and bodies that have not arrived completely. */
  bytes: number;
  /**
   * Limit per holder. The holder's largest connection is not counted, because a client may read one long list slowly.
   */
  bytesPerHolder: number;
}

export function budgetOf({ files, memoryBytes }: Grant): Budget {
  const connections = Math.max(
    64,
    Math.min(files - RESERVED_FILES, Math.floor(memoryBytes / MEMORY_PER_CONNECTION)),
  );
  const bytes = Math.floor(memoryBytes / 12);
  return {
    connections,
    connectionsPerHolder: Math.ceil(connections / 2),
    bytes,
    bytesPerHolder: Math.floor(bytes / 4),
  };
}

/**
 * Reads the limits of this process's control groups, version 1 or 2, and of the groups that contain them. Version 1 has
 * no `MemoryHigh`; if only a maximum is set, the grant is the same share of it as in the unit file.
 * @param read returns the content of a file in /proc or /sys, or '' if it cannot be read.
 */
export function grantOf(read: (path: string) => string): Grant {
  const files = /^Max open files +(\d+) /m.exec(read('/proc/self/limits'))?.[1];
  const groups = read('/proc/self/cgroup');
  const unified = /^0::(\/.*)$/m.exec(groups)?.[1];
  const legacy = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m.exec(groups)?.[1];
  const lowest = (mount: string, group: string | undefined, file: string): number =>
    Math.min(...withParents(group).map((path) => bytesIn(read(`${mount}${path}/${file}`))));
  const high = lowest('/sys/fs/cgroup', unified, 'memory.high');
  const max = Math.min(
    lowest('/sys/fs/cgroup', unified, 'memory.max'),
    lowest('/sys/fs/cgroup/memory', legacy, 'memory.limit_in_bytes'),
  );
  return {
    files: files === undefined ? DEFAULT_GRANT.files : Number(files),
    memoryBytes: Math.min(
      Number.isFinite(high) ? high : DEFAULT_GRANT.memoryBytes,
      Math.floor(max * HIGH_SHARE_OF_MAX),
    ),
  };
}

/** Returns a group's path and those of its parents, without trailing slashes. */
function withParents(group: string | undefined): string[] {
  if (group === undefined) return [];
  const names = group.split('/').filter((name) => name !== '');
  return Array.from({ length: names.length + 1 }, (_, depth) =>
    names
      .slice(0, depth)
      .map((name) => `/${name}`)
      .join(''),
  );
}

/** Returns infinity for `max` and for a file that cannot be read. */
function bytesIn(text: string): number {
  return /^\d+$/.test(text.trim()) ? Number(text) : Number.POSITIVE_INFINITY;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

interface Connection {
  /** The TLS socket, once its handshake is complete. */
  socket: Socket;
  holder: string;
  /** Bytes that are reserved for a body of known length. */
  reserved: number;
  /** Value of `bytesRead` at the start of a body of unknown length. */
  bodyStart: number | undefined;
}

/**
 * Counts the connections of all servers and their bytes in flight. If a limit is exceeded, connections of the holder
 * with the most are closed: the oldest one, or those with the most bytes. Rejecting new connections instead would
 * let one client lock out all others.
 */
export class Connections {
  readonly #budget: Budget;
  readonly #inputs: InputScheduler;
  readonly #limit: FairConnectionLimit<Connection>;
  /**
   * Limits reconnections per address. Node accepts one connection per event-loop iteration, so a client that keeps
   * reconnecting would delay all others.
   */
  readonly #opened: TokenBucket;
  readonly #byEndpoint = new Map<string, Connection>();
  #timer: NodeJS.Timeout | undefined;
  #isCheckSet = false;

  /** @param inputs default: this process's scheduler. */
  constructor(budget: Budget, clock: Pick<Clock, 'now'> = systemClock, inputs = processInputs) {
    this.#budget = budget;
    this.#inputs = inputs;
    const { connections, connectionsPerHolder } = budget;
    this.#opened = new TokenBucket({ burst: connectionsPerHolder, refillMs: REOPEN_MS, clock });
    this.#limit = new FairConnectionLimit(
      connections,
      ({ socket }) => socket.destroy(),
      connectionsPerHolder,
    );
  }

  get size(): number {
    return this.#limit.size;
  }

  /**
   * Counts every connection that the server accepts, closes those of addresses that reconnect too often, and passes
   * the others to the server in turn. Setting up a connection's parser and reading its requests takes several times
   * as long as accepting it.
   */
  watch(server: Server): void {
    const emit: (event: string | symbol, ...args: unknown[]) => boolean = server.emit.bind(server);
    const isSecure = server instanceof TlsServer;
    server.emit = (event: string | symbol, ...args: unknown[]): boolean => {
      if (event !== 'connection') return emit(event, ...args);
      const socket = args[0] as Socket;
      if (!this.#take(socket)) return false;
      // The server does not listen for errors before the connection is set up.
      socket.on('error', () => undefined);
      this.#inputs.accept(ipPrefixOf(socket.remoteAddress ?? ''), {
        setUp: () => emit('connection', socket),
        isGone: () => socket.destroyed,
        isSecure,
      });
      return true;
    };
    server.on('secureConnection', (socket: Socket) => {
      const connection = this.#of(socket);
      if (connection) connection.socket = socket;
    });
    this.#timer ??= setInterval(() => this.check(), CHECK_MS).unref();
  }

  /** From now on, counts the connection towards this user or API key instead of its address. */
  identify(socket: Socket, holder: string): void {
    const connection = this.#of(socket);
    if (!connection || connection.holder === holder) return;
    this.#limit.remove(connection.holder, connection);
    connection.holder = holder;
    this.#limit.add(holder, connection);
  }

  /**
   * Reserves memory for a body until `release` is called. Returns false if the holder's other connections have used
   * up its share.
   * @param bytes undefined if the length is unknown.
   */
  reserve(socket: Socket, bytes: number | undefined): boolean {
    const connection = this.#of(socket);
    if (!connection) return true;
    const own = [...(this.#limit.open.get(connection.holder) ?? [])];
    const used = own.reduce((sum, other) => sum + bytesOf(other), 0);
    if (used > 0 && used + (bytes ?? 0) > this.#budget.bytesPerHolder) return false;
    if (bytes === undefined) connection.bodyStart = connection.socket.bytesRead;
    else connection.reserved = bytes;
    if (bytes !== undefined) this.check();
    return true;
  }

  release(socket: Socket): void {
    const connection = this.#of(socket);
    if (!connection) return;
    connection.reserved = 0;
    connection.bodyStart = undefined;
  }

  /**
   * Closes connections, over several event-loop iterations, until the bytes in flight are within the budget.
   */
  check(): void {
    const greedy: Connection[] = [];
    const excess: Connection[] = [];
    for (const connections of this.#limit.open.values()) {
      const own = [...connections].filter((connection) => bytesOf(connection) > 0).toSorted(byBytes);
      const over = excessOf(this.#budget.bytesPerHolder, own.slice(1));
      excess.push(...over);
      greedy.push(...own.slice(0, 1), ...own.slice(1 + over.length));
    }
    excess.push(...excessOf(this.#budget.bytes, greedy.toSorted(byBytes)));
    for (const { socket } of excess.slice(0, MAX_CLOSED)) socket.destroy();
    if (excess.length <= MAX_CLOSED || this.#isCheckSet) return;
    this.#isCheckSet = true;
    setImmediate(() => {
      this.#isCheckSet = false;
      this.check();
    });
  }

  /** Returns false if the connection has been closed. */
  #take(socket: Socket): boolean {
    const endpoint = endpointOf(socket);
    const holder = ipPrefixOf(socket.remoteAddress ?? '');
    if (this.#opened.take(holder) > 0) {
      socket.destroy();
      return false;
    }
    const connection: Connection = { socket, holder, reserved: 0, bodyStart: undefined };
    this.#byEndpoint.set(endpoint, connection);
    socket.once('close', () => {
      if (this.#byEndpoint.get(endpoint) === connection) this.#byEndpoint.delete(endpoint);
      this.#limit.remove(connection.holder, connection);
    });
    this.#limit.add(holder, connection);
    return !socket.destroyed;
  }

  #of(socket: Socket): Connection | undefined {
    return this.#byEndpoint.get(endpointOf(socket));
  }
}

/** A TLS socket has the same endpoints as the underlying socket, which Node does not expose. */
function endpointOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}

function bytesOf({ socket, reserved, bodyStart }: Connection): number {
  const body = bodyStart === undefined ? reserved : socket.bytesRead - bodyStart;
  return socket.writableLength + socket.readableLength + body;
}

const byBytes = (a: Connection, b: Connection): number => bytesOf(b) - bytesOf(a);

/** Returns the first connections: as many as must be closed to bring the total bytes within `limit`. */
function excessOf(limit: number, connections: readonly Connection[]): Connection[] {
  let bytes = connections.reduce((sum, connection) => sum + bytesOf(connection), 0);
  let count = 0;
  for (const connection of connections) {
    if (bytes <= limit) break;
    bytes -= bytesOf(connection);
    count += 1;
  }
  return connections.slice(0, count);
}

/** The connections of all servers of this process. */
export const processConnections = new Connections(budgetOf(grantOf(readOrEmpty)));
