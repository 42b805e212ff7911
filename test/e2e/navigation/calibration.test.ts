import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { CalibrationView } from '../../../src/navigation/calibration/model.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';

/** Tests the Camera calibration page in Chromium, with the simulated camera of a real gateway. */
const test = suite('camera calibration in Chromium');

const PATH = '/navigation/calibration';

const app = new BrowserSuite(test);
test.before.each(async () => {
  await app.untilCartReady();
  await app.gateway.call('DELETE', PATH);
});

/** Puts marker 12 in front of the camera. */
async function placeMarker(distanceMm: number): Promise<void> {
  type Snapshot = Record<'x' | 'y' | 'heading', number>;
  const { x, y, heading } = (await app.gateway.call<Snapshot>('GET', '/simulator')).body;
  const angle = (heading * Math.PI) / 180;
  const place = { xMm: x + distanceMm * Math.cos(angle), yMm: y + distanceMm * Math.sin(angle) };
  const markers = [{ id: 12, sizeMm: 150, ...place, headingDeg: (heading + 180) % 360 }];
  assert.equal((await app.gateway.call('POST', '/simulator', { action: 'markers', markers })).status, 200);
}

const view = async (): Promise<CalibrationView> =>
  (await app.gateway.call<CalibrationView>('GET', PATH)).body;

test('the page shows the marker in view, measures it and saves the result', async () => {
  await placeMarker(1000);
  await app.visit(PATH, async ({ page }) => {
    await page.locator('[data-seen]').filter({ hasText: 'Marker 12 in view' }).waitFor();
    await page.fill('#marker-id', '12');
    await page.fill('#marker-sizeMm', '150');
    await page.click('form[action$="/one-shot"] button');
    await page.locator('#result').waitFor();
    assert.equal((await view()).status.method, 'preset', 'not saved yet');
    await page.click('form[action$="/save"] button');
    await page.locator('.chip').filter({ hasText: 'Good' }).waitFor();
  });
  const { status, camera } = await view();
  assert.deepEqual([status.method, status.quality], ['one-shot', 'good']);
  assert.ok(Math.abs(camera.fieldOfViewDeg - 66) < 0.5, `${camera.fieldOfViewDeg} degrees`);
  const versions = await app.gateway.call<{ why: string; changes: { pointer: string }[] }[]>(
    'GET',
    '/brokerSettings/history',
  );
  const pointers = versions.body[0]?.changes.map(({ pointer }) => pointer) ?? [];
  assert.ok(pointers.includes('/navigation/calibration/fPx'), pointers.join());
});

test('the result can be discarded when JavaScript is off', async () => {
  await placeMarker(950);
  const context = await app.browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${app.gateway.url}${PATH}`);
  await page.fill('#marker-id', '12');
  await page.fill('#marker-sizeMm', '150');
  await page.click('form[action$="/one-shot"] button');
  await page.locator('#result').waitFor();
  await page.click('#result button[value="result"]');
  await page.locator('#result').waitFor({ state: 'detached' });
  await context.close();
  assert.equal((await view()).result, null);
});

test('the page reports, without a reload, that the board is not in view', async () => {
  await app.visit(PATH, async ({ page, pageErrors }) => {
    await page.click('[data-take] button');
    await page.locator('[data-take-words]').filter({ hasText: 'fewer than 4 markers' }).waitFor();
    // The browser logs the expected status 409 as an error.
    pageErrors.length = 0;
  });
});

test('automatic capture starts only after the image in progress has been taken', async () => {
  await app.visit(PATH, async ({ page }) => {
    const images = '**/board/images';
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(images, async (route) => {
      await held;
      await route.fulfill({ json: { board: { images: 1, neededImages: 12 } } });
    });
    const manual = page.waitForRequest(images);
    await page.click('[data-take] button');
    await manual;
    await page.check('[data-automatic]');
    const automatic = page.waitForRequest(images);
    release();
    await automatic;
    await page.uncheck('[data-automatic]');
  });
});

test('changing the resolution makes the calibration stale', async () => {
  await app.gateway.call('POST', '/updateJson', { camera: { width: 640, height: 480 } });
  await app.visit(PATH, async ({ page }) => {
    await page
      .locator('strong')
      .filter({ hasText: '1280 × 720; the camera now delivers 640 × 480' })
      .waitFor();
  });
});

test('the settings page contains the camera model and links to the calibration', async () => {
  await app.visit('/brokerSettings?section=navigation', async ({ page }) => {
    await page.locator('[name="/navigation/preset"]').waitFor();
    assert.equal(await page.locator('[name^="/navigation/calibration"]').count(), 0);
    await page.click('#navigation a[href="/navigation/calibration"]');
    await page.waitForURL(`**${PATH}`);
  });
});

if (hasBrowser) test.run();
