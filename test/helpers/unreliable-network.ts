import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { PassThrough, Transform } from 'node:stream';

/** A proxy between the browser and the gateway that a test can disconnect, delay or block. */
export class UnreliableNetwork {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly url: string;
  /** Delay of data from the gateway, in ms. */
  delayMs = 0;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(target: string): Promise<UnreliableNetwork> {
    const { port } = new URL(target);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const network = new UnreliableNetwork(server);
    server.on('connection', (near) => {
      const far = connect(Number(port), '127.0.0.1');
      network.#pipe(near, far);
      network.#pipe(far, near, network.#delay());
    });
    return network;
  }

  disconnect(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Drops all traffic on open connections but keeps them open, like a lost radio link. */
  dropTraffic(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.disconnect();
    await once(this.#server, 'close');
  }

  /** Delays data and preserves its order. */
  #delay(): Transform {
    let dueAt = 0;
    const after = (run: () => void): void => {
      dueAt = Math.max(dueAt, performance.now() + this.delayMs);
      setTimeout(run, dueAt - performance.now());
    };
    const waiting: Buffer[] = [];
    const late = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        waiting.push(chunk);
        after(() => late.destroyed || late.push(waiting.shift()));
        done();
      },
      flush: (done) => after(done),
    });
    return late;
  }

  #pipe(from: Socket, to: Socket, through: Transform = new PassThrough()): void {
    this.#sockets.add(from);
    from.setNoDelay(true).pipe(through).pipe(to);
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }
}
