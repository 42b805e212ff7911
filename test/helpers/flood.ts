import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface FloodOptions {
  port: number;
  /** Source address: a loopback address, because limits apply per address. */
  from: string;
  sockets: number;
  /** A complete request, sent again after each response. */
  request: string;
  /** Number of requests sent at once when a connection opens. */
  pipelined?: number;
  /** If false, responses are never read. */
  reads?: boolean;
}

/** The number of responses by status, and the number of connections closed by the gateway. */
export interface FloodReport {
  statuses: Record<string, number>;
  closed: number;
}

/** Many connections from one address that send requests continuously. */
export class Flood {
  readonly #child: ChildProcess;
  readonly #connected: Promise<unknown>;

  constructor(options: FloodOptions) {
    this.#child = fork(join(import.meta.dirname, 'flood-process.js'), [JSON.stringify(options)]);
    this.#connected = once(this.#child, 'message');
  }

  /** Resolves once the requested number of connections is open. */
  async connected(): Promise<void> {
    await this.#connected;
  }

  async report(): Promise<FloodReport> {
    await this.#connected;
    const answer = once(this.#child, 'message');
    this.#child.send('report');
    const [report] = await answer;
    return report as FloodReport;
  }

  async stop(): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }
}

/** Returns a `GET` request with additional header lines, each of which ends with CRLF. */
function floodRequest(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
}

/** Floods that a gateway must withstand, each from one address. */
export const FLOODS = {
  /** Sends 9 pipelined requests on each of 1,018 sockets and never reads the responses. */
  unread: (port: number, from = '127.0.0.2', sockets = 1018): FloodOptions => ({
    ...{ port, from, sockets, pipelined: 9, reads: false },
    request: floodRequest('/openapi.json'),
  }),
  /** Sends requests with a 15 kB `Accept-Language` header on 800 sockets. */
  languages: (port: number, from = '127.0.0.3', sockets = 800): FloodOptions => ({
    ...{ port, from, sockets },
    request: floodRequest('/login', `Accept-Language: ${'nl;q=0.5,'.repeat(1650)}en\r\n`),
  }),
  /** Requests the 100 nearest beacons on 300 sockets. */
  nearest: (port: number, from = '127.0.0.4', sockets = 300): FloodOptions => ({
    ...{ port, from, sockets },
    request: floodRequest('/beacons?near=52.09,5.12&limit=100', 'Accept: application/json\r\n'),
  }),
};
