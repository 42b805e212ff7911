import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface FloodOptions {
  port: number;
  /** Loopback source address; the limits apply per address. */
  from: string;
  sockets: number;
  /** A complete request, resent after each response. */
  request: string;
  pipelined?: number;
  reads?: boolean;
}

export interface FloodReport {
  statuses: Record<string, number>;
  closed: number;
}

export class Flood {
  readonly #child: ChildProcess;
  readonly #connected: Promise<unknown>;

  constructor(options: FloodOptions) {
    this.#child = fork(join(import.meta.dirname, 'flood-process.js'), [JSON.stringify(options)]);
    this.#connected = once(this.#child, 'message');
  }

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
  /** Nine pipelined requests on each of 1,018 sockets that never read the responses. */
  unread: (port: number, from = '127.0.0.2', sockets = 1018): FloodOptions => ({
    port,
    from,
    sockets,
    pipelined: 9,
    reads: false,
    request: floodRequest('/openapi.json'),
  }),
  /** A flood of requests with a 15 kB `Accept-Language` header on 800 sockets. */
  languages: (port: number, from = '127.0.0.3', sockets = 800): FloodOptions => ({
    port,
    from,
    sockets,
    request: floodRequest('/login', `Accept-Language: ${'nl;q=0.5,'.repeat(1650)}en\r\n`),
  }),
  /** A flood of requests for the 100 nearest beacons, sent on 300 sockets. */
  nearest: (port: number, from = '127.0.0.4', sockets = 300): FloodOptions => ({
    port,
    from,
    sockets,
    request: floodRequest('/beacons?near=52.09,5.12&limit=100', 'Accept: application/json\r\n'),
  }),
};
