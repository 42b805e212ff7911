import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { png } from '../../unit/plan/images.js';

/** Tests what happens to input that arrives before a page's script has started, as on a slow tablet. */
const test = suite('input before the page script starts');
const app = new BrowserSuite(test);

/** Opens a page, calls `act` while the page's scripts are still loading, and resolves when they have started. */
async function openSlowly(page: Page, path: string, act: () => Promise<unknown>): Promise<void> {
  const scripts = /\/assets\/.*\.js/;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(scripts, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(app.gateway.url + path, { waitUntil: 'commit' });
  await act();
  // Navigating to another page aborts the requests of this one, so the load event may belong to the next page.
  const started = page.waitForEvent('load');
  release();
  await started;
  await page.unroute(scripts);
}

interface Case {
  title: string;
  path: string;
  act: (page: Page) => Promise<unknown>;
  check: (page: Page) => Promise<void>;
}

const CASES: readonly Case[] = [
  {
    title: 'the History page applies a filter entered before the script starts',
    path: '/history?outcome=finished',
    act: (page) => page.selectOption('#history-cart', '2'),
    check: async (page) => {
      await page.waitForURL(/[?&]cartID=2/);
      await page.locator('#history-cart [value="2"][selected]').waitFor({ state: 'attached' });
    },
  },
  {
    title: 'the History page applies a date entered before the script starts',
    path: '/history?outcome=finished',
    act: (page) => page.fill('#history-from', '2026-01-31'),
    check: (page) => page.waitForURL(/[?&]from=2026-01-31/),
  },
  {
    title: 'the Statistics page applies a filter entered before the script starts',
    path: '/history/statistics',
    act: (page) => page.selectOption('#statistics-cart', '2'),
    check: (page) => page.waitForURL(/[?&]cartID=2/),
  },
  {
    title: 'the Drive page selects a cart chosen before the script starts',
    path: '/',
    act: (page) => page.selectOption('#cartID', '2'),
    check: async (page) => {
      assert.equal(await page.inputValue('#selected-cart'), '2');
      assert.equal(await page.inputValue('#cartID'), '2');
      assert.match((await page.getAttribute('[data-stop-selected]', 'action')) ?? '', /\/carts\/2\/stop$/);
      assert.match(page.url(), /[?&]cart=2/);
    },
  },
  {
    title: 'a page with a cart in its URL selects another cart chosen before the script starts',
    path: '/fleet?cart=1',
    act: (page) => page.selectOption('#selected-cart', '2'),
    check: async (page) => {
      assert.equal(await page.inputValue('#selected-cart'), '2');
      assert.match((await page.getAttribute('[data-stop-selected]', 'action')) ?? '', /\/carts\/2\/stop$/);
      assert.match(page.url(), /[?&]cart=2/);
    },
  },
  {
    title: 'the Settings page counts a number, a switch and a choice changed before the script starts',
    path: '/brokerSettings?view=advanced&section=mqtt#mqtt',
    act: async (page) => {
      await page.fill('[name="/mqtt/port"]', '1999');
      await page.selectOption('[name="/mqtt/broker"]', 'external');
      await page.locator('[data-section="mqtt"] [role="switch"]').first().click();
    },
    check: async (page) => {
      assert.equal(await page.innerText('[data-save-words]'), '3 unsaved changes');
      assert.equal(await page.isEnabled('[data-save]'), true);
      await page.click('[data-discard]');
      assert.equal(await page.isEnabled('[data-save]'), false);
      assert.notEqual(await page.inputValue('[name="/mqtt/port"]'), '1999');
    },
  },
  {
    title: 'the Camera page saves a change made before the script starts',
    path: '/cameraSettings',
    act: (page) => page.fill('[name="/camera/framerate"]', '7'),
    check: async (page) => {
      const [answer] = await Promise.all([page.waitForResponse(/updateJson/), page.click('[data-save]')]);
      assert.equal(answer.status(), 200);
      const { body } = await app.gateway.call<{ camera: { framerate: number } }>('GET', '/variables.json');
      assert.equal(body.camera.framerate, 7);
    },
  },
  {
    title: 'the Map page filters the beacons by text entered before the script starts',
    path: '/map',
    act: (page) => page.fill('#find', 'lamp'),
    check: (page) => page.locator('.beacon-table tr:has-text("door")').waitFor({ state: 'detached' }),
  },
  {
    title: 'the Map page converts metres entered before the script starts',
    path: '/map?edit=door-01',
    act: (page) => page.fill('#beacon-east', '10'),
    check: async (page) => assert.ok(Number(await page.inputValue('#beacon-long')) > 5),
  },
  {
    title: 'the Map page converts coordinates entered before the script starts',
    path: '/map?edit=door-01',
    act: async (page) => {
      await page.locator('[data-advanced]').evaluate((details: HTMLDetailsElement) => {
        details.open = true;
      });
      await page.fill('#beacon-lat', '52.0001');
    },
    check: async (page) => assert.notEqual(await page.inputValue('#beacon-north'), '0.00'),
  },
];

test.before(async () => {
  await app.untilCartReady();
  await app.gateway.untilCart(2, ({ online }) => online);
  for (const id of ['door-01', 'lamp-01']) {
    const beacon = { id, lat: 52, long: 5, description: id };
    const { status } = await app.gateway.call('POST', '/beacon', beacon);
    assert.equal(status, 200);
  }
});

for (const { title, path, act, check } of CASES) {
  test(title, () =>
    app.visit('/history', async ({ page }) => {
      await openSlowly(page, path, () => act(page));
      await check(page);
    }),
  );
}

test('the Settings page keeps the view selected before the script starts instead of the stored view', async () => {
  await app.visit('/brokerSettings', async ({ page }) => {
    await page.check('[data-view][value="advanced"]');
    await page.check('[data-view][value="basic"]');
    await openSlowly(page, '/brokerSettings', () => page.check('[data-view][value="advanced"]'));
    assert.equal(await page.isChecked('[data-view][value="advanced"]'), true);
    await page.reload();
    assert.equal(await page.isChecked('[data-view][value="advanced"]'), true);
  });
});

test('the floor plan page keeps a length that was entered before the script starts', async () => {
  const plan = await fetch(`${app.gateway.url}/map/plan`, {
    method: 'PUT',
    headers: { 'content-type': 'image/png' },
    body: new Uint8Array(png(400, 300)),
  });
  assert.equal(plan.status, 200);
  await app.visit('/history', async ({ page }) => {
    await openSlowly(page, '/map', () => page.fill('#plan-length', '12.5'));
    assert.equal(await page.inputValue('#plan-length'), '12.5');
  });
});

test('Back and Reload apply only the History page filter in the URL', async () => {
  await app.visit('/history?outcome=finished', async ({ page }) => {
    await page.selectOption('#history-cart', '2');
    await page.waitForURL(/cartID=2/, { waitUntil: 'load' });
    for (const leave of [
      () => page.goBack({ waitUntil: 'load' }),
      () => page.reload({ waitUntil: 'load' }),
    ]) {
      await leave();
      assert.equal(await page.inputValue('#history-cart'), '');
      assert.equal(await page.inputValue('#history-outcome'), 'finished');
      assert.doesNotMatch(page.url(), /cartID/);
    }
    // Simulates the browser restoring the page from its cache with the controls as the user left them.
    await page.evaluate(() => {
      const cart = document.querySelector('#history-cart') as HTMLSelectElement;
      cart.value = '2';
      cart.disabled = true;
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    assert.equal(await page.inputValue('#history-cart'), '');
    assert.equal(await page.isEnabled('#history-cart'), true);
  });
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: input before the page script starts (Chromium is not installed)\n');
