import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { coveredControls, overflowPx } from '../../helpers/page-assertions.js';
import type { PageSession } from '../../helpers/page-session.js';
import { addGamepad, untilDrawn } from '../../helpers/page-session.js';
import { untilAnswer } from '../../helpers/until.js';

/** Tests the sizes and positions on the Drive page. */
const test = suite('layout of the Drive page');

const app = new BrowserSuite(test);
test.before(async () => {
  // Extends settings trials to 10 minutes, so that only the test ends them.
  await app.gateway.kill('SIGTERM');
  await app.gateway.configure({ settings: {}, confirmSeconds: 600 });
  await app.gateway.spawn();
  await app.untilCartReady();
});

type Size = readonly [width: number, height: number];
type Tab = 'manual' | 'move';

const LANDSCAPE: readonly Size[] = [
  [720, 540],
  [800, 600],
  [900, 600],
  [1024, 768],
  [1112, 834],
  [1180, 820],
  [1280, 720],
  [1440, 900],
];
const SIZES: readonly Size[] = [
  [1440, 900],
  [1024, 768],
  [900, 600],
  [768, 1024],
  [360, 640],
];
const TABS: readonly Tab[] = ['manual', 'move'];

async function untilUnlocked(page: Page): Promise<void> {
  await page.locator('.go:not(:disabled)').waitFor({ state: 'attached' });
  await page.locator('[data-pad]:not([aria-disabled="true"])').waitFor({ state: 'attached' });
}

/** The image may be old on a busy machine, which does not change the layout. */
async function untilLive(page: Page): Promise<void> {
  await page.locator('[data-camera-picture]').waitFor();
  await untilUnlocked(page);
}

/** Resizes the window and resolves when the page has adjusted its layout. */
async function resize(page: Page, [width, height]: Size): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate(() => scrollTo(0, 0));
  await untilDrawn(page);
}

async function select(page: Page, tab: Tab): Promise<void> {
  const button = page.locator(`#tab-${tab}`);
  if (await button.isVisible()) await button.click();
}

/** Shows the controls of a tab, without a press. */
const setTask = (page: Page, tab: string): Promise<void> =>
  page.$eval(
    '[data-cockpit]',
    ({ dataset }: HTMLElement, task) => {
      dataset.task = task;
    },
    tab,
  );

/** Heights of the camera's box and of the image inside it, as shares of the window's height. */
function cameraShares(page: Page): Promise<{ box: number; image: number }> {
  return page.$eval('[data-camera-picture]', (canvas: HTMLCanvasElement) => {
    const { width, height } = canvas.getBoundingClientRect();
    const image = Math.min(height, (width * canvas.height) / canvas.width);
    return { box: height / innerHeight, image: image / innerHeight };
  });
}

for (const [width, height] of LANDSCAPE) {
  test(`the camera image takes up at least 40 % of the height of a window of ${width} by ${height} px`, () =>
    app.visit(
      '/',
      async ({ page }) => {
        await untilLive(page);
        for (const tab of TABS) {
          await select(page, tab);
          const { box, image } = await cameraShares(page);
          assert.ok(box >= 0.4, `${tab}: box ${box}`);
          // At the narrowest width, rounding may reduce the image's height by a pixel.
          assert.ok(image >= (width === 720 ? 0.39 : 0.4), `${tab}: image ${image}`);
        }
      },
      { viewport: { width, height } },
    ));
}

test('the camera section takes up at least 40 % of the height of a window of 360 by 640 px', () =>
  app.visit(
    '/',
    async ({ page }) => {
      await untilLive(page);
      const { box } = await cameraShares(page);
      assert.ok(box >= 0.4, String(box));
    },
    { viewport: { width: 360, height: 640 } },
  ));

/** Describes the pad, Send and stop buttons that are not fully visible, and all controls below 44 px. */
function controlFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const name = ({ outerHTML }: Element) => outerHTML.slice(0, 80);
    const hidden = ['[data-pad]', '.go', '.stops .stop', '.stops .estop'].flatMap((selector) => {
      const element = document.querySelector(selector) as Element;
      const panel = element.parentElement?.closest('[role=tabpanel], .stops') as Element;
      if (!isShown(element) || getComputedStyle(panel).visibility !== 'visible') return [];
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      const middle = document.elementFromPoint((left + right) / 2, bottom - 6);
      return isInside && element.contains(middle) ? [] : [`not fully visible: ${selector}`];
    });
    const controls =
      '.cockpit :is(button, input:not([type=hidden], [type=radio]), select, .speeds label), .stops button';
    const small = [...document.querySelectorAll(controls)].filter((element) => {
      if (!isShown(element)) return false;
      if (element.closest('.cockpit-controls > *') && getComputedStyle(element).visibility === 'hidden')
        return false;
      const { width, height } = element.getBoundingClientRect();
      return width > 1 && (width < 43.5 || height < 43.5);
    });
    return [...hidden, ...small.map((element) => `too small: ${name(element)}`)];
  });
}

