import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { CartView, CommandView } from '../../../src/carts/command/model.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { holdButton, untilBeats } from '../../helpers/page-session.js';
import { repeatOnce } from '../../helpers/repeat-once.js';
import { png } from '../../unit/plan/images.js';
import { FOOTPRINT, LINE } from '../../unit/site/site-setup.js';
import { ADMINISTRATOR_ENV, loggedIn, USER } from '../store/administrator.js';

/** Tests zones on a real gateway with the simulated controller. The pose is COARSE, because a person entered it. */
const test = suite('zones in front of a cart');

/** The cart's front is at x = 1900, and three standard deviations of its pose and the margin are about 750 mm. */
const START = { xMm: 1500, yMm: 3750, headingDeg: 0 };
const EDGE_MM = 3400;
/** A longer drive by hand would be interrupted on a busy machine. */
const DRIVEN_MM = 70;
const STAIRS = {
  id: 'stairs',
  kind: 'BLOCKED',
  name: 'Stairs',
  polygon: [
    [EDGE_MM, 500],
    [4400, 500],
    [4400, 7000],
    [EDGE_MM, 7000],
  ],
};

const app = new BrowserSuite(test, { kinematics: { footprint: FOOTPRINT } }, ADMINISTRATOR_ENV);

test.before(async () => {
  const send = await loggedIn(app.gateway);
  await send('PUT', '/map/plan', png(400, 300), { 'content-type': 'image/png' });
  await send('PUT', '/map/plan/line', LINE);
  const { etag } = await send('GET', '/zones');
  const saved = await send('PUT', '/zones', { zones: [STAIRS] }, { 'if-match': etag });
  assert.equal(saved.status, 200, saved.text);
  // Stored zones also apply after a restart.
  await app.gateway.kill('SIGTERM');
  await app.gateway.spawn();
  await app.untilCartReady();
});

test.before.each(() => place());

async function place(aheadMm = 0): Promise<void> {
  await app.gateway.untilCart(1, ({ moving, online }) => online && !moving);
  const location = { ...START, xMm: START.xMm + aheadMm };
  assert.equal((await app.gateway.call('PUT', '/navigation/location', location)).status, 200);
}

const moveIntoZone = () => app.gateway.call('POST', '/', { cartID: 1, distanceID: 3000, angleID: 0 });

const motions = async (): Promise<number> =>
  (await app.gateway.call<{ motions: number }>('GET', '/simulator')).body.motions;

test('a move into a zone is refused with the zone and the free distance', async () => {
  const before = await motions();
  const { status, body } = await moveIntoZone();
  assert.deepEqual([status, body.code, body.zoneId], [409, 'ZONE_BLOCKED', 'stairs']);
  assert.ok(Number(body.freeDistanceMm) > 300 && Number(body.freeDistanceMm) < 1400, JSON.stringify(body));
  assert.match(String(body.message), /^Zone "Stairs" blocks the way after \d+ mm$/);
  assert.match(String(body.hint), /another way/);
  assert.equal(await motions(), before);
  assert.equal((await app.gateway.moveToEnd(1, 200)).body.state, 'FINISHED');
  const queued = await app.gateway.move(1, 3000, { onBusy: 'queue' });
  const { reason } = (await app.gateway.call<CommandView>('GET', `/commands/${queued.body.commandId}`)).body;
  assert.deepEqual([reason?.code, reason?.zoneId], ['ZONE_BLOCKED', 'stairs']);
});

