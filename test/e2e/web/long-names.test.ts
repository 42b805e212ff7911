import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import {
  createAdministrator,
  openTestConsole,
  PASSWORD,
  type TestConsole,
} from '../../helpers/console-pages.js';
import { overflowPx, stopFaults } from '../../helpers/page-assertions.js';
import { withPage } from '../../helpers/page-session.js';
import { untilAnswer } from '../../helpers/until.js';

/** Tests that a long name in a page's content widens no page and moves no stop button. */
const test = suite('pages with long names');

const PATHS = [
  '/',
  '/fleet',
  '/history',
  '/history?id=1#details',
  '/history/statistics',
  '/users',
  '/system',
];
const NAME = 'Wilhelmina-van-den-Brandhof-Westerhuizen-tot-Nieuwersluis';

let testConsole: TestConsole;
let browser: Browser;

/** Logs in as a user with a long name, who stops all three carts. */
test.before(async () => {
  [testConsole, browser] = await Promise.all([openTestConsole(), openBrowser()]);
  const { url } = testConsole;
  const context = await browser.newContext();
  const headers = { origin: url };
  await createAdministrator(await context.newPage(), testConsole);
  const user = { username: NAME, password: PASSWORD };
  const added = await context.request.post(`${url}/users`, { data: { ...user, role: 'admin' }, headers });
  assert.equal(added.status(), 201, await added.text());
  const stopper = await browser.newContext();
  await stopper.request.post(`${url}/login`, { data: user, headers });
  const carts = () => stopper.request.get(`${url}/carts`, { headers: { accept: 'application/json' } });
  await untilAnswer(
    async () => ({
      path: '/carts',
      status: 200,
      body: (await (await carts()).json()) as { online: boolean }[],
    }),
    ({ body }) => body.filter(({ online }) => online).length === 3,
  );
  await stopper.request.post(`${url}/estop`, { data: {}, headers });
  testConsole.cookies = (await stopper.cookies()).map(({ name, value }) => ({ name, value, url }));
  await Promise.all([context.close(), stopper.close()]);
});
test.after(async () => {
  await browser.close();
  await testConsole.gateway.close();
});

for (const path of PATHS) {
  for (const locale of ['en-GB', 'nl-NL']) {
    test(`${path} fits the width of the window, and the stop buttons are inside the window, in ${locale}`, async () => {
      const run: Parameters<typeof withPage>[2] = async ({ page }) => {
        await page.context().addCookies(testConsole.cookies);
        await page.goto(testConsole.url + path);
        await page.locator('[data-estop-count="3"]').waitFor({ state: 'attached' });
        for (const width of [360, 768, 1440]) {
          await page.setViewportSize({ width, height: 800 });
          assert.equal(await overflowPx(page), 0, `not wider than ${width} px`);
          assert.deepEqual(await stopFaults(page), [], `stop buttons at ${width} px`);
        }
      };
      await withPage(browser, 'about:blank', run, { locale, reducedMotion: 'reduce' });
    });
  }
}

test('content that is wider than the window does not move the stop buttons', async () => {
  const run: Parameters<typeof withPage>[2] = async ({ page }) => {
    await page.context().addCookies(testConsole.cookies);
    await page.goto(`${testConsole.url}/history`);
    await page.$eval('main', (main) => main.append(document.createElement('hr')));
    await page.addStyleTag({ content: 'main > hr { width: 3000px; }' });
    assert.ok((await overflowPx(page)) > 1000);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    assert.deepEqual(await stopFaults(page), []);
  };
  const phone = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true, bypassCSP: true };
  await withPage(browser, 'about:blank', run, phone);
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: pages with long names (Chromium is not installed)\n');
