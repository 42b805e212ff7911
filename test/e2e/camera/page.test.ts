import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import type { CameraState } from '../../../src/camera/capture/camera.js';
import { TEXTS } from '../../../src/console/browser/texts.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { setVisibility } from '../../helpers/page-session.js';
import { until, untilAnswer } from '../../helpers/until.js';

const test = suite('the Camera page in Chromium');

const app = new BrowserSuite(test, { camera: { mode: 'simulated', width: 320, height: 240 } });

const LIVE = '[data-camera]:not([data-stale])';
const STALE = '[data-camera][data-stale]';

const state = async (): Promise<CameraState> =>
  (await app.gateway.call<CameraState>('GET', '/camera/state.json')).body;

async function untilNoViewers(): Promise<void> {
  await untilAnswer(state, ({ viewers }) => viewers === 0);
}

/** Resolves when the live image has this size. */
async function untilSize(page: Page, width: number, height: number): Promise<void> {
  const canvas = page.locator('canvas[data-camera-picture]');
  await untilAnswer(
    () => canvas.evaluate((element: HTMLCanvasElement) => [element.width, element.height]),
    ([shownWidth, shownHeight]) => shownWidth === width && shownHeight === height,
  );
}

/** Returns the shared memory of all page processes, which contains decoded images. */
async function sharedBytes(browser: Browser): Promise<number> {
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
  await cdp.detach();
  const kB = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/RssShmem:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]));
  return kB.reduce((sum, value) => sum + value, 0) * 1024;
}

test('the page shows the live image with its age and marks it as simulated', async () => {
  await app.visit('/cameraSettings', async ({ page }) => {
    await page.locator(LIVE).waitFor();
    await untilSize(page, 320, 240);
    await page
      .locator('[data-camera-age]')
      .filter({ hasText: /images\/s, \d+ ms old/ })
      .waitFor();
    await page.locator('[data-light="camera"] strong:text-is("live")').waitFor();
    await page.locator('.ribbon:has-text("SIMULATED motor controller and camera")').waitFor();
  });
});

test('the page requests fewer images on a device that decodes slowly', async () => {
  const decodingMs = 60;
  await app.visit('/', async ({ page }) => {
    await page.route('**/camera-worker.js*', async (route) => {
      const response = await route.fetch();
      const slow = `const decode = createImageBitmap; globalThis.createImageBitmap = async (blob) => {
        await new Promise((resolve) => setTimeout(resolve, ${decodingMs}));
        return decode(blob);
      };`;
      await route.fulfill({ contentType: 'text/javascript', body: slow + (await response.text()) });
    });
    const requestedAt: number[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/camera/frame') requestedAt.push(performance.now());
    });
    await page.reload();
    await page.locator(LIVE).waitFor();
    await until(() => requestedAt.length >= 10);
    const [first = 0] = requestedAt;
    const averageMs = ((requestedAt.at(-1) ?? 0) - first) / (requestedAt.length - 1);
    assert.ok(averageMs >= 3.9 * decodingMs, `one image every ${averageMs.toFixed(0)} ms`);
  });
});

test('the stream plays in an img element when JavaScript is off', async () => {
  await app.visit(
    '/cameraSettings',
    async ({ page }) => {
      const image = page.locator('.camera-stream');
      await image.scrollIntoViewIfNeeded();
      const { height = 0 } = (await image.boundingBox()) ?? {};
      assert.ok(height > 100);
    },
    { javaScriptEnabled: false },
  );
});

for (const query of ['', '?advance_headers=1']) {
  test(`Chromium continuously decodes the stream /camera/stream.mjpg${query}`, async () => {
    await app.visit('/brokerSettings', async ({ page }) => {
      const size = await page.evaluate(async (src) => {
        const image = Object.assign(new Image(), { src });
        while (image.naturalWidth === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
        const found = [image.naturalWidth, image.naturalHeight];
        image.src = '';
        return found;
      }, `/camera/stream.mjpg${query}`);
      assert.deepEqual(size, [320, 240]);
    });
  });
}

test('a hidden page stops requesting images and resumes when it becomes visible', async () => {
  await app.visit('/cameraSettings', async ({ page }) => {
    const polls: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/camera/frame')) polls.push(request.url());
    });
    await page.locator(LIVE).waitFor();
    await setVisibility(page, 'hidden');
    // The page may still send a request that it had prepared before it was hidden.
    await page.locator(STALE).waitFor();
    await untilNoViewers();
    const before = polls.length;
    const words = page.locator('[data-camera-words]');
    await words.filter({ hasText: /This image is ([2-9]|\d\d)\.\d s old/ }).waitFor();
    assert.equal(polls.length, before);
    await setVisibility(page, 'visible');
    await page.locator(LIVE).waitFor();
    assert.ok(polls.length > before);
  });
});

