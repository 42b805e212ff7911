import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import type { CommandView } from '../../../src/carts/command/model.js';
import type { Results } from '../../../src/carts/commissioning/commissioning.js';
import { violationsInBothModes } from '../../helpers/axe.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { overflowPx } from '../../helpers/page-assertions.js';
import { withPage } from '../../helpers/page-session.js';
import { repeatOnce } from '../../helpers/repeat-once.js';
import { untilAnswer } from '../../helpers/until.js';

const test = suite('the Commissioning page in Chromium');

const app = new BrowserSuite(test);
test.before(() => app.untilCartReady());

const PHONE = { viewport: { width: 360, height: 780 } };
const simulate = (action: string, on: boolean) => app.gateway.call('POST', '/simulator', { action, on });

async function results(): Promise<Results> {
  return (await app.gateway.call<{ results: Results }>('GET', '/commissioning')).body.results;
}

/** Completes a commissioning step: presses the button, performs the manual action, and confirms the result. */
async function doStep(step: string, seen: RegExp, meanwhile?: (page: Page) => Promise<void>): Promise<void> {
  await app.gateway.untilCart(1, ({ safety }) => safety.mayMove);
  const path = `${app.gateway.url}/commissioning?step=${step}`;
  await withPage(
    app.browser,
    path,
    async ({ page, pageErrors }) => {
      const yes = page.locator('[data-answer] button[value="passed"]');
      await page.locator('[data-light="broker"] strong:text-is("connected")').waitFor({ state: 'attached' });
      assert.equal(await yes.isDisabled(), true);
      await page.click('[data-do]');
      await meanwhile?.(page);
      await page.locator('[data-words]').filter({ hasText: seen }).waitFor();
      await page.locator('[data-answer] button[value="passed"]:not(:disabled)').click();
      await page.waitForURL((url) => !url.search.endsWith(`step=${step}`));
      // The browser logs every rejected request to its console.
      if (step === 'limits') pageErrors.splice(0);
    },
    PHONE,
  );
  const result = (await results())[step as keyof Results];
  assert.equal(result?.outcome, 'passed');
  assert.match(result?.note ?? '', seen);
  assert.equal(result?.by, 'the operator');
}

const untilText = (page: Page, text: string): Promise<void> =>
  page.locator(`[data-words]:has-text("${text}")`).waitFor();

test('commissioning starts with an observation-only step when there are no results', async () => {
  await app.visit(
    '/commissioning',
    async ({ page }) => {
      await page.locator('[data-tour-sentence]:has-text("has not been commissioned yet")').waitFor();
      await page.click('a:text-is("Start")');
      await page.locator('h1:text-is("Wheels off the ground")').waitFor();
      await page.click('button[value="passed"]');
      await page.locator('h1:text-is("Forward direction")').waitFor();
    },
    PHONE,
  );
  assert.equal((await results()).wheels?.outcome, 'passed');
});

test('the forward step drives the cart 100 mm and records the reported distance', async () => {
  await doStep('forward', /The controller reports a movement of 0\.10 m\./);
});

test('the turn step turns the cart 30° to the left', async () => {
  await doStep('turn', /The controller reports a movement of (29|30|31)°\./);
});

test('the limits step passes when a command beyond the limit is rejected', async () => {
  await doStep('limits', /^Rejected, as expected: .*10000 mm/);
});

test('a step is locked when the units have changed since the page loaded', async () => {
  await app.visit('/commissioning?step=forward', async ({ page }) => {
    const { commandId } = await app.gateway.untilCart(1, ({ moving }) => !moving);
    await page.locator('[data-do]:not(:disabled)').waitFor();
    await page.locator('[data-light="broker"] strong:text-is("connected")').waitFor({ state: 'attached' });
    await app.gateway.call('POST', '/updateJson', { units: { distance: 'cm' } });
    await page.locator('[data-live="lock"]').filter({ hasText: 'The settings have changed' }).waitFor();
    assert.equal(await page.isDisabled('[data-do]'), true);
    assert.equal((await app.gateway.untilCart(1, () => true)).commandId, commandId);
    await app.gateway.call('POST', '/updateJson', { units: { distance: 'mm' } });
    await page.locator('[data-do]:not(:disabled)').waitFor();
  });
});

test('the gateway rejects a step when settings have changed and the page has no live connection', async () => {
  const path = `${app.gateway.url}/commissioning?step=forward`;
  await withPage(app.browser, path, async ({ page, pageErrors }) => {
    await page.route('**/events?*', (route) => route.abort());
    await page.reload();
    const { commandId } = await app.gateway.untilCart(1, ({ moving }) => !moving);
    await app.gateway.call('POST', '/updateJson', { units: { distance: 'cm' } });
    await page.click('[data-do]');
    await untilText(page, 'the settings have changed since this page was loaded');
    assert.equal((await app.gateway.untilCart(1, () => true)).commandId, commandId);
    await app.gateway.call('POST', '/updateJson', { units: { distance: 'mm' } });
    pageErrors.splice(0);
  });
});

test('the E-stop step detects when the button is pressed and released', async () => {
  await doStep('estop', /^E-stop and reset detected/, async (page) => {
    await untilText(page, 'Press the button');
    await simulate('button', true);
    await untilText(page, 'Release the button');
    await simulate('button', false);
    const reset = () => app.gateway.call('POST', '/simulator', { action: 'reset-here' });
    await untilAnswer(reset, ({ status }) => status === 200);
  });
});

