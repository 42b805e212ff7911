import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface ScriptResult {
  status: number;
  output: string;
}

/**
 * A root shell in the guest, accessed through a virtio port. The guest runs
 * guest/root/usr/local/sbin/vpi-agent.
 */
export class Agent {
  readonly #socket: Socket;
  readonly #waiting = new Map<string, { resolve(ran: ScriptResult): void; reject(error: Error): void }>();
  #nextId = 1;

  private constructor(socket: Socket) {
    this.#socket = socket;
    createInterface({ input: socket }).on('line', (line) => this.#take(line));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the machine has ended'));
      this.#waiting.clear();
    });
  }

  static async open(path: string): Promise<Agent> {
    const socket = connect(path);
    await once(socket, 'connect');
    return new Agent(socket);
  }

  /**
   * Runs a script as root after all earlier scripts have ended. Rejects if the machine stops before the
   * script ends.
   */
  run(script: string): Promise<ScriptResult> {
    const id = `${process.pid}-${this.#nextId++}`;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.write(`${id} ${Buffer.from(script).toString('base64')}\n`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(line: string): void {
    const [id = '', status, output = ''] = line.split(' ');
    this.#waiting.get(id)?.resolve({
      status: Number(status),
      output: Buffer.from(output, 'base64').toString().trimEnd(),
    });
    this.#waiting.delete(id);
  }
}
