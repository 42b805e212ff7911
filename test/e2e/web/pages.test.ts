import assert from 'node:assert/strict';
import type { Page, Request } from 'playwright-core';
import { suite } from 'uvu';
import { COMMAND_STATES, type CommandView } from '../../../src/carts/command/model.js';
import { menuEntries } from '../../../src/console/layout/page-tree.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import {
  holdButton,
  type PageSession,
  pressEstop,
  untilBeats,
  withPage as visitPage,
} from '../../helpers/page-session.js';
import { repeatOnce } from '../../helpers/repeat-once.js';
import { UnreliableNetwork } from '../../helpers/unreliable-network.js';
import { until, untilAnswer } from '../../helpers/until.js';

const test = suite('pages in Chromium');

const app = new BrowserSuite(test);
test.before(() => app.untilCartReady());

const SENTENCE = '[data-band-main] .sentence';
const BAND = '[data-band-main] [data-band-cart]';

async function untilSentence(page: Page, text: RegExp): Promise<void> {
  await page.locator(SENTENCE).filter({ hasText: text }).waitFor();
}

async function untilUnlocked(page: Page): Promise<void> {
  await page.locator('.go:not(:disabled, [data-settling])').waitFor();
  await untilSentence(page, /^Ready$/);
}

const holdReset = (page: Page): Promise<void> =>
  holdButton(page, `${BAND} .hold`, `${BAND}:not([data-tone="stop"])`);

for (const path of ['/', '/brokerSettings', '/cameraSettings', '/runCamera']) {
  test(`${path} loads without page errors and sends no requests to other hosts`, async () => {
    await app.visit(path, async ({ page }) => {
      await untilSentence(page, /^Ready$/);
      await page.locator('[data-light="broker"] strong:text-is("connected")').waitFor({ state: 'attached' });
    });
  });
}

/** Elements that a page shows after its last request; all other pages request only the live state. */
const LOADED: Readonly<Record<string, string>> = {
  '/': '[data-camera]:not([data-stale])',
  '/cameraSettings': '[data-camera]:not([data-stale])',
  '/map': '[data-map-count]:not(:empty)',
};

for (const { href } of menuEntries(true)) {
  test(`the first load of ${href} takes at most 8 requests and 150 kB`, async () => {
    const context = await app.browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    // Repeated requests, such as those for camera images, are counted once.
    const requests = new Map<string, Request>();
    page.on('request', (request) => {
      const { protocol, pathname } = new URL(request.url());
      const key = `${request.resourceType()} ${pathname}`;
      if (protocol === 'http:' && !requests.has(key)) requests.set(key, request);
    });
    const live = page.waitForRequest((request) => new URL(request.url()).pathname === '/events');
    await page.goto(`${app.gateway.url}${href}`);
    await live;
    await untilSentence(page, /^Ready$/);
    await page.locator(LOADED[href] ?? 'main').waitFor();
    // The number of thumbnails depends on the number of photos.
    const counted = [...requests.keys()].filter((request) => !request.endsWith('/thumbnail'));
    assert.ok(counted.length <= 8, counted.join(', '));
    let bytes = 0;
    for (const request of requests.values()) {
      // The event stream never ends.
      if (request.resourceType() === 'eventsource') continue;
      const { responseBodySize, responseHeadersSize } = await request.sizes();
      bytes += responseBodySize + responseHeadersSize;
    }
    assert.ok(bytes <= 150_000, `${bytes} bytes`);
    await context.close();
  });
}

test('every page fits the width of a phone, a tablet and a desktop screen', async () => {
  for (const width of [360, 768, 1440]) {
    for (const path of ['/', '/brokerSettings', '/cameraSettings', '/nothing-here']) {
      const context = await app.browser.newContext({ viewport: { width, height: 800 } });
      const page = await context.newPage();
      await page.goto(`${app.gateway.url}${path}`);
      await untilSentence(page, /^Ready$/);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await context.close();
      assert.equal(over, 0, `${path} at ${width} px`);
    }
  }
});

