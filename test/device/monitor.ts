import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

type Answer = { return: unknown } | { error: { desc: string } };

/** QEMU's control connection (QMP), for snapshots and hot-plugging. Runs one command at a time. */
export class Monitor {
  readonly #socket: Socket;
  readonly #answers: AsyncIterator<string>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    this.#answers = createInterface({ input: socket })[Symbol.asyncIterator]();
  }

  static async open(path: string): Promise<Monitor> {
    const socket = connect(path);
    await once(socket, 'connect');
    const monitor = new Monitor(socket);
    await monitor.do('qmp_capabilities');
    return monitor;
  }

  async do(execute: string, args: Record<string, unknown> = {}): Promise<unknown> {
    this.#socket.write(`${JSON.stringify({ execute, arguments: args })}\n`);
    for (;;) {
      const { value, done } = await this.#answers.next();
      if (done) throw new Error('the machine has ended');
      const answer: Answer | Record<string, never> = JSON.parse(value);
      if ('error' in answer) throw new Error(`${execute}: ${answer.error.desc}`);
      if ('return' in answer) return answer.return;
    }
  }

  /** Runs a QEMU human monitor command, such as `savevm`; returns the output, which is empty on success. */
  async human(line: string): Promise<string> {
    return String(await this.do('human-monitor-command', { 'command-line': line })).trim();
  }

  close(): void {
    this.#socket.destroy();
  }
}
