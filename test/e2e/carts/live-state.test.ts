import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { suite } from 'uvu';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { holdButton, type PageSession, withPage as visitPage } from '../../helpers/page-session.js';
import { repeatOnce } from '../../helpers/repeat-once.js';
import { UnreliableNetwork } from '../../helpers/unreliable-network.js';
import { untilAnswer } from '../../helpers/until.js';

const test = suite('live state on open pages in Chromium');

const app = new BrowserSuite(test);
test.before(() => app.untilCartReady());

const SENTENCE = '[data-band-main] .sentence';
/** The Drive button while a press sends a command. */
const GO = '.go:not(:disabled, [data-settling])';

async function untilSentence(page: Page, text: RegExp): Promise<void> {
  await page.locator(SENTENCE).filter({ hasText: text }).waitFor();
}

const simulate = (action: string, on: boolean) => app.gateway.call('POST', '/simulator', { action, on });

test('an open page shows that a motor overheats and then cools down', async () => {
  await app.visit('/', async ({ page }) => {
    await untilSentence(page, /^Ready$/);
    await simulate('hot', true);
    await untilSentence(page, /^Cannot move: a motor is at 95 °C/);
    await page.locator('[data-f="motors.n"]:text-is("95")').waitFor();
    await page.locator('.go:disabled').waitFor();
    await simulate('hot', false);
    await untilSentence(page, /^Ready$/);
  });
});

test("an open page adds the date to a command's time after midnight", async () => {
  await app.gateway.moveToEnd(1, 100);
  await app.visit('/', async ({ page }) => {
    const time = page.locator('[data-commands] > li:first-child time');
    const line = page.locator('[data-last] .line');
    await line.filter({ hasText: / 0\.10 m forward$/ }).waitFor();
    const before = await time.innerText();
    await page.clock.setFixedTime(Date.now() + 86_400_000);
    await line.filter({ hasText: /: .* 0\.10 m forward$/ }).waitFor();
    await time.filter({ hasText: new RegExp(`\\d.*${before}$`) }).waitFor();
  });
});

test('the page lists the remaining reset steps and hides Reset while a reset would be rejected', async () => {
  await app.visit('/', async ({ page }) => {
    const reset = page.locator('[data-band-main] [data-reset]');
    await untilSentence(page, /^Ready$/);
    await simulate('button', true);
    await untilSentence(page, /: release the E-stop button on the cart, then press the reset button$/);
    assert.equal(await reset.isVisible(), false);
    await simulate('button', false);
    await untilSentence(page, /: press the reset button on the cart$/);
    assert.equal(await reset.isVisible(), false);
    await simulate('reset-here', true);
    await untilSentence(page, /^Ready$/);
  });
});

/**
 * Returns the live values that are not grey and the ticks that are not replaced by a dashed ring. Excludes the
 * checklist, the notices and the commands, because they state completed actions.
 */
function freshValues(page: Page): Promise<string[]> {
  return page.$$eval('.live, .live strong, .dot', (elements) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--text-3)';
    const grey = getComputedStyle(probe).color;
    probe.remove();
    const fresh = elements.filter((element) => {
      const style = getComputedStyle(element);
      if (element.closest('.checklist, .notice, [data-last], [data-commands]')) return false;
      if (element.getClientRects().length === 0) return false;
      return element.matches('.dot')
        ? style.getPropertyValue('--icon') !== style.getPropertyValue('--icon-unknown')
        : element.textContent?.trim() !== '' && style.color !== grey;
    });
    return fresh.map((element) => element.outerHTML.slice(0, 120));
  });
}

/** Asserts that the lights, the status line and the last update time are marked as stale. */
async function assertStale(page: Page): Promise<void> {
  await page.locator('.lights[data-stale]').waitFor();
  await page.locator('[data-live="lights-age"]:has-text("Status from")').waitFor();
  await page.locator('[data-band-main] [data-stale] [data-age]:not([hidden])').waitFor();
}

async function assertFresh(page: Page): Promise<void> {
  await page.locator('[data-connections]:not([data-stale])').waitFor({ state: 'attached' });
  await page.locator('.lights:not([data-stale])').waitFor();
  await page.locator('[data-live="lights-age"]').waitFor({ state: 'hidden' });
  await page.locator('[data-live="lost"]').waitFor({ state: 'hidden' });
}

