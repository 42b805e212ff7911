import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'uvu';
import { GatewayProcess } from '../../helpers/gateway.js';
import { randomFrom, rounds, testSeed } from '../../helpers/random.js';
import { RegisterHistory } from '../../helpers/register-history.js';

const OPERATIONS = rounds(6000, 100_000);
const KILLS = 3;
const CLIENTS = 16;
const IDS = Array.from({ length: 50 }, (_, n) => `beacon-${n}`);

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

interface ApiResponse {
  status: number;
  version?: string;
}

async function call(url: string, method: string, path: string, body?: object): Promise<ApiResponse> {
  const headers = { 'content-type': 'application/json' };
  const outgoing = request(`${url}${path}`, { agent, method, headers: body ? headers : {} });
  outgoing.end(body && JSON.stringify(body));
  const [incoming] = await once(outgoing, 'response');
  const { description } = JSON.parse(await text(incoming));
  return { status: incoming.statusCode, version: description };
}

/** Clients that access 50 beacons concurrently, and each beacon's history of reads and writes. */
class Clients {
  readonly #histories = new Map(IDS.map((id) => [id, new RegisterHistory()]));
  readonly #random = randomFrom(testSeed());
  #tick = 0;
  #versions = 0;
  #left = 0;
  done = 0;
  acknowledged = 0;

  /** Performs `count` operations and waits for them. Calls `onLast` when the last operation starts. */
  async work(url: string, count: number, onLast?: () => void): Promise<void> {
    this.#left = count;
    const client = async (): Promise<void> => {
      while (this.#left > 0) {
        this.#left -= 1;
        if (this.#left === 0) onLast?.();
        const id = IDS[Math.floor(this.#random() * IDS.length)] ?? '';
        if (!(await this.#operate(url, id, this.#random()))) return;
        this.done += 1;
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  }

  async readAll(url: string): Promise<void> {
    for (const id of IDS) await this.#operate(url, id, 0);
  }

  faults(): string[] {
    return [...this.#histories].flatMap(([id, history]) =>
      history.faults().map((fault) => `${id}: ${fault}`),
    );
  }

  async #operate(url: string, id: string, chance: number): Promise<boolean> {
    if (chance < 0.55) return await this.#timed(id, undefined, () => call(url, 'GET', `/beacon?id=${id}`));
    if (chance < 0.7)
      return await this.#timed(id, undefined, () => call(url, 'DELETE', `/beacon?id=${id}`), true);
    this.#versions += 1;
    const description = `version ${this.#versions}`;
    const put = () => call(url, 'PUT', `/beacon/${id}`, { description });
    const create = () => call(url, 'POST', '/beacon', { id, description });
    return await this.#timed(id, description, chance < 0.85 ? create : put);
  }

  async #timed(
    id: string,
    writes: string | undefined,
    request: () => Promise<ApiResponse>,
    isDeletion = false,
  ) {
    const history = this.#histories.get(id);
    const isWrite = writes !== undefined || isDeletion;
    const from = this.#tick++;
    const answer = await request().catch(() => undefined);
    const to = this.#tick++;
    if (!answer) {
      if (isWrite) history?.wrote({ from, to: Infinity, value: writes });
      return false;
    }
    const { status, version } = answer;
    assert.ok([200, 404, 409].includes(status), `${id} returned ${status}`);
    if (isWrite && status === 200) {
      this.acknowledged += 1;
      history?.wrote({ from, to, value: writes });
    }
    // A DELETE also counts as a read, because it returns the deleted beacon. Status 404 means that the beacon
    // does not exist.
    if (writes === undefined) history?.read({ from, to, value: status === 404 ? undefined : version });
    return true;
  }
}

test('the history checker detects stale reads, lost writes and non-monotonic reads', () => {
  const history = new RegisterHistory();
  history.wrote({ from: 0, to: 3, value: 'a' });
  history.read({ from: 1, to: 2, value: 'a' });
  history.wrote({ from: 4, to: 9, value: 'b' });
  history.read({ from: 5, to: 6, value: 'a' });
  history.read({ from: 10, to: 11, value: 'b' });
  assert.deepEqual(history.faults(), []);
  history.read({ from: 12, to: 13, value: 'a' });
  history.read({ from: 14, to: 15, value: undefined });
  assert.equal(history.faults().length, 2, String(history.faults()));
  const back = new RegisterHistory();
  back.wrote({ from: 0, to: 1, value: 'a' });
  back.wrote({ from: 2, to: 9, value: 'b' });
  back.read({ from: 3, to: 4, value: 'b' });
  back.read({ from: 5, to: 6, value: 'a' });
  assert.equal(back.faults().length, 1, String(back.faults()));
});

test('the history checker accepts a read that is explained by either of two deletions', () => {
  const history = new RegisterHistory();
  history.read({ from: 0, to: 5, value: undefined });
  history.wrote({ from: 1, to: 2, value: 'a' });
  history.read({ from: 6, to: 7, value: 'a' });
  history.wrote({ from: 3, to: 8, value: undefined });
  assert.deepEqual(history.faults(), []);
  history.read({ from: 9, to: 10, value: undefined });
  history.wrote({ from: 11, to: 12, value: 'b' });
  history.read({ from: 13, to: 14, value: 'b' });
  assert.deepEqual(history.faults(), []);
  history.read({ from: 15, to: 16, value: undefined });
  assert.deepEqual(history.faults(), ['nothing read between 15 and 16']);
});

test(`${OPERATIONS} operations interrupted by ${KILLS} kills never return data older than an acknowledged write`, async () => {
  const gateway = await GatewayProcess.start({}, { NO_VALIDATION: '1' });
  const clients = new Clients();
  try {
    for (let kill = 1; kill <= KILLS; kill += 1) {
      let killed: Promise<unknown> = Promise.resolve();
      await clients.work(gateway.url, Math.ceil(OPERATIONS / KILLS), () => {
        killed = gateway.kill('SIGKILL');
      });
      await killed;
      await gateway.spawn({ NO_VALIDATION: '1' });
      await clients.readAll(gateway.url);
      assert.deepEqual(clients.faults(), []);
    }
    assert.ok(clients.done > OPERATIONS - KILLS * CLIENTS - 1, `${clients.done} operations`);
    const { done, acknowledged } = clients;
    process.stdout.write(
      `${done} operations, ${acknowledged} acknowledged writes, ${KILLS} kills: none lost, none stale\n`,
    );
  } finally {
    agent.destroy();
    await gateway.close();
  }
});

test.run();
