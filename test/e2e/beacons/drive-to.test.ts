import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import type { CommandView } from '../../../src/carts/command/model.js';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { recordTexts, withPage } from '../../helpers/page-session.js';
import { repeatOnce } from '../../helpers/repeat-once.js';
import { UnreliableNetwork } from '../../helpers/unreliable-network.js';
import { untilAnswer } from '../../helpers/until.js';
import { png } from '../../unit/plan/images.js';

/** Tests driving to a point on the map in Chromium, with the simulated cart of a real gateway. */
const test = suite('driving to a point on the map in Chromium');

type Offset = readonly [right: number, up: number];

const PREVIEW = / then \d\.\d\d m forward$/;
/** Map scale at the zoom level at which a cart is placed. */
const METRES_PER_PX = 156_543.034 / 2 ** 22;

const app = new BrowserSuite(test);
test.before(async () => {
  const { url } = app.gateway;
  const line = { x1: 30, y1: 930, x2: 1170, y2: 930, lengthM: 57 };
  assert.ok((await fetch(`${url}/map/plan`, { method: 'PUT', body: new Uint8Array(png(1200, 960)) })).ok);
  assert.equal((await app.gateway.call('PUT', '/map/plan/line', line)).status, 200);
});
test.before.each(async () => {
  await app.gateway.untilCart(1, ({ safety, moving }) => safety.mayMove && !moving);
});

const untilText = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator('[data-drive-to-text]').filter({ hasText: text }).waitFor();

const commands = async (): Promise<CommandView[]> =>
  (await app.gateway.call<CommandView[]>('GET', '/commands')).body;

/** Places the cart at the map's centre, facing north. The first tap enlarges the map. */
async function placeCart(page: Page): Promise<void> {
  await page.locator('[data-beacon-map][data-plan="placed"]').waitFor();
  await page.click('[data-drive-to-place]');
  await untilText(page, 'Tap the position of');
  await tapMap(page, [0, 0]);
  await untilText(page, 'Tap the exact position of');
  await tapMap(page, [0, 0]);
  await untilText(page, 'Tap a point straight ahead');
  await tapMap(page, [0, 10]);
  await untilText(page, 'Tap further from the cart');
  await tapMap(page, [0, 80]);
  await untilText(page, 'Tap the map to select a destination');
}

const isPreviewed = (page: Page): Promise<boolean> => page.locator('[data-drive-to-go]').isVisible();

interface Pointer {
  tap(x: number, y: number): Promise<void>;
  press(x: number, y: number): Promise<void>;
  release(): Promise<void>;
}

const mouseOf = ({ mouse }: Page): Pointer => ({
  tap: (x, y) => mouse.click(x, y),
  press: async (x, y) => {
    await mouse.move(x, y);
    await mouse.down();
  },
  release: () => mouse.up(),
});

async function fingerOf(page: Page): Promise<Pointer> {
  const devtools = await page.context().newCDPSession(page);
  const touch = async (type: 'touchStart' | 'touchEnd', touchPoints: { x: number; y: number }[]) => {
    await devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
  };
  return {
    tap: (x, y) => page.touchscreen.tap(x, y),
    press: (x, y) => touch('touchStart', [{ x, y }]),
    release: () => touch('touchEnd', []),
  };
}

/** Taps the map at an offset in CSS pixels from its centre; up is north. */
async function tapMap(page: Page, [right, up]: Offset, { tap } = mouseOf(page)): Promise<void> {
  const map = page.locator('[data-beacon-map]');
  await map.scrollIntoViewIfNeeded();
  const box = await map.boundingBox();
  assert.ok(box);
  await tap(box.x + box.width / 2 + right, box.y + box.height / 2 - up);
}

/** Repeats the tap, because a page on a busy machine locks itself while its data is older than 0.5 s. */
async function tapUntil(page: Page, offset: Offset, text: RegExp, pointer = mouseOf(page)): Promise<void> {
  const shown = page.locator('[data-drive-to-text]').filter({ hasText: text });
  const tap = async (): Promise<boolean> => {
    await tapMap(page, offset, pointer);
    return await shown.isVisible();
  };
  await untilAnswer(tap, (isShown) => isShown);
}

/** Repeats the preview and the hold until a command is sent. Returns the command. */
async function driveTo(
  page: Page,
  offset: Offset,
  text: RegExp,
  pointer = mouseOf(page),
): Promise<CommandView> {
  const before = await commands();
  const go = page.locator('[data-drive-to-go]');
  const attempt = async (): Promise<readonly CommandView[]> => {
    await tapUntil(page, offset, text, pointer);
    const box = await go.boundingBox();
    if (!box) return before;
    assert.ok(box.height >= 44);
    await pointer.press(box.x + box.width / 2, box.y + box.height / 2);
    await go.waitFor({ state: 'hidden' });
    await pointer.release();
    // The message is empty if the preview was discarded before the command was sent.
    const answer = page.locator('[data-drive-to-answer]');
    await answer.filter({ hasNotText: /^(Sending|Wordt verzonden)/ }).waitFor({ state: 'attached' });
    return await commands();
  };
  const [sent] = await untilAnswer(attempt, (all) => all.length > before.length);
  assert.ok(sent);
  return sent;
}