for (const path of [
  '/',
  '/fleet',
  '/cameraSettings',
  '/map',
  '/brokerSettings',
  '/shop',
  '/system',
  '/controller/firmware',
  '/account',
]) {
  test(`${path} greys out live data and shows its age while the gateway is frozen`, async () => {
    await app.visit(path, async ({ page, pageErrors }) => {
      await assertFresh(page);
      await untilSentence(page, /^Ready$/);
      process.kill(app.gateway.pid, 'SIGSTOP');
      try {
        await assertStale(page);
        await untilAnswer(
          () => freshValues(page),
          (fresh) => fresh.length === 0,
        );
      } finally {
        process.kill(app.gateway.pid, 'SIGCONT');
      }
      await assertFresh(page);
      pageErrors.splice(0);
    });
  });
}

test('the page greys out live data and shows its increasing age when the event stream stalls', async () => {
  const network = await UnreliableNetwork.open(app.gateway.url);
  await visitPage(app.browser, network.url, async ({ page, pageErrors }) => {
    await untilSentence(page, /^Ready$/);
    network.dropTraffic();
    await assertStale(page);
    await assertFresh(page);
    pageErrors.splice(0);
  });
  await network.close();
});

/**
 * Freezes the gateway while cart 2 moves, as shown by `sign`, runs `check`, and stops the cart. Starts the move once more
 * after LOOP_LAG.
 */
async function freezeWhileMoving(page: Page, sign: Locator, check: () => Promise<void>): Promise<void> {
  const attempt = async (): Promise<string | undefined> => {
    await app.gateway.untilCart(2, ({ safety, moving }) => safety.mayMove && !moving);
    const { body } = await app.gateway.move(2, 8000, { maxSpeed: 20 });
    await untilAnswer(
      async () => ({ isShown: await sign.isVisible(), cart: await app.gateway.cart(2) }),
      ({ isShown, cart }) => isShown || (!cart.moving && cart.commandId === body.commandId),
    );
    process.kill(app.gateway.pid, 'SIGSTOP');
    try {
      if (await sign.isVisible()) {
        await check();
        return undefined;
      }
    } finally {
      process.kill(app.gateway.pid, 'SIGCONT');
    }
    return (await app.gateway.endCode(body.commandId)) ?? 'not shown';
  };
  assert.equal(await repeatOnce(attempt, (code) => code), undefined);
  await assertFresh(page);
  await app.gateway.call('POST', '/carts/2/stop', {});
}

test('the page shows "was moving" and a Stop button for a cart that is not selected while the gateway is frozen', async () => {
  await app.visit('/map?cart=1', async ({ page, pageErrors }) => {
    const band = page.locator('[data-moving-cart="2"]');
    await freezeWhileMoving(page, band.locator('[data-f="motion"]:text-is("is moving")'), async () => {
      await band.locator('[data-f="motion"]:text-is("was moving")').waitFor();
      await band.locator('[data-age]:has-text("Last update")').waitFor();
      assert.equal(await band.locator('button.stop').isVisible(), true);
    });
    pageErrors.splice(0);
  });
});

test('a running command is shown as "Last reported as running" while the gateway is frozen', async () => {
  await app.visit('/?cart=2', async ({ page, pageErrors }) => {
    const line = page.locator('[data-last] .line');
    await freezeWhileMoving(page, line.filter({ hasText: /^Running / }), async () => {
      await line.filter({ hasText: /^Last reported as running / }).waitFor();
      await page.locator('[data-last][data-stale]').waitFor();
    });
    await line.filter({ hasNotText: 'ast reported' }).waitFor();
    pageErrors.splice(0);
  });
});

test("a stop's confirmation disappears when the next command starts", async () => {
  await app.visit('/', async ({ page }) => {
    const answer = page.locator('[data-live="stop-answer"]');
    await page.clock.install();
    await page.locator(GO).waitFor();
    await page.click('.stops .stop');
    await answer.filter({ hasText: /^Stop confirmed by / }).waitFor();
    await app.gateway.move(1, 200);
    await answer.waitFor({ state: 'hidden', timeout: 3000 });
    await app.gateway.call('POST', '/carts/1/stop');
  });
});

