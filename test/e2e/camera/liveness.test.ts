import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import type { CameraState } from '../../../src/camera/capture/camera.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { setVisibility } from '../../helpers/page-session.js';
import { until, untilAnswer } from '../../helpers/until.js';

const test = suite('stale and missing images in Chromium');

const app = new BrowserSuite(test, { camera: { mode: 'simulated', width: 320, height: 240 } });

const LIVE = '[data-camera]:not([data-stale])';
const STALE = '[data-camera][data-stale]';

const state = async (): Promise<CameraState> =>
  (await app.gateway.call<CameraState>('GET', '/camera/state.json')).body;

async function simulate(action: string, on: boolean, argument?: number): Promise<void> {
  const { status } = await app.gateway.call('POST', '/simulator', {
    action,
    on,
    ...(argument === undefined ? {} : { argument }),
  });
  assert.equal(status, 200);
}

/** Returns the appearance of the canvas and the layer on top of it. */
async function look(page: Page): Promise<{ filter: string; overlay: string; words: string }> {
  return await page.$eval('[data-camera]', (box) => {
    const { filter } = getComputedStyle(box.querySelector('canvas') as Element);
    const { backgroundImage, content } = getComputedStyle(box, '::after');
    const words = box.querySelector('[data-camera-words]')?.textContent ?? '';
    return { filter, overlay: content === 'none' ? '' : backgroundImage, words };
  });
}

async function assertGrey(page: Page): Promise<void> {
  await page.locator(STALE).waitFor();
  const { filter, overlay } = await look(page);
  assert.equal(filter, 'grayscale(1)');
  assert.match(overlay, /^repeating-linear-gradient/);
}

async function assertColour(page: Page): Promise<void> {
  await page.locator(LIVE).waitFor();
  assert.deepEqual(await look(page), { filter: 'none', overlay: '', words: '' });
}

const FAULTS: readonly [title: string, action: string, argument: number | undefined, words: RegExp][] = [
  ['is frozen', 'cameraFrozen', undefined, /^This image is .+ old\. The camera repeats old images\. /],
  ['is black', 'cameraBlack', undefined, /^This image is .+ old\. The camera image is black\. /],
  ['is missing', 'cameraDrops', 1, /^This image is \d+\.\d s old\./],
];

for (const [title, action, argument, words] of FAULTS) {
  // Fault case 71
  test(`the Drive page greys out and hatches an image that ${title}, and shows its age`, async () => {
    await app.visit('/', async ({ page, pageErrors }) => {
      await assertColour(page);
      await simulate(action, true, argument);
      try {
        await assertGrey(page);
        await page.locator('[data-camera-words]').filter({ hasText: words }).waitFor();
        await assertGrey(page);
      } finally {
        await simulate(action, false);
      }
      await assertColour(page);
      // The gateway rejects the requests for images with 503 while the images are not live.
      pageErrors.splice(0);
    });
  });
}

for (const path of ['/cameraSettings', '/navigation/calibration'])
  test(`the page ${path} greys out and hatches a frozen image`, async () => {
    await app.visit(path, async ({ page, pageErrors }) => {
      await assertColour(page);
      await simulate('cameraFrozen', true);
      try {
        await assertGrey(page);
        await untilAnswer(state, ({ fault }) => fault?.code === 'frozen');
        await assertGrey(page);
      } finally {
        await simulate('cameraFrozen', false);
      }
      await assertColour(page);
      pageErrors.splice(0);
    });
  });

test('the Drive page greys out and hatches the image of a suspended gateway whose connections stay open', async () => {
  await app.visit('/', async ({ page, pageErrors }) => {
    await assertColour(page);
    process.kill(app.gateway.pid, 'SIGSTOP');
    try {
      await assertGrey(page);
    } finally {
      process.kill(app.gateway.pid, 'SIGCONT');
    }
    await assertColour(page);
    pageErrors.splice(0);
  });
});

test('the Drive page never shows images as live when they take more than 1 s to arrive', async () => {
  await app.visit('/', async ({ page, pageErrors }) => {
    await assertColour(page);
    let delivered = 0;
    await page.route('**/camera/frame*', async (route) => {
      const response = await route.fetch();
      setTimeout(() => {
        delivered += 1;
        // The page may have closed the request.
        route.fulfill({ response }).catch(() => undefined);
      }, 1200);
    });
    await assertGrey(page);
    const from = delivered;
    await until(() => delivered >= from + 3);
    await assertGrey(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await assertColour(page);
    pageErrors.splice(0);
  });
});

test('the Drive page greys out the image when the page is hidden, and shows it in colour after the next new image', async () => {
  await app.visit('/', async ({ page }) => {
    await assertColour(page);
    await setVisibility(page, 'hidden');
    await assertGrey(page);
    await setVisibility(page, 'visible');
    await assertColour(page);
  });
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: images that are not live, in Chromium (Chromium is not installed)\n');
