import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMINISTRATOR_ENV, loggedIn } from '../test/e2e/store/administrator.js';
import { png } from '../test/unit/plan/images.js';
import { FOOTPRINT, LINE } from '../test/unit/site/site-setup.js';
import { rectangle, zone } from '../test/unit/site/zones/drives.js';
import { type Subject, startGateway, stop, untilItMayMove } from './subject.js';
import { median, verdict } from './verdict.js';

/**
 * The time of `POST /?wait=accept` with 50 zones, in ratio to the time without zones. Three gateways with simulated
 * controllers take turns; two of them have no zones, and the ratio between those two shows how noisy the machine is.
 */

const WARM_UP = 10;
const ROUNDS = 60;
const MAX_RATIO = 1.1;

/** On a floor of 10 x 7.5 m; the nearest ones are 1 m away from the cart, which is in the middle. */
const ZONES = Array.from({ length: 50 }, (_, i) => {
  const [x, y] = [(i % 10) * 1000 + 100, Math.floor(i / 10) * 700 + (i < 20 ? 0 : 3400)];
  return zone(rectangle(x, y, x + 400, y + 300), { id: `z${i}`, name: `Zone ${i}` });
});

const PLACE = { xMm: 5000, yMm: 3000, headingDeg: 0 };
/** From the middle of the floor into a zone. */
const TOO_LONG = { cartID: 1, distanceID: 3000, angleID: 90 };

interface Gateway {
  subject: Subject;
  /** Throws an error if the gateway refuses the request. */
  send: (...request: Parameters<Awaited<ReturnType<typeof loggedIn>>>) => Promise<{ etag: string }>;
}

async function open(dir: string, zones: object[]): Promise<Gateway> {
  const env = { ...ADMINISTRATOR_ENV, CARTWRIGHT_AUTH: 'trusted-lan' };
  const subject = await startGateway(dir, env, { kinematics: { footprint: FOOTPRINT } });
  const url = `http://127.0.0.1:${subject.port}`;
  await untilItMayMove(url);
  const request = await loggedIn({ url });
  const send: Gateway['send'] = async (method, path, ...rest) => {
    const answer = await request(method, path, ...rest);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  await send('PUT', '/map/plan', png(400, 300), { 'content-type': 'image/png' });
  await send('PUT', '/map/plan/line', LINE);
  const { etag } = await send('GET', '/zones');
  await send('PUT', '/zones', { zones }, { 'if-match': etag });
  return { subject, send };
}

/** Returns the time of the acceptance of a short move in ms; then drives the cart back. */
async function acceptedMs({ send }: Gateway): Promise<number> {
  await send('PUT', '/navigation/location', PLACE);
  const start = performance.now();
  await send('POST', '/?wait=accept', { cartID: 1, distanceID: 10, angleID: 0 });
  const ms = performance.now() - start;
  try {
    await send('POST', '/?wait=done', { cartID: 1, distanceID: -10, angleID: 0, onBusy: 'queue' });
  } catch {
    // Gateways stop their carts if the machine is too busy.
    interrupted += 1;
  }
  return ms;
}

function ratioOf(of: readonly number[], to: readonly number[]): number {
  return median(of.map((ms, round) => ms / (to[round] ?? ms)));
}

let interrupted = 0;
const dir = await mkdtemp(join(tmpdir(), 'bench-'));
const gateways: Gateway[] = [];
try {
  for (const [name, zones] of [
    ['without', []],
    ['with', ZONES],
    ['control', []],
  ] as const)
    gateways.push(await open(join(dir, name), [...zones]));
  // Otherwise, the gate would not be measured.
  await gateways[1]?.send('PUT', '/navigation/location', PLACE);
  await assert.rejects(async () => gateways[1]?.send('POST', '/', TOO_LONG), /ZONE_BLOCKED/);
  const times: number[][] = gateways.map(() => []);
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (let turn = 0; turn < gateways.length; turn++) {
      const side = (turn + round + WARM_UP) % gateways.length;
      const gateway = gateways[side];
      if (!gateway) continue;
      const ms = await acceptedMs(gateway);
      if (round >= 0) times[side]?.push(ms);
    }
  }
  const [without = [], withZones = [], control = []] = times;
  const ratio = ratioOf(withZones, without);
  const p50 = [withZones, without].map((values) => `${median(values).toFixed(2)} ms`).join(' and ');
  const noise = `${ratioOf(control, without).toFixed(2)}x between two gateways without zones`;
  verdict(
    `POST /?wait=accept with 50 zones and without (p50 ${p50}; ${interrupted} drives interrupted)`,
    `${ratio.toFixed(2)}x; ${noise}`,
    `${MAX_RATIO}x`,
    ratio <= MAX_RATIO,
  );
} finally {
  for (const { subject } of gateways) await stop(subject);
  await rm(dir, { recursive: true, force: true });
}
