import assert from 'node:assert/strict';
import { once } from 'node:events';
import { suite } from 'uvu';
import { WebSocket } from 'ws';
import type { DriveState } from '../../../src/carts/manual-drive/drive-messages.js';
import type { Leg } from '../../../src/site/routes/route.js';
import type { RunView } from '../../../src/site/runs/run-view.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { randomFrom, rounds, testSeed } from '../../helpers/random.js';
import { LATE, REPEATED } from '../../helpers/repeat-once.js';
import { untilAnswer } from '../../helpers/until.js';
import { png } from '../../unit/plan/images.js';
import { LINE } from '../../unit/site/site-setup.js';

/** Tests runs on a real gateway with the simulated controller. */
const test = suite('runs of a real gateway');

const START = { xMm: 2000, yMm: 2000, headingDeg: 0 };
const LEGS: Leg[] = [START, { xMm: 2500, yMm: 2000 }, { xMm: 2500, yMm: 2300, action: { kind: 'PHOTO' } }];

let gateway: GatewayProcess;

test.before(async () => {
  gateway = await GatewayProcess.start();
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
  const origin = { origin: gateway.url };
  const send = (method: string, path: string, body: unknown, headers: Record<string, string>) =>
    fetch(`${gateway.url}${path}`, {
      method,
      headers: { ...origin, accept: 'application/json', ...headers },
      body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body),
    });
  const json = { 'content-type': 'application/json' };
  assert.equal((await send('PUT', '/map/plan', png(400, 300), { 'content-type': 'image/png' })).status, 200);
  assert.equal((await send('PUT', '/map/plan/line', LINE, json)).status, 200);
  const etag = (await fetch(`${gateway.url}/routes`)).headers.get('etag') ?? '';
  const put = (ifMatch: string) =>
    send('PUT', '/routes/round', { name: 'Round', legs: LEGS }, { ...json, 'if-match': ifMatch });
  assert.equal((await put('"0-old"')).status, 412);
  const saved = await put(etag);
  assert.equal(saved.status, 200, await saved.text());
});
test.after(async () => {
  assert.equal(await gateway.close(), 0);
});

test.before.each(() => ready());

async function ready(): Promise<void> {
  await gateway.untilCart(1, ({ moving, safety }) => safety.mayMove && !moving);
  assert.equal((await gateway.call('PUT', '/navigation/location', START)).status, 200);
}

const runOf = async (runId: string): Promise<RunView> =>
  (await gateway.call<RunView>('GET', `/runs/${runId}`)).body;
const motions = async (): Promise<number> =>
  (await gateway.call<{ motions: number }>('GET', '/simulator')).body.motions;

async function start(): Promise<RunView> {
  const { status, body } = await gateway.call<RunView>('POST', '/runs', { routeId: 'round', cartID: 1 });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** An operator's page that holds the control of a run: it answers every state with a message. */
class Holder {
  readonly #socket: WebSocket;
  #seq = 0;
  readonly #looks = new Set<() => void>();

  constructor({ runId }: RunView) {
    this.#socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/drive`, {
      headers: { origin: gateway.url },
    });
    this.#socket.on('message', (data) => {
      const { lease, n } = JSON.parse(String(data)) as DriveState;
      this.#seq += 1;
      for (const look of [...this.#looks]) look();
      const hold = { say: 'hold', lease, seq: this.#seq, runId, heard: n };
      this.#socket.send(JSON.stringify(lease > 0 ? hold : { say: 'take' }));
    });
    this.#socket.on('error', () => undefined);
  }

  /** Resolves when the page has received this number of states; the gateway sends ten per second. */
  untilStates(count: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.#seq < count) return;
        this.#looks.delete(look);
        resolve();
      };
      this.#looks.add(look);
      look();
    });
  }

  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    this.#socket.close();
    await once(this.#socket, 'close');
  }
}

/** A busy machine ends a motion early; the run then fails, and the test repeats it once. */
async function held(attempt: (run: RunView) => Promise<RunView>): Promise<RunView> {
  for (const isLast of [false, true]) {
    const run = await start();
    const holder = new Holder(run);
    const ended = await attempt(run).finally(() => holder.close());
    const { code = '' } = ended.reason ?? {};
    if (isLast || !Object.hasOwn(LATE, code)) return ended;
    process.stdout.write(`${REPEATED}${code}\n`);
    await ready();
  }
  throw new Error('unreachable');
}

const hasEnded = ({ state }: RunView) => state !== 'READY' && state !== 'RUNNING';

