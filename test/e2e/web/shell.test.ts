import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { keyboardFaults, stopFaults } from '../../helpers/page-assertions.js';
import { pressEstop, untilBeats } from '../../helpers/page-session.js';
import { repeatOnce } from '../../helpers/repeat-once.js';
import { untilAnswer } from '../../helpers/until.js';

/**
 * Tests the parts that all pages share: status line, menu, command palette and full-screen view of the latched stops.
 */
const test = suite('the page shell in Chromium');

const app = new BrowserSuite(test);
test.before(() => app.untilCartReady());

const SENTENCE = '[data-band-main] .sentence';
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).boundingBox();
  assert.ok(box, selector);
  return box;
}

async function hold(page: Page, selector: string): Promise<void> {
  const box = await boxOf(page, selector);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
}

for (const [width, height] of [
  [360, 740],
  [768, 1024],
  [1440, 900],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`Stop and Stop all are fully visible and at least 64 px high at ${width} px in ${colorScheme} mode`, () =>
      app.visit(
        '/system',
        async ({ page }) => {
          assert.deepEqual(await stopFaults(page), []);
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
        },
        { viewport: { width, height }, colorScheme },
      ));
  }
}

test('the header, the simulation ribbon and the status line are at most 165 px high in total on a phone', () =>
  app.visit(
    '/',
    async ({ page }) => {
      const { y } = await boxOf(page, 'main');
      assert.ok(y <= 165, String(y));
    },
    PHONE,
  ));

test('the menu opens and closes without JavaScript and leaves the stop buttons visible', () =>
  app.visit(
    '/',
    async ({ page }) => {
      const fleet = page.locator('.nav a:has-text("Fleet")');
      assert.equal(await fleet.isVisible(), false);
      await page.click('.menu-button');
      await fleet.waitFor();
      const [menu, stops] = [await boxOf(page, '.nav'), await boxOf(page, '.stops')];
      assert.ok(menu.y + menu.height <= stops.y);
      await fleet.click();
      await page.waitForURL('**/fleet');
    },
    { ...PHONE, javaScriptEnabled: false },
  ));

test('Ctrl+K finds a page by part of its name, and Enter opens the page', () =>
  app.visit('/', async ({ page }) => {
    await page.locator('.go:not(:disabled)').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ma');
    await page.locator('[data-palette] [role="option"][aria-selected="true"]:text-is("Map")').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/map*');
  }));

test('"?" lists the keyboard shortcuts, and Esc closes the list', () =>
  app.visit('/system', async ({ page }) => {
    await page.locator('[data-status] [data-f="age"]').waitFor();
    await page.keyboard.press('?');
    await page.locator('#keys:popover-open').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#keys:not(:popover-open)').waitFor({ state: 'attached' });
  }));

test('an Esc that closes the shortcuts list does not count towards Stop all', () =>
  app.visit('/system', async ({ page }) => {
    await page.locator('[data-status] [data-f="age"]').waitFor();
    await page.keyboard.press('?');
    await page.locator('#keys:popover-open').waitFor();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.locator('#keys:popover-open').waitFor();
    assert.ok(!requests.includes('/estop'), requests.join());
  }));

test('a press on the drive pad behind the open menu closes the menu and does not take control', () =>
  app.visit(
    '/',
    async ({ page }) => {
      await page.locator('[data-pad]:not([aria-disabled="true"])').waitFor();
      await page.click('.menu-button');
      const menu = await boxOf(page, '.nav');
      const pad = await boxOf(page, '[data-pad]');
      const x = (Math.max(pad.x, menu.x + menu.width) + pad.x + pad.width) / 2;
      await page.mouse.click(x, pad.y + pad.height / 2);
      await page.locator('.nav:not(:popover-open)').waitFor({ state: 'attached' });
      assert.equal(await page.locator('[data-hand-who]').textContent(), 'No one has control');
      // With the menu closed, pressing the pad takes control of the cart.
      await page.mouse.click(x, pad.y + pad.height / 2);
      await page
        .locator('[data-hand-who]')
        .filter({ hasNotText: 'No one has control' })
        .waitFor({ state: 'attached' });
    },
    PHONE,
  ));

