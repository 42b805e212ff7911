import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { pressEstop, withPage } from '../../helpers/page-session.js';

/** axe-core on every state and colour scheme of the Drive page. */
const test = suite('accessibility of the Drive page');

const READY = '[data-band-main] .sentence:text-is("Ready")';

let gateway: GatewayProcess;
let browser: Browser;

test.before(async () => {
  [gateway, browser] = await Promise.all([GatewayProcess.start(), openBrowser()]);
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
  await gateway.move(1, 50, {}, '?wait=done');
});
test.after(async () => {
  await browser.close();
  await gateway.close();
});

test('axe reports a planted violation', async () => {
  await withPage(browser, gateway.url, async ({ page }) => {
    await page.locator('[data-pad]').evaluate((pad: { removeAttribute(name: string): void }) => {
      pad.removeAttribute('aria-label');
      pad.removeAttribute('role');
    });
    await page.locator('#distanceID').evaluate((input: { id: string }) => {
      input.id = 'nameless';
    });
    assert.match((await violationsOf(page)).join('\n'), /label #nameless/);
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 768, 1440]) {
    test(`the page has no violations in ${colorScheme} at ${width} px`, async () => {
      const options = { colorScheme, viewport: { width, height: 900 } };
      await withPage(
        browser,
        gateway.url,
        async ({ page }) => {
          await page.locator(READY).waitFor();
          await page.locator('[data-hand-who]:text-is("No one has control")').waitFor();
          assert.deepEqual(await violationsOf(page), []);
        },
        options,
      );
    });
  }

  test(`the page has no violations in ${colorScheme} with a request for control, and after an E-stop`, async () => {
    await withPage(
      browser,
      gateway.url,
      async ({ page }) => {
        await withPage(browser, gateway.url, async ({ page: other }) => {
          await page.click('[data-hand-take]:not(:disabled)');
          await page.locator('[data-hand-who]:text-is("You have control")').waitFor();
          await other.click('[data-hand-take]:has-text("Request control")');
          await page.locator('[data-hand-ask]').waitFor();
          assert.deepEqual(await violationsOf(page), []);
        });
        await pressEstop(page);
        await page.locator('[data-hand-lock]').waitFor();
        assert.deepEqual(await violationsOf(page), []);
      },
      { colorScheme },
    );
    await gateway.resetCarts(1, 2, 3);
  });
}

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: accessibility of the Drive page (Chromium is not installed)\n');