test('"Cannot reach the cart" disappears after the gateway can be reached again', async () => {
  await app.gateway.call('POST', '/estop', { cartID: 1 });
  await app.visit('/system', async ({ page, pageErrors }) => {
    const answer = page.locator('[data-live="stop-answer"]');
    await page.route('**/estop/reset', (route) => route.abort());
    await holdButton(
      page,
      '[data-band-main] [data-reset] button',
      '[data-live="stop-answer"]:has-text("Cannot reach")',
    );
    await answer.waitFor({ state: 'hidden' });
    await page.locator('[data-band-main] [data-tone="stop"]').waitFor();
    pageErrors.splice(0);
  });
  await app.gateway.resetCart(1);
});

test('a page that receives no events greys out the data rendered by the gateway', async () => {
  const run = async ({ page, pageErrors }: PageSession): Promise<void> => {
    await page.route('**/events*', (route) => route.abort());
    await page.reload();
    await assertStale(page);
    await page.locator('[data-now][data-stale] [data-f="age"]').filter({ hasNotText: /^0\./ }).waitFor();
    pageErrors.splice(0);
  };
  await app.visit('/', run);
});

for (const [id, value, text] of [
  ['maxSpeed', '99999', 'Speed: 1 to 300 mm/s'],
  ['distanceID', '-10001', 'Distance: 0 to 10000 mm'],
  ['angleID', '1.5', 'Turn: whole numbers only'],
  ['distanceID', '', 'Distance: 0 to 10000 mm'],
] as const) {
  test(`the page states which numbers are valid when ${id} is "${value}"`, async () => {
    await app.visit('/', async ({ page }) => {
      await page.locator(GO).waitFor();
      const error = page.locator(`.field:has(#${id}) [data-error]`);
      assert.equal(await error.isVisible(), false);
      await page.fill(`#${id}`, value);
      await page.locator(`#${id}`).blur();
      await error.filter({ hasText: text }).waitFor();
      assert.equal(await page.getAttribute(`#${id}`, 'aria-invalid'), 'true');
      const about = (await page.getAttribute(`#${id}`, 'aria-describedby')) ?? '';
      assert.ok(about.split(' ').includes((await error.getAttribute('id')) ?? ''));
      await page.fill(`#${id}`, '10');
      await error.waitFor({ state: 'hidden' });
      assert.equal(await page.getAttribute(`#${id}`, 'aria-invalid'), null);
    });
  });
}

test('the preview stays visible while only the speed is invalid', async () => {
  await app.visit('/', async ({ page }) => {
    await page.fill('#distanceID', '200');
    await page.fill('#maxSpeed', '99999');
    assert.equal(await page.locator('[data-preview]').isVisible(), true);
  });
});

test('an invalid command clears the previous response and the preview', async () => {
  await app.visit('/', async ({ page }) => {
    await page.locator(GO).waitFor();
    await page.fill('#distanceID', '100');
    await page.click('.go');
    // On a busy machine, the command may fail, which is also a valid result.
    const last = page.locator('[data-last] .line');
    await last.filter({ hasText: /^(Finished|Failed)/ }).waitFor();
    await page.fill('#distanceID', '20000');
    assert.equal(await page.textContent('[data-preview-caption]'), '');
    assert.equal(await page.locator('[data-preview]').isVisible(), false);
    await page.locator(GO).click();
    assert.equal(await page.textContent('[data-progress]'), '');
    await page.fill('#distanceID', '200');
    assert.equal(await page.locator('[data-preview]').isVisible(), true);
    assert.notEqual(await page.textContent('[data-preview-caption]'), '');
  });
});

test('a slow response to a command is announced, and a second press does not send another command', async () => {
  await app.visit('/', async ({ page }) => {
    let sent = 0;
    let respond = (): void => {};
    const held = new Promise<void>((resolve) => {
      respond = resolve;
    });
    await page.route(
      ({ pathname }) => pathname === '/',
      async (route) => {
        sent += 1;
        await held;
        await route.continue();
      },
    );
    await page.fill('#distanceID', '100');
    await page.locator(GO).dblclick();
    await page.locator('[data-progress]:has-text("Sending")').waitFor();
    await page.locator('.go:disabled').waitFor();
    respond();
    // On a busy machine, the command may fail, which is also a valid result.
    const last = page.locator('[data-last] .line');
    await last.filter({ hasText: /^(Finished|Failed).* 0\.10 m forward$/ }).waitFor();
    await page.locator('[data-progress]:empty').waitFor({ state: 'attached' });
    assert.equal(sent, 1);
  });
});

