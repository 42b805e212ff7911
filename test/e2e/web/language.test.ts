import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { pressEstop } from '../../helpers/page-session.js';
import { repeatOnce } from '../../helpers/repeat-once.js';

const test = suite('the console in Dutch');

const DUTCH = { locale: 'nl-NL' };
const ENDED = /voltooid|mislukt|verlopen|geannuleerd|gestopt|geweigerd/i;
const SENTENCE = '[data-band-main] .sentence';

const app = new BrowserSuite(test);
test.before(() => app.untilCartReady());

test('the page shows a finished command in Dutch, with decimal commas', () =>
  app.visit(
    '/',
    async ({ page }) => {
      // Waits until the scripts have run; before that, the button would submit the form.
      await page.locator('[data-hand-who]:text-is("Niemand heeft de besturing")').waitFor();
      await page.fill('#distanceID', '50');
      const ended = page.locator('[data-last] .line').filter({ hasText: ENDED });
      const attempt = async (): Promise<string> => {
        await page.click('.go:not(:disabled, [data-settling]):has([data-go-text]:text-is("Rijden"))');
        await ended.waitFor();
        return ended.innerText();
      };
      const codeOf = async (): Promise<string | undefined> =>
        app.gateway.endCode((await app.gateway.cart(1)).commandId ?? '');
      assert.match(await repeatOnce(attempt, codeOf), /Voltooid/);
      assert.match(await ended.innerText(), /^Voltooid: 0,05 m in \d+(?:,\d)? m?s 0,05 m vooruit$/);
      assert.match(
        (await page.locator('[data-commands] > li:first-child .note').innerText()) ?? '',
        /Beweging: 0,05 m/,
      );
      assert.match(await page.locator('.area-now').innerText(), /0,00 m\/s/);
    },
    DUTCH,
  ));

test('every page shows who stopped the carts and what to do next, and Reset releases each cart', () =>
  app.visit(
    '/',
    async ({ page }) => {
      assert.match(await page.locator('.estop').innerText(), /^Alles stoppen$/);
      await pressEstop(page);
      const sentence = page.locator(SENTENCE).filter({ hasText: 'Gestopt door' });
      await sentence.waitFor();
      const words = /^Gestopt door de bediener om \d\d:\d\d:\d\d$/;
      const next = page.locator(
        '[data-estop-next]:has-text("Zorg dat de weg vrij is en houd dan Reset ingedrukt")',
      );
      await next.waitFor();
      assert.match(await sentence.innerText(), words);
      await page.goto(`${app.gateway.url}/system`);
      assert.match(await page.locator(SENTENCE).innerText(), words);
      await page.locator('[data-band-others] > summary').click();
      for (const cartID of [1, 2, 3]) {
        const reset = page.locator(`[data-band-cart="${cartID}"] [data-reset] button`);
        await reset.hover();
        await page.mouse.down();
        await page.locator(`[data-band-cart="${cartID}"][data-tone="stop"]`).waitFor({ state: 'detached' });
        await page.mouse.up();
      }
      await page.locator(`${SENTENCE}:text-is("Gereed")`).waitFor();
    },
    DUTCH,
  ));

test('the page explains in Dutch why a command was rejected', async () => {
  await app.gateway.call('POST', '/updateJson', { limits: { maxDistanceMm: 1000 } });
  await app.visit(
    '/',
    async ({ page, pageErrors }) => {
      await page.locator('[data-hand-who]:text-is("Niemand heeft de besturing")').waitFor();
      await page.locator('#distanceID').evaluate((input: HTMLInputElement) => {
        input.max = '99999';
      });
      await page.fill('#distanceID', '2000');
      await page.click('.go:not(:disabled, [data-settling])');
      const answer = page.locator('[data-progress][data-tone="stop"]');
      await answer.waitFor();
      assert.match(
        await answer.innerText(),
        /Opdracht geweigerd\n+distanceID is 2000 mm; de limiet is 1000 mm/,
      );
      // The browser logs each rejected request.
      assert.match(pageErrors.splice(0).join(), /400/);
    },
    DUTCH,
  );
});

for (const javaScriptEnabled of [true, false]) {
  test(`the page and pages opened later keep the selected language ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () =>
    app.visit(
      '/map?find=hall',
      async ({ page }) => {
        await page.click('.languages button:text-is("Nederlands")');
        await page.locator('h1:text-is("Kaart")').waitFor();
        assert.equal(new URL(page.url()).search, '?find=hall');
        await page.goto(`${app.gateway.url}/brokerSettings`);
        assert.equal(await page.locator('h1').innerText(), 'Instellingen');
        await page.click('.languages button:text-is("English")');
        await page.locator('h1:text-is("Settings")').waitFor();
      },
      { locale: 'en-GB', javaScriptEnabled },
    ));
}

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: the console in Dutch (Chromium is not installed)\n');
