import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { until } from '../../helpers/until.js';

/** Changes settings elsewhere while a page shows them in Chromium. */
const test = suite('settings that are changed elsewhere');

const app = new BrowserSuite(test);

interface Stored {
  beacons: { maxRangeM: number };
  camera: { quality: number; framerate: number };
}
const stored = async () => (await app.gateway.call<Stored>('GET', '/variables.json')).body;
const change = (document: object) => app.gateway.call('POST', '/updateJson', document);

const RANGE = '[name="/beacons/maxRangeM"]';
const QUALITY = '[name="/camera/quality"]';
const RATE = '[name="/camera/framerate"]';
const shows = (page: Page, field: string, value: string) =>
  until(async () => (await page.inputValue(field)) === value);

/** Loads the page again and waits until it receives events. */
async function connect(page: Page): Promise<void> {
  const events = page.waitForResponse('**/events*');
  await page.reload();
  await events;
}

test('an open form shows values that a program has changed, and keeps the values that the user has entered', async () => {
  await app.visit('/brokerSettings?section=beacons', async ({ page }) => {
    await connect(page);
    await change({ beacons: { maxRangeM: 42 } });
    await page.focus(RANGE);
    await shows(page, RANGE, '42');
    await page.fill(RANGE, '77');
    await change({ beacons: { maxRangeM: 43 } });
    await page
      .locator(`[data-row]:has(${RANGE}) [data-error]:has-text("Was also changed elsewhere")`)
      .waitFor();
    assert.equal(await page.inputValue(RANGE), '77');
    await page.click('[data-save]');
    await page.locator('[data-conflict]:text-is("Also changed elsewhere, previously 42 m")').waitFor();
    assert.equal((await stored()).beacons.maxRangeM, 43);
    await page.click('[data-apply]');
    await page.locator('main h2:text-is("Saved")').waitFor();
    assert.equal((await stored()).beacons.maxRangeM, 77);
  });
});

test('an open form shows values that were changed in variables.json', async () => {
  const path = join(app.gateway.dir, 'data', 'variables.json');
  await app.visit('/brokerSettings?section=beacons', async ({ page }) => {
    const document = JSON.parse(await readFile(path, 'utf8'));
    document.beacons.maxRangeM = 51;
    await connect(page);
    await writeFile(path, JSON.stringify(document));
    await shows(page, RANGE, '51');
    assert.equal(await page.textContent('[data-save-words]'), 'No changes');
  });
});

test('the result of a save stays visible until the next edit, even if other settings change', async () => {
  await change({ camera: { quality: 80, framerate: 10 } });
  await app.visit('/cameraSettings', async ({ page }) => {
    const words = page.locator('[data-save-words]');
    await connect(page);
    await page.fill(QUALITY, '70');
    await page.click('[data-save]');
    await words.filter({ hasText: /^Saved\. 1 setting has changed\.$/ }).waitFor();
    await change({ camera: { framerate: 12 } });
    await shows(page, RATE, '12');
    assert.equal(await words.textContent(), 'Saved. 1 setting has changed.');
    await page.fill(QUALITY, '71');
    assert.equal(await words.textContent(), '1 unsaved change');
    await page.click('[data-discard]');
    assert.equal(await words.textContent(), 'No changes');
  });
});

test('saving the camera settings keeps values that were changed elsewhere, and prompts the user about a conflict', async () => {
  await change({ camera: { quality: 80, framerate: 10 } });
  await app.visit('/cameraSettings', async ({ page, pageErrors }) => {
    // Prevents the page from noticing the changes before the user saves.
    await page.route('**/variables.json', (route) => route.abort());
    await page.fill(QUALITY, '70');
    await change({ camera: { framerate: 12 } });
    await page.click('[data-save]');
    await until(async () => (await stored()).camera.quality === 70);
    assert.equal((await stored()).camera.framerate, 12);
    await page.fill(QUALITY, '65');
    await change({ camera: { quality: 60 } });
    await page.click('[data-save]');
    await page.locator('[data-summary] li:has-text("was also changed elsewhere")').waitFor();
    assert.equal((await stored()).camera.quality, 60);
    await page.click('[data-save]');
    await until(async () => (await stored()).camera.quality === 65);
    // The browser logs the aborted requests and the rejected ones.
    pageErrors.splice(0);
  });
});

test('saving the camera settings keeps other values and prompts the user about a conflict when JavaScript is off', async () => {
  await change({ camera: { quality: 80, framerate: 10 } });
  const run = async ({ page, pageErrors }: { page: Page; pageErrors: string[] }) => {
    await page.fill(QUALITY, '70');
    await change({ camera: { quality: 60, framerate: 12 } });
    await page.click('[data-save]');
    await page.locator('[data-summary] li:has-text("was also changed elsewhere")').waitFor();
    assert.deepEqual([await page.inputValue(QUALITY), await page.inputValue(RATE)], ['70', '12']);
    assert.deepEqual((await stored()).camera.quality, 60);
    await page.click('[data-save]');
    await page.locator('main h2:text-is("Saved")').waitFor();
    const { quality, framerate } = (await stored()).camera;
    assert.deepEqual([quality, framerate], [70, 12]);
    pageErrors.splice(0);
  };
  await app.visit('/cameraSettings', run, { javaScriptEnabled: false });
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: settings that are changed elsewhere (Chromium is not installed)\n');