test('an old image is greyed out and shown with its age, and is never shown as current', async () => {
  await app.visit('/cameraSettings', async ({ page, pageErrors }) => {
    await page.locator(LIVE).waitFor();
    process.kill(app.gateway.pid, 'SIGSTOP');
    try {
      await page
        .locator('[data-camera-words]')
        .filter({ hasText: /This image is \d\.\d s old/ })
        .waitFor();
      assert.equal(await page.locator(STALE).count(), 1);
      assert.equal(await page.textContent('[data-camera-age]'), '');
    } finally {
      process.kill(app.gateway.pid, 'SIGCONT');
    }
    await page.locator(LIVE).waitFor();
    // Discards the errors that the frozen gateway caused.
    pageErrors.splice(0);
  });
});

test('the live view does not retain decoded images in memory', async () => {
  const [width, height] = [1280, 720];
  await app.gateway.call('POST', '/updateJson', { camera: { width, height } });
  await app.visit('/cameraSettings', async ({ page }) => {
    let requested = 0;
    page.on('request', (request) => {
      if (request.url().includes('/camera/frame')) requested += 1;
    });
    await untilSize(page, width, height);
    await until(() => requested >= 10);
    const beforeBytes = await sharedBytes(app.browser);
    await until(() => requested >= 50);
    const keptBytes = (await sharedBytes(app.browser)) - beforeBytes;
    assert.ok(keptBytes < 10 * width * height * 4, `${keptBytes} bytes of shared memory for 40 images`);
  });
  await app.gateway.call('POST', '/updateJson', { camera: { width: 320, height: 240 } });
});

test('the live view resumes after requests for images have hung without an error', async () => {
  await app.visit('/cameraSettings', async ({ page }) => {
    await page.locator(LIVE).waitFor();
    await page.route('**/camera/frame*', () => new Promise<void>(() => {}));
    await page.locator('[data-camera-words]').filter({ hasText: TEXTS.cameraNoAnswer }).waitFor();
    await page.unroute('**/camera/frame*');
    await page.locator(LIVE).waitFor();
  });
});

test('the live view does not accumulate listeners', async () => {
  await app.visit('/cameraSettings', async ({ page }) => {
    await page.locator(LIVE).waitFor();
    const [worker] = page.workers();
    const active = await worker?.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const { prototype } = EventTarget;
          const { addEventListener, removeEventListener } = prototype;
          let added = 0;
          let removed = 0;
          prototype.removeEventListener = function (...listener) {
            removed += 1;
            removeEventListener.apply(this, listener);
          };
          prototype.addEventListener = function (...listener) {
            added += 1;
            if (added > 20) resolve(added - removed);
            addEventListener.apply(this, listener);
          };
        }),
    );
    assert.ok(active !== undefined && active <= 1, `${active} of 21 listeners`);
  });
});

test('the Drive page shows the live view only while its camera section is open', async () => {
  await app.visit('/', async ({ page }) => {
    await page.locator(`.area-camera ${LIVE}`).waitFor();
    await page.click('.area-camera > summary');
    await untilNoViewers();
    await page.click('.area-camera > summary');
    await page.locator(`.area-camera ${LIVE}`).waitFor();
  });
  await untilNoViewers();
});

test('the page takes and deletes a photo, and a short press on Delete deletes nothing', async () => {
  await app.visit('/cameraSettings', async ({ page }) => {
    await page.locator('[data-no-photos]').waitFor();
    await page.click('[data-take] button');
    const photo = page.locator('[data-photos] [data-photo]');
    await photo.waitFor();
    await page.locator('[data-take-answer]:text-is("Photo taken.")').waitFor();
    await photo.locator('img').evaluate((image: HTMLImageElement) => image.decode());
    const kept = await Promise.all([page.waitForEvent('download'), photo.locator('[data-download]').click()]);
    assert.match(kept[0].suggestedFilename(), /^\d{8}-\d{6}-\d{3}\.jpg$/);
    const button = photo.locator('[data-delete] button');
    await button.click();
    await page
      .locator('[data-take-answer]')
      .filter({ hasText: /^Press and hold Delete/ })
      .waitFor();
    assert.equal(await photo.count(), 1);
    await button.hover();
    await page.mouse.down();
    await photo.waitFor({ state: 'detached' });
    await page.mouse.up();
    await page.locator('[data-no-photos]').waitFor();
  });
  assert.deepEqual((await app.gateway.call('GET', '/camera/photos')).body, { photos: [] });
});

