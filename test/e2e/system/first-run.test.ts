import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import { FIRST_STEPS, type FirstStep } from '../../../src/system/first-run/first-run.js';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import { openTestConsole, type TestConsole } from '../../helpers/console-pages.js';
import { pressEstop, withPage } from '../../helpers/page-session.js';

const test = suite('the checklist for a new gateway in Chromium');
const PASSWORD = 'correct horse battery';
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

const untilDone = (page: Page, step: FirstStep): Promise<void> =>
  page.locator(`[data-step="${step}"][data-done]`).waitFor();

async function openSteps(page: Page): Promise<(string | null)[]> {
  const rows = await page.locator('[data-step]:not([data-done])').all();
  return Promise.all(rows.map((row) => row.getAttribute('data-step')));
}

/** Holds a button until the step is complete. */
async function holdUntilDone(page: Page, button: string, step: FirstStep): Promise<void> {
  await page.hover(button);
  await page.mouse.down();
  await untilDone(page, step);
  await page.mouse.up();
}

test('the first administrator is welcomed by the checklist; the simulated controller is connected', async () => {
  await withPage(browser, testConsole.setup, async ({ page }) => {
    await page.fill('#username', 'anna');
    await page.fill('#password', PASSWORD);
    await page.click('button.go');
    await page.waitForURL('**/#first-run');
    await page.locator('#first-run :text("Welcome.")').waitFor();
    await untilDone(page, 'controller');
    assert.deepEqual(await openSteps(page), ['drive', 'estop', 'user', 'backup']);
    const url = testConsole.url;
    cookies = (await page.context().cookies()).map(({ name, value }) => ({ name, value, url }));
  });
});

for (const [width, height] of [
  [360, 740],
  [740, 360],
  [768, 1024],
  [1440, 900],
] as const) {
  test(`the cockpit fits the screen with an open checklist at ${width} by ${height} px`, () =>
    visit(
      '/',
      async (page) => {
        await page.locator('.go:not(:disabled)').waitFor({ state: 'attached' });
        const bottom = await page.evaluate(
          "document.querySelector('.cockpit').getBoundingClientRect().bottom",
        );
        const stops = await page.locator('.stops').boundingBox();
        const limit = width < 1100 && height > width ? (stops?.y ?? 0) : height;
        assert.ok(Number(bottom) <= limit, `${bottom} <= ${limit}`);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
      },
      { viewport: { width, height } },
    ));
}

test('driving 0.5 m and resetting the E-stop tick their steps without a reload', () =>
  visit('/', async (page) => {
    await page.locator('.go:not(:disabled)').waitFor();
    await holdUntilDone(page, '[data-preset][data-mm="500"]', 'drive');
    await page.locator('[data-checklist-progress]:text-is("2 of 5 done")').waitFor();
    await pressEstop(page);
    await page.locator(BAND_RESET).waitFor();
    await holdUntilDone(page, BAND_RESET, 'estop');
    assert.deepEqual(await openSteps(page), ['user', 'backup']);
  }));

test('the links lead to the places where a user is added and a backup is taken', () =>
  visit('/', async (page) => {
    await page.click('#first-run a:text-is("Add a user")');
    await page.fill('#add [name="username"]', 'otto');
    await page.fill('#add [name="password"]', PASSWORD);
    await page.click('#add button[type="submit"]');
    await page.waitForURL('**/users?done=user-added*');
    await page.goto(testConsole.url);
    assert.deepEqual(await openSteps(page), ['backup']);
    await page.click('#first-run a:text-is("Take a backup")');
    await page.click('#backups button:text-is("Back up now")');
    await page.locator('#backups .backups li').first().waitFor();
  }));

test('a complete checklist is no longer on the Drive page; the System page links to it', () =>
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
