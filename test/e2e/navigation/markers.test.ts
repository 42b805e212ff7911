import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { CartView } from '../../../src/carts/command/model.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { untilAnswer } from '../../helpers/until.js';
import { png } from '../../unit/plan/images.js';

/** Tests markers and the cart's location on the map in Chromium, with the simulated cart of a real gateway. */
const test = suite('markers on the map in Chromium');

const MARKER = { id: 12, sizeMm: 150, xMm: 20_000, yMm: 20_000, headingDeg: 90, purpose: 'dock' };

const app = new BrowserSuite(test);
test.before(async () => {
  const { gateway } = app;
  const line = { x1: 30, y1: 930, x2: 1170, y2: 930, lengthM: 57 };
  const body = new Uint8Array(png(1200, 960));
  assert.ok((await fetch(`${gateway.url}/map/plan`, { method: 'PUT', body })).ok);
  assert.equal((await gateway.call('PUT', '/map/plan/line', line)).status, 200);
});
test.before.each(async () => {
  await app.untilCartReady();
  assert.equal((await app.gateway.call('PUT', '/markers/12', MARKER)).status, 200);
});

const stored = async (): Promise<typeof MARKER> =>
  (await app.gateway.call<typeof MARKER>('GET', '/markers/12')).body;

test('dragging a marker changes its position', async () => {
  await app.visit('/map', async ({ page }) => {
    const marker = page.locator('.printed-marker[title="Marker 12"]');
    await marker.scrollIntoViewIfNeeded();
    const box = await marker.boundingBox();
    assert.ok(box);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 30, y, { steps: 5 });
    await page.mouse.move(x + 60, y - 40, { steps: 5 });
    await page.mouse.up();
    await page.locator('[data-map-words]').filter({ hasText: 'Marker 12 moved' }).waitFor();
  });
  const { xMm, yMm, ...rest } = await stored();
  const [right, up] = [xMm - MARKER.xMm, yMm - MARKER.yMm];
  assert.ok(right > 0 && Math.abs(right / up - 1.5) < 0.1, `${right} to the right, ${up} up`);
  assert.deepEqual({ ...rest, xMm: MARKER.xMm, yMm: MARKER.yMm }, MARKER);
});

test('a dragged marker returns to its stored position when another client has changed it', async () => {
  await app.visit('/map', async ({ page }) => {
    const marker = page.locator('.printed-marker[title="Marker 12"]');
    await marker.scrollIntoViewIfNeeded();
    await app.gateway.call('PUT', '/markers/12', { ...MARKER, xMm: 30_000 });
    await marker.dragTo(page.locator('[data-beacon-map]'), { targetPosition: { x: 100, y: 100 } });
    await page.locator('[data-map-words]').filter({ hasText: 'not moved' }).waitFor();
  });
  assert.equal((await stored()).xMm, 30_000);
});

test('the map shows the cart at its location with an uncertainty ellipse', async () => {
  const location = { xMm: 25_000, yMm: 25_000, headingDeg: 90 };
  assert.equal((await app.gateway.call('PUT', '/navigation/location', location)).status, 200);
  await app.visit('/map', async ({ page }) => {
    await page.locator('.cart-mark [data-heads]').waitFor();
    await untilAnswer(
      () => page.locator('path.cart-ellipse').getAttribute('d'),
      (d) => (d ?? '').length > 100,
    );
  });
});

test('the form adds a marker when JavaScript is off', async () => {
  const context = await app.browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${app.gateway.url}/markers`);
  for (const [name, value] of Object.entries({ id: '30', xMm: '1000', yMm: '2000', headingDeg: '180' }))
    await page.fill(`#marker-${name}`, value);
  await page.click('form[action="/markers/save"] button');
  await page.locator('th[scope="row"]').filter({ hasText: '30' }).waitFor();
  await context.close();
  assert.equal((await app.gateway.call<{ xMm: number }>('GET', '/markers/30')).body.xMm, 1000);
});

test('the location is published for other gateways and pages', async () => {
  const location = { xMm: 25_000, yMm: 25_000, headingDeg: 90 };
  await app.gateway.call('PUT', '/navigation/location', location);
  const view = (await app.gateway.call<CartView[]>('GET', '/carts')).body.find(({ cartID }) => cartID === 1);
  const { xMm, yMm, headingDeg, state } = view?.location ?? {};
  assert.deepEqual([xMm, yMm, headingDeg, state], [25_000, 25_000, 90, 'COARSE']);
});

if (hasBrowser) test.run();
