import assert from 'node:assert/strict';
import { poll } from './poll.js';

/** Time limit for startup, far longer than startup takes even on a busy machine. */
export const READY_MS = 480_000;

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

export class GatewayClient {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  get(path: string): Promise<Answer> {
    return this.#request('GET', path);
  }

  post(path: string, body: object = {}): Promise<Answer> {
    return this.#request('POST', path, body);
  }

  put(path: string, body: object): Promise<Answer> {
    return this.#request('PUT', path, body);
  }

  /** Returns the response body. Rejects with the status and the body if the status is 300 or higher. */
  async must(answer: Promise<Answer>): Promise<Record<string, unknown>> {
    const { status, body } = await answer;
    assert.ok(status < 300, `${status}: ${JSON.stringify(body)}`);
    return body;
  }

  async ready(): Promise<void> {
    await poll('the gateway is ready', READY_MS, async () => (await this.get('/livez')).status === 200);
  }

  async health(
    what: string,
    matches: (health: Record<string, unknown>) => boolean,
  ): Promise<Record<string, unknown>> {
    return poll(what, READY_MS, async () => {
      const { body } = await this.get('/health');
      return matches(body) && body;
    });
  }

  /** Moves the gateway's own cart; status 200 means that the controller has acknowledged the move. */
  move(distanceMm: number): Promise<Answer> {
    return this.post('/', { cartID: 1, distanceID: distanceMm, angleID: 0 });
  }

  async firstCommand(distanceMm = 20): Promise<Record<string, unknown>> {
    return poll('a command is acknowledged', READY_MS, async () => {
      const { status, body } = await this.move(distanceMm);
      return status === 200 && body;
    });
  }

  async #request(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: { accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : { text } };
  }
}