test("a cart that was placed on the map drives to the tapped point when the button is held, and the cart's symbol follows", async () => {
  const before = (await commands()).length;
  await app.visit('/map', async ({ page }) => {
    await untilText(page, 'To drive to a point, first place Cart 1 on the map.');
    await tapMap(page, [30, 0]);
    assert.equal(await isPreviewed(page), false);
    await placeCart(page);
    await page.locator('.cart-mark [data-heads]').waitFor();
    await tapUntil(page, [30, 0], /^Turn 90° right, then 1\.1\d m forward$/);
    await page.locator('path.drive-to-line').waitFor({ state: 'attached' });
    // Neither a tap nor a press that is too short sends a command.
    const go = await page.locator('[data-drive-to-go]').boundingBox();
    if (go) await page.mouse.click(go.x + go.width / 2, go.y + go.height / 2);
    assert.equal((await commands()).length, before);

    const start = (await app.gateway.cart(1)).pose;
    const sent = await driveTo(page, [30, 0], PREVIEW);
    assert.equal(sent.angleDeg, -90);
    assert.ok(Math.abs(sent.distanceMm - 30 * METRES_PER_PX * 1000) < 40, String(sent.distanceMm));
    const { pose } = await app.gateway.untilCart(
      1,
      ({ moving, telemetry }) => !moving && telemetry?.speedMmps === 0,
    );
    await untilText(page, 'Tap the map to select a destination');
    const [map, mark] = await Promise.all(
      ['[data-beacon-map]', '.cart-mark'].map((selector) => page.locator(selector).boundingBox()),
    );
    assert.ok(map && mark && start && pose);
    const movedPx = Math.hypot(pose.xMm - start.xMm, pose.yMm - start.yMm) / 1000 / METRES_PER_PX;
    const right = mark.x + mark.width / 2 - (map.x + map.width / 2);
    assert.ok(Math.abs(right - movedPx) < 6, `${right} px right of the start, expected ${movedPx} px`);
  });
  assert.equal((await commands()).length, before + 1);
});

const answerTo = (page: Page, text: RegExp): Promise<void> =>
  page.locator('[data-drive-to-answer]').filter({ hasText: text }).waitFor();

async function endOf(page: Page): Promise<string> {
  await answerTo(page, /, (finished|failed)/);
  return page.locator('[data-drive-to-answer]').innerText();
}

test('the message is updated until the command ends, and the page then asks for the next point', async () => {
  await app.visit('/map', async ({ page }) => {
    const recorded = await recordTexts(page, '[data-drive-to-text]', '[data-drive-to]');
    const attempt = async (): Promise<string> => {
      await placeCart(page);
      await driveTo(page, [30, 0], PREVIEW);
      return endOf(page);
    };
    await repeatOnce(attempt, (end) => (end.includes('the gateway was too busy') ? 'LOOP_LAG' : undefined));
    assert.match(await endOf(page), /^Turn 90° right, then 1\.1\d m forward, finished: 1\.1\d m in \d/);
    await untilText(page, 'Tap the map to select a destination');
    const texts = await recorded.jsonValue();
    assert.ok(
      !texts.some((text) => text.includes('Cart 1 is moving')),
      'the own drive is not called blocked',
    );
  });
});

test('the message states which stop ended the drive', async () => {
  await app.visit('/map', async ({ page }) => {
    await placeCart(page);
    await driveTo(page, [60, 60], PREVIEW);
    await answerTo(page, /, running$/);
    assert.equal(await page.locator('[data-drive-to-text]').isVisible(), false);
    await app.gateway.call('POST', '/carts/1/stop', {});
    await answerTo(page, /, stopped by .+ after /);
    await tapUntil(page, [30, 0], PREVIEW);
    assert.equal(await page.locator('[data-drive-to-answer]').innerText(), '', 'the next preview removes it');
  });
});

test('the message shows an error when the command for the drive fails', async () => {
  await app.visit('/map', async ({ page }) => {
    await placeCart(page);
    await driveTo(page, [60, 60], PREVIEW);
    await answerTo(page, /, running$/);
    await app.gateway.call('POST', '/simulator', { action: 'plug', on: false });
    try {
      await answerTo(page, /, failed after /);
      await page.locator('[data-drive-to-answer][data-tone="stop"]').waitFor();
    } finally {
      await app.gateway.call('POST', '/simulator', { action: 'plug', on: true });
    }
  });
});

test('rejects a point beyond the limits of one command and shows the limit', async () => {
  await app.visit('/map', async ({ page }) => {
    await placeCart(page);
    await tapUntil(page, [0, 140], /^This point is 5\.2\d m away; the maximum for one command is 5\.00 m\.$/);
    assert.equal(await isPreviewed(page), false);
    await tapUntil(page, [0, 3], /the minimum is 0\.20 m/);
    assert.equal(await isPreviewed(page), false);
    await tapUntil(page, [60, 110], PREVIEW);
    assert.deepEqual(await violationsOf(page), []);
  });
});