test('the safety band turns red when Stop all is pressed and shows that the stop is not confirmed yet', () =>
  app.visit('/system', async ({ page, pageErrors }) => {
    await page.locator('[data-status] [data-f="age"]').waitFor();
    const band = page.locator('[data-band-main] [data-tone="stop"]');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/estop', async (route) => {
      await held;
      await route.fulfill({ status: 403, json: { message: 'not permitted', hint: '' } });
    });
    await page.click('.stops .estop');
    await band.filter({ hasText: 'Stop all pressed, waiting for confirmation' }).waitFor();
    // A rejected Stop all must not look like a latched stop.
    release();
    await page.locator('[data-live="stop-failed"]:has-text("Not permitted")').waitFor();
    await band.waitFor({ state: 'detached' });
    pageErrors.splice(0);
  }));

const UNCONFIRMED = {
  success: false,
  stopped: [1],
  carts: [
    { cartID: 1, name: 'Cart 1', confirmed: true },
    { cartID: 4, name: 'Cart 4', confirmed: false },
  ],
};

for (const [failure, path, fulfil, sentence] of [
  [
    'a rejected Stop all',
    'estop',
    { status: 403, json: { message: 'not permitted', hint: '' } },
    /^Stop all NOT sent: use the button on the cart/,
  ],
  [
    'a rejected Stop',
    'carts/*/stop',
    { status: 503, json: { message: 'no', hint: '' } },
    /^Stop NOT sent: use the button on the cart/,
  ],
  ['an unanswered Stop all', 'estop', undefined, /^Stop all NOT confirmed: use the button on the cart/],
  [
    'a Stop all that cart 4 does not confirm',
    'estop',
    { status: 207, json: UNCONFIRMED },
    /^Stop all NOT confirmed by Cart 4: use the button on the cart/,
  ],
] as const) {
  for (const width of [1440, 360]) {
    test(`${failure} is shown first and in the largest font, and does not look like a stopped cart, at ${width} px`, () =>
      app.visit(
        '/system',
        async ({ page, pageErrors }) => {
          await page.locator(`${SENTENCE}:text-is("Ready")`).waitFor();
          await page.route(`**/${path}`, (route) => (fulfil ? route.fulfill(fulfil) : route.abort()));
          const before = await page.$eval('main', (main) => main.getBoundingClientRect().top);
          await page.click(path === 'estop' ? '.stops .estop' : '.stops .stop');
          await page.locator('[data-live="stop-failed"]').filter({ hasText: sentence }).waitFor();
          const look = await page.$eval('[data-live="stop-failed"]', (box) => {
            const { left, top, width } = box.getBoundingClientRect();
            const sizes = [...document.querySelectorAll('.bands p, .bands span, main *')]
              .filter((element) => element !== box && element.checkVisibility())
              .map((element) => Number.parseFloat(getComputedStyle(element).fontSize));
            const bands = document.querySelector('.band-top') as Element;
            return {
              onTop: box.contains(document.elementFromPoint(left + width / 2, top + 20)),
              above: top <= bands.getBoundingClientRect().top,
              largest: Number.parseFloat(getComputedStyle(box).fontSize) >= Math.max(...sizes),
              red: getComputedStyle(box).backgroundColor === 'rgb(163, 19, 28)',
            };
          });
          assert.deepEqual(look, { onTop: true, above: true, largest: true, red: false });
          await page.locator(`${SENTENCE}:text-is("Ready")`).waitFor({ state: 'attached' });
          const after = await page.$eval('main', (main) => main.getBoundingClientRect().top);
          assert.equal(after, before, 'the content does not move');
          assert.deepEqual(await stopFaults(page), []);
          pageErrors.splice(0);
        },
        { viewport: { width, height: 740 } },
      ));
  }
}