test('a photo appears immediately on the page on which it was taken, and on other pages without a reload', async () => {
  await app.visit('/cameraSettings', async ({ page }) => {
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.locator(LIVE).waitFor();
    await other.locator('[data-no-photos]').waitFor();
    await page.setViewportSize({ width: 360, height: 640 });
    await page.click('[data-take] button');
    const photo = page.locator('[data-photos] [data-photo]');
    await photo.waitFor();
    const box = await photo.boundingBox();
    const stops = await page.locator('.stops').boundingBox();
    assert.ok(box && stops && box.y >= 0 && box.y + box.height <= stops.y, JSON.stringify({ box, stops }));
    await setVisibility(other, 'visible');
    await other.locator('[data-photos] [data-photo] img').waitFor();
    assert.equal(await other.locator('[data-photos] [data-photo]').count(), 1);
    const { photos } = (await app.gateway.call<{ photos: { name: string }[] }>('GET', '/camera/photos')).body;
    await app.gateway.call('DELETE', `/camera/photos/${photos[0]?.name}`);
  });
});

test('the page takes and deletes photos and saves settings when JavaScript is off', async () => {
  await app.visit(
    '/cameraSettings',
    async ({ page }) => {
      await page.click('[data-take] button');
      await page.locator('main h2:text-is("Photo taken")').waitFor();
      await page.click('[data-photos] [data-delete] button');
      await page.locator('[data-no-photos]').waitFor();
      await page.fill('[name="/camera/quality"]', '60');
      await page.click('[data-save]');
      await page.locator('main h2:text-is("Saved")').waitFor();
    },
    { javaScriptEnabled: false },
  );
  const { body } = await app.gateway.call<{ camera: { quality: number } }>('GET', '/variables.json');
  assert.equal(body.camera.quality, 60);
});

test('a reload does not send saved settings again when JavaScript is off', async () => {
  await app.visit(
    '/cameraSettings',
    async ({ page }) => {
      await page.fill('[name="/camera/quality"]', '62');
      await page.click('[data-save]');
      await page.locator('main h2:text-is("Saved")').waitFor();
      const methods: string[] = [];
      page.on('request', (request) => {
        if (request.isNavigationRequest()) methods.push(request.method());
      });
      await page.reload();
      await page.locator('main h2:text-is("Saved")').waitFor();
      assert.deepEqual(methods, ['GET']);
    },
    { javaScriptEnabled: false },
  );
});

test('a reload does not report that settings were saved if the settings have since changed again', async () => {
  await app.visit(
    '/cameraSettings',
    async ({ page }) => {
      await page.fill('[name="/camera/quality"]', '63');
      await page.click('[data-save]');
      await page.locator('main h2:text-is("Saved")').waitFor();
      await app.gateway.call('POST', '/updateJson', { camera: { quality: 64 } });
      await page.reload();
      assert.equal(await page.locator('main h2:text-is("Saved")').count(), 0);
    },
    { javaScriptEnabled: false },
  );
});

test('a rejected setting opens the Advanced section and keeps the other values when JavaScript is off', async () => {
  await app.visit(
    '/cameraSettings',
    async ({ page, pageErrors }) => {
      assert.equal(await page.locator('[data-advanced][open]').count(), 0);
      await page.fill('[name="/camera/quality"]', '65');
      await page.click('[data-advanced] > summary');
      await page.fill('[name="/camera/photoWidth"]', '641');
      await page.click('[data-save]');
      await page.locator('[data-advanced][open] .bad [name="/camera/photoWidth"]').waitFor();
      assert.equal(await page.inputValue('[name="/camera/photoWidth"]'), '641');
      assert.equal(await page.inputValue('[name="/camera/quality"]'), '65');
      pageErrors.splice(0);
    },
    { javaScriptEnabled: false },
  );
});