test('the top bar never covers the safety state, regardless of the number of status lights', async () => {
  const viewport = { width: 1220, height: 800 };
  const run = async ({ page }: PageSession): Promise<void> => {
    await untilSentence(page, /^Ready$/);
    await app.gateway.call('POST', '/simulator', { action: 'plug', on: false });
    try {
      await untilSentence(page, /^Not reachable/);
      // Scrolls down, so that both the top bar and the safety band are sticky.
      await page.evaluate(() => scrollTo(0, 600));
      const rows = await page.$$eval(
        '[data-light]',
        (lights: HTMLElement[]) => new Set(lights.map((light) => light.offsetTop)).size,
      );
      assert.ok(rows > 1, 'the lights need more than one row');
      // The page places the band below the bar in the frame after the bar has grown.
      const isBelow = `document.querySelector('${BAND}').getBoundingClientRect().top >=
        document.querySelector('body > .top').getBoundingClientRect().bottom - 1`;
      await until(() => page.evaluate<boolean>(isBelow));
    } finally {
      await app.gateway.call('POST', '/simulator', { action: 'plug', on: true });
    }
    await untilSentence(page, /^Ready$/);
  };
  await app.visit('/brokerSettings', run, { viewport });
});

interface StyleEvent {
  name: string;
  args: { elementCount?: number };
}

/** Returns the largest number of elements whose styles the browser recalculates at once during `run`. */
async function mostRestyled(run: () => Promise<void>): Promise<number> {
  const cdp = await app.browser.newBrowserCDPSession();
  const events: StyleEvent[] = [];
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as StyleEvent[])));
  const ended = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve));
  await cdp.send('Tracing.start', { traceConfig: { includedCategories: ['devtools.timeline'] } });
  try {
    await run();
  } finally {
    await cdp.send('Tracing.end');
    await ended;
    await cdp.detach();
  }
  const counts = events.flatMap(({ name, args }) =>
    name === 'UpdateLayoutTree' ? (args.elementCount ?? 0) : [],
  );
  assert.ok(counts.length > 0, 'the trace contains no style recalculation');
  return Math.max(...counts);
}

test('a growing band does not cause a style recalculation of the whole page', async () => {
  await app.visit('/', async ({ page }) => {
    await untilSentence(page, /^Ready$/);
    const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
    const most = await mostRestyled(async () => {
      await page.$eval('.band-top', ({ style }: HTMLElement) => {
        style.paddingBottom = '40px';
      });
      // The observers of the band run at the end of the first frame.
      await page.evaluate(twoFrames);
      await page.evaluate(twoFrames);
    });
    const all = await page.locator('body *').count();
    assert.ok(most < all / 2, `the browser restyled ${most} of ${all} elements`);
  });
});

/** Drives from the page. Repeats the move once after LOOP_LAG. */
async function driveToEnd(page: Page, distanceID: number): Promise<void> {
  const attempt = async (): Promise<CommandView> => {
    await untilUnlocked(page);
    await page.fill('#distanceID', String(distanceID));
    const answer = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.click('.go');
    const { commandId } = (await (await answer).json()) as CommandView;
    const { body } = await untilAnswer(
      () => app.gateway.call<CommandView>('GET', `/commands/${commandId}`),
      ({ body }) => COMMAND_STATES.indexOf(body.state) >= COMMAND_STATES.indexOf('FINISHED'),
    );
    return body;
  };
  const { state, reason } = await repeatOnce(attempt, (command) => command.reason?.code);
  assert.equal(state, 'FINISHED', JSON.stringify(reason));
}

test('the page shows a command from its submission until it ends', async () => {
  await app.visit('/', async ({ page }) => {
    await driveToEnd(page, 150);
    await page
      .locator('[data-commands] > li:first-child .steps li:last-child:has-text("finished")')
      .waitFor();
    assert.match(
      (await page.textContent('[data-commands] > li:first-child .note')) ?? '',
      /Movement: 0\.15 m/,
    );
  });
});

