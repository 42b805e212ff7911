import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import { openLightFleet } from '../../../src/app/simulation/fleet.js';
import { systemClock } from '../../../src/shared/clock.js';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { until, untilAnswer } from '../../helpers/until.js';

/** Tests the settings pages in Chromium with a real gateway whose trials last a few seconds. */
const test = suite('the settings pages in Chromium');

const LONG = { confirmSeconds: 600 };
const SHORT = { confirmSeconds: 5 };

const app = new BrowserSuite(test);

let configured: object | undefined;
let storedAtStart = '';

async function restart(config: object): Promise<void> {
  await app.gateway.kill('SIGTERM');
  await app.gateway.configure({ settings: {}, ...config });
  await app.gateway.spawn();
  await app.gateway.untilCart(1, ({ safety }) => safety.mayMove);
  configured = config;
  storedAtStart = await storedText();
}

/**
 * Restarts the gateway only if its configuration is different or the previous test has left changed settings, for
 * example an unconfirmed change.
 */
async function withConfig(config: object): Promise<void> {
  if (configured !== config || (await storedText()) !== storedAtStart) return restart(config);
  // Clears the log; otherwise, `logged` would find the events of previous tests.
  app.gateway.log.length = 0;
  await app.gateway.untilCart(1, ({ safety }) => safety.mayMove);
}

async function storedText(): Promise<string> {
  return JSON.stringify(await stored());
}

interface Document {
  mqtt: { broker: string; host: string; port: number };
  limits: { maxSpeedMmps: number };
  presets: { distance: Record<string, number> };
}
const stored = async () => (await app.gateway.call<Document>('GET', '/variables.json')).body;

const BROKER = '[data-light="broker"] strong';
const TRIAL = '[data-trial]:not([hidden])';
const NO_TRIAL = '[data-trial][hidden]';

const FIND = '[data-search] input';
const SECTION = '[data-section]:visible';
const openSection = (page: Page, name: string) => page.click(`[data-sections] a[href="#${name}"]`);
const shownSections = (page: Page) =>
  page.locator(SECTION).evaluateAll((all) => all.map((section) => section.id));
const shownRows = (page: Page) =>
  page
    .locator('[data-row]:visible :is(input:not([type="hidden"]), select, textarea)')
    .evaluateAll((all) => all.map((control) => control.getAttribute('name')));

async function applyUnreachableBroker(page: Page): Promise<void> {
  await openSection(page, 'mqtt');
  await page.selectOption('[name="/mqtt/broker"]', 'external');
  // Nothing listens on port 9 of this machine.
  await page.fill('[name="/mqtt/port"]', '9');
  await page.click('[data-save]');
  await page.click('[data-apply]');
  await page.locator(TRIAL).waitFor();
}

