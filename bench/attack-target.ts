import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../test/e2e/mqtt/mosquitto.js';
import { GatewayProcess } from '../test/helpers/gateway.js';
import type { ServiceGroup } from './service-group.js';

const PASSWORD = 'correct horse battery';
const ANSWER_MS = 15_000;
const SAVED_MS = 5000;

interface Answer {
  /** 0 if the request failed or no response arrived in time. */
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A gateway and an operator whose page is open. */
export class Target {
  readonly gateway: GatewayProcess;
  readonly port: number;
  readonly brokerPort: number;
  cookie = '';
  /** API key of cart 7 for the broker. */
  key = '';
  readonly #page = new Agent({ keepAlive: true, maxSockets: 6 });

  private constructor(gateway: GatewayProcess, brokerPort: number) {
    this.gateway = gateway;
    this.brokerPort = brokerPort;
    this.port = Number(new URL(gateway.url).port);
  }

  static async start(
    settings: object,
    env: NodeJS.ProcessEnv,
    group: ServiceGroup | undefined,
  ): Promise<Target> {
    const brokerPort = await freePort();
    const carts = [{ cartID: 7, name: 'Seven' }];
    const start = () =>
      GatewayProcess.start(
        { mqtt: { port: brokerPort }, carts, ...settings },
        { CARTWRIGHT_ADMIN_USER: 'anna', CARTWRIGHT_ADMIN_PASSWORD: PASSWORD, NO_VALIDATION: '1', ...env },
      );
    const target = new Target(await (group ? group.contain(start) : start()), brokerPort);
    const { headers } = await target.send('POST', '/login', { username: 'anna', password: PASSWORD });
    target.cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    if (!target.cookie) throw new Error('the login failed');
    const { body } = await target.send('POST', '/keys', { name: 'c7', scopes: ['mqtt', 'mqtt:cart:7'] });
    target.key = String((JSON.parse(body) as { key: string }).key);
    const events = { port: target.port, path: '/events', headers: { cookie: target.cookie } };
    get(events, (res) => res.resume()).on('error', () => undefined);
    return target;
  }

  /** Sends a request on one of the page's connections, or on a new connection. */
  send(method: string, path: string, content?: object, connection: 'open' | 'new' = 'open'): Promise<Answer> {
    const bytes = content === undefined ? '' : JSON.stringify(content);
    const options = {
      host: '127.0.0.1',
      port: this.port,
      method,
      path,
      agent: connection === 'open' ? this.#page : (false as const),
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: {
        cookie: this.cookie,
        origin: `http://127.0.0.1:${this.port}`,
        accept: path === '/metrics' ? 'text/plain' : 'application/json',
        ...(bytes ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) } : {}),
      },
    };
    return new Promise((resolve) => {
      const failed = (): void => resolve({ status: 0, headers: {}, body: '' });
      const sent = request(options, (res) => {
        text(res).then(
          (body) => resolve({ status: res.statusCode ?? 0, headers: res.headers, body }),
          failed,
        );
      });
      sent.on('error', failed);
      sent.end(bytes);
    });
  }

  /** Status codes of stops that were not confirmed; 0 if there was no response. */
  readonly unconfirmed: number[] = [];

  /**
   * Returns infinity if the stop is not confirmed. Without a controller, no stop is confirmed, so any
   * response counts.
   */
  async stopMs(connection: 'open' | 'new', hasCart: boolean): Promise<number> {
    const start = performance.now();
    const { status } = await this.send('POST', '/estop', { cartID: 1 }, connection);
    if (status === 200 || (!hasCart && status > 0)) return performance.now() - start;
    this.unconfirmed.push(status);
    return Number.POSITIVE_INFINITY;
  }

  async drive(): Promise<boolean> {
    await this.send('POST', '/estop/reset', { cartID: 1 });
    const move = { cartID: 1, distanceID: 9000, angleID: 0, maxSpeed: 100 };
    return (await this.send('POST', '/', move)).status === 200;
  }

  /** Cumulative numbers of heartbeat intervals by upper bound in s, in ascending order. */
  async heartbeatGaps(): Promise<Map<number, number>> {
    const { body } = await this.send('GET', '/metrics');
    const buckets = body.matchAll(/^cartwright_heartbeat_gap_seconds_bucket.*le="([^"]+)".* (\d+)$/gm);
    return new Map(
      [...buckets].map(([, bound, count]) => [Number(bound?.replace('+Inf', 'Infinity')), Number(count)]),
    );
  }

  /**
   * Waits for up to a few seconds until the latch file states that a stop is latched or, if `isLatched` is false, that
   * none is. Returns the content of the file.
   */
  async savedLatch(isLatched: boolean): Promise<{ text: string; isAsExpected: boolean }> {
    const until = performance.now() + SAVED_MS;
    for (;;) {
      const text = await readFile(join(this.gateway.dir, 'data/estop.json'), 'utf8').catch(String);
      const isAsExpected = /"kind":"(?:REMOTE|MANUAL)"/.test(text) === isLatched;
      if (isAsExpected || performance.now() > until) return { text: text.trim(), isAsExpected };
      await pause(50);
    }
  }

  /** Returns the open connections to each of these ports. */
  openConnections(ports: readonly number[]): number[] {
    const rows = readFileSync(`/proc/${this.gateway.pid}/net/tcp`, 'utf8').split('\n');
    return ports.map((port) => {
      const established = new RegExp(
        `^ *\\d+: \\w+:${port.toString(16).toUpperCase().padStart(4, '0')} \\S+ 01 `,
      );
      return rows.filter((row) => established.test(row)).length;
    });
  }

  async close(): Promise<void> {
    this.#page.destroy();
    await this.gateway.close();
  }
}
