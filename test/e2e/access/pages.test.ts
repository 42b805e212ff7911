import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { test } from 'uvu';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { overflowPx } from '../../helpers/page-assertions.js';
import { totpCode } from '../../helpers/totp-code.js';

const PASSWORD = 'correct horse battery';
const ENV = {
  CARTWRIGHT_AUTH: 'required',
  CARTWRIGHT_ADMIN_USER: 'anna',
  CARTWRIGHT_ADMIN_PASSWORD: PASSWORD,
};

if (!hasBrowser) process.stdout.write('skipped: Chromium is not installed\n');
const browserTest = hasBrowser ? test : test.skip;

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

/** Checks a page for accessibility problems and overflow. `LOOK=<folder>` saves phone and desktop screenshots. */
async function checkPage(page: Page, name: string): Promise<void> {
  assert.deepEqual(await violationsOf(page), [], name);
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 780 });
    assert.ok((await overflowPx(page)) <= 0, `${name} at ${width} px`);
    if (process.env.LOOK)
      await page.screenshot({ path: `${process.env.LOOK}/${name}-${width}.png`, fullPage: true });
  }
}

/** Logs in with a new browser context that emulates a phone screen. */
async function openPageAs(username: string, path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 360, height: 780 } });
  const page = await context.newPage();
  await page.goto(`${gateway.url}${path}`);
  await page.fill('#username', username);
  await page.fill('#password', PASSWORD);
  await page.click('button[type=submit]');
  await page.waitForURL(`${gateway.url}${path}`);
  return page;
}

browserTest('an administrator creates a customer and a key, and the key is shown only once', async () => {
  const page = await openPageAs('anna', '/users');
  await page.fill('#new-name', 'carl');
  await page.fill('#new-password', PASSWORD);
  await page.selectOption('#new-role', 'customer');
  await page.click('button:text("Add user")');
  await page.locator('.people strong:text-is("carl")').waitFor();
  await page.locator('.outcome:has-text("User added")').waitFor();
  assert.equal(await page.inputValue('#new-role'), 'operator');
  await page.fill('#new-password', PASSWORD);
  await page.click('#new-password + [data-show-password]');
  assert.equal(await page.getAttribute('#new-password', 'type'), 'text');
  await page.click('#new-password + [data-show-password]:has-text("Hide")');
  assert.equal(await page.getAttribute('#new-password', 'type'), 'password');
  await page.goto(`${gateway.url}/keys`);
  await page.fill('#key-name', 'hall');
  await page.check('[value="beacons:write"]');
  await page.click('button:text("Create key")');
  const key = (await page.locator('.secret').textContent()) ?? '';
  assert.match(key, /^gk_[a-z0-9]{8}_[\w-]{43}$/);
  await page.click('[data-copy]');
  await page.locator('[data-copy]:has-text("Copied")').waitFor();
  assert.equal(await page.evaluate(() => String(getSelection())), key);
  await page.goto(`${gateway.url}/keys`);
  assert.equal((await page.content()).includes(key), false);
});