for (const javaScriptEnabled of [true, false]) {
  test(`the page shows old and new values before a change is applied, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    await withConfig(LONG);
    const run = async ({ page }: { page: Page }) => {
      await page.fill('[name="/limits/maxSpeedMmps"]', '250');
      await openSection(page, 'mqtt');
      await page.fill('[name="/mqtt/password"]', 'tulip');
      await page.click('[data-save]');
      await page.locator('[data-apply]').waitFor();
      const changes = await page.locator('[data-changes] > div').allInnerTexts();
      const lines = changes.map((text) => text.replace(/\s+/g, ' '));
      assert.ok(
        lines.some((line) => /Maximum speed.*300 mm\/s → to 250 mm\/s/.test(line)),
        lines.join('; '),
      );
      assert.ok(
        lines.some((line) => /Password.*→ to \*\*\*/.test(line)),
        lines.join('; '),
      );
      assert.equal((await page.content()).includes('tulip'), false);
      assert.equal((await stored()).limits.maxSpeedMmps, 300, 'not applied yet');
      await page.click('text="Back to the form"');
      assert.equal(await page.inputValue('[name="/limits/maxSpeedMmps"]'), '250');
      await page.click('[data-save]');
      await page.click('[data-apply]');
      await page.click('text="Roll back"');
      if (javaScriptEnabled) {
        await page.locator(NO_TRIAL).waitFor({ state: 'attached' });
        await page.locator('main:has-text("Unconfirmed changes")').waitFor({ state: 'detached' });
      } else await page.locator('main h2:text-is("Changes rolled back")').waitFor();
    };
    await app.visit('/brokerSettings', run, { javaScriptEnabled });
    assert.equal((await stored()).limits.maxSpeedMmps, 300);
  });
}

test('every page counts down to the rollback after a change that disconnects the broker', async () => {
  await withConfig(SHORT);
  const before = (await stored()).mqtt;
  await app.visit('/brokerSettings', async ({ page }) => {
    await page.locator(`${BROKER}:text-is("connected")`).waitFor();
    await applyUnreachableBroker(page);
    assert.match((await page.textContent('[data-trial-words]')) ?? '', /^MQTT server changed by .* s unless/);
    await page.locator(NO_TRIAL).waitFor({ state: 'attached' });
    await page.locator(`${BROKER}:text-is("connected")`).waitFor();
    await page.click('[data-trial-ended] button:text-is("Close")');
    await page.locator('[data-trial-ended]').waitFor({ state: 'hidden' });
  });
  await app.gateway.logged('settings.rolled_back', { by: 'confirmation timeout' });
  assert.deepEqual((await stored()).mqtt, before);
});

test('an operator can stop and drive during a trial, and can confirm the trial on another page', async () => {
  await withConfig(LONG);
  await app.visit('/brokerSettings', async ({ page }) => {
    await applyUnreachableBroker(page);
    assert.equal((await app.gateway.move(1, 100, {}, '?wait=done')).body.state, 'FINISHED');
    assert.equal((await app.gateway.call('POST', '/carts/1/stop')).status, 200);
    await page.goto(`${app.gateway.url}/`);
    await page.click(`${TRIAL} button:text-is("Confirm")`);
    await page.locator(NO_TRIAL).waitFor({ state: 'attached' });
  });
  await app.gateway.logged('settings.confirmed');
  assert.equal((await stored()).mqtt.broker, 'external');
  await app.gateway.call('POST', '/updateJson', { mqtt: { broker: 'embedded', port: 0 } });
});

test('a gateway that is killed during a trial starts again with the previous settings', async () => {
  await withConfig(LONG);
  const before = (await stored()).mqtt;
  await app.visit('/brokerSettings', async ({ page }) => {
    await applyUnreachableBroker(page);
  });
  assert.equal((await stored()).mqtt.broker, 'external');
  await app.gateway.kill('SIGKILL');
  await app.gateway.spawn();
  assert.deepEqual((await stored()).mqtt, before);
  await app.gateway.logged('settings.rolled_back', { by: 'restart' });
});

for (const isEdited of [false, true]) {
  const fields = isEdited ? 'the other fields of an edited form' : 'the fields';

  test(`${fields} show the stored values in every tab when a trial begins and when it is rolled back`, async () => {
    await withConfig(LONG);
    await app.visit('/brokerSettings', async ({ page }) => {
      const other = await page.context().newPage();
      await other.goto(`${app.gateway.url}/brokerSettings?view=advanced`);
      if (isEdited) await other.fill('[name="/limits/defaultSpeedMmps"]', '200');
      const speed = '[name="/limits/maxSpeedMmps"]';
      await page.fill(speed, '400');
      await page.click('[data-save]');
      await page.click('[data-apply]');
      await page.locator(TRIAL).waitFor();
      const shows = (tab: Page, value: string) => until(async () => (await tab.inputValue(speed)) === value);
      await shows(other, '400');
      await other.locator('.mark-default:visible:has-text("Default: 300 mm/s")').first().waitFor();
      await page.click('text="Roll back"');
      for (const tab of [page, other]) {
        await shows(tab, '300');
        assert.equal(await tab.locator(`[data-row]:has(${speed}) .mark-default:visible`).count(), 0);
        assert.equal(await tab.locator('[data-not-current]:visible').count(), 0);
      }
      const unsaved = await other.textContent('[data-save-words]');
      assert.equal(unsaved, isEdited ? '1 unsaved change' : 'No changes');
      if (!isEdited) return;
      assert.equal(await other.inputValue('[name="/limits/defaultSpeedMmps"]'), '200');
      await other.click('[data-save]');
      await other.locator('[data-apply]').waitFor();
      const rows = await other.locator('[data-changes] > div').allInnerTexts();
      assert.equal(rows.length, 1, rows.join('; '));
      assert.equal(await other.locator('main:has-text("in the meantime")').count(), 0);
    });
  });
}

test('the page shows a warning if it cannot load the stored values after a rollback', async () => {
  await withConfig(LONG);
  await app.visit('/brokerSettings', async ({ page, pageErrors }) => {
    await page.fill('[name="/limits/maxSpeedMmps"]', '400');
    await page.click('[data-save]');
    await page.click('[data-apply]');
    await page.locator(TRIAL).waitFor();
    await page.route(/\/brokerSettings(\?|$)/, (route) => route.abort());
    await page.click('text="Roll back"');
    await page.locator('[data-not-current] a:visible').waitFor();
    assert.equal(await page.locator('.mark-default:visible').count(), 0);
    await page.unroute(/\/brokerSettings(\?|$)/);
    // A later event may have loaded the values, and hidden the link, before the click.
    await page.locator('[data-not-current] a').dispatchEvent('click');
    await page.locator('[data-not-current]').waitFor({ state: 'hidden' });
    assert.equal(await page.inputValue('[name="/limits/maxSpeedMmps"]'), '300');
    // The browser logs each aborted request.
    pageErrors.splice(0);
  });
});

test('the history page compares and restores versions', async () => {
  await withConfig(LONG);
  await app.gateway.call('POST', '/updateJson', { beacons: { maxRangeM: 42 } });
  await app.visit('/brokerSettings/history', async ({ page }) => {
    await page.locator('[data-versions] > li').nth(1).getByRole('button').click();
    await page.locator('[data-changes] dd', { hasText: '42 m' }).waitFor();
    await page.click('[data-apply]');
    await page.locator('main h2:text-is("Saved")').waitFor();
    assert.equal(await page.inputValue('[name="/beacons/maxRangeM"]'), '100');
  });
});

test('an import with errors lists the errors and changes nothing', async () => {
  await withConfig(LONG);
  await app.visit('/brokerSettings/history', async ({ page, pageErrors }) => {
    const buffer = Buffer.from('{"limits": {"maxSpeedMmps": -4}}');
    await page.setInputFiles('[data-import-file]', { name: 'a.json', mimeType: 'application/json', buffer });
    await page.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>('[data-import-text]')?.value !== '',
    );
    await page.click('text="Review import"');
    await page.locator('[data-import-faults] code:text-is("/limits/maxSpeedMmps")').waitFor();
    // The browser logs each 400 response to its console.
    pageErrors.splice(0);
  });
  assert.equal((await stored()).limits.maxSpeedMmps, 300);
});

test('the history lists the changes in each version', async () => {
  await withConfig(LONG);
  const change = { limits: { maxSpeedMmps: 250, maxDistanceMm: 9000, maxAngleDeg: 180 } };
  await app.gateway.call('POST', '/updateJson', change);
  await app.visit('/brokerSettings/history', async ({ page }) => {
    const text = (await page.locator('[data-versions] summary').first().innerText()).replace(/\s+/g, ' ');
    assert.match(text, /Maximum distance per command: 10000 mm → 9000 mm/);
    assert.match(text, /Maximum angle per command: 360° → 180° Maximum speed: 300 mm\/s → 250 mm\/s$/);
  });
  const defaults = { limits: { maxSpeedMmps: 300, maxDistanceMm: 10_000, maxAngleDeg: 360 } };
  await app.gateway.call('POST', '/updateJson', defaults);
});

test('leaving the review requires confirmation, but saving the change does not', async () => {
  await withConfig(LONG);
  await app.visit('/brokerSettings', async ({ page }) => {
    await page.fill('[name="/limits/maxSpeedMmps"]', '350');
    await page.click('[data-save]');
    await page.locator('[data-apply]').waitFor();
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.click('.nav a[href="/system"]', { noWaitAfter: true });
    assert.deepEqual(asked, ['beforeunload']);
    await page.click('[data-apply]');
    await page.locator(TRIAL).waitFor();
    assert.equal(asked.length, 1, 'saving the change does not ask');
    await page.click('text="Roll back"');
    await page.locator(NO_TRIAL).waitFor({ state: 'attached' });
  });
});

test('the review states that the change is not saved and would be lost when JavaScript is off', async () => {
  const run = async ({ page }: { page: Page }) => {
    await page.fill('[name="/limits/maxSpeedMmps"]', '250');
    await page.click('[data-save]');
    await page.locator('h2:text-is("Not saved yet")').waitFor();
    await page.locator('text="These changes are lost if you leave this page."').waitFor();
  };
  await app.visit('/brokerSettings', run, { javaScriptEnabled: false });
});

test('every settings page names the cart to which the settings apply', async () => {
  for (const path of ['/brokerSettings', '/brokerSettings/history']) {
    await app.visit(path, async ({ page }) => {
      await page
        .locator('.scope:text-is("Applies to Cart 1 and to all commands sent from its gateway.")')
        .waitFor();
    });
  }
});

test('the settings page is at most 120 kB', async () => {
  const response = await fetch(`${app.gateway.url}/brokerSettings`, { headers: { accept: 'text/html' } });
  const { size } = await response.blob();
  assert.ok(response.ok && size <= 120_000, `${size} bytes`);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the form, review, trial and history have no accessibility violations in ${colorScheme} mode`, async () => {
    await withConfig(LONG);
    const options = { colorScheme, reducedMotion: 'reduce' } as const;
    const run = async ({ page }: { page: Page }) => {
      const found: string[] = [];
      const check = async () => found.push(...(await violationsOf(page)));
      await page.locator(`${BROKER}:text-is("connected")`).waitFor();
      await check();
      await page.fill('[name="/limits/maxSpeedMmps"]', '350');
      await page.click('[data-save]');
      await page.locator('[data-apply]').waitFor();
      await check();
      await page.click('[data-apply]');
      await page.locator(TRIAL).waitFor();
      await check();
      await page.goto(`${app.gateway.url}/brokerSettings/history`);
      await page.locator('[data-versions] summary').first().click();
      await check();
      await page.click('text="Roll back"');
      await page.locator(NO_TRIAL).waitFor({ state: 'attached' });
      assert.deepEqual(found, []);
    };
    await app.visit('/brokerSettings', run, options);
  });
}

