import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ApiJudge } from './api-judge.js';
import { type Answered, watch } from './watched.js';

let judge: ApiJudge | undefined;

/** One judge for all: to make him takes half a second. */
function faultOf(answer: Answered): string | undefined {
  judge ??= new ApiJudge();
  return judge.faultOf(answer);
}

/** Judges every answer of a server; the answer's function tells what the document does not say of them. */
export function judged(server: Server): () => string[] {
  const faults: string[] = [];
  server.prependListener('request', (req, res) =>
    watch(req, res, (answer) => {
      const fault = faultOf(answer);
      if (fault) faults.push(fault);
    }),
  );
  return () => faults;
}

/** What a process that was started with `judged-process.js` tells of its answers. */
export type Told = Answered | { fault: string };

/** Judges the answers of processes, which tell them over a socket of this one. */
export class JudgeSocket {
  /** For `JUDGE` of their environment. */
  readonly path: string;
  readonly #server = createServer((socket) => this.#hear(socket));
  readonly #hearing = new Set<Promise<unknown>>();
  readonly #faults: string[] = [];

  private constructor(dir: string) {
    this.path = join(dir, 'judge.sock');
  }

  static async open(dir: string): Promise<JudgeSocket> {
    const socket = new JudgeSocket(dir);
    socket.#server.listen(socket.path);
    await once(socket.#server, 'listening');
    // A gateway that could not be started must not keep the test from its end.
    socket.#server.unref();
    return socket;
  }

  /** Once all processes have ended: what the document does not say of their answers. */
  async close(): Promise<string[]> {
    await Promise.all(this.#hearing);
    this.#server.close();
    return this.#faults;
  }

  #hear(socket: Socket): void {
    // Of a process that was killed.
    socket.on('error', () => undefined);
    const lines = createInterface({ input: socket });
    this.#hearing.add(new Promise((resolve) => socket.once('close', resolve)));
    let cut = '';
    lines.on('line', (line) => {
      // Only the last line of a process that was killed may end half-way.
      if (cut) throw new Error(`no answer of a gateway: ${cut}`);
      const told = parsed(line);
      if (!told) cut = line;
      const fault = told && ('fault' in told ? told.fault : faultOf(told));
      if (fault) this.#faults.push(fault);
    });
  }
}

function parsed(line: string): Told | undefined {
  try {
    return JSON.parse(line) as Told;
  } catch {
    return undefined;
  }
}