test('a successful stop removes the message about a failed stop', () =>
  app.visit('/system', async ({ page, pageErrors }) => {
    await page.route('**/carts/*/stop', (route) =>
      route.fulfill({ status: 503, json: { message: 'no', hint: '' } }),
    );
    await page.click('.stops .stop');
    const failed = page.locator('[data-live="stop-failed"]');
    await failed.filter({ hasText: 'Stop NOT sent' }).waitFor();
    await page.unroute('**/carts/*/stop');
    await page.click('.stops .stop');
    await failed.waitFor({ state: 'hidden' });
    pageErrors.splice(0);
  }));

const failed = (page: Page, text: RegExp): Promise<void> =>
  page.locator('[data-live="stop-failed"]').filter({ hasText: text }).waitFor();

/** Sends a stop to which the gateway does not respond, and waits until the page has stopped retrying. */
async function pressUnanswered(page: Page, selector: string): Promise<void> {
  await page.locator(`${SENTENCE}:text-matches("^(Ready|Moving)")`).waitFor();
  await page.route(/\/(estop|stop)$/, (route) => route.abort());
  await page.click(selector);
  await failed(page, /NOT confirmed: use the button on the cart\. The gateway does not respond\.$/);
}

/** Makes the page open a new connection, which starts with the current state. */
async function reconnect(page: Page): Promise<void> {
  const opened = page.waitForRequest('**/events?*');
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await opened;
}

test('an unconfirmed Stop is no longer reported after a new connection shows that the cart is at rest', () =>
  app.visit('/system', async ({ page, pageErrors }) => {
    await pressUnanswered(page, '.stops .stop');
    await reconnect(page);
    await page.locator('[data-live="stop-failed"]').waitFor({ state: 'hidden' });
    pageErrors.splice(0);
  }));

test('an unconfirmed Stop is reported as old while the cart moves, until the cart is at rest', () =>
  app.visit('/system', async ({ page, pageErrors }) => {
    const old = page.locator('[data-live="stop-failed"]').filter({
      hasText: /^Stop NOT confirmed at [\d:]+\. The gateway responds again: press Stop again\.$/,
    });
    const attempt = async (): Promise<string | undefined> => {
      const { body } = await app.gateway.move(1, 8000, { maxSpeed: 20 });
      await pressUnanswered(page, '.stops .stop');
      await reconnect(page);
      const isAtRest = async (): Promise<boolean> => !(await app.gateway.cart(1)).moving;
      await untilAnswer(async () => (await old.isVisible()) || (await isAtRest()), Boolean);
      if (await old.isVisible()) return undefined;
      return (await app.gateway.endCode(body.commandId)) ?? 'not reported';
    };
    assert.equal(await repeatOnce(attempt, (code) => code), undefined);
    await app.gateway.call('POST', '/carts/1/stop', {});
    await page.locator('[data-live="stop-failed"]').waitFor({ state: 'hidden' });
    pageErrors.splice(0);
  }));

test('an unconfirmed Stop all is reported as old until the carts have stopped', () =>
  app
    .visit('/system', async ({ page, pageErrors }) => {
      await pressUnanswered(page, '.stops .estop');
      await reconnect(page);
      await failed(
        page,
        /^Stop all NOT confirmed at [\d:]+\. The gateway responds again: press Stop all again\.$/,
      );
      await app.gateway.call('POST', '/estop', {});
      await page.locator('[data-live="stop-failed"]').waitFor({ state: 'hidden' });
      pageErrors.splice(0);
    })
    .finally(() => app.gateway.resetCarts(1, 2, 3)));

test('an unconfirmed Stop stays on the page while only events arrive', () =>
  app.visit('/system', async ({ page, pageErrors }) => {
    await pressUnanswered(page, '.stops .stop');
    await untilBeats(page, 4);
    await failed(page, /The gateway does not respond\.$/);
    pageErrors.splice(0);
  }));