test('every settings page fits the width of a phone, a tablet and a desktop screen', async () => {
  await withConfig(LONG);
  for (const width of [360, 768, 1440]) {
    const run = async ({ page }: { page: Page }) => {
      const over: unknown[] = [];
      const measure = async () =>
        over.push(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth));
      await measure();
      await page.goto(`${app.gateway.url}/brokerSettings?section=limits`);
      await page.fill('[name="/limits/maxDistanceMm"]', `${11_000 + width}`);
      await page.click('[data-save]');
      await page.locator('[data-apply]').waitFor();
      await measure();
      await page.click('[data-apply]');
      await page.locator(TRIAL).waitFor();
      await measure();
      await page.goto(`${app.gateway.url}/brokerSettings/history`);
      await measure();
      await page.click('text="Confirm"');
      await page.locator(NO_TRIAL).waitFor({ state: 'attached' });
      await app.gateway.call('POST', '/updateJson', { limits: { maxDistanceMm: 10_000 } });
      assert.deepEqual(over, [0, 0, 0, 0], `${width} px`);
    };
    await app.visit('/brokerSettings', run, { viewport: { width, height: 800 } });
  }
});

const BASIC_LIMITS = ['maxDistanceMm', 'maxSpeedMmps', 'defaultSpeedMmps', 'decelMmps2', 'minBatteryMv'].map(
  (name) => `/limits/${name}`,
);