test('the Drive button keeps the keyboard focus after Enter', async () => {
  await app.visit('/', async ({ page }) => {
    await page.fill('#distanceID', '100');
    await page.locator(GO).press('Enter');
    const last = page.locator('[data-last] .line');
    await last.filter({ hasText: /^(Finished|Failed).* 0\.10 m forward$/ }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.matches('.go')), true);
  });
});

const NARROW_PHONE = { viewport: { width: 345, height: 740 } };

test('the Move tab shows five-digit values and the direction buttons in full on a phone', () =>
  app.visit(
    '/',
    async ({ page }) => {
      await page.click('#tab-move');
      await page.locator('.presets-hint:visible').waitFor();
      const size = (selector: string): Promise<{ cut: number; height: number }> =>
        page.locator(selector).evaluate((e: HTMLElement) => ({
          cut: e.scrollWidth - e.clientWidth,
          height: e.offsetHeight,
        }));
      for (const value of ['10000', '-10000']) {
        await page.fill('#distanceID', value);
        for (const selector of ['#distanceID', '[data-sign="distanceID"]']) {
          assert.deepEqual(await size(selector), { cut: 0, height: 44 });
        }
      }
    },
    NARROW_PHONE,
  ));

test('a negative distance is shown as Back with a positive number, and drives the cart backwards', () =>
  app.visit(
    '/',
    async ({ page }) => {
      await page.click('#tab-move');
      await page.fill('#distanceID', '-200');
      assert.equal(await page.inputValue('#distanceID'), '200');
      assert.equal(await page.textContent('[data-sign="distanceID"]'), 'Back');
      const { y } = (await page.locator('main').boundingBox()) ?? {};
      await page.locator(GO).click();
      await page.locator('[data-band-main] [data-tone="live"]').waitFor();
      assert.equal((await page.locator('main').boundingBox())?.y, y);
      // On a busy machine, the command may fail, which is also a valid result.
      const last = page.locator('[data-last] .line');
      await last.filter({ hasText: /^(Finished|Failed).* 0\.20 m back$/ }).waitFor();
    },
    NARROW_PHONE,
  ));

test("a command form's hint disappears when another cart is selected", async () => {
  await app.visit('/', async ({ page }) => {
    await page.locator(GO).waitFor();
    await page.locator('[data-preset]').first().click();
    await page.locator('[data-progress]:has-text("Press and hold")').waitFor();
    await page.selectOption('#selected-cart', '2');
    await page.locator('[data-progress]:empty').waitFor({ state: 'attached' });
  });
});

test("a trial's outcome disappears when the next trial starts", async () => {
  const port = async (page: Page, value: string): Promise<void> => {
    await page.goto(`${app.gateway.url}/brokerSettings?section=mqtt`);
    await page.selectOption('[name="/mqtt/broker"]', 'external');
    await page.fill('[name="/mqtt/port"]', value);
    await page.click('[data-save]');
    await page.click('[data-apply]');
    await page.locator('[data-trial]:not([hidden])').waitFor();
  };
  const other = await app.browser.newPage();
  await app.visit('/', async ({ page }) => {
    await port(other, '9');
    // Submits the form as if JavaScript were disabled, so that the next page contains the outcome.
    await page.locator('[data-trial]:not([hidden]) button:text-is("Confirm")').waitFor();
    await page.locator('[data-trial-form]').evaluate((form: HTMLFormElement) => {
      form.action = '/brokerSettings/confirm';
      form.submit();
    });
    await page.locator('main:has-text("Changes kept")').waitFor();
    await port(other, '10');
    await page.locator('[data-trial]:not([hidden])').waitFor();
    await page.locator('main h2:text-is("Changes kept")').waitFor({ state: 'detached' });
    await page.click('text="Roll back"');
    await page.locator('[data-trial][hidden]').waitFor({ state: 'attached' });
  });
  await other.close();
  await app.gateway.call('POST', '/updateJson', { mqtt: { broker: 'embedded', port: 0 } });
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: live state of open pages in Chromium (Chromium is not installed)\n');