/** Waits until the cart drives. Starts the step once more after LOOP_LAG. */
async function untilDriving(page: Page): Promise<void> {
  let starts = 1;
  const attempt = async (): Promise<string | undefined> => {
    if (starts++ > 1) await page.click('[data-do]');
    await untilText(page, 'Unplug the serial cable');
    const { commandId } = await app.gateway.cart(1);
    const { moving } = await app.gateway.untilCart(
      1,
      (cart) => (cart.telemetry?.speedMmps ?? 0) > 80 || !cart.moving,
    );
    if (moving) return undefined;
    const { body } = await app.gateway.call<CommandView>('GET', `/commands/${commandId}`);
    return body.reason?.code ?? body.state;
  };
  assert.equal(await repeatOnce(attempt, (code) => code), undefined);
}

test('the deadman step detects an unplugged cable and reports the stopping distance', async () => {
  await doStep(
    'deadman',
    /^Reconnected\. The wheels travelled \d+ mm after the connection was lost;/,
    async (page) => {
      await untilDriving(page);
      await simulate('plug', false);
      await untilText(page, 'Plug the cable back in');
      await simulate('plug', true);
    },
  );
});

test('the camera step can be marked as failed, and the broker step passes', async () => {
  await app.visit(
    '/commissioning?step=camera',
    async ({ page }) => {
      await page.locator('[data-camera]:not([data-stale])').waitFor();
      await page.click('button[value="failed"]');
      await page.locator('h1:text-is("MQTT server")').waitFor();
    },
    PHONE,
  );
  await doStep('broker', /^Connected to mqtt:/);
});

test('the footprint step draws the measured outline and sets the footprint', async () => {
  await app.visit(
    '/commissioning?step=footprint',
    async ({ page }) => {
      for (const [name, value] of Object.entries({ frontMm: 400, rearMm: 200, leftMm: 250, rightMm: 250 }))
        await page.fill(`[name="${name}"]`, String(value));
      const outline = page.locator('[data-footprint]:not([hidden]) rect');
      assert.deepEqual(
        [
          await outline.getAttribute('width'),
          await outline.getAttribute('height'),
          await outline.getAttribute('y'),
        ],
        ['500', '600', '-400'],
      );
      await page.click('button[value="passed"]');
      await page.locator('h1:text-is("Brake test")').waitFor();
    },
    PHONE,
  );
  const { body } = await app.gateway.call<{ kinematics: { footprint: object[] } }>('GET', '/variables.json');
  assert.deepEqual(body.kinematics.footprint, [
    { xMm: 400, yMm: 250 },
    { xMm: -200, yMm: 250 },
    { xMm: -200, yMm: -250 },
    { xMm: 400, yMm: -250 },
  ]);
});

test('the brake test step rejects a slow test, keeps the entered values, and lists the measurement', async () => {
  await app.visit(
    '/commissioning?step=brake',
    async ({ page, pageErrors }) => {
      await page.fill('[name="speedMmps"]', '10');
      await page.fill('[name="distanceMm"]', '320');
      await page.fill('[name="load"]', '80 kg');
      await page.click('button[value="passed"]');
      await page.locator('#step-error:has-text("must be a whole number from 150 to 5000 mm/s")').waitFor();
      pageErrors.splice(0);
      assert.equal(await page.inputValue('[name="distanceMm"]'), '320');
      await page.fill('[name="speedMmps"]', '300');
      await page.click('button[value="passed"]');
      await page.locator('li:has-text("320 mm from 300 mm/s, 80 kg")').waitFor();
      await page.getByText('Deceleration 164 mm/s²').waitFor();
    },
    PHONE,
  );
  const withdrawn = await app.gateway.call('POST', '/commissioning/brake-tests/withdraw', { at: 1 });
  assert.equal(withdrawn.status, 401, 'only administrators withdraw a test');
});

test('the Commissioning page shows the user and date of failed steps, and the System page lists the steps', async () => {
  for (const [path, selector] of [
    ['/commissioning', '[data-tour-sentence]'],
    ['/system', '[data-tour]'],
  ] as const)
    await app.visit(`${path}`, async ({ page }) => {
      await page.locator(`${selector}:has-text("9 of 10 steps passed; failed: Camera.")`).waitFor();
    });
  await app.visit('/commissioning', async ({ page }) => {
    const row = page.locator('[data-step-row="camera"][data-outcome="failed"]');
    assert.match((await row.textContent()) ?? '', /Failed, reported by the operator on \d+ \w+ 20\d\d/);
  });
});

test('a skipped step shows the user and the time, even when JavaScript is off', async () => {
  await app.visit(
    '/commissioning?step=turn',
    async ({ page }) => {
      await page.click('button:text-is("Skip this step")');
      await page.locator('h1:text-is("Limits")').waitFor();
      await page.goto(`${app.gateway.url}/commissioning`);
      const row = page.locator('[data-step-row="turn"][data-outcome="skipped"]');
      assert.match((await row.textContent()) ?? '', /Skipped by the operator on /);
    },
    { javaScriptEnabled: false },
  );
});

for (const width of [360, 768, 1440]) {
  test(`the page has no accessibility violations in light and dark mode and fits the screen at ${width} px`, async () => {
    for (const query of ['', '?step=estop', '?step=camera'])
      await app.visit(
        `/commissioning${query}`,
        async ({ page }) => {
          await page
            .locator('[data-light="broker"] strong:text-is("connected")')
            .waitFor({ state: 'attached' });
          assert.deepEqual(await violationsInBothModes(page), [], query);
          assert.equal(await overflowPx(page), 0, query);
        },
        { viewport: { width, height: 900 } },
      );
  });
}

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: the commissioning in Chromium (Chromium is not installed)\n');