test('the Drive button requests a distance or an angle while both are 0', async () => {
  await app.visit('/', async ({ page }) => {
    await untilUnlocked(page);
    const before = await app.gateway.cart(1);
    await page.locator('.go[aria-disabled="true"]').click({ force: true });
    await page.locator('[data-progress]:has-text("Enter a distance or an angle")').waitFor();
    assert.equal((await app.gateway.cart(1)).commandId, before.commandId);
    await page.fill('#angleID', '15');
    await page.locator('[data-progress]:empty').waitFor({ state: 'attached' });
    await page.locator('.go[aria-disabled="false"]').waitFor();
    await page.fill('#angleID', '0');
    await page.locator('.go[aria-disabled="true"]').waitFor();
  });
});

test('a command for another cart is sent over MQTT and shown until it ends', async () => {
  await app.gateway.untilCart(2, ({ online, safety }) => online && safety.mayMove);
  await app.visit('/', async ({ page }) => {
    await page.selectOption('#cartID', '2');
    await driveToEnd(page, 100);
    await page.locator('[data-last] .line:has-text("Finished")').waitFor();
    assert.equal(await page.textContent('[data-commands] > li:first-child .command-cart'), 'Cart 2');
  });
});

test('the page shows the reason for a rejected command beside the button, and the cart does not move', async () => {
  await app.visit('/', async ({ page, pageErrors }) => {
    await untilUnlocked(page);
    // Removes the limit, so that the page sends the angle to the gateway.
    await page.locator('#angleID').evaluate((input: HTMLInputElement) => {
      input.max = '';
    });
    await page.fill('#angleID', '4000');
    await page.click('.go');
    const words = page.locator('[data-progress][data-tone="stop"]');
    await words.waitFor();
    assert.match((await words.textContent()) ?? '', /the limit is 360 /);
    // The browser logs each 400 response to its console.
    pageErrors.splice(0);
  });
});

test('Stop all turns the safety band red on every page, and only a long press of Reset releases the stop', async () => {
  await app.visit('/', async ({ page }) => {
    await untilUnlocked(page);
    await pressEstop(page);
    await page.locator(`${BAND}[data-tone="stop"]`).waitFor();
    await untilSentence(page, /^Stopped by the operator/);
    await page.locator('.go:disabled').waitFor();
    await page.goto(`${app.gateway.url}/brokerSettings`);
    await page.locator(`${BAND}[data-tone="stop"]`).waitFor();
    await page.locator('[data-light="broker"] strong:text-is("connected")').waitFor({ state: 'attached' });
    await page.locator(`${BAND} .hold`).click();
    await page.locator('[data-live="stop-answer"]:has-text("hold Reset")').waitFor();
    assert.equal((await app.gateway.cart(1)).safety.emergencyStop, 'REMOTE');
    await holdReset(page);
    await untilSentence(page, /^Ready$/);
    assert.equal((await app.gateway.cart(1)).safety.emergencyStop, 'NONE');
  });
  await app.gateway.resetCarts(2, 3);
});

test('Reset releases the latched stop that the page shows, not a later one', async () => {
  await app.visit('/', async ({ page, pageErrors }) => {
    await untilUnlocked(page);
    await app.gateway.call('POST', '/estop', { cartID: 1 });
    await page.locator(`${BAND}[data-tone="stop"]`).waitFor();
    page.on('dialog', (dialog) => {
      void app.gateway.call('POST', '/estop', { cartID: 1 }).then(() => dialog.accept());
    });
    // Assistive technology sends a click, which opens a confirmation dialog instead of requiring a hold.
    await page.locator(`${BAND} .hold`).evaluate((button: HTMLElement) => button.click());
    await page.locator('[data-live="stop-answer"][data-tone="stop"]:has-text("stopped again")').waitFor();
    assert.equal((await app.gateway.cart(1)).safety.emergencyStop, 'REMOTE');
    await holdReset(page);
    await untilSentence(page, /^Ready$/);
    // The browser logs each 409 response to its console.
    pageErrors.splice(0);
  });
});