test('a held run drives its route, takes the photo and completes', async () => {
  const before = (await gateway.call<{ photos: unknown[] }>('GET', '/camera/photos')).body.photos.length;
  const ended = await held(({ runId }) => untilAnswer(() => runOf(runId), hasEnded));
  assert.deepEqual([ended.state, ended.reason], ['COMPLETED', undefined]);
  const { location } = await gateway.cart(1);
  assert.ok(
    Math.hypot((location?.xMm ?? 0) - 2500, (location?.yMm ?? 0) - 2300) < 60,
    JSON.stringify(location),
  );
  const { photos } = (await gateway.call<{ photos: unknown[] }>('GET', '/camera/photos')).body;
  assert.equal(photos.length, before + 1);
  assert.deepEqual((await gateway.call<RunView[]>('GET', '/runs')).body[0], ended);
});

test('a closed page pauses the run, and nothing moves', async () => {
  const run = await start();
  const holder = new Holder(run);
  await untilAnswer(
    () => gateway.cart(1),
    ({ telemetry }) => (telemetry?.speedMmps ?? 0) > 50,
  );
  await holder.close();
  const paused = await untilAnswer(
    () => runOf(run.runId),
    ({ state }) => state !== 'RUNNING',
  );
  assert.ok(
    paused.state === 'PAUSED' || Object.hasOwn(LATE, paused.reason?.code ?? ''),
    JSON.stringify(paused),
  );
  await gateway.untilCart(1, ({ telemetry }) => telemetry?.speedMmps === 0);
  const { status, body } = await gateway.call<RunView>('POST', `/runs/${run.runId}/cancel`);
  if (status === 200) assert.deepEqual([body.state, body.reason?.code], ['CANCELLED', 'CANCELLED']);
});

test('a gateway that is killed at any moment of a run shows it as failed after the start, and nothing moves', async () => {
  const random = randomFrom(testSeed());
  for (let n = 0; n < rounds(3, 200); n++) {
    const run = await start();
    const holder = new Holder(run);
    // Between the preparation of the run and its end: a number of states of the drive socket.
    await holder.untilStates(Math.ceil(random() * 60));
    const before = await runOf(run.runId);
    await gateway.kill('SIGKILL');
    await gateway.spawn();
    await holder.close();
    const after = await runOf(run.runId);
    if (before.state === 'COMPLETED' || before.state === 'FAILED') assert.deepEqual(after, before);
    // The run may have ended after it was read.
    else
      assert.ok(
        after.reason?.code === 'GATEWAY_RESTART' || after.endedAt !== undefined,
        JSON.stringify(after),
      );
    assert.ok(after.state === 'FAILED' || after.state === 'COMPLETED', after.state);
    await gateway.untilCart(1, ({ safety }) => safety.mayMove);
    assert.equal(await motions(), 0);
    await ready();
  }
});

test('the check names the length and the duration, and a route can be deleted', async () => {
  const { body } = await gateway.call<{ lengthM: number; durationS: number; legs: object[] }>(
    'POST',
    '/routes/round/check',
  );
  assert.deepEqual([body.lengthM, body.legs], [0.8, [{ ok: true }, { ok: true }, { ok: true }]]);
  assert.ok(body.durationS > 3 && body.durationS < 30);
  const { etag, ...view } = await routes();
  assert.equal((view.routes as object[]).length, 1);
  const deleted = await fetch(`${gateway.url}/routes/round`, {
    method: 'DELETE',
    headers: { origin: gateway.url, accept: 'application/json', 'if-match': etag },
  });
  assert.deepEqual([deleted.status, ((await deleted.json()) as { routes: object[] }).routes], [200, []]);
  assert.equal((await gateway.call('POST', '/runs', { routeId: 'round', cartID: 1 })).status, 404);
});

async function routes(): Promise<{ etag: string; routes: unknown }> {
  const answer = await fetch(`${gateway.url}/routes`, { headers: { accept: 'application/json' } });
  const { routes } = (await answer.json()) as { routes: unknown };
  return { etag: answer.headers.get('etag') ?? '', routes };
}

test('a route is recorded while the cart is driven, and can be saved', async () => {
  const begun = await gateway.call<{ isRecording: boolean }>('POST', '/teaching');
  assert.deepEqual([begun.status, begun.body.isRecording], [200, true]);
  assert.equal((await gateway.moveToEnd(1, 400)).body.state, 'FINISHED');
  const { status, body } = await gateway.call<{ legs: Leg[] }>('POST', '/teaching/finish');
  assert.equal(status, 200, JSON.stringify(body));
  const { xMm = 0, yMm = 0 } = body.legs.at(-1) ?? {};
  assert.ok(Math.abs(xMm - 2400) < 40 && Math.abs(yMm - 2000) < 40, JSON.stringify(body));
  assert.equal((await gateway.call('DELETE', '/teaching')).status, 200);
});

test.run();
