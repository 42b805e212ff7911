import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import type { CartSitePlan } from '../../../src/carts/command/model.js';
import type { FleetList } from '../../../src/carts/fleet/fleet-rows.js';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { overflowPx } from '../../helpers/page-assertions.js';
import { withPage } from '../../helpers/page-session.js';
import { untilAnswer } from '../../helpers/until.js';
import { Inbox, openBus } from '../../unit/carts/mqtt/test-bus.js';
import { png } from '../../unit/plan/images.js';
import { DOOR, FOOTPRINT, LINE } from '../../unit/site/site-setup.js';
import { hasMosquitto, type Mosquitto, startMosquitto } from '../mqtt/mosquitto.js';
import { ADMINISTRATOR_ENV, loggedIn } from '../store/administrator.js';

/** Tests two gateways on one mosquitto broker. The gateway of cart 1 owns the site plan. */
const test = suite('a site plan shared by two gateways');

const TOPIC = 'cart/v1/site1/site/plan';
const ENV = {
  ...ADMINISTRATOR_ENV,
  CARTWRIGHT_AUTH: 'trusted-lan',
  CARTWRIGHT_SITE_KEY: 'a test key with more than 32 characters',
};
/** In front of the cart, which is placed at x = 1500. */
const STAIRS = {
  ...DOOR,
  id: 'stairs',
  name: 'Stairs',
  polygon: [
    [3400, 500],
    [4400, 500],
    [4400, 7000],
    [3400, 7000],
  ],
};
const START = { xMm: 1500, yMm: 3750, headingDeg: 0 };

let broker: Mosquitto;
let owner: GatewayProcess;
let member: GatewayProcess;
let browser: Browser;

test.before(async () => {
  broker = await startMosquitto();
  const open = (cartID: number, other: number): Promise<GatewayProcess> =>
    GatewayProcess.start(
      {
        gateway: { cartID, name: `Cart ${cartID}`, announce: false },
        mqtt: { broker: 'external', host: '127.0.0.1', port: broker.port },
        carts: [{ cartID: other, name: `Cart ${other}` }],
        simulation: { carts: [] },
        kinematics: { footprint: FOOTPRINT },
        site: { planOwner: 1 },
      },
      ENV,
    );
  [owner, member, browser] = await Promise.all([open(1, 2), open(2, 1), openBrowser()]);
  for (const gateway of [owner, member]) await drawFloor(gateway);
});
test.after(async () => {
  await browser.close();
  await Promise.all([owner.close(), member.close()]);
  await broker.close();
});

async function drawFloor(gateway: GatewayProcess, shade = 240): Promise<void> {
  const send = await loggedIn(gateway);
  const image = png(400, 300, () => shade);
  assert.equal((await send('PUT', '/map/plan', image, { 'content-type': 'image/png' })).status, 200);
  if (gateway === owner) {
    assert.equal((await send('PUT', '/map/plan/line', LINE)).status, 200);
    return;
  }
  const { plan } = (await owner.call<{ plan: { points: object[] } }>('GET', '/map/plan')).body;
  assert.equal((await send('PUT', '/map/plan/points', { points: plan.points })).status, 200);
}

/** Sends the zones with the current version of the plan. */
async function putZones(gateway: GatewayProcess, zones: readonly object[]) {
  const send = await loggedIn(gateway);
  const { etag } = await send('GET', '/zones');
  return send('PUT', '/zones', { zones }, { 'if-match': etag });
}

/** Publishes zones on the owner, and returns their version. */
async function publish(...zones: readonly object[]): Promise<number> {
  const saved = await putZones(owner, zones);
  assert.equal(saved.status, 200, saved.text);
  return Number(saved.json().version);
}

/** Resolves with the site plan of cart 2 according to a gateway. */
async function untilPlan(version: number, state: CartSitePlan['state'] = 'CURRENT', at = member) {
  await at.untilCart(2, ({ sitePlan }) => sitePlan?.version === version && sitePlan.state === state);
}

async function restart(gateway: GatewayProcess): Promise<void> {
  await gateway.kill('SIGTERM');
  await gateway.spawn(ENV);
}

const moveIntoZone = async () => {
  assert.equal((await member.call('PUT', '/navigation/location', START)).status, 200);
  return member.call('POST', '/', { cartID: 2, distanceID: 3000, angleID: 0 });
};

test('another gateway applies a change within 5 s', async () => {
  const sentMs = performance.now();
  const version = await publish(STAIRS);
  await untilPlan(version);
  const tookMs = performance.now() - sentMs;
  assert.ok(tookMs < 5000, `${tookMs} ms`);
  const { body } = await member.call<{ zones: object[] }>('GET', '/zones');
  assert.deepEqual(body.zones, [STAIRS]);
});

test('a gateway that does not own the plan rejects changes and names the owner and its address', async () => {
  const answer = await putZones(member, []);
  assert.equal(answer.status, 409);
  const { message, hint } = answer.json();
  assert.match(String(message), /gateway of cart 1 owns the site plan/);
  assert.match(String(hint), /^Change the site plan on gateway \S+-1 \(Cart 1\): http:\/\/\S+:\d+$/);
  const send = await loggedIn(member);
  const { etag } = await send('GET', '/places');
  assert.equal((await send('PUT', '/places', { places: [] }, { 'if-match': etag })).status, 409);
  assert.equal((await send('POST', '/site-plan/confirm', undefined, { 'if-match': etag })).status, 409);
  const page = (await send('GET', '/map', undefined, { accept: 'text/html' })).text;
  assert.match(page, /Change the site plan on gateway/);
  assert.doesNotMatch(page, /data-site-add/);
});

