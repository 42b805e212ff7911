import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { type PageSession, withPage } from '../../helpers/page-session.js';

/** The document of the API as a page: `visit` fails on whatever the content policy stops and on any other machine. */
const test = suite('the page of the API');

/** The viewer works for seconds on what it shows, and longer on a busy machine. */
const PATIENCE_MS = 60_000;

let gateway: GatewayProcess;
let browser: Browser;

test.before(async () => {
  [gateway, browser] = await Promise.all([
    GatewayProcess.start({}, { CARTWRIGHT_AUTH: 'required' }),
    openBrowser(),
  ]);
});
test.after(async () => {
  await browser.close();
  await gateway.close();
});

test('it shows every chapter and every route, to people without a login as well', async () => {
  await withPage(browser, `${gateway.url}/docs`, async ({ page }) => {
    page.setDefaultTimeout(PATIENCE_MS);
    await page.locator('.opblock-tag').first().waitFor();
    const { paths } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    const count = Object.values(paths).flatMap((methods) => Object.keys(methods)).length;
    const chapters = await page.locator('.opblock-tag').evaluateAll((all) => all.map((one) => one.id));
    let shown = 0;
    // One at a time: with more than about 130 open routes the viewer draws only those in sight.
    for (const id of chapters) {
      const chapter = page.locator(`[id="${id}"]`);
      const routes = page.locator('.opblock-tag-section').filter({ has: chapter }).locator('.opblock');
      await chapter.click();
      await routes.first().waitFor();
      shown += await routes.count();
      await chapter.click();
    }
    assert.equal(shown, count);
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`it shows what a route takes and answers, and offers to send nothing that changes anything: ${colorScheme}`, async () => {
    const run = async ({ page }: PageSession): Promise<void> => {
      page.setDefaultTimeout(PATIENCE_MS);
      const route = page.locator('#operations-Carts-postPage');
      await route.locator('.responses-table').first().waitFor();
      assert.match(await route.innerText(), /distanceID/);
      assert.equal(await route.locator('.try-out__btn').count(), 0);
      assert.deepEqual(await violationsOf(page), []);
    };
    await withPage(browser, `${gateway.url}/docs#/Carts/postPage`, run, { colorScheme });
  });

  test(`a route that only reads can be tried, and shows what came: ${colorScheme}`, async () => {
    const run = async ({ page }: PageSession): Promise<void> => {
      page.setDefaultTimeout(PATIENCE_MS);
      const route = page.locator('#operations-Health-getLivez');
      await route.locator('.try-out__btn').click();
      await route.locator('.execute').click();
      const came = route.locator('.live-responses-table .microlight').first();
      assert.match(await came.innerText(), /"alive": true/);
      assert.deepEqual(await violationsOf(page), []);
    };
    await withPage(browser, `${gateway.url}/docs#/Health/getLivez`, run, { colorScheme });
  });
}

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: the page of the API (chromium is not installed)\n');