browserTest('an operator enables the second factor and logs in with a code and a recovery code', async () => {
  const admin = await openPageAs('anna', '/users');
  await admin.fill('#new-name', 'otto');
  await admin.fill('#new-password', PASSWORD);
  await admin.selectOption('#new-role', 'operator');
  await admin.click('button:text("Add user")');
  const page = await openPageAs('otto', '/account');
  await page.fill('#factor-password', PASSWORD);
  await page.click('button:text("Set up")');
  const secret = ((await page.locator('#secret').textContent()) ?? '').replace(/\s/g, '');
  assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.ok((await page.getAttribute('.panel a[href^="otpauth:"]', 'href'))?.includes(secret));
  await checkPage(page, 'enrol');
  await page.fill('#code', 'wrong');
  await page.click('button:text("Turn on")');
  await page.locator('.outcome:has-text("The code is incorrect")').waitFor();
  assert.ok((await page.locator('#secret').textContent())?.includes(secret.slice(0, 4)));
  await page.fill('#code', totpCode(secret, Date.now()));
  await page.click('button:text("Turn on")');
  const codes = await page.locator('.codes code').allTextContents();
  assert.equal(codes.length, 10);
  await checkPage(page, 'codes');

  const logIn = async (code: () => string): Promise<void> => {
    await page.click('.menu-button');
    await page.click('.who button:text("Log out")');
    await page.waitForURL(/\/login/);
    await page.goto(`${gateway.url}/login?next=/account`);
    await page.fill('#username', 'otto');
    await page.fill('#password', PASSWORD);
    await page.click('button.go');
    await checkPage(page, 'code');
    await page.fill('#code', 'wrong');
    await page.click('button.go');
    await page.locator('.outcome:has-text("The code is incorrect")').waitFor();
    await page.fill('#code', code());
    await page.click('button.go');
    await page.waitForURL(`${gateway.url}/account`);
  };
  // Uses the next time step's code, which is within the tolerance, because the current code may already have
  // been used.
  await logIn(() => totpCode(secret, Date.now() + 30_000));
  await logIn(() => codes[0] ?? '');
  await page.locator(':text("Recovery codes left: 9")').waitFor();
  await checkPage(page, 'account');
  await admin.goto(`${gateway.url}/users`);
  await admin.click('.people summary:has-text("otto")');
  await checkPage(admin, 'users');
  await page.fill('#factor-password', PASSWORD);
  await page.fill('#factor-code', codes[1] ?? '');
  await page.click('button:text("Turn off")');
  await page.locator('button:text("Set up")').waitFor();
});

browserTest('a customer can watch and stop a cart, and sees only permitted controls', async () => {
  const page = await openPageAs('carl', '/');
  await page.locator('.area-form h2:text("You can view and stop carts")').waitFor();
  assert.equal(await page.locator('[data-command], [data-reset], a[href="/brokerSettings"]').count(), 0);
  assert.equal(await page.locator('[data-stop], [data-estop]').count(), 2);
  await page.click('.estop');
  await page.locator('[data-band-main] [data-tone="stop"]:has-text("carl")').waitFor();
  const links = await page
    .locator('nav a')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''));
  for (const href of links) {
    const answer = await page.goto(`${gateway.url}${href}`);
    assert.equal(answer?.status(), 200, href);
  }
});

browserTest('an open page reports that its session has ended', async () => {
  const page = await openPageAs('carl', '/');
  const otherTab = await page.context().newPage();
  await otherTab.goto(`${gateway.url}/account`);
  await otherTab.click('.menu-button');
  await otherTab.click('.who button:text("Log out")');
  await otherTab.waitForURL(/\/login/);
  await page.locator('[data-live="logged-out"]:visible').waitFor();
  for (const button of ['.stops .stop', '.stops .estop'])
    assert.match(await page.locator(button).innerText(), /does not work$/);
  assert.equal(await page.locator('[data-live="lost"]:visible').count(), 0);
  // Waits for requests that the page had already started when the session ended.
  await page.waitForTimeout(2500);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('websocket', (socket) => requests.push(socket.url()));
  await page.waitForTimeout(6000);
  assert.deepEqual(requests, []);
  assert.doesNotMatch(await page.innerText('body'), /Reconnecting|Retrying/);
});

browserTest('pages do not show carts before login', async () => {
  const page = await browser.newPage();
  for (const path of ['/login', '/nothing-here']) {
    await page.goto(`${gateway.url}${path}`);
    assert.equal(await page.locator('.band, .light, .nav, .stops').count(), 0, path);
  }
});

browserTest('a customer retries a declined payment, and the order is paid', async () => {
  const page = await openPageAs('carl', '/shop');
  await page.click('tr:has-text("Beacon Hunt") button:has-text("Add")');
  await page.click('button:has-text("Check out")');
  await page.click('button[value=decline]');
  await page.locator('.declined').waitFor();
  await page.click('button[value=pay]');
  await page.locator('.outcome h2:text-is("Paid")').waitFor();
  await page.locator('.order-status:text-is("Paid")').first().waitFor();
  await page.locator('#basket :text("Your basket is empty")').waitFor();
  const admin = await openPageAs('anna', '/shop/admin');
  await admin.locator('.chart tr:has-text("Beacon Hunt") td:text-is("1")').waitFor();
  await admin.locator('.record .order-status:text-is("Paid")').waitFor({ state: 'attached' });
});

test.run();
