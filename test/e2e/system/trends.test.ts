import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { withPage } from '../../helpers/page-session.js';

const test = suite('the trend charts in Chromium');

const app = new BrowserSuite(test);
test.before(() => app.untilCartReady());

async function scriptsOf(path: string): Promise<string[]> {
  const scripts: string[] = [];
  await withPage(app.browser, 'about:blank', async ({ page }) => {
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
    });
    await page.goto(`${app.gateway.url}${path}`);
  });
  return scripts;
}

const shownValue = (page: Page, key: string) => page.locator(`[data-trend-of="${key}"] [data-trend-value]`);

test('only the System page loads the chart library', async () => {
  assert.ok((await scriptsOf('/system')).includes('/assets/uplot.js'));
  assert.ok(!(await scriptsOf('/')).includes('/assets/uplot.js'));
});

test('a command appears in the charts, and one slider selects a time in all charts', async () => {
  await app.gateway.move(1, 100, {}, '?wait=ack');
  // The row for each second is written when that second ends.
  let answers: (number | null)[] = [];
  while (!answers.some((ms) => ms !== null) || answers.at(-1) !== null) {
    const { body } = await app.gateway.call<{ answerMs: (number | null)[] }>('GET', '/system/trend');
    answers = body.answerMs;
  }
  await app.visit('/system#trend', async ({ page }) => {
    await page.locator('[data-trend-of="answerMs"] canvas').waitFor();
    await page.locator('[data-trend-of="answerMs"] small:has-text("Maximum")').waitFor();
    await page.locator('[data-trend-of="batteryMv"] small:has-text(" V")').waitFor();
    await page.focus('#trend-moment');
    await page.keyboard.press('Home');
    const first = await page.getAttribute('#trend-moment', 'aria-valuetext');
    await page.locator(`[data-trend-when]:text-is("${first}")`).waitFor();
    while (!/ ms$/.test((await shownValue(page, 'answerMs').textContent()) ?? '')) {
      await page.keyboard.press('ArrowRight');
    }
    assert.match((await shownValue(page, 'lagMs').textContent()) ?? '', /^[\d.]+ ms$/);
    assert.match((await shownValue(page, 'batteryMv').textContent()) ?? '', /^[\d.]+ V$/);
    await page.keyboard.press('End');
    await page.locator('[data-trend-when]:has-text("now")').waitFor();
  });
});

test("a disconnected controller leaves a gap in the charts, and the page shows the gap's duration", async () => {
  await app.gateway.call('POST', '/simulator', { action: 'plug', on: false });
  await app.visit('/system#trend', async ({ page }) => {
    await page.locator('[data-trend-of="speedMmps"] small:has-text("no data for")').waitFor();
    await shownValue(page, 'speedMmps').and(page.locator(':text-is("not measured")')).waitFor();
    assert.deepEqual(await violationsOf(page), []);
  });
  await app.gateway.call('POST', '/simulator', { action: 'plug', on: true });
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: trends in Chromium (Chromium is not installed)\n');
