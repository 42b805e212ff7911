import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { GatewayProcess } from './gateway.js';

const PASSWORD = 'correct horse battery';
export const HTTPS_ENVIRONMENT = {
  CARTWRIGHT_AUTH: 'required',
  CARTWRIGHT_ADMIN_USER: 'anna',
  CARTWRIGHT_ADMIN_PASSWORD: PASSWORD,
};

/** Returns environment variables that make the process's clock start at this time. */
export function clockAt(iso: string): NodeJS.ProcessEnv {
  const script = `const real = Date.now, off = Date.parse('${iso}') - real(); Date.now = () => real() + off;`;
  const url = `data:text/javascript,${encodeURIComponent(script)}`;
  return { ...HTTPS_ENVIRONMENT, NODE_OPTIONS: `--import=${url}` };
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface SendOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: object;
  /** CA certificate in PEM format. The request fails unless this CA issued the server's certificate. */
  ca?: string;
}

/** Sends a JSON request over a separate connection. */
export async function send(
  url: string,
  { method = 'GET', headers, body, ca }: SendOptions = {},
): Promise<Answer> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  const sent = request(url, {
    method,
    agent: false,
    ...(ca === undefined ? {} : { ca }),
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
  });
  sent.end(body && JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) };
}

/** Logs in and returns the session cookie. */
export async function logIn(url: string, ca?: string): Promise<string> {
  const body = { username: 'anna', password: PASSWORD };
  const options = { method: 'POST', body, headers: { origin: url }, ...(ca === undefined ? {} : { ca }) };
  const { status, headers } = await send(`${url}/login`, options);
  assert.equal(status, 201);
  return headers['set-cookie']?.[0] ?? '';
}

/** A gateway that has a certificate from its own CA. */
export class HttpsGateway {
  readonly process: GatewayProcess;
  /** PEM. */
  ca = '';
  /** URL of the pages over HTTPS. */
  url = '';

  private constructor(process: GatewayProcess) {
    this.process = process;
  }

  static async start(): Promise<HttpsGateway> {
    const gateway = new HttpsGateway(await GatewayProcess.start({}, HTTPS_ENVIRONMENT));
    const { status, text } = await gateway.asAdmin('POST', '/system/tls', {});
    assert.equal(status, 201, text);
    await gateway.findPort();
    gateway.ca = (await send(`${gateway.process.url}/ca.crt`)).text;
    return gateway;
  }

  /** Reads the HTTPS port from the log. Must be called after each start of the process. */
  async findPort(): Promise<void> {
    const { port } = await this.process.logged('tls.listening');
    this.url = `https://127.0.0.1:${port}`;
  }

  /** Sends a request over HTTP with an administrator's session. */
  async asAdmin(method: string, path: string, body?: object): Promise<Answer> {
    const { url } = this.process;
    const headers = { cookie: (await logIn(url)).split(';')[0] ?? '', origin: url };
    return send(`${url}${path}`, { method, headers, ...(body ? { body } : {}) });
  }

  /** Turns the redirect from HTTP to HTTPS on or off, with a request over HTTPS. */
  async setRedirect(redirect: 'on' | 'off'): Promise<void> {
    const { url, ca } = this;
    const [cookie = ''] = (await logIn(url, ca)).split(';');
    const options = { method: 'POST', body: { redirect }, headers: { cookie, origin: url }, ca };
    const { status, text } = await send(`${url}/system/tls/redirect`, options);
    assert.equal(status, 200, text);
  }

  async close(): Promise<void> {
    await this.process.close();
  }
}

/** Runs `npm run tls` on a data directory; resolves with its output and exit code. */
export async function tlsCommand(
  dataDir: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const script = join(import.meta.dirname, '../../src/cli/tls.js');
  try {
    const done = await promisify(execFile)(process.execPath, [script, ...args], {
      env: { ...process.env, ...env, CARTWRIGHT_DATA_DIR: dataDir },
    });
    return { code: 0, ...done };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}