test('a rejected setting opens the Advanced section', async () => {
  await app.visit('/cameraSettings', async ({ page, pageErrors }) => {
    await page.click('[data-advanced] > summary');
    await page.fill('[name="/camera/roi/x"]', '2');
    await page.click('[data-advanced] > summary');
    await page.locator('[data-advanced]:not([open])').waitFor();
    await page.click('[data-save]');
    await page.locator('[data-advanced][open] .bad [name="/camera/roi/x"]').waitFor();
    await page.click('[data-discard]');
    pageErrors.splice(0);
  });
});

test('the page shows at most eight settings initially, and groups the other settings in the Advanced section', async () => {
  await app.visit('/cameraSettings', async ({ page }) => {
    const rows = page.locator('[data-settings] [data-row]');
    const shown = rows.and(page.locator(':visible'));
    const count = await shown.count();
    assert.ok(count > 0 && count <= 8, `${count} settings`);
    await page.click('[data-advanced] > summary');
    assert.equal(await shown.count(), await rows.count());
    assert.equal(
      await page.locator('[data-advanced] > [data-row]').count(),
      0,
      'every setting is in a group',
    );
  });
});

test('saving camera settings changes the live image', async () => {
  await app.visit('/cameraSettings', async ({ page }) => {
    await page.locator(LIVE).waitFor();
    await page.fill('[name="/camera/width"]', '480');
    await page.click('[data-save]');
    await page
      .locator('[data-save-words]')
      .filter({ hasText: /^Saved/ })
      .waitFor();
    await untilSize(page, 480, 240);
  });
});

test('a change made while a save is in progress remains marked as unsaved', async () => {
  await app.visit('/cameraSettings', async ({ page }) => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/updateJson', async (route) => {
      await held;
      await route.continue();
    });
    const changed = (name: string) => page.locator(`[data-row][data-changed]:has([name="/camera/${name}"])`);
    await page.fill('[name="/camera/quality"]', '61');
    await page.fill('[name="/camera/width"]', '400');
    const sent = page.waitForRequest('**/updateJson');
    await page.click('[data-save]');
    await sent;
    await page.fill('[name="/camera/width"]', '416');
    await page.fill('[name="/camera/height"]', '256');
    release();
    await page
      .locator('[data-save-words]')
      .filter({ hasText: /^Saved\. 2 settings have changed\. 2 unsaved changes$/ })
      .waitFor();
    await Promise.all(['width', 'height'].map((name) => changed(name).waitFor()));
    await changed('quality').waitFor({ state: 'detached' });
    assert.equal(await page.isEnabled('[data-save]'), true);
    await page.click('[data-discard]');
    const shown = ['width', 'height'].map((name) => page.inputValue(`[name="/camera/${name}"]`));
    assert.deepEqual(await Promise.all(shown), ['400', '240']);
  });
});

test('the page shows the cause and a hint when the camera is missing, and recovers automatically', async () => {
  await app.gateway.call('POST', '/updateJson', { camera: { mode: 'pi' } });
  await app.visit('/cameraSettings', async ({ page, pageErrors }) => {
    const words = page.locator('[data-camera-words]');
    await words.filter({ hasText: /not installed\. Install the camera programs/ }).waitFor();
    await page.locator('[data-camera-fault]').waitFor();
    await page
      .locator('[data-camera-lines]')
      .filter({ hasText: /not found/ })
      .waitFor();
    await page.locator('[data-light="camera"][data-tone="warn"]').waitFor();
    const retried = page.waitForResponse((response) => response.url().endsWith('/camera/retry'));
    await page.click('[data-retry] button');
    assert.equal((await retried).status(), 200);
    await app.gateway.call('POST', '/updateJson', { camera: { mode: 'simulated' } });
    await page.locator(LIVE).waitFor();
    await page.locator('[data-camera-fault]').waitFor({ state: 'hidden' });
    // The browser logs each 503 response to its console.
    pageErrors.splice(0);
  });
});

test('every control is at least 44 px high at every page width', async () => {
  await app.gateway.call('POST', '/camera/photo');
  for (const width of [360, 768, 1440]) {
    await app.visit(
      '/cameraSettings',
      async ({ page }) => {
        await page.locator(LIVE).waitFor();
        const controls = page.locator('main').locator('button:visible, .photo-do a:visible, select:visible');
        for (const box of await Promise.all((await controls.all()).map((control) => control.boundingBox()))) {
          assert.ok(box && box.height >= 44, `${box?.height} px at ${width} px`);
        }
      },
      { viewport: { width, height: 800 } },
    );
  }
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: the Camera page in Chromium (Chromium is not installed)\n');
