import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { PassThrough, Transform } from 'node:stream';

/** A network between a browser and a gateway that a test cuts, makes slow, or makes swallow everything. */
export class CuttableNetwork {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly url: string;
  /** What the gateway says arrives so much later. */
  lateMs = 0;

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
      network.#join(far, near, network.#late());
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

  /** Passes on what comes, in its order. */
  #late(): Transform {
    let dueAt = 0;
    const after = (run: () => void): void => {
      dueAt = Math.max(dueAt, performance.now() + this.lateMs);
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

  #join(from: Socket, to: Socket, through: Transform = new PassThrough()): void {
    this.#sockets.add(from);
    from.setNoDelay(true).pipe(through).pipe(to);
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }
}