test('pressing another key or mouse button while Reset is held cancels the reset', async () => {
  await app.visit('/', async ({ page }) => {
    await untilUnlocked(page);
    await pressEstop(page);
    // The band turns red at the press; the button appears when the gateway has reported the latched stop.
    const button = page.locator(`${BAND} .hold`);
    await button.waitFor();
    const isHolding = (): Promise<boolean> =>
      button.evaluate((element) => element.classList.contains('holding'));
    // Timers are disabled, so that no hold completes during the test.
    await page.evaluate(() => Object.assign(globalThis, { setTimeout: () => 0 }));
    await button.focus();
    await page.keyboard.down('Enter');
    assert.ok(await isHolding());
    await page.keyboard.down('Meta');
    assert.equal(await isHolding(), false);
    await page.keyboard.up('Enter');
    await page.keyboard.down('Enter');
    assert.equal(await isHolding(), false, 'a hold does not start while Cmd is pressed');
    await page.keyboard.up('Enter');
    await page.keyboard.up('Meta');
    await button.hover();
    await page.mouse.down();
    assert.ok(await isHolding());
    await page.mouse.down({ button: 'right' });
    assert.equal(await isHolding(), false);
    await page.mouse.up({ button: 'right' });
    await page.mouse.up();
  });
  await app.gateway.resetCarts(1, 2, 3);
});

test('pressing Space stops a moving cart while the Drive button has focus', async () => {
  await app.visit('/', async ({ page }) => {
    await untilUnlocked(page);
    await page.fill('#distanceID', '2000');
    await page.fill('#maxSpeed', '50');
    await page.click('.go');
    await untilSentence(page, /^Moving/);
    await page.locator('.go').focus();
    await page.keyboard.press(' ');
    await page.locator('[data-commands] > li:first-child .steps li:last-child:has-text("stopped")').waitFor();
    await untilSentence(page, /^Ready$/);
  });
});

test("the page reports the lost connection to the gateway and then the gateway's restart", async () => {
  await app.visit('/', async ({ page, pageErrors }) => {
    await untilUnlocked(page);
    const { port } = new URL(app.gateway.url);
    await app.gateway.kill('SIGKILL');
    await page.locator('[data-live="lost"]:has-text("Connection to the gateway lost")').waitFor();
    await page.locator('.go:disabled').waitFor();
    await page.locator('.estop').click();
    await page.locator('[data-live="stop-failed"]:has-text("use the button on the cart")').waitFor();
    await app.gateway.spawn({ PORT: port });
    await page.locator('[data-live="restarted"]:has-text("The gateway restarted")').waitFor();
    await page.locator('[data-live="lost"]').waitFor({ state: 'hidden' });
    const answer = page.locator('[data-live="stop-failed"]');
    await answer.filter({ hasNotText: 'Retrying' }).waitFor({ state: 'attached' });
    for (const cartID of [1, 2, 3]) {
      await app.gateway.untilCart(cartID, ({ online }) => online);
      // The stop is resent for a few seconds, so it may arrive before or after the cart comes online.
      await app.gateway.resetCart(cartID);
    }
    pageErrors.splice(0);
  });
});

test("the page locks its controls and shows the data's age when the network delays messages", async () => {
  const network = await UnreliableNetwork.open(app.gateway.url);
  await visitPage(app.browser, network.url, async ({ page }) => {
    await untilUnlocked(page);
    // After six heartbeats, the page has measured the round-trip time.
    await untilBeats(page, 6);
    // A stationary cart's state becomes stale after 1 s; the page requests it again after 1.5 s.
    network.delayMs = 1200;
    await page.locator('[data-live="lock"]:has-text("No update from cart 1 for")').waitFor();
    // Heartbeats arrive at the same rate, but late.
    const unlocked = await page.$eval(
      '.go',
      (go: HTMLButtonElement) =>
        new Promise<number>((resolve) => {
          let looks = 0;
          let free = 0;
          const timer = setInterval(() => {
            looks += 1;
            if (!go.disabled) free += 1;
            if (looks < 60) return;
            clearInterval(timer);
            resolve(free);
          }, 50);
        }),
    );
    assert.equal(unlocked, 0);
    await page.locator('[data-live="lost"]').waitFor({ state: 'hidden' });
    network.delayMs = 0;
    await untilUnlocked(page);
  });
  await network.close();
});