test('the Drive page names the zone in Dutch', async () => {
  const answer = await fetch(app.gateway.url, {
    method: 'POST',
    headers: { accept: 'text/html', 'accept-language': 'nl', 'content-type': 'application/json' },
    body: JSON.stringify({ cartID: 1, distanceID: 3000, angleID: 0 }),
  });
  assert.equal(answer.status, 409);
  assert.match(
    await answer.text(),
    /Zone (?:"|&quot;|&#34;)Stairs(?:"|&quot;|&#34;) blokkeert de weg na \d+ mm/,
  );
});

test('hand driving with the pad held stops before a zone and does not continue; the cart can drive out', async () => {
  await app.visit('/', async ({ page }) => {
    const freeMm = Number((await moveIntoZone()).body.freeDistanceMm);
    let fastest = 0;
    const holdPad = async () => {
      await place(freeMm - DRIVEN_MM);
      const pad = page.locator('[data-pad]:not([aria-disabled="true"])');
      await pad.waitFor();
      await pad.scrollIntoViewIfNeeded();
      const box = await pad.boundingBox();
      assert.ok(box);
      const { commandId: before } = await app.gateway.cart(1);
      await page.mouse.up();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2, box.y + 4);
      const stopped = await app.gateway.untilCart(1, ({ commandId, moving, telemetry }) => {
        fastest = Math.max(fastest, telemetry?.speedMmps ?? 0);
        return commandId !== before && !moving;
      });
      return { stopped, code: await app.gateway.endCode(stopped.commandId ?? '') };
    };
    const { stopped, code } = await repeatOnce(holdPad, (attempt) => attempt.code);
    assert.equal(code, 'ZONE_BLOCKED');
    assert.ok(fastest > 0 && fastest <= 100, `${fastest} mm/s`);
    assert.ok(frontOf(stopped) > 2000 && frontOf(stopped) < EDGE_MM, `${frontOf(stopped)} mm`);
    await page
      .getByText(/zone "Stairs" blocks the way/i)
      .first()
      .waitFor();
    const before = await motions();
    await untilBeats(page, 5);
    assert.equal(await motions(), before);
    await page.mouse.up();
    await page.focus('[data-pad]');
    await page.keyboard.down('s');
    await app.gateway.untilCart(1, ({ telemetry }) => (telemetry?.speedMmps ?? 0) < -20);
    await page.keyboard.up('s');
  });
});

test('the map refuses changes of the floor plan, and the history contains entered positions', async () => {
  const refused = await app.gateway.call('PUT', '/map/plan/line', LINE);
  assert.deepEqual([refused.status, refused.body.code], [403, 'FORBIDDEN']);
  assert.match(String(refused.body.hint), /administrator/);
  const { body } = await app.gateway.call<{ entries: { kind: string; view: object }[] }>('GET', '/history');
  const entry = body.entries.find(({ kind }) => kind === 'site.frame_changed');
  assert.match(JSON.stringify(entry), /"path":"\/position".*"to":\{"xMm":1500,"yMm":3750,"headingDeg":0\}/);
  await app.visit('/map', async ({ page }) => {
    await page.getByText('only an administrator can change it').waitFor();
  });
});

test('after a refused move, an operator with a reason switches the zones off, and on again', () =>
  app.visit('/', async ({ page, pageErrors }) => {
    // Clients on a trusted network that are not logged in share one identity.
    assert.equal(await page.locator('[data-zones-off]').count(), 0);
    await page.request.post(`${app.gateway.url}/login`, { data: USER, headers: { origin: app.gateway.url } });
    await page.reload();
    await page.fill('[name="distanceID"]', '3000');
    const refused = page.waitForResponse((response) => response.status() === 409);
    await holdButton(page, '.go', '[data-progress]:has-text("Stairs")');
    await refused;
    assert.match(pageErrors.splice(0).join(), /409/);
    await page.click('[data-zones-off]');
    await page.locator('[name="reason"]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('[name="reason"]:invalid').waitFor();
    assert.equal(await page.locator('[data-override]').isVisible(), false);
    await page.keyboard.type('Pallet in the aisle');
    await page.keyboard.press('Enter');
    await page.locator('[data-override]:has-text("Zones are off for ")').waitFor();
    assert.match(await page.locator('[data-override-left]').innerText(), /^[1-6]?\d s$/);
    await page.locator('[data-zones-off]').waitFor({ state: 'hidden' });
    await app.gateway.untilCart(1, ({ faults }) => JSON.stringify(faults).includes('Pallet in the aisle'));
    await page.click('[data-override-end]');
    await page.locator('[data-override]').waitFor({ state: 'hidden' });
    await page.click('[data-zones-off]');
    assert.equal(await page.inputValue('[name="reason"]'), '');
    await page.keyboard.press('Escape');
    await page.locator('[data-zones-off]:focus').waitFor();
  }));

const frontOf = ({ location }: CartView): number => (location?.xMm ?? 0) + 400;

if (hasBrowser) test.run();
