import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** 127.0.0.1 as the kernel writes it. */
const LOOPBACK = '0100007F';

/**
 * Whether a connection on 127.0.0.1 comes from a process of our own user: any user of this machine could have been
 * faster than the camera. Reads /proc/net/tcp once (10 ms with many connections).
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

/** A TCP port of this machine alone that takes one connection, from our own user: where the camera program sends its pictures. */
export class PictureListener {
  readonly #events: ListenerEvents;
  readonly #server = createServer();
  #socket: Socket | undefined;
  #isCut = false;

  constructor(events: ListenerEvents) {
    this.#events = events;
    this.#server.maxConnections = 1;
    this.#server.on('connection', (socket) => void this.#take(socket));
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  /** Its address, as the camera programs want it: they know no names. */
  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    // A server that is closed before it listens would listen all the same.
    if (this.#isCut) this.#server.close();
    return `tcp://127.0.0.1:${port}`;
  }

  /**
   * Refuses and resets: the program fails at its next write. A polite end (FIN) would go unnoticed for ever.
   */
  cut(): void {
    this.#isCut = true;
    if (this.#server.listening) this.#server.close();
    this.#socket?.resetAndDestroy();
  }

  async #take(socket: Socket): Promise<void> {
    socket.on('error', () => undefined);
    const isOwn = await isOwnPeer(socket).catch(() => false);
    if (!isOwn || this.#isCut || this.#socket) return void socket.resetAndDestroy();
    this.#socket = socket;
    this.#server.close();
    this.#events.connected();
    socket.on('data', (chunk: Buffer) => this.#events.bytes(chunk));
  }
}
