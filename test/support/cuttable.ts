import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A network between a browser and a gateway that a test cuts, or makes swallow everything. */
export class CuttableNetwork {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly url: string;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(target: string): Promise<CuttableNetwork> {
    const { port } = new URL(target);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const network = new CuttableNetwork(server);
    server.on('connection', (near) => {
      const far = connect(Number(port), '127.0.0.1');
      network.#join(near, far);
      network.#join(far, near);
    });
    return network;
  }

  /** Ends every connection, on both sides at once. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Swallows everything, and tells nobody: what a lost radio does. Connections from later on work. */
  swallow(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, 'close');
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.setNoDelay(true).pipe(to);
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }
}