for (const size of SIZES) {
  for (const tab of TABS) {
    test(`the ${tab} controls fit in a window of ${size.join(' by ')} px, are large enough and pass the axe checks`, () =>
      app.visit(
        '/',
        async ({ page }) => {
          await untilLive(page);
          await select(page, tab);
          assert.equal(await overflowPx(page), 0);
          assert.deepEqual(await controlFaults(page), []);
          assert.deepEqual(await violationsOf(page), []);
        },
        { viewport: { width: size[0], height: size[1] } },
      ));
  }
}

/** Positions of the pad, Send and the stop buttons in every size of the window and in both tabs. */
async function placesOf(page: Page): Promise<Record<string, string>> {
  const places: Record<string, string> = {};
  for (const size of SIZES) {
    for (const tab of TABS) {
      await setTask(page, tab);
      await resize(page, size);
      const controls = [tab === 'manual' ? '[data-pad]' : '.go', '.stops .stop', '.stops .estop'];
      const found = await page.evaluate(
        (selectors) =>
          selectors.map((selector) => {
            const element = document.querySelector(selector) as Element;
            const { left, top, width, height } = element.getBoundingClientRect();
            return [left, top, width, height].map((px) => Math.round(px)).join();
          }),
        controls,
      );
      for (const [at, control] of controls.entries())
        places[`${size.join('x')} ${tab} ${control}`] = found[at] ?? '';
    }
  }
  return places;
}

interface Message {
  name: string;
  show: (session: PageSession) => Promise<unknown>;
  /** Visible while the message is displayed. */
  shown: string;
  clear: (session: PageSession) => Promise<unknown>;
}

const MESSAGES: readonly Message[] = [
  {
    name: 'a trial of settings',
    show: async () => {
      await app.gateway.untilCart(1, ({ moving }) => !moving);
      const change = { limits: { maxSpeedMmps: 400 } };
      const { status, body } = await app.gateway.call('POST', '/updateJson?trial=1', change);
      assert.equal(status, 200, JSON.stringify(body));
    },
    shown: '[data-trial]:not([hidden])',
    clear: ({ page }) => page.click('[data-trial] button.secondary'),
  },
  {
    name: 'the loss of the connection',
    show: async () => process.kill(app.gateway.pid, 'SIGSTOP'),
    shown: '[data-live="lost"]:not([hidden])',
    clear: async () => process.kill(app.gateway.pid, 'SIGCONT'),
  },
  {
    name: 'a silent motor controller',
    show: () => app.gateway.call('POST', '/simulator', { action: 'mute', on: true }),
    shown: '[data-band-main] [data-tone="warn"], [data-live="lock"]:not([hidden])',
    clear: () => app.gateway.call('POST', '/simulator', { action: 'mute', on: false }),
  },
  {
    name: 'a failed stop',
    show: async ({ page }) => {
      await page.route('**/carts/1/stop', (route) =>
        route.fulfill({ status: 403, json: { message: 'not permitted' } }),
      );
      await page.click('.stops .stop');
    },
    shown: '[data-live="stop-failed"]:not([hidden])',
    clear: async ({ page }) => {
      await page.unroute('**/carts/1/stop');
      await page.click('.stops .stop');
      await page.locator('[data-live="stop-answer"][data-tone="quiet"]').waitFor();
    },
  },
  {
    name: 'a rejected command',
    show: async ({ page }) => {
      const body = {
        message: 'the cart is busy',
        hint: 'Stop the cart, or wait until it has finished.',
        faults: [],
      };
      await page.route('**/', (route) =>
        route.request().method() === 'POST' ? route.fulfill({ status: 409, json: body }) : route.fallback(),
      );
      await page.fill('#angleID', '10');
      await page.click('.go:not([data-settling])');
    },
    shown: '[data-progress][data-tone="stop"]',
    clear: ({ page }) => page.unroute('**/'),
  },
  {
    name: 'an invalid distance',
    show: ({ page }) => page.fill('#distanceID', '99999'),
    shown: '#distanceID-error',
    clear: ({ page }) => page.fill('#distanceID', '10'),
  },
  {
    name: 'the selection of another cart',
    show: ({ page }) => page.selectOption('.cart-choice select', '2'),
    shown: '[data-hand-lock]',
    clear: ({ page }) => page.selectOption('.cart-choice select', '1'),
  },
  {
    name: 'a connected gamepad',
    show: async ({ page }) =>
      (await addGamepad(page)).evaluate((gamepad) => gamepad.dispatch('gamepadconnected')),
    shown: '[data-gamepad]:not([hidden])',
    clear: ({ page }) =>
      page.evaluate(() => {
        const [pad] = navigator.getGamepads();
        navigator.getGamepads = () => [];
        dispatchEvent(Object.assign(new Event('gamepaddisconnected'), { gamepad: pad }));
      }),
  },
];

