import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser } from '../../helpers/browser.js';
import { TwoOperators } from '../../helpers/two-operators.js';

/** Tests the selected cart on every page while Anna drives cart 2 and another operator drives cart 1. */
const test = suite('the selected cart in Chromium');

let carts: TwoOperators;

test.before(async () => {
  carts = await TwoOperators.open();
});
test.after(() => carts.close());

const nav = (text: string) => (page: Page) => page.click(`.nav a:text-is("${text}")`);
const inSettings = (href: string) => async (page: Page) => {
  await nav('Settings')(page);
  await page.click(`main a[href^="${href}"]`);
};
const inSystem = (href: string) => async (page: Page) => {
  await nav('System')(page);
  await page.click(`main a[href^="${href}"]`);
};

/** Every page, with the links that lead to it from the Drive page. */
const PAGES: [string, (page: Page) => Promise<void>][] = [
  ['Drive', nav('Drive')],
  ['Fleet', nav('Fleet')],
  ['Camera', nav('Camera')],
  ['Map', nav('Map')],
  ['Settings', nav('Settings')],
  ['Settings history', inSettings('/brokerSettings/history')],
  ['Shop', nav('Shop')],
  [
    'Shop records',
    async (page) => {
      await nav('Shop')(page);
      await page.click('main a[href^="/shop/admin"]');
    },
  ],
  ['System', nav('System')],
  ['Commissioning', inSystem('/commissioning')],
  ['Users', inSystem('/users')],
  ['Account', (page) => page.click('.who a[href^="/account"]')],
];

/** Waits until the page's scripts have run; before that, Space scrolls the page and Stop submits a form. */
const untilLive = (page: Page): Promise<void> =>
  page.locator('[data-estop-close]:not([hidden])').waitFor({ state: 'attached' });
const untilStopIsFor = (page: Page, name: string): Promise<void> =>
  page.locator(`.stops .stop:has-text("${name}")`).waitFor();

for (const [name, go] of PAGES) {
  test(`pressing Space on the ${name} page stops only the selected cart`, () =>
    carts.stopsOnlyAnna(async (page) => {
      await go(page);
      await untilLive(page);
      await untilStopIsFor(page, 'Cart 2');
      await page.keyboard.press('Space');
    }, '/?cart=2'));

  test(`the Stop button on the ${name} page stops only the selected cart`, () =>
    carts.stopsOnlyAnna(async (page) => {
      await go(page);
      await untilLive(page);
      await page.click('.stops .stop');
    }, '/?cart=2'));

  test(`the Stop button on the ${name} page stops the selected cart when JavaScript is off`, () =>
    carts.stopsOnlyAnna(
      async (page) => {
        await go(page);
        await page.click('.stops .stop');
        await untilStopIsFor(page, 'Cart 2');
      },
      '/?cart=2',
      false,
    ));
}

test('pressing Space stops the carts that the operator is moving, even when another cart is selected', () =>
  carts.stopsOnlyAnna(async (page) => {
    await page.locator('[data-moving-cart="2"]').waitFor();
    await untilStopIsFor(page, 'Cart 3');
    await page.keyboard.press('Space');
  }, '/map?cart=3'));

test('every page shows a separate Stop button for a moving cart that is not selected', () =>
  carts.stopsOnlyAnna((page) => page.click('[data-moving-cart="2"] button'), '/map?cart=3'));

test('the Stop button in a row of the Fleet page stops the cart in that row', () =>
  carts.stopsOnlyAnna((page) => page.click('[data-fleet-line="2"] .stop'), '/fleet?cart=3'));

test('the Stop button in a row of the Fleet page stops the cart in that row when JavaScript is off', () =>
  carts.stopsOnlyAnna((page) => page.click('[data-fleet-line="2"] .stop'), '/fleet?cart=3', false));

test('End all moves on the Fleet page stops every cart without latching the stop', async () => {
  const [anna, bert] = await Promise.all([carts.start(2, 'anna'), carts.start(1, 'bert')]);
  await carts.open('/fleet', async (page) => {
    await page.click('[data-stop-all] button');
    assert.notEqual((await carts.untilCommand(anna)).state, 'FINISHED');
    assert.equal((await carts.untilCommand(bert)).state, 'CANCELLED');
  });
  for (const cartID of [1, 2]) await carts.untilMayMove(cartID);
});

const untilConfirmed = (page: Page, text: RegExp): Promise<void> =>
  page.locator('[data-live="stop-answer"]').filter({ hasText: text }).waitFor();

test("a stop's confirmation names the stopped cart when another cart has been selected", () =>
  carts.open('/?cart=2', async (page) => {
    await untilLive(page);
    await page.route('**/carts/2/stop', async (route) => {
      await page.selectOption('#selected-cart', '3');
      await route.continue();
    });
    await page.click('.stops .stop');
    await untilConfirmed(page, /^Stop confirmed by Cart 2 at [\d:]+$/);
    assert.equal(await page.inputValue('#selected-cart'), '3');
  }));

for (const [button, path, selector, names] of [
  ['Stop in a row of the Fleet page', '/fleet?cart=3', '[data-fleet-line="2"] .stop', 'Cart 2'],
  ['End all moves', '/fleet?cart=3', '[data-stop-all] button', 'Cart 1, Cart 2, Cart 3'],
] as const)
  test(`the confirmation names the carts that ${button} has stopped`, () =>
    carts.open(path, async (page) => {
      await untilLive(page);
      await page.click(selector);
      await untilConfirmed(page, new RegExp(`^Stop confirmed by ${names} at [\\d:]+$`));
    }));

