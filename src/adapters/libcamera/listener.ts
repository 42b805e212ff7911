import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** 127.0.0.1 as written in /proc/net/tcp. */
const LOOPBACK = '0100007F';

/**
 * Resolves with true if the peer runs as the gateway's user; another user's program could connect first. Reading
 * /proc/net/tcp takes 10 ms if there are many connections.
 */
async function isOwnPeer(socket: Socket): Promise<boolean> {
  const ends = `${LOOPBACK}:${hex(socket.remotePort)} ${LOOPBACK}:${hex(socket.localPort)}`;
  const table = await readFile('/proc/net/tcp', 'utf8');
  const row = table.split('\n').find((line) => line.includes(ends));
  return Number(row?.trim().split(/\s+/)[7]) === process.getuid?.();
}

function hex(port = 0): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

interface ListenerEvents {
  connected(): void;
  bytes(chunk: Buffer): void;
}

/** A loopback TCP port for images. Accepts one connection, from a process of the same user. */
export class ImageListener {
  readonly #events: ListenerEvents;
  readonly #server = createServer();
  #socket: Socket | undefined;
  #isCut = false;

  constructor(events: ListenerEvents) {
    this.#events = events;
    this.#server.maxConnections = 1;
    this.#server.on('connection', (socket) => void this.#accept(socket));
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  /** Returns a numeric address, because the camera programs do not resolve names. */
  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    // `close` has no effect on a server that is not listening yet.
    if (this.#isCut) this.#server.close();
    return `tcp://127.0.0.1:${port}`;
  }

  /** Stops listening and resets the connection, because the camera program would not notice a FIN. */
  cut(): void {
    this.#isCut = true;
    if (this.#server.listening) this.#server.close();
    this.#socket?.resetAndDestroy();
  }

  async #accept(socket: Socket): Promise<void> {
    socket.on('error', () => undefined);
    const isOwn = await isOwnPeer(socket).catch(() => false);
    if (!isOwn || this.#isCut || this.#socket) return void socket.resetAndDestroy();
    this.#socket = socket;
    this.#server.close();
    this.#events.connected();
    socket.on('data', (chunk: Buffer) => this.#events.bytes(chunk));
  }
}