for (const javaScriptEnabled of [true, false]) {
  const scripts = javaScriptEnabled ? 'with' : 'without';

  test(`the page shows the basic settings of one section, ${scripts} JavaScript`, async () => {
    await withConfig(LONG);
    const run = async ({ page }: { page: Page }) => {
      assert.deepEqual(await shownSections(page), ['limits']);
      assert.deepEqual(await shownRows(page), BASIC_LIMITS);
      await page.check('[data-view][value="advanced"]', { force: true });
      assert.equal((await shownRows(page)).length, 13);
      await openSection(page, 'beacons');
      assert.deepEqual(await shownSections(page), ['beacons']);
      await page.check('[data-view][value="basic"]', { force: true });
      assert.equal((await shownRows(page)).length, 4, 'a section without basic settings shows all');
      await page.goto(`${app.gateway.url}/brokerSettings?section=safety&view=basic`);
      assert.deepEqual(await shownSections(page), ['safety']);
    };
    await app.visit('/brokerSettings', run, { javaScriptEnabled });
  });

  test(`a search finds basic and advanced settings in all sections, ${scripts} JavaScript`, async () => {
    const run = async ({ page }: { page: Page }) => {
      await page.fill(FIND, 'heartbeat timeout');
      if (!javaScriptEnabled) await page.press(FIND, 'Enter');
      await page.locator('[id="set-serial-timeoutMs"]').waitFor();
      assert.deepEqual(await shownRows(page), ['/limits/remoteHeartbeatMs', '/serial/timeoutMs']);
      await page.locator('[data-found]:visible:text-is("Found: 0 in Basic, 2 in Advanced")').waitFor();
      await page.fill(FIND, 'no such words');
      if (!javaScriptEnabled) await page.press(FIND, 'Enter');
      await page.locator('[data-nothing-found]:visible').waitFor();
      assert.deepEqual(await shownSections(page), []);
      await page.click('[data-clear]');
      await page.locator('#limits').waitFor();
      assert.deepEqual(await shownRows(page), BASIC_LIMITS);
    };
    await app.visit('/brokerSettings', run, { javaScriptEnabled });
  });

  test(`a validation error opens the field's section and links to the field, ${scripts} JavaScript`, async () => {
    const run = async ({ page, pageErrors }: { page: Page; pageErrors: string[] }) => {
      await openSection(page, 'mqtt');
      await page.fill('[name="/mqtt/host"]', 'no spaces allowed');
      await openSection(page, 'limits');
      await page.fill('[name="/limits/maxSpeedMmps"]', '-5');
      await page.click('[data-save]');
      await page.locator('[data-summary] li').nth(1).waitFor();
      assert.deepEqual(await shownSections(page), ['limits']);
      await page.click('[data-summary] a:text-is("Host")');
      await page.locator('[name="/mqtt/host"]').waitFor();
      assert.deepEqual(await shownSections(page), ['mqtt']);
      assert.equal(await page.inputValue('[name="/mqtt/host"]'), 'no spaces allowed');
      // The browser logs each 400 response to its console.
      pageErrors.splice(0);
    };
    await app.visit('/brokerSettings', run, { javaScriptEnabled });
  });
}