for (const { name, show, shown, clear } of MESSAGES) {
  test(`no drive or stop control moves when the message about ${name} appears or disappears`, () =>
    app.visit('/', async (session) => {
      const { page, pageErrors } = session;
      await resize(page, [1440, 900]);
      await untilUnlocked(page);
      const before = await placesOf(page);
      await resize(page, [1440, 900]);
      await show(session);
      await page.locator(shown).first().waitFor();
      assert.deepEqual(await placesOf(page), before, 'appears');
      await resize(page, [1440, 900]);
      await clear(session);
      await untilUnlocked(page);
      assert.deepEqual(await placesOf(page), before, 'disappears');
      pageErrors.splice(0);
    }));
}

/** Messages over the Drive page, whose controls stay free. */
const COVERING: readonly Message[] = [
  ...MESSAGES.filter(({ name }) => /^(a trial|the loss|a failed stop)/.test(name)),
  {
    name: 'a stop that six carts do not confirm',
    show: async ({ page }) => {
      const carts = [2, 3, 4, 5, 6, 7].map((cartID) => ({
        cartID,
        name: `Cart ${cartID}`,
        confirmed: false,
      }));
      await page.route('**/carts/1/stop', (route) =>
        route.fulfill({ status: 207, json: { success: false, stopped: [], carts } }),
      );
      await page.click('.stops .stop');
    },
    shown: '[data-live="stop-failed"]:not([hidden])',
    clear: ({ page }) => page.unroute('**/carts/1/stop'),
  },
  {
    name: 'the Stop button of another cart that moves',
    show: ({ page }) =>
      untilAnswer(
        async () => {
          await app.gateway.untilCart(1, ({ safety, moving }) => safety.mayMove && !moving);
          await app.gateway.move(1, 8000, { maxSpeed: 20 });
          await page.selectOption('.cart-choice select', '2');
          return (await app.gateway.cart(1)).moving;
        },
        // Tries again if the cart has stopped, as it may on a busy machine.
        (isMoving) => isMoving,
      ),
    shown: '[data-moving-cart="1"]',
    clear: () => app.gateway.call('POST', '/carts/1/stop', {}),
  },
  {
    name: 'a trial of settings and the loss of the connection',
    show: async ({ page }) => {
      await app.gateway.untilCart(1, ({ moving }) => !moving);
      await app.gateway.call('POST', '/updateJson?trial=1', { limits: { maxSpeedMmps: 400 } });
      await page.locator('[data-trial]:not([hidden])').waitFor();
      process.kill(app.gateway.pid, 'SIGSTOP');
    },
    shown: '[data-live="lost"]:not([hidden])',
    clear: async ({ page }) => {
      process.kill(app.gateway.pid, 'SIGCONT');
      await page.locator('[data-trial] button.secondary').click();
      await page.locator('[data-trial]').waitFor({ state: 'hidden' });
    },
  },
  ...(
    [
      ['the end of the session', '[data-live="logged-out"]:not([hidden])', {}],
      [
        'the end of a session that still permits stops',
        '[data-live="session-expired"]:not([hidden])',
        { 'x-stop-token-expires-in': '600' },
      ],
    ] as const
  ).map(([name, shown, headers]) => ({
    name,
    shown,
    show: async ({ page }: PageSession) => {
      await page.route(/\/(events\?.*|carts)$/, (route) => route.fulfill({ status: 401, headers, json: {} }));
      await page.evaluate(() => dispatchEvent(new Event('online')));
    },
    clear: async ({ page }: PageSession) => {
      await page.unroute(/\/(events\?.*|carts)$/);
      await page.evaluate(() => dispatchEvent(new Event('online')));
    },
  })),
  {
    name: 'Stop all on every cart',
    // On a phone, each additional stopped cart opens the full-screen view again.
    show: async ({ page }) => {
      await app.gateway.call('POST', '/estop', {});
      await page.locator('[data-band-others] .band').nth(1).waitFor({ state: 'attached' });
    },
    shown: '[data-band-others] .band',
    clear: () => app.gateway.resetCarts(1, 2, 3),
  },
  {
    name: 'Stop all on every cart and the loss of the connection',
    show: async ({ page }) => {
      await app.gateway.call('POST', '/estop', {});
      await page.locator('[data-band-others] .band').nth(1).waitFor({ state: 'attached' });
      process.kill(app.gateway.pid, 'SIGSTOP');
    },
    shown: '[data-live="lost"]:not([hidden])',
    clear: async () => {
      process.kill(app.gateway.pid, 'SIGCONT');
      await app.gateway.resetCarts(1, 2, 3);
    },
  },
  {
    name: 'a frozen image',
    show: () => app.gateway.call('POST', '/simulator', { action: 'cameraFrozen', on: true }),
    shown: '[data-camera-words]:not([hidden])',
    clear: () => app.gateway.call('POST', '/simulator', { action: 'cameraFrozen', on: false }),
  },
];

