import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { test } from 'uvu';
import { hasBrowser, openBrowser } from '../support/browser.js';
import { GatewayProcess } from '../support/gateway.js';

const PASSWORD = 'correct horse battery';
const ENV = {
  CARTWRIGHT_AUTH: 'required',
  CARTWRIGHT_ADMIN_USER: 'anna',
  CARTWRIGHT_ADMIN_PASSWORD: PASSWORD,
};

if (!hasBrowser) process.stdout.write('skipped: no Chromium on this machine\n');
const onPages = hasBrowser ? test : test.skip;

let gateway: GatewayProcess;
let browser: Browser;
test.before(async () => {
  if (!hasBrowser) return;
  gateway = await GatewayProcess.start({}, ENV);
  browser = await openBrowser();
});
test.after(async () => {
  await browser?.close();
  await gateway?.close();
});

/** A person with a browser of their own, logged in on a phone. */
async function visit(username: string, path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 360, height: 780 } });
  const page = await context.newPage();
  await page.goto(`${gateway.url}${path}`);
  await page.fill('#username', username);
  await page.fill('#password', PASSWORD);
  await page.click('button[type=submit]');
  await page.waitForURL(`${gateway.url}${path}`);
  return page;
}

onPages('an administrator makes a customer and a key; the key is shown once', async () => {
  const page = await visit('anna', '/users');
  await page.fill('#new-name', 'carl');
  await page.fill('#new-password', PASSWORD);
  await page.click('button:text("Add user")');
  await page.locator('.people strong:text-is("carl")').waitFor();
  await page.goto(`${gateway.url}/keys`);
  await page.fill('#key-name', 'hall');
  await page.check('[value="beacons:write"]');
  await page.click('button:text("Create key")');
  const key = (await page.locator('.secret').textContent()) ?? '';
  assert.match(key, /^gk_[a-z0-9]{8}_[\w-]{43}$/);
  await page.goto(`${gateway.url}/keys`);
  assert.equal((await page.content()).includes(key), false);
});

onPages('a customer watches and stops, and is offered nothing that would be refused', async () => {
  const page = await visit('carl', '/');
  await page.locator('.area-form h2:text("You can watch and stop")').waitFor();
  assert.equal(await page.locator('[data-command], [data-reset], a[href="/brokerSettings"]').count(), 0);
  assert.equal(await page.locator('[data-stop], [data-estop]').count(), 2);
  await page.click('.estop');
  await page.locator('[data-live="stop-answer"]:text("confirmed")').waitFor();
  const links = await page
    .locator('nav a')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''));
  for (const href of links) {
    const answer = await page.goto(`${gateway.url}${href}`);
    assert.equal(answer?.status(), 200, href);
  }
});

onPages(
  'a page that stays open when its session ends says so, and that Stop does not work from it',
  async () => {
    const page = await visit('carl', '/');
    const elsewhere = await page.context().newPage();
    await elsewhere.goto(`${gateway.url}/account`);
    await elsewhere.click('.who button:text("Log out")');
    await elsewhere.waitForURL(/\/login/);
    await page.locator('[data-live="logged-out"]:visible').waitFor();
    assert.equal(await page.locator('[data-live="lost"]:visible').count(), 0);
  },
);

onPages('who has not logged in sees nothing of the carts on any page', async () => {
  const page = await browser.newPage();
  for (const path of ['/login', '/nothing-here']) {
    await page.goto(`${gateway.url}${path}`);
    assert.equal(await page.locator('.band, .light, .nav, .stops').count(), 0, path);
  }
});

onPages('a customer buys: basket, check-out, a declined card, the next one, and a paid order', async () => {
  const page = await visit('carl', '/shop');
  await page.click('tr:has-text("Beacon Hunt") button:has-text("Add")');
  await page.click('button:has-text("Check out")');
  await page.click('button[value=decline]');
  await page.locator('.declined').waitFor();
  await page.click('button[value=pay]');
  await page.locator('.outcome h2:text-is("Paid")').waitFor();
  await page.locator('.order-status:text-is("Paid")').first().waitFor();
  await page.locator('#basket :text("Nothing in it yet")').waitFor();
  const admin = await visit('anna', '/shop/admin');
  await admin.locator('.chart tr:has-text("Beacon Hunt") td:text-is("1")').waitFor();
  await admin.locator('.record .order-status:text-is("Paid")').waitFor({ state: 'attached' });
});

test.run();
