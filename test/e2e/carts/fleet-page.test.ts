import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import { openLightFleet, type SimulatedFleet } from '../../../src/app/simulation/fleet.js';
import { systemClock } from '../../../src/shared/clock.js';
import { violationsInBothModes } from '../../helpers/axe.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { overflowPx } from '../../helpers/page-assertions.js';
import { untilDrawn } from '../../helpers/page-session.js';
import { RecordingLog } from '../../helpers/recording-log.js';

const test = suite('the Fleet page in Chromium');

const COUNT = 300;
const FIRST = 101;

let fleet: SimulatedFleet;

test.after(() => fleet.close());
const app = new BrowserSuite(test, {
  gateway: { name: 'Order picking cart warehouse 12' },
  safety: { allowUnknownCarts: true },
  simulation: { carts: [] },
});
test.before(async () => {
  await app.untilCartReady();
  const port = Number(new URL(await app.gateway.untilBroker()).port);
  fleet = await openLightFleet({
    first: FIRST,
    count: COUNT,
    fleet: 'site1',
    root: 'cart/v1',
    clock: systemClock,
    log: new RecordingLog(),
    broker: { host: '127.0.0.1', port, protocol: 'mqtt', username: '', password: '' },
  });
  await app.gateway.untilCart(FIRST + COUNT - 1, ({ online }) => online);
});

test('the list renders only visible rows', async () => {
  await app.visit('/fleet', async ({ page }) => {
    await page.locator(`[data-fleet-table][aria-rowcount="${COUNT + 2}"]`).waitFor();
    assert.ok((await page.locator('[data-fleet-line]').count()) < 60);
    await page.$eval('[data-fleet-box]', (box) => box.scrollTo(0, 1e9));
    await page.locator(`[data-fleet-line="${FIRST + COUNT - 1}"]`).waitFor();
    assert.ok((await page.locator('[data-fleet-line]').count()) < 60);
  });
});

test('the search finds any cart by its number', async () => {
  await app.visit('/fleet', async ({ page }) => {
    await page.locator(`[data-fleet-table][aria-rowcount="${COUNT + 2}"]`).waitFor();
    await page.fill('#fleet-find', '399');
    await page.locator('[data-fleet-table][aria-rowcount="2"]').waitFor();
    await page.fill('#fleet-find', 'no such cart');
    await page.locator('[data-fleet-empty]').waitFor();
  });
});

test('a stopped cart moves to the top of the list, and its link opens the Drive page', async () => {
  await app.visit('/fleet', async ({ page }) => {
    await page.locator('[data-fleet-count="ready"]:text-is("301")').waitFor();
    const far = FIRST + COUNT - 7;
    await app.gateway.call('POST', '/estop', { cartID: far });
    const first = page.locator('[data-fleet-line]').first();
    await page.locator(`[data-fleet-line="${far}"][data-tone="stop"]`).waitFor();
    assert.equal(await first.getAttribute('data-fleet-line'), String(far));
    await first.locator('a').click();
    await page.locator('h2[data-live="now-name"]:has-text("Cart 394")').waitFor();
    await page.locator('[data-band-main] .band[data-tone="stop"]').waitFor();
    await app.gateway.call('POST', '/estop/reset', { cartID: far });
    await page.locator('[data-band-main] .band[data-tone="stop"]').waitFor({ state: 'detached' });
    assert.equal(await page.inputValue('#cartID'), String(far));
  });
});

for (const [width, height] of [
  [360, 640],
  [768, 1024],
  [900, 600],
  [1024, 768],
] as const) {
  test(`each row shows the battery, position and age of its cart in full at ${width} by ${height} px`, async () => {
    await app.visit(
      '/fleet',
      async ({ page }) => {
        await page.locator(`[data-fleet-table][aria-rowcount="${COUNT + 2}"]`).waitFor();
        // In a small window, carts whose reports are late may initially displace this cart, because they come first.
        await page.locator(`[data-fleet-line="${FIRST}"]`).waitFor();
        // Returns the values that are hidden, cut off or outside their row.
        const cut = await page.$eval(`[data-fleet-line="${FIRST}"]`, (row) => {
          const box = row.getBoundingClientRect();
          return [...row.querySelectorAll('.fleet-battery, .fleet-place, .fleet-age, .stop')].flatMap(
            (cell) => {
              const { left, right, top, bottom, width } = cell.getBoundingClientRect();
              const isInside =
                left >= box.left && right <= box.right && top >= box.top && bottom <= box.bottom + 1;
              return width > 0 && isInside && cell.scrollWidth <= cell.clientWidth ? [] : [cell.className];
            },
          );
        });
        assert.deepEqual(cut, []);
      },
      { viewport: { width, height } },
    );
  });
}

for (const width of [360, 768, 1440])
  test(`the page has no accessibility violations in light and dark mode and fits the screen at ${width} px`, () =>
    app.visit(
      '/fleet',
      async ({ page }) => {
        await page.locator(`[data-fleet-table][aria-rowcount="${COUNT + 2}"]`).waitFor();
        assert.deepEqual(await violationsInBothModes(page), []);
        assert.equal(await overflowPx(page), 0);
      },
      { viewport: { width, height: 900 } },
    ));

