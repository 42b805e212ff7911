import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { textOf } from '../../../src/shared/messages/message.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';

const test = suite('protective field of the simulated cart');
const app = new BrowserSuite(test);
/** A wall ahead of the cart. The front of the cart is at x = 300 mm. */
const WALL = { x1: 650, y1: -2000, x2: 650, y2: 2000 };

async function setWalls(walls: object[]): Promise<void> {
  const { status, body } = await app.gateway.call('POST', '/simulator', { action: 'walls', walls });
  assert.deepEqual([status, body.walls], [200, walls]);
}

// Fault case 44
test('stops the cart before a wall, reports the obstacle, and rejects a further command towards the wall', async () => {
  await app.untilCartReady();
  await setWalls([WALL]);
  await app.gateway.untilCart(
    1,
    ({ field }) => field?.sensors.some(({ rangeMm }) => rangeMm !== null) ?? false,
  );
  const { status, body } = await app.gateway.moveToEnd(1, 2000);
  // On a busy machine, the move may be repeated. The gateway rejects the repetition, because the cart is near the wall.
  const { code = body.code, text = '' } = body.reason ?? {};
  assert.deepEqual([status, code], [409, 'OBSTACLE']);
  if (body.reason) assert.match(textOf(text), /^obstacle \d+ mm ahead$/);
  const { field } = await app.gateway.untilCart(1, ({ moving }) => !moving);
  assert.ok(field?.blocked.includes('forward'));
  const refused = await app.gateway.move(1, 500);
  assert.deepEqual([refused.status, refused.body.code], [409, 'OBSTACLE']);
  const simulated = await app.gateway.call<{ contacts: number }>('GET', '/simulator');
  assert.equal(simulated.body.contacts, 0);
});

test('shows the obstacle on the map, in the path preview and as text, with a note that the field is not safety-rated', async () => {
  await app.visit('/', async ({ page }) => {
    await page.locator('[data-map] .field-arc[data-blocked]').first().waitFor({ state: 'attached' });
    await page.locator('[data-preview] .field-arc[data-blocked]').first().waitFor({ state: 'attached' });
    await page.locator('[data-faults] li', { hasText: /^Obstacle \d+ mm ahead$/ }).waitFor();
    await page.locator('dd[data-field]', { hasText: /m in front.*not safety-rated/ }).waitFor();
  });
});

test('shows the obstacle around the cart on the Map page', async () => {
  await app.visit('/map', async ({ page }) => {
    const arc = page.locator('[data-beacon-map] path.field-arc.is-blocked').first();
    await arc.waitFor({ state: 'attached' });
    await page.locator('[data-obstacles]').waitFor();
    // The cart's symbol, 40 px wide, must not cover the arc.
    const isBeside = await page.$eval('[data-beacon-map]', (map) => {
      const boxOf = (selector: string) => (map.querySelector(selector) as Element).getBoundingClientRect();
      const [arc, cart] = [boxOf('path.field-arc.is-blocked'), boxOf('.cart-mark')];
      return arc.bottom < cart.top + cart.height / 2 - 15;
    });
    assert.ok(isBeside);
  });
});

test('shows the complete obstacle text on top of the scene on a phone', async () => {
  const options = { viewport: { width: 360, height: 740 }, locale: 'nl-NL' };
  await app.visit(
    '/',
    async ({ page }) => {
      await page.locator('[data-faults] li').waitFor();
      // Each report replaces the item, so it is looked up and measured in one step.
      const isOnTop = await page.evaluate(() => {
        const item = document.querySelector<HTMLElement>('[data-faults] li');
        if (!item) return false;
        // The list ignores the pointer, so that the scene below it can be pressed.
        item.style.pointerEvents = 'auto';
        const { left, right, top, bottom } = item.getBoundingClientRect();
        const isOn = (x: number) => document.elementFromPoint(x, (top + bottom) / 2) === item;
        return right <= innerWidth && isOn(left + 8) && isOn(right - 8);
      });
      assert.ok(isOnTop);
    },
    options,
  );
});

test('shows the obstacle in Dutch when JavaScript is off', async () => {
  const options = { locale: 'nl-NL', javaScriptEnabled: false };
  await app.gateway.untilCart(1, ({ faults }) => faults.length > 0);
  await app.visit(
    '/',
    async ({ page }) => {
      await page.locator('[data-faults] li', { hasText: /^Obstakel op \d+ mm voor de kar$/ }).waitFor();
      await page.locator('dd[data-field]', { hasText: 'geen gecertificeerde veiligheidsfunctie' }).waitFor();
    },
    options,
  );
});

test('the cart can drive away from a wall, and the wall is no longer reported after its removal', async () => {
  const { body } = await app.gateway.moveToEnd(1, -200);
  assert.equal(body.state, 'FINISHED');
  await setWalls([]);
  await app.gateway.untilCart(1, ({ field }) => field?.blocked.length === 0);
  await app.visit('/', async ({ page }) => {
    await page.locator('dd[data-field]', { hasText: 'none in range' }).waitFor();
    assert.equal(await page.locator('.field-arc').count(), 0);
  });
});

if (hasBrowser) test.run();