test('saved settings take effect, and errors are shown beside their fields', async () => {
  await app.visit('/brokerSettings', async ({ page, pageErrors }) => {
    await page.locator('[data-savebar][data-idle]').waitFor({ state: 'attached' });
    await page.fill('[name="/limits/maxDistanceMm"]', '0');
    await page.click('[data-save]');
    await page.locator('[data-summary] a:text-is("Maximum distance per command")').waitFor();
    assert.match((await page.textContent('.row.bad .error')) ?? '', /at least 1 mm/);
    pageErrors.splice(0);
    await page.fill('[name="/limits/maxDistanceMm"]', '2000');
    await page.click('[data-save]');
    await page.click('[data-apply]');
    // A stricter limit is saved without a trial.
    await page.locator('main h2:text-is("Saved")').waitFor();
  });
  const refused = await app.gateway.move(1, 2001);
  assert.deepEqual([refused.status, refused.body.code], [400, 'RANGE']);
  await app.visit('/', async ({ page }) => {
    assert.equal(await page.getAttribute('#distanceID', 'max'), '2000');
  });
});

test('a unit change locks the form on an open page, but manual drive and stops still work', async () => {
  await app.visit('/', async ({ page }) => {
    await untilUnlocked(page);
    await page.fill('#distanceID', '5');
    const { commandId } = await app.gateway.untilCart(1, ({ moving }) => !moving);
    await app.gateway.call('POST', '/updateJson', { units: { distance: 'cm' } });
    const lock = page.locator('[data-live="lock"]');
    await lock.filter({ hasText: /^Locked\. The settings have changed: reload the page$/ }).waitFor();
    assert.equal(await page.isDisabled('.go'), true);
    await page.locator('[data-command]').evaluate((form: HTMLFormElement) => form.requestSubmit());
    assert.equal(await page.textContent('[data-progress]'), '');
    assert.equal((await app.gateway.untilCart(1, () => true)).commandId, commandId);
    assert.equal(await page.getAttribute('[data-pad]', 'aria-disabled'), 'false');
    assert.equal(await page.isDisabled('[data-stop] button'), false);

    await page.reload();
    await untilUnlocked(page);
    assert.equal(await page.getAttribute('#distanceID', 'data-unit'), 'cm');
    await driveToEnd(page, 5);
    await page.locator('[data-commands] > li:first-child .note:has-text("Movement")').waitFor();
    assert.match(
      (await page.textContent('[data-commands] > li:first-child .note')) ?? '',
      /Movement: 0\.05 m/,
    );
    await app.gateway.untilCart(1, ({ moving }) => !moving);
    await app.gateway.call('POST', '/updateJson', { units: { distance: 'mm' } });
    await lock.filter({ hasText: 'The settings have changed' }).waitFor();
  });
});

test('driving, stopping and saving settings work when JavaScript is off', async () => {
  const noScript = { javaScriptEnabled: false };
  await app.visit(
    '/',
    async ({ page }) => {
      await page.fill('#distanceID', '50');
      await page.click('.go');
      assert.match(
        (await page.textContent('[data-outcome] h2')) ?? '',
        /^Command (acknowledged|running|finished)/,
      );
      await page.click('.estop');
      await page.locator(`${BAND}[data-tone="stop"]`).waitFor();
      await page.locator(`${BAND} .hold`).click();
      await page.locator(`${BAND}:not([data-tone="stop"])`).waitFor();
      await app.gateway.untilCart(1, ({ moving }) => !moving);
      await page.goto(`${app.gateway.url}/brokerSettings`);
      await page.fill('[name="/limits/maxDistanceMm"]', '3000');
      await page.click('[data-save]');
      await page.click('[data-apply]');
      await page.click('[data-trial] button:text-is("Confirm")');
      await page.locator('main h2:has-text("Changes kept")').waitFor();
    },
    noScript,
  );
  assert.equal((await app.gateway.move(1, 3001)).body.code, 'RANGE');
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: pages in Chromium (Chromium is not installed)\n');