test('a gateway that was off during a change applies the change when it reconnects', async () => {
  await member.kill('SIGTERM');
  const version = await publish(STAIRS, { ...DOOR, id: 'later' });
  await member.spawn(ENV);
  await untilPlan(version);
});

test('the plan stays valid while the owner is off, and the owner publishes changes after its restart', async () => {
  const { body: before } = await member.call<{ version: number }>('GET', '/zones');
  await owner.kill('SIGKILL');
  await member.untilCart(1, ({ online }) => !online);
  await untilPlan(before.version);
  await owner.spawn(ENV);
  const version = await publish(STAIRS);
  assert.equal(version, before.version + 1);
  await untilPlan(version);
});

test('a gateway enforces the zones after a restart without a broker', async () => {
  await broker.kill();
  await restart(member);
  await member.untilCart(2, ({ safety }) => safety.mayMove);
  const { status, body } = await moveIntoZone();
  assert.deepEqual([status, body.code, body.zoneId], [409, 'ZONE_BLOCKED', 'stairs']);
  await broker.start();
  await untilPlan(Number((await owner.call('GET', '/zones')).body.version), 'CURRENT', owner);
});

// Fault case 82
test('an unsigned, a replayed or an oversized message changes nothing and is reported', async () => {
  const bus = await openBus(broker.port);
  try {
    const inbox = new Inbox(bus, 'cart/v1/site1/#');
    const isPlan = ({ topic }: { topic: string }) => topic === TOPIC;
    const old = String((await inbox.first('the plan', isPlan)).payload);
    const version = await publish(STAIRS, DOOR);
    await untilPlan(version);
    const refused = (text: string) =>
      inbox.json(`a state with "${text}"`, (body, topic) =>
        Boolean(topic.endsWith('/2/state') && JSON.stringify(body.errors).includes(text)),
      );
    const forged = { ...JSON.parse(old), signature: 'A'.repeat(43) };
    await bus.publish(TOPIC, JSON.stringify(forged), { qos: 1 });
    await refused('the site keys differ');
    await bus.publish(TOPIC, JSON.stringify({ ...forged, x: 'x'.repeat(256 * 1024) }), { qos: 1 });
    await refused('the limit is 262144');
    await bus.publish(TOPIC, old, { qos: 1 });
    await untilPlan(version, 'REFUSED', owner);
    const next = await publish(STAIRS);
    await untilPlan(next, 'CURRENT', owner);
  } finally {
    await bus.close();
  }
});

test('with another floor plan, a cart rejects other motions than hand driving, and Fleet shows it in two languages', async () => {
  const { version } = (await owner.call('GET', '/zones')).body;
  await drawFloor(member, 100);
  await untilPlan(Number(version), 'OTHER_FLOOR_PLAN', owner);
  const { status, body } = await moveIntoZone();
  assert.deepEqual([status, body.code], [409, 'POSE_LOST']);
  assert.match(String(body.message), /floor plan differs from the site plan's/);
  const { carts } = (await owner.call<FleetList>('GET', '/fleet')).body;
  assert.deepEqual(
    carts.map(({ sitePlan }) => sitePlan),
    [
      { version, state: 'CURRENT' },
      { version, state: 'OTHER_FLOOR_PLAN' },
    ],
  );
  for (const [locale, width, text] of [
    ['en-GB', 1280, `version ${version}, other floor plan`],
    ['nl-NL', 360, `versie ${version}, andere plattegrond`],
  ] as const) {
    await withPage(
      browser,
      `${owner.url}/fleet`,
      async ({ page }) => {
        const cell = page.locator(`[data-fleet-line="2"] .fleet-plan:has-text("${text}")`);
        await cell.waitFor();
        assert.ok(await cell.isVisible());
        assert.equal(await overflowPx(page), 0);
        const [row, box] = [
          await page.locator('[data-fleet-line="2"]').boundingBox(),
          await cell.boundingBox(),
        ];
        assert.ok(row && box && box.y + box.height <= row.y + row.height, JSON.stringify([row, box]));
      },
      { locale, viewport: { width, height: 740 } },
    );
  }
  await drawFloor(member);
  await untilPlan(Number(version));
});

test('Fleet names a cart that does not have the current version', async () => {
  broker.freeze();
  const send = await loggedIn(owner);
  const { etag } = await send('GET', '/zones');
  await send('PUT', '/zones', { zones: [] }, { 'if-match': etag });
  const { body } = await untilAnswer(
    () => owner.call<FleetList>('GET', '/fleet'),
    ({ body: { carts } }) => carts.some(({ sitePlan }) => sitePlan?.state === 'OUTDATED'),
  );
  assert.equal(body.carts.find(({ sitePlan }) => sitePlan?.state === 'OUTDATED')?.cartID, 2);
  broker.thaw();
  await untilAnswer(
    () => owner.call<FleetList>('GET', '/fleet'),
    ({ body: { carts } }) => carts.every(({ sitePlan }) => sitePlan?.state === 'CURRENT'),
  );
});

if (hasMosquitto && hasBrowser) test.run();
else process.stdout.write('SKIPPED: shared site plan (mosquitto or Chromium is not installed)\n');