for (const [width, height] of [
  [1440, 900],
  [768, 1024],
  [360, 640],
] as const) {
  test(`the bars of stopped carts cover neither the focused element nor the target of a link at ${width} by ${height} px`, () =>
    app
      .visit(
        '/cameraSettings',
        async ({ page }) => {
          await pressEstop(page);
          await page.locator('[data-band-others] [data-band-cart]').nth(1).waitFor({ state: 'attached' });
          await page.reload();
          await page.locator('[data-live="say"]:not(:empty)').waitFor({ state: 'attached' });
          assert.deepEqual(await keyboardFaults(page), []);
          for (const target of ['photos', 'camera']) {
            const gap = await page.evaluate((id) => {
              scrollTo(0, 0);
              location.hash = `#${id}`;
              const element = document.getElementById(id) as HTMLElement;
              const bars = [...document.querySelectorAll('.bands, .band-top')].map(
                (bar) => bar.getBoundingClientRect().bottom,
              );
              return element.getBoundingClientRect().top - Math.max(...bars);
            }, target);
            assert.ok(gap >= 0, `${target} is ${-gap} px behind the bars`);
          }
        },
        { viewport: { width, height } },
      )
      .finally(() => app.gateway.resetCarts(1, 2, 3)));
}

for (const height of [640, 740]) {
  test(`the bar with the status line covers at most a fifth of a phone of 360 by ${height} px while the page scrolls`, () =>
    app
      .visit(
        '/system',
        async ({ page }) => {
          await pressEstop(page);
          await page.reload();
          await page.locator('[data-live="say"]:not(:empty)').waitFor({ state: 'attached' });
          await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
          const [bars, status] = await Promise.all([boxOf(page, '.band-top'), boxOf(page, '.status')]);
          assert.ok(bars.y + bars.height <= height / 5, `${bars.y + bars.height} px`);
          assert.ok(status.y > -1, `the status line begins at ${status.y} px`);
        },
        { viewport: { width: 360, height } },
      )
      .finally(() => app.gateway.resetCarts(1, 2, 3)));
}

for (const [width, height] of [
  [1440, 900],
  [768, 1024],
  [360, 740],
] as const) {
  test(`the bands of three stopped carts leave most of a window of ${width} by ${height} px free for the page`, () =>
    app
      .visit(
        '/',
        async ({ page }) => {
          await pressEstop(page);
          await page.locator('[data-band-others] [data-band-cart]').nth(1).waitFor({ state: 'attached' });
          await page.reload();
          await page.locator('[data-estop-heading]:has-text("All carts stopped by")').waitFor();
          // The page announces the state when it receives its first event.
          await page.locator('[data-live="say"]:not(:empty)').waitFor({ state: 'attached' });
          const shareOf = (parts: string): Promise<number> =>
            page.$$eval(
              parts,
              (elements: HTMLElement[]) =>
                elements.reduce((sum, { offsetHeight }) => sum + offsetHeight, 0) / innerHeight,
            );
          assert.ok((await shareOf('[data-band-others]')) < 0.2);
          // On small screens, the list scrolls with the page, and the other bands are sticky.
          const share = await shareOf(width < 1200 ? '.band-top' : '.bands');
          assert.ok(share < (width < 640 ? 0.35 : 0.32), String(share));
          for (const note of ['[data-hand-lock]', '[data-hand-why]', '[data-live="lock"]'])
            assert.equal(await page.locator(note).isVisible(), false, `${note} repeats the band`);
          assert.equal(await page.locator('.status > .meta').isVisible(), false);
        },
        { viewport: { width, height } },
      )
      .finally(() => app.gateway.resetCarts(1, 2, 3)));

  test(`the confirmation of a stop does not cover any part of the page in a window of ${width} by ${height} px`, () =>
    app.visit(
      '/brokerSettings',
      async ({ page }) => {
        await page.locator('[data-status] [data-f="age"]').waitFor();
        await page.click('.stops .stop');
        await page.locator('[data-live="stop-answer"][data-tone="quiet"]').waitFor();
        const bottoms = [
          await page.$eval('[data-live="stop-answer"]', (answer) => answer.getBoundingClientRect().bottom),
          await page.$eval('main', (main) => main.getBoundingClientRect().top),
        ] as const;
        assert.ok(bottoms[0] <= bottoms[1], bottoms.join());
      },
      { viewport: { width, height } },
    ));
}

