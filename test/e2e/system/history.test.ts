import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { pressEstop } from '../../helpers/page-session.js';
import { until } from '../../helpers/until.js';

/** Tests the History page in Chromium with a real gateway and simulated carts. */
const test = suite('the History page in Chromium');
const app = new BrowserSuite(test);

interface Listed {
  entries: {
    id: number;
    cartID: number;
    kind: string;
    outcome: string;
    person: string;
    pressedCarts: number[];
  }[];
}

async function listed(query: string): Promise<Listed['entries']> {
  const { body } = await app.gateway.call<Listed>('GET', `/history?${query}`);
  return body.entries;
}

test.before(async () => {
  await app.untilCartReady();
  await app.gateway.call('POST', '/?wait=done', { cartID: 1, distanceID: 100, angleID: 0 });
  await app.gateway.untilCart(2, ({ online, safety }) => online && safety.mayMove);
  await app.gateway.call('POST', '/estop', { cartID: 2 });
  await until(async () => (await listed('cartID=2&outcome=estop')).length === 1);
  await until(async () => (await listed('cartID=1&outcome=finished')).length === 1);
});

test('the page shows why cart 2 stopped today, with the details beside the list', async () => {
  await app.visit('/history', async ({ page }) => {
    await page.click('text=Today >> nth=0');
    await page.waitForURL(/[?&]from=/);
    await page.selectOption('#history-cart', '2');
    await page.waitForURL(/cartID=2/);
    const row = page.locator('[data-history-row]');
    assert.equal(await row.count(), 1);
    assert.equal(await row.getAttribute('data-tone'), 'stop');
    await page.click('[data-history-open]');
    await page.locator('[data-history-details] h2:has-text("Stopped by the operator")').waitFor();
    assert.match(page.url(), /[?&]id=\d+/);
    await page.setViewportSize({ width: 1440, height: 900 });
    // The list's last visible column ends at the right edge of the list.
    const [list, cart] = await Promise.all(
      ['.history-list', 'tbody .history-cart'].map((part) => page.locator(part).first().boundingBox()),
    );
    assert.ok(list && cart);
    assert.ok(list.x + list.width - (cart.x + cart.width) < 4, JSON.stringify({ list, cart }));
    await page.click('[data-history-close]');
    await page.locator('[data-history-details] h2').waitFor({ state: 'detached' });
    await page.goBack();
    await page.locator('[data-history-details] h2').waitFor();
    assert.deepEqual(await violationsOf(page), []);
  });
});

test("the search finds a command by words in its description, and the command's details list every step", async () => {
  const options = { javaScriptEnabled: false };
  const run: Parameters<typeof app.visit>[1] = async ({ page }) => {
    await page.fill('#history-find', '0.10 forward');
    await page.click('.history-find button');
    await page.waitForURL(/[?&]find=/);
    assert.equal(await page.locator('[data-history-row]').count(), 1);
    await page.click('[data-history-open]');
    await page.waitForURL(/[?&]id=/);
    const steps = await page.locator('.history-steps strong').allTextContents();
    assert.equal(steps[0], 'Accepted');
    assert.equal(steps.at(-1), 'Finished');
    await page.click('[data-history-close]');
    await page.waitForURL((url) => !url.searchParams.has('id'));
    assert.equal(await page.locator('[data-history-details] h2').count(), 0);
    await page.fill('#history-find', 'no such words');
    await page.click('.history-find button');
    await page.locator('text=No matching events.').waitFor();
  };
  await app.visit('/history', run, options);
});

test('the statistics show which user drove the most', async () => {
  await app.visit('/history/statistics', async ({ page }) => {
    const person = page.locator('.history-people tbody tr').first();
    assert.match((await person.textContent()) ?? '', /the operator\s*0\.10 m\s*1/);
  });
});

test('the printed statistics do not contain controls', async () => {
  await app.visit('/history/statistics', async ({ page }) => {
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['.top', '.nav', '.segments', '.history-output']) {
      assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
    }
    assert.equal(await page.locator('.history-people').isVisible(), true);
  });
});

test('the Statistics page offers CSV files of the figures per person and per day', async () => {
  await app.visit('/history/statistics', async ({ page }) => {
    for (const [link, first] of [
      ['.history-people-head a', 'person,distance_m,commands'],
      ['.history-days a', 'date,distance_m,commands,stops_estop'],
    ] as const) {
      const href = await page.getAttribute(link, 'href');
      const text = await (await fetch(`${app.gateway.url}${href}`)).text();
      assert.ok(text.includes(first), text);
      assert.match(text, /,0\.100,1/);
    }
  });
});

test('the CSV file contains the filtered events', async () => {
  const response = await fetch(`${app.gateway.url}/history.csv?cartID=2`);
  assert.match(
    response.headers.get('content-disposition') ?? '',
    /^attachment; filename="history-\d{4}-\d\d-\d\d\.csv"$/,
  );
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
  const lines = (await response.text()).trimEnd().split('\r\n');
  assert.equal(lines.length, 2);
  assert.match(lines[1] ?? '', /,2,Cart 2,the operator,Stopped by the operator,Stop all or E-stop,estop,/);
});

test("the reset of a remote cart's latched stop is recorded with the user who requested it", async () => {
  await until(async () => {
    const reset = await app.gateway.call('POST', '/estop/reset', { cartID: 2 });
    return reset.status === 200;
  });
  await until(async () => (await listed('cartID=2&outcome=reset')).length === 1);
  const [reset] = await listed('cartID=2&outcome=reset');
  assert.equal(reset?.person, 'the operator');
});

test('one press of Stop all on the Drive page is recorded as one event and counted as one stop', async () => {
  const stops = async (): Promise<number> => {
    const { body } = await app.gateway.call<{ days: { stops: { estop: number } }[] }>(
      'GET',
      '/history/statistics?days=7',
    );
    return body.days.reduce((sum, day) => sum + day.stops.estop, 0);
  };
  for (const cartID of [1, 2, 3]) await app.gateway.untilCart(cartID, ({ online }) => online);
  const [stopsBefore, before] = [await stops(), (await listed('outcome=estop')).length];
  await app.visit('/', async ({ page }) => {
    await page.locator('[data-pad][aria-disabled="false"]').waitFor();
    await pressEstop(page);
    for (const cartID of [1, 2, 3])
      await until(async () => (await listed(`outcome=estop&cartID=${cartID}`))[0]?.pressedCarts.length === 3);
    assert.equal((await listed('outcome=estop')).length, before + 1);
    assert.equal(await stops(), stopsBefore + 1);
    await page.goto(`${app.gateway.url}/history?outcome=estop`);
    const row = page.locator('[data-history-row]').first();
    assert.equal(await row.locator('.history-cart').textContent(), 'Cart 1, Cart 2, Cart 3');
  });
  await app.gateway.resetCarts(1, 2, 3);
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: the History page in Chromium (Chromium is not installed)\n');