test('the preview states that releasing the button does not stop the cart', async () => {
  await app.visit('/map', async ({ page }) => {
    const hint = page.locator('[data-drive-to-hint]');
    await placeCart(page);
    assert.equal(await hint.isVisible(), false);
    await tapUntil(page, [40, 0], PREVIEW);
    assert.match(await hint.innerText(), /Releasing the button does not stop it\.$/);
    assert.equal(await page.locator('[data-drive-to-go]').innerText(), 'Hold to send');
  });
});

test('the preview is discarded when the user cancels it or the cart moves', async () => {
  await app.visit('/map', async ({ page }) => {
    await placeCart(page);
    await tapUntil(page, [40, 0], PREVIEW);
    await page.$eval('[data-drive-to-cancel]', (button: HTMLElement) => button.click());
    await page.locator('path.drive-to-line').waitFor({ state: 'detached' });
    assert.equal(await isPreviewed(page), false);
    await tapUntil(page, [40, 0], PREVIEW);
    const { body } = await app.gateway.call<CommandView>('POST', '/?wait=done', {
      cartID: 1,
      distanceID: 100,
      angleID: 0,
    });
    await page.locator('[data-drive-to-go]').waitFor({ state: 'hidden' });
    await page.locator('path.drive-to-line').waitFor({ state: 'detached' });
    assert.equal((await commands())[0]?.commandId, body.commandId, 'the preview was not sent');
  });
});

test('the page explains how to get an accurate position when the position is inaccurate', async () => {
  const location = { xMm: 25_000, yMm: 25_000, headingDeg: 90 };
  assert.equal((await app.gateway.call('PUT', '/navigation/location', location)).status, 200);
  await app.visit('/map', async ({ page }) => {
    await page.locator('.cart-mark [data-heads]').waitFor();
    await untilText(
      page,
      'The position of Cart 1 is too inaccurate to drive to a point. Drive until the camera sees a marker, or place Cart 1 on the map.',
    );
    await tapMap(page, [40, 0]);
    assert.equal(await isPreviewed(page), false);
    assert.equal(await page.locator('[data-drive-to-place]').isVisible(), true);
  });
});

test('a latched stop discards the preview, and the cart must then be placed on the map again', async () => {
  await app.visit('/map', async ({ page }) => {
    await placeCart(page);
    await tapUntil(page, [40, 0], PREVIEW);
    await app.gateway.call('POST', '/estop', { cartID: 1 });
    await untilText(page, 'Driving to a point is blocked');
    assert.equal(await isPreviewed(page), false);
    assert.equal(await page.locator('[data-drive-to-place]').isVisible(), false);
    await app.gateway.resetCarts(1);
    await untilText(page, 'Place Cart 1 on the map again: the cart was stopped with Stop all or the E-stop.');
    await tapMap(page, [40, 0]);
    assert.equal(await isPreviewed(page), false);
  });
});

test("the preview is discarded when the cart's data becomes stale", async () => {
  const network = await UnreliableNetwork.open(app.gateway.url);
  try {
    await withPage(app.browser, `${network.url}/map`, async ({ page, pageErrors }) => {
      await placeCart(page);
      await tapUntil(page, [40, 0], PREVIEW);
      network.dropTraffic();
      await untilText(page, 'Driving to a point is blocked');
      assert.equal(await isPreviewed(page), false);
      pageErrors.splice(0);
    });
  } finally {
    await network.close();
  }
});

test('driving to a point works by touch on a phone with the page in Dutch', async () => {
  await app.visit(
    '/map',
    async ({ page }) => {
      await page.locator('[data-beacon-map][data-plan="placed"]').waitFor();
      await untilText(page, /Plaats Cart 1 eerst op de kaart|De positie van Cart 1 is te onnauwkeurig/);
      const finger = await fingerOf(page);
      await page.locator('[data-drive-to-place]').tap();
      await tapMap(page, [0, 0], finger);
      await untilText(page, 'Tik op de exacte positie');
      await tapMap(page, [0, 0], finger);
      await untilText(page, 'Tik op een punt recht vóór Cart 1');
      await tapMap(page, [0, 80], finger);
      await untilText(page, 'Tik op de kaart om een bestemming voor Cart 1 te kiezen, op hoogstens');
      await page
        .locator('[data-drive-to-go]:has-text("Houd ingedrukt om te verzenden")')
        .waitFor({ state: 'attached' });
      await page
        .locator('[data-drive-to-hint]:has-text("De knop loslaten stopt de kar niet.")')
        .waitFor({ state: 'attached' });
      const sent = await driveTo(page, [-30, 0], /^Draai 90° links, dan 1,1\d m vooruit$/, finger);
      assert.equal(sent.angleDeg, 90);
      await answerTo(page, /^Draai 90° links, dan 1,1\d m vooruit, voltooid: 1,1\d m in \d/);
    },
    { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'nl-NL' },
  );
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: driving to a point on the map in Chromium (Chromium is not installed)\n');