test('the safety band turns red in the same event as the press, even before the first live data arrives', () =>
  app.visit('/system', async ({ page, pageErrors }) => {
    await page.route('**/events?*', () => undefined);
    await page.route('**/estop', () => undefined);
    await page.reload();
    const tone = await page.$eval('.stops .estop', (button) => {
      button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }));
      return document.querySelector<HTMLElement>('[data-band-main] [data-band-cart]')?.dataset.tone;
    });
    assert.equal(tone, 'stop');
    pageErrors.splice(0);
  }));

test('a latched stop opens the full-screen view on a phone, and holding Reset all resets every cart', () =>
  app.visit(
    '/system',
    async ({ page }) => {
      await page.locator('.dot').first().waitFor();
      await pressEstop(page);
      await page.locator('[data-estop-heading]:has-text("All carts stopped by the operator at")').waitFor();
      await page.locator('body[data-estop-screen]').waitFor();
      await page.click('[data-estop-close]');
      await page.locator('body:not([data-estop-screen])').waitFor();
      await page.locator('[data-reset-all] button').waitFor();
      await hold(page, '[data-reset-all] button');
      await page.locator('[data-estop-summary]').waitFor({ state: 'hidden' });
      await page.mouse.up();
      for (const cartID of [1, 2, 3]) {
        const { safety } = await app.gateway.cart(cartID);
        assert.equal(safety.emergencyStop, 'NONE');
      }
    },
    PHONE,
  ));

test('the message after a reset names the cart and covers no Stop, Reset or control button on a phone', () =>
  app.visit(
    '/',
    async ({ page }) => {
      await page.locator('.go:not(:disabled)').waitFor({ state: 'attached' });
      await pressEstop(page);
      await page.locator('body[data-estop-screen]').waitFor();
      for (const [cartID, place] of [
        [1, 'main'],
        [2, 'others'],
        [3, 'others'],
      ] as const) {
        const reset = `[data-band-${place}] [data-band-cart="${cartID}"] [data-reset] button`;
        await page.locator(reset).scrollIntoViewIfNeeded();
        await hold(page, reset);
        const message = page.locator(`[data-live="stop-answer"]:has-text("Reset: Cart ${cartID}.")`);
        await message.waitFor();
        await page.mouse.up();
        if (cartID === 3) await page.locator('body:not([data-estop-screen])').waitFor();
        assert.deepEqual(await coveredButtons(page), []);
      }
    },
    { ...PHONE, viewport: { width: 345, height: 740 } },
  ));

/**
 * Returns the labels of the driving and stop buttons that the reset message overlaps, without those behind a phone's
 * full-screen view.
 */
function coveredButtons(page: Page): Promise<string[]> {
  return page.$eval('[data-live="stop-answer"]', (answer) => {
    const message = answer.getBoundingClientRect();
    const buttons =
      '.stops button, [data-reset] button, [data-reset-all] button, .cockpit-controls button, .full-screen';
    return [...document.querySelectorAll(buttons)]
      .filter((button) => button.checkVisibility({ visibilityProperty: true }))
      .filter((button) => !document.body.matches('[data-estop-screen]') || button.closest('.bands, .stops'))
      .filter((button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        const clip = button.closest('.bands')?.getBoundingClientRect();
        const bottomShown =
          clip && button.closest('[data-estop-screen]') ? Math.min(bottom, clip.bottom - 72) : bottom;
        return (
          left < message.right && right > message.left && top < message.bottom && bottomShown > message.top
        );
      })
      .map((button) => button.textContent?.trim() ?? '');
  });
}

test('releasing Reset all early does not reset any cart', () =>
  app.visit('/system', async ({ page }) => {
    await pressEstop(page);
    await page.locator('[data-reset-all] button').waitFor();
    await page.locator('[data-reset-all] button').click({ delay: 50 });
    await page.locator('.band:has-text("Press and hold")').waitFor();
    for (const cartID of [1, 2, 3]) {
      const { safety } = await app.gateway.cart(cartID);
      assert.notEqual(safety.emergencyStop, 'NONE');
      await app.gateway.resetCart(cartID);
    }
  }));

if (hasBrowser) test.run();