test('the confirmation shown after Space is pressed names the selected cart', () =>
  carts.open('/map?cart=2', async (page) => {
    await untilLive(page);
    await page.keyboard.press('Space');
    await untilConfirmed(page, /^Stop confirmed by Cart 2 at [\d:]+$/);
  }));

test('the cart selected in the command form stays selected after a reload', () =>
  carts.open('/', async (page) => {
    await untilLive(page);
    await page.selectOption('#cartID', '2');
    await untilStopIsFor(page, 'Cart 2');
    assert.equal(await page.inputValue('#selected-cart'), '2');
    assert.equal(new URL(page.url()).search, '?cart=2');
    await page.reload();
    await untilStopIsFor(page, 'Cart 2');
    assert.equal(await page.inputValue('#cartID'), '2');
    await page.locator('.area-camera[data-other-cart] summary:has-text("Cart 1 camera")').waitFor();
    await page.locator('[data-light="controller"]:has-text("Cart 1 controller")').waitFor();
  }));

const seeCaption = (page: Page) => page.locator('.area-camera[data-other-cart] summary').waitFor();
const pressMarkers = async (page: Page): Promise<void> => {
  await page.click('[data-marker-toggle]');
  await page.locator('[data-marker-toggle][aria-pressed="true"]').waitFor();
};
// On a phone, the Markers button is an icon without text.
for (const [state, width, path, act] of [
  ["the caption of another cart's camera", 1440, '/?cart=2', seeCaption],
  ["the caption of another cart's camera", 360, '/?cart=2', seeCaption],
  ['the pressed Markers button', 1440, '/?cart=1', pressMarkers],
] as const)
  test(`${state} has sufficient contrast in the dark theme at ${width} px`, () =>
    carts.open(path, async (page) => {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: 'dark' });
      await untilLive(page);
      await act(page);
      assert.deepEqual(await violationsOf(page, 'colours'), []);
    }));

test('changing the language keeps the selected cart instead of selecting the cart in the loaded URL', () =>
  carts.open('/?cart=2', async (page) => {
    await untilLive(page);
    await page.selectOption('#selected-cart', '3');
    await untilStopIsFor(page, 'Cart 3');
    await page.click('.languages [value="nl"]');
    await page.waitForURL(/\?cart=3/);
    await page.locator('html[lang="nl"]').waitFor();
    assert.equal(await page.inputValue('#selected-cart'), '3');
  }));

test('a page without a cart in its URL uses the cart selected in its browser tab', () =>
  carts.open('/?cart=2', async (page) => {
    await untilLive(page);
    await page.goto(`${carts.url}/fleet`);
    await untilStopIsFor(page, 'Cart 2');
    await page.waitForURL('**/fleet?cart=2');
    const other = await page.context().newPage();
    await other.goto(`${carts.url}/fleet`);
    await untilLive(other);
    await untilStopIsFor(other, 'Cart 1');
    await other.goto(`${carts.url}/fleet?cart=3`);
    await untilStopIsFor(other, 'Cart 3');
    await page.reload();
    await untilStopIsFor(page, 'Cart 2');
  }));

test("the page reports an unknown cart in its URL and selects the gateway's cart", () =>
  carts.open('/?cart=2', async (page) => {
    await untilLive(page);
    await page.goto(`${carts.url}/fleet?cart=99`);
    await page
      .locator('[data-live="unknown-cart"]:has-text("Cart 99 is unknown. Cart 1 is selected.")')
      .waitFor();
    await untilStopIsFor(page, 'Cart 1');
    await page.waitForURL('**/fleet');
    await page.goto(`${carts.url}/map`);
    await untilLive(page);
    await untilStopIsFor(page, 'Cart 1');
  }));

test('the notice about an unknown cart disappears when a cart is selected', () =>
  carts.open('/fleet?cart=99', async (page) => {
    const notice = page.locator('[data-live="unknown-cart"]');
    await notice.waitFor();
    await untilLive(page);
    await page.selectOption('#selected-cart', '2');
    await notice.waitFor({ state: 'hidden' });
  }));

test('the cart selector in the header selects a cart and keeps the query string when JavaScript is off', () =>
  carts.open(
    '/map?find=hall',
    async (page) => {
      await page.selectOption('#selected-cart', '2');
      await page.click('.cart-choice button');
      assert.deepEqual([...new URL(page.url()).searchParams].toSorted(), [
        ['cart', '2'],
        ['find', 'hall'],
      ]);
      await untilStopIsFor(page, 'Cart 2');
      assert.equal(await page.locator('.nav a:not([href$="?cart=2"])').count(), 0);
    },
    false,
  ));

test('pressing Space in a text field types a space and does not stop a cart', () =>
  carts.open('/map?cart=2', async (page) => {
    await untilLive(page);
    const stops: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && stops.push(request.url()));
    await page.fill('#find', 'hall');
    await page.keyboard.press('Space');
    assert.equal(await page.inputValue('#find'), 'hall ');
    assert.deepEqual(stops, []);
  }));

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: the selected cart in Chromium (Chromium is not installed)\n');
