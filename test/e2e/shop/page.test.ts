import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';

const test = suite('the shop in Chromium');

const PASSWORD = 'correct horse battery';
const ENV = {
  CARTWRIGHT_AUTH: 'required',
  CARTWRIGHT_ADMIN_USER: 'anna',
  CARTWRIGHT_ADMIN_PASSWORD: PASSWORD,
};

const app = new BrowserSuite(test, {}, ENV);

async function logIn(page: Page): Promise<void> {
  await page.fill('#username', 'anna');
  await page.fill('#password', PASSWORD);
  await page.click('button.go');
  await page.waitForURL(`${app.gateway.url}/shop`);
}

async function fillBasket(page: Page): Promise<void> {
  await page.click('tr:has-text("Beacon Hunt") button');
  await page.click('#games-title ~ .scroll tr:has-text("Night Shift") button');
  await page.fill('#basket tr:has-text("Beacon Hunt") [name=quantity]', '2');
  await page.click('#basket tr:has-text("Beacon Hunt") .count button');
  await page.click('#basket tr:has-text("Night Shift") .act button');
  await page.locator('#basket tbody tr').nth(1).waitFor({ state: 'detached' });
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without';
  const options = { javaScriptEnabled, locale: 'en-GB' };

  test(`a basket becomes a paid order and is then empty, ${how} JavaScript`, () =>
    app.visit(
      '/shop',
      async ({ page }) => {
        await logIn(page);
        await fillBasket(page);
        const total = await page.locator('#basket tfoot strong').innerText();
        const each = await page.locator('#basket tbody .each').innerText();
        assert.equal(Number(total.replace(/[^\d.]/g, '')), Number(each.replace(/[^\d.]/g, '')) * 2);
        await page.click('form[action="/shop/checkout"] button');
        assert.equal(await page.locator('#checkout-title').innerText(), total);
        await page.click('button[value=pay]');
        await page.locator('.outcome h2:text-is("Paid")').waitFor();
        const order = page.locator('.order').first();
        assert.equal(await order.locator('.order-status').innerText(), 'Paid');
        assert.match(await order.innerText(), /2 × Beacon Hunt/);
        assert.equal(await page.locator('#basket tbody tr').count(), 0);
      },
      options,
    ));

  test(`a declined card can be retried, and a cancelled order cannot be paid, ${how} JavaScript`, () =>
    app.visit(
      '/shop',
      async ({ page }) => {
        await logIn(page);
        await page.click('tr:has-text("Beacon Hunt") button');
        await page.click('form[action="/shop/checkout"] button');
        await page.click('button[value=decline]');
        await page.locator('.declined[role=alert]').waitFor();
        await page.click('button[value=cancel]');
        await page.locator('.outcome[data-tone=stop] h2:text-is("Not paid")').waitFor();
        const order = page.locator('.order').first();
        assert.equal(await order.locator('.order-status').innerText(), 'Failed');
        assert.equal(await order.locator('a').count(), 0);
      },
      options,
    ));
}

test('a paid order appears in the records and statistics', () =>
  app.visit(
    '/shop',
    async ({ page }) => {
      await logIn(page);
      await page.goto(`${app.gateway.url}/shop/admin`);
      const paid = page.locator('.record:has(.order-status:text-is("Paid"))');
      assert.equal(await paid.count(), 2);
      await paid.first().locator('summary').click();
      assert.match(await paid.first().innerText(), /Paid, the payment provider has received the money/);
    },
    { locale: 'en-GB' },
  ));

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: the shop in Chromium (Chromium is not installed)\n');