for (const javaScriptEnabled of [true, false]) {
  test(`a list has one entry per line, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    await withConfig(LONG);
    const run = async ({ page, pageErrors }: { page: Page; pageErrors: string[] }) => {
      const list = '[name="/simulation/carts"]';
      assert.equal(await page.inputValue(list), '2\n3');
      await page.fill(list, '\n2\n\nfour\n');
      await page.click('[data-save]');
      await page.locator('[data-error]:text-is("Line 4: must be a whole number")').waitFor();
      assert.equal(await page.inputValue(list), '\n2\n\nfour\n');
      await page.fill(list, '2\n3\n4');
      await page.click('[data-save]');
      await page.locator('[data-changes] dd', { hasText: '2, 3' }).waitFor();
      const change = (await page.locator('[data-changes] dd').innerText()).replace(/\s+/g, ' ');
      assert.match(change, /2, 3 → to 2, 3, 4$/);
      // The browser logs each 400 response to its console.
      pageErrors.splice(0);
    };
    await app.visit('/brokerSettings?section=simulation&view=advanced', run, { javaScriptEnabled });
  });
}

const settingsPage = async () =>
  (await fetch(`${app.gateway.url}/brokerSettings`, { headers: { accept: 'text/html' } })).text();

const cellValues = (page: Page, name: string) =>
  page
    .locator(`[name^="${name}/"]`)
    .evaluateAll((all) => all.map((cell) => String(Reflect.get(cell, 'value'))));

test('rows are added to and removed from a table, counted as one change, and discarded together', async () => {
  await withConfig(LONG);
  await app.gateway.call('POST', '/updateJson', { carts: [{ cartID: 7, name: 'Forklift' }] });
  await app.visit('/brokerSettings?section=carts', async ({ page }) => {
    assert.deepEqual(await cellValues(page, '/carts'), ['7', 'Forklift', '', '']);
    await page.click('[data-add-row]:visible');
    await page.keyboard.type('8');
    await page.locator('[name="/carts/name"]').last().fill('Sweeper');
    await page.click('[data-add-row]:visible');
    await page.locator('[data-cells]:visible [data-remove-row]').first().click();
    assert.deepEqual(await cellValues(page, '/carts'), ['8', 'Sweeper', '', '']);
    assert.equal(await page.textContent('[data-save-words]'), '1 unsaved change');
    await page.click('[data-discard]');
    assert.deepEqual(await cellValues(page, '/carts'), ['7', 'Forklift', '', '']);
    assert.equal(await page.textContent('[data-save-words]'), 'No changes');
    await page.click('[data-row]:has([name="/carts/name"]) [data-to-default]');
    assert.deepEqual(await cellValues(page, '/carts'), ['', '']);
    await page.click('[data-save]');
    await page.locator('[data-changes] dd', { hasText: '7 Forklift → to empty' }).waitFor();
  });
  await app.gateway.call('POST', '/updateJson', { carts: [] });
});

for (const javaScriptEnabled of [true, false]) {
  const scripts = javaScriptEnabled ? 'with' : 'without';

  test(`presets are entered in rows, and an error is shown beside its cell, ${scripts} JavaScript`, async () => {
    await withConfig(LONG);
    await app.gateway.call('POST', '/updateJson', { presets: { distance: { 4: 700 } } });
    const run = async ({ page, pageErrors }: { page: Page; pageErrors: string[] }) => {
      const key = page.locator('[name="/presets/distance/key"]');
      const value = page.locator('[name="/presets/distance/value"]');
      await key.first().fill('5');
      await key.last().fill('6');
      await value.last().fill('far');
      await page.click('[data-save]');
      await page
        .locator('td:has([name="/presets/distance/value"]) .error:text-is("Must be a number")')
        .waitFor();
      assert.deepEqual(await cellValues(page, '/presets/distance'), ['5', '700', '6', 'far', '', '']);
      await page.click('[data-summary] a');
      await page.locator('[name="/presets/distance/value"]:focus').fill('-250');
      await page.click('[data-save]');
      await page.click('[data-apply]');
      await page.locator('main h2:text-is("Saved")').waitFor();
      assert.deepEqual((await stored()).presets.distance, { 5: 700, 6: -250 });
      // The browser logs each 400 response to its console.
      pageErrors.splice(0);
    };
    await app.visit('/brokerSettings?section=presets', run, { javaScriptEnabled });
    await app.gateway.call('POST', '/updateJson', { presets: { distance: { 5: null, 6: null } } });
  });

  test(`a cart on the broker is added to the other carts, ${scripts} JavaScript`, async () => {
    // A restart removes the unlisted carts that the gateway would still offer from earlier tests.
    await restart(LONG);
    const port = Number(new URL(await app.gateway.untilBroker()).port);
    const fleet = await openLightFleet({
      first: 7,
      count: 1,
      fleet: 'site1',
      root: 'cart/v1',
      clock: systemClock,
      log: new RecordingLog(),
      broker: { host: '127.0.0.1', port, protocol: 'mqtt', username: '', password: '' },
    });
    try {
      await untilAnswer(settingsPage, (html) => html.includes('Add: 7 Cart 7'));
      const run = async ({ page }: { page: Page }) => {
        if (javaScriptEnabled) {
          await page.click('button:text-is("Add: 7 Cart 7")');
          assert.deepEqual(await cellValues(page, '/carts'), ['7', 'Cart 7']);
        } else await page.check('label:has-text("Add: 7 Cart 7") input');
        await page.click('[data-save]');
        await page.locator('[data-changes] dd', { hasText: '7 Cart 7' }).waitFor();
      };
      await app.visit('/brokerSettings?section=carts', run, { javaScriptEnabled });
    } finally {
      await fleet.close();
    }
  });
}

test('unsaved changes in several sections are counted and saved together', async () => {
  await withConfig(LONG);
  await app.visit('/brokerSettings', async ({ page }) => {
    await page.fill('[name="/limits/maxSpeedMmps"]', '350');
    await openSection(page, 'gateway');
    await page.fill('[name="/gateway/name"]', 'North hall');
    await page.fill(FIND, 'level');
    await page.selectOption('[name="/logging/level"]', { label: 'Warning' });
    assert.equal(await page.textContent('[data-save-words]'), '3 unsaved changes');
    const marked = page.locator('[data-sections] li:has([data-changes]:not([hidden])) a');
    assert.deepEqual(await marked.evaluateAll((all) => all.map((link) => link.getAttribute('href'))), [
      '#limits',
      '#gateway',
      '#logging',
    ]);
    await page.click('[data-save]');
    await page.locator('[data-apply]').waitFor();
    const rows = await page.locator('[data-changes] > div').allInnerTexts();
    assert.equal(rows.length, 3);
    assert.ok(rows.some((text) => /Level[\s\S]*Info[\s\S]*Warning/.test(text)));
    await page.click('[data-apply]');
    await page.locator(TRIAL).waitFor();
    assert.deepEqual(await shownSections(page), ['gateway'], 'the section that was open before');
    await page.click('text="Roll back"');
    await page.locator(NO_TRIAL).waitFor({ state: 'attached' });
  });
});

test('one click resets a changed setting to the displayed default, and the review lists the change', async () => {
  await withConfig(LONG);
  await app.gateway.call('POST', '/updateJson', { limits: { maxSpeedMmps: 250 } });
  await app.visit('/brokerSettings', async ({ page }) => {
    const row = page.locator('[data-row]:has([name="/limits/maxSpeedMmps"])');
    await row.locator('.mark-default:has-text("Default: 300 mm/s")').waitFor();
    assert.equal(await page.locator('.mark-default:visible').count(), 1);
    await row.locator('[data-to-default]').click();
    assert.equal(await page.inputValue('[name="/limits/maxSpeedMmps"]'), '300');
    assert.equal(await page.locator('.mark-default:visible').count(), 0);
    await row.locator('text="Unsaved"').waitFor();
    const other = page.locator('[data-row]:has([name="/limits/defaultSpeedMmps"])');
    await page.fill('[name="/limits/defaultSpeedMmps"]', '200');
    await other.locator('.mark-default:has-text("Default: 300 mm/s")').waitFor();
    await other.locator('button:has-text("Reset to default: Default speed")').click();
    assert.equal(await page.inputValue('[name="/limits/defaultSpeedMmps"]'), '300');
    await page.click('[data-save]');
    await page.locator('[data-changes] dd', { hasText: '250 mm/s' }).waitFor();
  });
  await app.gateway.call('POST', '/updateJson', { limits: { maxSpeedMmps: 300 } });
});

test('the save bar stays above the stop buttons on a phone, and the page is less than 2500 px high', async () => {
  await withConfig(LONG);
  const run = async ({ page }: { page: Page }) => {
    await page.fill('[name="/limits/maxSpeedMmps"]', '250');
    const bar = await page.locator('[data-savebar]').boundingBox();
    const stops = await page.locator('.stops').boundingBox();
    assert.ok(bar && stops && bar.y > 0 && bar.y + bar.height <= stops.y, JSON.stringify({ bar, stops }));
    await page.click('[data-discard]');
    await page.selectOption('[data-section-select]', '#mqtt');
    assert.deepEqual(await shownSections(page), ['mqtt']);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height < 2500, `${height} px`);
  };
  await app.visit('/brokerSettings', run, { viewport: { width: 360, height: 740 } });
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: the settings pages in Chromium (Chromium is not installed)\n');
