import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { violationsInBothModes, violationsOf } from '../../helpers/axe.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { pressEstop } from '../../helpers/page-session.js';

const test = suite('accessibility of the Drive page');

const READY = '[data-band-main] .sentence:text-is("Ready")';

const app = new BrowserSuite(test);
test.before(async () => {
  await app.untilCartReady();
  await app.gateway.move(1, 50, {}, '?wait=done');
});

test('axe detects an accessibility violation inserted by the test', async () => {
  await app.visit('/', async ({ page }) => {
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

for (const width of [360, 768, 1440])
  test(`the page has no accessibility violations in light and dark mode at ${width} px`, async () => {
    await app.visit(
      '/',
      async ({ page }) => {
        await page.locator(READY).waitFor();
        await page.locator('[data-hand-who]:text-is("No one has control")').waitFor();
        assert.deepEqual(await violationsInBothModes(page), []);
      },
      { viewport: { width, height: 900 } },
    );
  });

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the page has no accessibility violations in ${colorScheme} mode while it shows a control request or a latched stop`, async () => {
    await app.visit(
      '/',
      async ({ page }) => {
        await app.visit('/', async ({ page: other }) => {
          await page.click('[data-hand-take]:not(:disabled)');
          await page.locator('[data-hand-who]:text-is("You have control")').waitFor();
          await other.click('[data-hand-take]:has-text("Request control")');
          await page.locator('[data-hand-ask]').waitFor();
          assert.deepEqual(await violationsOf(page), []);
        });
        await pressEstop(page);
        await page.locator('[data-pad][aria-disabled="true"]').waitFor();
        assert.deepEqual(await violationsOf(page), []);
      },
      { colorScheme },
    );
    await app.gateway.resetCarts(1, 2, 3);
  });
}

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: accessibility of the Drive page (Chromium is not installed)\n');
