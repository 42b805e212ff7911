import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import { FIRST_STEPS, type FirstStep } from '../../../src/system/first-run/first-run.js';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import {
  createAdministrator,
  openTestConsole,
  PASSWORD,
  type TestConsole,
} from '../../helpers/console-pages.js';
import { holdButton, pressEstop, withPage } from '../../helpers/page-session.js';

const test = suite('the checklist for a new gateway in Chromium');
const BAND_RESET = '[data-band-main] .hold';

let browser: Browser;
let testConsole: TestConsole;
let cookies: TestConsole['cookies'];

test.before(async () => {
  [testConsole, browser] = await Promise.all([openTestConsole(), openBrowser()]);
});
test.after(async () => {
  await browser.close();
  await testConsole.gateway.close();
});

/** Opens a page as the administrator. */
function visit(
  path: string,
  run: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  return withPage(
    browser,
    'about:blank',
    async ({ page }) => {
      await page.context().addCookies(cookies);
      await page.goto(`${testConsole.url}${path}`);
      await run(page);
    },
    options,
  );
}

/** Selector of a completed step. */
const done = (step: FirstStep): string => `[data-step="${step}"][data-done]`;

const untilDone = (page: Page, step: FirstStep): Promise<void> => page.locator(done(step)).waitFor();

async function openSteps(page: Page): Promise<(string | null)[]> {
  const rows = await page.locator('[data-step]:not([data-done])').all();
  return Promise.all(rows.map((row) => row.getAttribute('data-step')));
}

test('shows the first administrator a welcome message and the completed controller step', async () => {
  await withPage(browser, 'about:blank', async ({ page }) => {
    cookies = await createAdministrator(page, testConsole);
    await page.locator('#first-run :text("Welcome.")').waitFor();
    await untilDone(page, 'controller');
    assert.deepEqual(await openSteps(page), ['drive', 'estop', 'user', 'backup']);
  });
});

for (const [width, height] of [
  [360, 740],
  [740, 360],
  [768, 1024],
  [1440, 900],
] as const) {
  test(`the Drive page with an open checklist fits the screen at ${width} by ${height} px`, () =>
    visit(
      '/',
      async (page) => {
        await page.locator('.go:not(:disabled)').waitFor({ state: 'attached' });
        const bottom = await page.$eval('.cockpit', (cockpit) => cockpit.getBoundingClientRect().bottom);
        const stops = await page.locator('.stops').boundingBox();
        const limit = width < 1200 && height > width ? (stops?.y ?? 0) : height;
        assert.ok(Number(bottom) <= limit, `${bottom} <= ${limit}`);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      },
      { viewport: { width, height } },
    ));
}

test('driving 0.5 m and resetting a latched stop complete their steps without a page reload', () =>
  visit('/', async (page) => {
    await page.locator('.go:not(:disabled)').waitFor();
    await holdButton(page, '[data-preset][data-mm="500"]', done('drive'));
    await page.locator('[data-checklist-progress]:text-is("2 of 5 done")').waitFor();
    await pressEstop(page);
    await page.locator(BAND_RESET).waitFor();
    await holdButton(page, BAND_RESET, done('estop'));
    assert.deepEqual(await openSteps(page), ['user', 'backup']);
  }));

test('the links open the pages for adding a user and making a backup', () =>
  visit('/', async (page) => {
    await page.click('#first-run a:text-is("Add a user")');
    await page.fill('#add [name="username"]', 'otto');
    await page.fill('#add [name="password"]', PASSWORD);
    await page.click('#add button[type="submit"]');
    await page.waitForURL('**/users?done=user-added*');
    await page.goto(testConsole.url);
    assert.deepEqual(await openSteps(page), ['backup']);
    await page.click('#first-run a:text-is("Make a gateway backup")');
    await page.click('summary:text-is("Make a gateway backup")');
    for (const field of ['#backup-passphrase', '#backup-repeat'])
      await page.fill(field, 'correct horse battery');
    await page.click('[data-make-gateway] button[type=submit]');
    await page.locator('[data-gateway-backup]').first().waitFor();
  }));

test('the Drive page does not show a completed checklist, but the System page links to it', () =>
  visit('/', async (page) => {
    assert.equal(await page.locator('[data-checklist], .steps-link').count(), 0);
    await page.click('.nav a:text-is("System")');
    await page.click('main a[href="/first-run"]');
    for (const step of FIRST_STEPS) await untilDone(page, step);
    await page.locator('.crumbs a:text-is("System")').waitFor();
  }));

test('the checklist can be hidden when JavaScript is off, and operators do not see it', async () => {
  const first = testConsole;
  testConsole = await openTestConsole();
  try {
    await withPage(
      browser,
      testConsole.setup,
      async ({ page }) => {
        await page.fill('#username', 'anna');
        await page.fill('#password', PASSWORD);
        await page.click('button.go');
        const { request } = page.context();
        const headers = { origin: testConsole.url, accept: 'application/json' };
        const data = { username: 'otto', password: PASSWORD, role: 'operator' };
        assert.equal((await request.post(`${testConsole.url}/users`, { data, headers })).status(), 201);
        await page.goto(testConsole.url);
        assert.equal(await page.locator('[data-checklist]').count(), 1);
        await page.click('button:text-is("Hide checklist")');
        await page.waitForURL(`${testConsole.url}/`);
        assert.equal(await page.locator('[data-checklist]').count(), 0);
        await page.goto(`${testConsole.url}/first-run`);
        assert.equal(await page.locator('[data-step]').count(), FIRST_STEPS.length);
        await page.goto(`${testConsole.url}/account`);
        await page.click('button:text-is("Log out")');
        await page.goto(`${testConsole.url}/login`);
        await page.fill('#username', 'otto');
        await page.fill('#password', PASSWORD);
        await page.click('button.go');
        await page.waitForURL(`${testConsole.url}/`);
        assert.equal(await page.locator('[data-checklist]').count(), 0);
      },
      { javaScriptEnabled: false },
    );
  } finally {
    await testConsole.gateway.close();
    testConsole = first;
  }
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: the checklist in Chromium (Chromium is not installed)\n');