for (const locale of ['en-GB', 'nl-NL']) {
  test(`cart names and states are shown in full, and rows have the same height, at every width (${locale})`, async () => {
    await app.gateway.call('POST', '/estop', { cartID: 1 });
    for (const width of [360, 768, 1024, 1440]) {
      const run: Parameters<typeof app.visit>[1] = async ({ page }) => {
        await page.locator('[data-fleet-line="1"][data-tone="stop"] .fleet-why:not(:empty)').waitFor();
        const cut = await page.$$eval(
          '.fleet-box :is(th, td), .fleet-box th > a, .fleet-state > div, .fleet-filter select',
          (cells) =>
            cells
              .filter((e) => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight)
              .map((e) => e.textContent),
        );
        assert.deepEqual(cut, [], `${width} px`);
        const heights = await page.$$eval('[data-fleet-line]', (lines: HTMLElement[]) =>
          lines.map((line) => line.offsetHeight),
        );
        assert.equal(new Set(heights).size, 1, `${width} px: ${heights}`);
      };
      await app.visit('/fleet', run, { locale, viewport: { width, height: 900 } });
    }
    await app.gateway.resetCart(1);
  });
}

test('the row order does not change while the pointer moves over the rows', async () => {
  await app.visit('/fleet', async ({ page }) => {
    await page.locator(`[data-fleet-table][aria-rowcount="${COUNT + 2}"]`).waitFor();
    const first = page.locator('[data-fleet-line]').first();
    const shown = await first.getAttribute('data-fleet-line');
    const far = FIRST + COUNT - 9;
    // Simulates a pointer that keeps moving over the rows.
    const moving = await page.$eval('[data-fleet-box]', (box) =>
      window.setInterval(() => box.dispatchEvent(new PointerEvent('pointermove')), 50),
    );
    await app.gateway.call('POST', '/estop', { cartID: far });
    await page.locator('[data-fleet-count="stopped"]:text-is("1")').waitFor();
    assert.equal(await first.getAttribute('data-fleet-line'), shown);
    await page.evaluate((timer) => clearInterval(timer), moving);
    await page.locator(`[data-fleet-line="${far}"]`).waitFor();
    await app.gateway.resetCart(far);
  });
});

/** Resolves after the rows that scrolling brings into view have been drawn. */
const focusedCart = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const line = document.activeElement?.closest<HTMLElement>('[data-fleet-line]');
    return Number(line?.dataset.fleetLine ?? 0);
  });

test('the row order does not change while a button in a row has the keyboard focus', async () => {
  await app.visit('/fleet', async ({ page }) => {
    await page.locator(`[data-fleet-table][aria-rowcount="${COUNT + 2}"]`).waitFor();
    await page.locator('[data-fleet-box]').focus();
    for (const _link of ['cart', 'stop']) await page.keyboard.press('Tab');
    const cart = await focusedCart(page);
    const first = page.locator('[data-fleet-line]').first();
    const shown = await first.getAttribute('data-fleet-line');
    const far = FIRST + COUNT - 9;
    await app.gateway.call('POST', '/estop', { cartID: far });
    await page.locator('[data-fleet-count="stopped"]:text-is("1")').waitFor();
    // Because of the focus, the rows keep their order even longer than after a pointer movement.
    for (let poll = 0; poll < 5; poll += 1) await page.waitForResponse('**/fleet');
    assert.equal(await first.getAttribute('data-fleet-line'), shown);
    assert.equal(await focusedCart(page), cart);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.locator(`[data-fleet-line="${far}"]`).waitFor();
    await app.gateway.resetCart(far);
  });
});

test('Tab reaches the Stop buttons of all carts in order, even beyond the visible rows', async () => {
  await app.visit('/fleet', async ({ page }) => {
    await page.locator('[data-fleet-count="ready"]:text-is("301")').waitFor();
    await page.locator('[data-fleet-box]').focus();
    const reached: number[] = [];
    for (let row = 0; row < 60; row += 1) {
      await page.keyboard.press('Tab');
      await untilDrawn(page);
      reached.push(await focusedCart(page));
      await page.keyboard.press('Tab');
      assert.equal(await focusedCart(page), reached.at(-1));
    }
    const carts = (await app.gateway.call<{ carts: { cartID: number }[] }>('GET', '/fleet')).body.carts;
    assert.deepEqual(
      reached,
      carts.slice(0, 60).map(({ cartID }) => cartID),
    );
  });
});

for (const [count, heading] of [
  [4, 'Other stopped carts: Cart 101, Cart 102, Cart 103, Cart 104'],
  [12, 'Other stopped carts: Cart 101, Cart 102, Cart 103, Cart 104, Cart 105 + 7'],
] as const) {
  test(`the list of ${count} stopped carts is initially closed and, when opened, shows up to ten carts and the number of the others`, async () => {
    const carts = Array.from({ length: count }, (_each, at) => FIRST + at);
    for (const cartID of carts) await app.gateway.call('POST', '/estop', { cartID });
    try {
      for (const [width, height] of [
        [360, 740],
        [768, 1024],
        [1440, 900],
      ] as const) {
        await app.visit(
          '/history',
          async ({ page }) => {
            const list = page.locator('[data-band-others]');
            const summary = list.locator('summary');
            await page.locator('summary').getByText(heading, { exact: true }).waitFor();
            assert.equal(await list.locator('.band:visible').count(), 0);
            await summary.click();
            assert.equal(await list.locator('.band-safety:visible').count(), Math.min(count, 10));
            const more = list.getByRole('link', { name: '2 more carts stopped' });
            assert.equal(await more.isVisible(), count === 12);
            const hidden = await list.evaluate((box) => box.scrollHeight - box.clientHeight);
            assert.equal(hidden, 0, `${hidden} px of the list are hidden at ${width} px`);
          },
          { viewport: { width, height } },
        );
      }
    } finally {
      await app.gateway.resetCarts(...carts);
    }
  });
}

test('Stop all on the Fleet page stops every cart', async () => {
  await app.visit('/fleet', async ({ page }) => {
    await page.locator('[data-fleet-count="ready"]:text-is("301")').waitFor();
    await page.click('.estop');
    await page.locator('[data-fleet-count="stopped"]:text-is("301")').waitFor();
  });
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: the Fleet page in Chromium (Chromium is not installed)\n');
