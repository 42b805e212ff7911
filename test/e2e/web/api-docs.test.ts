import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { violationsInBothModes } from '../../helpers/axe.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';

/** `withPage` fails if the page violates its content security policy or sends a request to another host. */
const test = suite('the API page');

/** The API viewer takes several seconds to render, and longer on a busy machine. */
const RENDER_MS = 60_000;

const app = new BrowserSuite(test, {}, { CARTWRIGHT_AUTH: 'required' });

test('the page lists every section and route, even before login', async () => {
  await app.visit('/docs', async ({ page }) => {
    page.setDefaultTimeout(RENDER_MS);
    await page.locator('.opblock-tag').first().waitFor();
    const { paths } = (await (await fetch(`${app.gateway.url}/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    const count = Object.values(paths).flatMap((methods) => Object.keys(methods)).length;
    const chapters = await page.locator('.opblock-tag').evaluateAll((all) => all.map((one) => one.id));
    let shown = 0;
    // Opens one chapter at a time, because if more than about 130 routes are open, the viewer renders only
    // the visible ones.
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

test('the page documents state-changing routes but does not allow them to be called', async () => {
  await app.visit('/docs#/Carts/postPage', async ({ page }) => {
    page.setDefaultTimeout(RENDER_MS);
    const route = page.locator('#operations-Carts-postPage');
    await route.locator('.responses-table').first().waitFor();
    assert.match(await route.innerText(), /distanceID/);
    assert.equal(await route.locator('.try-out__btn').count(), 0);
    assert.deepEqual(await violationsInBothModes(page), []);
  });
});

test('a read-only route can be called and its response is shown', async () => {
  await app.visit('/docs#/Health/getLivez', async ({ page }) => {
    page.setDefaultTimeout(RENDER_MS);
    const route = page.locator('#operations-Health-getLivez');
    await route.locator('.try-out__btn').click();
    await route.locator('.execute').click();
    const came = route.locator('.live-responses-table .microlight').first();
    assert.match(await came.innerText(), /"alive": true/);
    assert.deepEqual(await violationsInBothModes(page), []);
  });
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: the API page (Chromium is not installed)\n');