for (const { name, show, shown, clear } of COVERING) {
  test(`no control is covered while ${name} is displayed in Dutch`, () =>
    app.visit(
      '/',
      async (session) => {
        const { page, pageErrors } = session;
        await resize(page, [1440, 900]);
        await untilLive(page);
        try {
          await show(session);
          await page.locator(shown).first().waitFor({ state: 'attached' });
          // On a phone, the full-screen view covers the page until the operator closes it.
          await page.$eval('[data-estop-close]', (button: HTMLElement) => button.click());
          for (const size of SIZES) {
            await resize(page, size);
            assert.deepEqual(await coveredControls(page), [], size.join(' by '));
          }
        } finally {
          await resize(page, [1440, 900]);
          await clear(session);
        }
        pageErrors.splice(0);
      },
      { locale: 'nl-NL' },
    ));
}

test('no control in the full-screen view is covered while the connection is lost', () =>
  app.visit('/', async ({ page, pageErrors }) => {
    await untilLive(page);
    await page.click('[data-full-screen]');
    await page.locator('[data-full-screen][aria-pressed="true"]').waitFor();
    process.kill(app.gateway.pid, 'SIGSTOP');
    try {
      await page.locator('[data-live="lost"]:not([hidden])').waitFor();
      await untilDrawn(page);
      assert.deepEqual(await coveredControls(page), []);
    } finally {
      process.kill(app.gateway.pid, 'SIGCONT');
    }
    pageErrors.splice(0);
  }));

test('no drive or stop control moves when a control request appears or is accepted', () =>
  app.visit('/', async ({ page }) => {
    await untilLive(page);
    const before = await placesOf(page);
    await resize(page, [1440, 900]);
    await page.click('[data-hand-take]');
    await page.locator('[data-hand-who]:text-is("You have control")').waitFor();
    await app.visit('/', async ({ page: other }) => {
      const request = async (): Promise<void> => {
        await other.click('[data-hand-take]:has-text("Request control")');
        await page.locator('[data-hand-ask]').waitFor();
      };
      await request();
      await setTask(page, 'manual');
      for (const size of SIZES) {
        await resize(page, size);
        const placesOfBoth = () =>
          Promise.all([
            page.locator('[data-pad]').boundingBox(),
            page.locator('[data-hand-over]').boundingBox(),
          ]);
        let [pad, button] = await placesOfBoth();
        // On a busy machine, the request may expire after 5 s and give control to the other operator.
        while ((await page.locator('[data-hand-ask]').getAttribute('hidden')) !== null) {
          await resize(page, [1440, 900]);
          await page.click('[data-hand-take]:has-text("Request control")');
          await page.locator('[data-hand-who]:text-is("You have control")').waitFor();
          await request();
          await resize(page, size);
          [pad, button] = await placesOfBoth();
        }
        assert.ok(pad && button, 'both are displayed');
        const place = [pad.x, pad.y, pad.width, pad.height].map((px) => Math.round(px)).join();
        assert.equal(place, before[`${size.join('x')} manual [data-pad]`], 'requested');
        const isApart = button.x + button.width <= pad.x || button.y + button.height <= pad.y;
        assert.ok(isApart, `Hand over control covers the pad at ${size.join(' by ')} px`);
      }
      await page.click('[data-hand-over]');
      await page
        .locator('[data-hand-why]')
        .filter({ hasText: 'Control handed over to' })
        .waitFor({ state: 'attached' });
      assert.deepEqual(await placesOf(page), before, 'handed over');
    });
  }));

if (hasBrowser) test.run();
