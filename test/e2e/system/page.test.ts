import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import { packageRoot } from '../../../src/shared/package-root.js';
import { violationsInBothModes, violationsOf } from '../../helpers/axe.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { overflowPx } from '../../helpers/page-assertions.js';
import type { PageSession } from '../../helpers/page-session.js';
import { untilAnswer } from '../../helpers/until.js';

const test = suite('the System page in Chromium');

const PASSWORD = 'correct horse battery';
const ENV = {
  CARTWRIGHT_AUTH: 'required',
  CARTWRIGHT_ADMIN_USER: 'anna',
  CARTWRIGHT_ADMIN_PASSWORD: PASSWORD,
};

const app = new BrowserSuite(test, {}, ENV);

async function asAdmin(
  path: string,
  run: (page: Page, pageErrors: string[]) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const login = async ({ page, pageErrors }: PageSession): Promise<void> => {
    await page.fill('#username', 'anna');
    await page.fill('#password', PASSWORD);
    await page.click('button[type=submit]');
    await page.locator(`body[data-page] h1`).first().waitFor();
    await page.goto(`${app.gateway.url}${path}`);
    await run(page, pageErrors);
  };
  await app.visit('/login?next=%2Fsystem', login, options);
}

/** Retries a reset as long as the gateway rejects it because the cart's latest state is older than the stop. */
async function resetOn(page: Page, cartID: number): Promise<void> {
  const headers = { origin: app.gateway.url, accept: 'application/json' };
  const reset = async () =>
    (await page.request.post(`${app.gateway.url}/estop/reset`, { data: { cartID }, headers })).status();
  assert.equal(await untilAnswer(reset, (status) => status !== 409), 200);
}

test("the page starts with a sentence about the gateway's health and updates each component's state", async () => {
  await asAdmin('/system', async (page) => {
    await page.locator('[data-summary][data-tone="quiet"]:has-text("No faults")').waitFor();
    await page.locator('[data-item="broker"] strong:text-is("connected")').waitFor();
    await page.locator('[data-item="database"] strong:text-is("healthy")').waitFor();
    await page.locator('[data-item="cart"] strong:text-is("Ready")').waitFor();
    assert.match((await page.textContent('[data-item="link-1"] .num')) ?? '', /^\d+ frames sent$/);
    await page.click('.estop');
    await page.locator('[data-item="estop"][data-tone="stop"] strong:has-text("3 carts")').waitFor();
    await page.locator('[data-summary][data-tone="stop"]:has-text("1 item needs attention")').waitFor();
    const first = page.locator('[data-parts] > li').first();
    await first.locator(':text("Stationary until reset")').waitFor();
    for (const cartID of [1, 2, 3]) {
      await app.gateway.logged('estop.latched', { cartID });
      await resetOn(page, cartID);
    }
    await page.locator('[data-summary]:has-text("No faults")').waitFor();
    await page.locator('[data-item="cart"] strong:text-is("Ready")').waitFor();
  });
});

test('the page shows the cause, effect and remedy of a failed component, and links to the settings', async () => {
  await asAdmin('/system', async (page) => {
    const headers = { origin: app.gateway.url, accept: 'application/json' };
    const plug = (on: boolean) =>
      page.request.post(`${app.gateway.url}/simulator`, { data: { action: 'plug', on }, headers });
    await plug(false);
    const controller = page.locator('[data-parts] > li[data-item="controller"][data-tone="stop"]');
    await controller.locator(':text("The cart is stationary and cannot be driven.")').waitFor();
    await controller.locator('.part-do:has-text("What to do: Check the controller")').waitFor();
    await page.locator('[data-summary]:has-text("1 item needs attention")').waitFor();
    assert.equal(await controller.locator('a').getAttribute('href'), '/brokerSettings?section=serial');
    await plug(true);
    await page.locator('[data-summary]:has-text("No faults")').waitFor();
    assert.equal(await page.locator('[data-parts] .part-do:visible').count(), 0);
  });
});

test('the page shows the latest matching log lines when JavaScript is off', async () => {
  const context = await app.browser.newContext({ javaScriptEnabled: false });
  try {
    const page = await context.newPage();
    await page.goto(`${app.gateway.url}/login?next=%2Fsystem`);
    await page.fill('#username', 'anna');
    await page.fill('#password', PASSWORD);
    await page.click('button[type=submit]');
    await page.click('[data-diagnostics] > summary');
    await page.fill('#log-find', 'STORE.OPENED');
    await page.click('[data-log-filter] button');
    const lines = page.locator('.log-lines li');
    await lines.filter({ hasText: 'store.opened' }).waitFor();
    assert.equal(await lines.count(), 1);
    assert.match(page.url(), /find=STORE\.OPENED/);
  } finally {
    await context.close();
  }
});

test('the page updates the log and filters it by level and text', async () => {
  await asAdmin('/system#log', async (page) => {
    const lines = page.locator('[data-log-lines] li');
    await lines.filter({ hasText: 'estop.latched' }).first().waitFor();
    await page.selectOption('#log-level', 'warn');
    await lines.filter({ hasText: 'store.opened' }).waitFor({ state: 'detached' });
    await lines.filter({ hasText: 'estop.latched' }).first().waitFor();
    await page.fill('#log-find', 'no line has this');
    await page.locator('[data-log-count]:text-is("No matching lines")').waitFor();
    await page.selectOption('#log-level', 'debug');
    await page.fill('#log-find', 'STORE.OPENED');
    await page.locator('[data-log-count]:text-is("1 line")').waitFor();
  });
});

test('the log stops updating while Follow is off', async () => {
  await asAdmin('/system#log', async (page) => {
    await page.fill('#log-find', 'backup');
    await page.locator('[data-log-count]:text-is("No matching lines")').waitFor();
    await page.uncheck('[data-log-follow]');
    const headers = { origin: app.gateway.url, accept: 'application/json' };
    await page.request.post(`${app.gateway.url}/backups`, { headers });
    const polled = page.waitForRequest((request) => request.url().endsWith('/system'));
    await polled;
    assert.equal(await page.locator('[data-log-lines] li').count(), 0);
    await page.check('[data-log-follow]');
    await page.locator('[data-log-lines] li').first().waitFor();
  });
});

test('an administrator creates and verifies a backup, selects it for a restore by holding the button, and cancels the restore', async () => {
  await asAdmin('/system', async (page) => {
    await page.click('button:text("Back up the database")');
    await page.locator('.outcome h2:text-is("Backup created")').waitFor();
    const first = page.locator('[data-backup]').first();
    const file = page.waitForEvent('download');
    await first.locator('a:text("Download")').click();
    assert.match((await file).suggestedFilename(), /^cartwright-\d{6}-.*\.db$/);
    await first.locator('button:text("Verify and restore")').click();
    await page.locator('[data-checked] h2:has-text("is intact")').waitFor();
    // Before the script has started, a click would submit the form.
    await page.waitForLoadState('load');
    const hold = page.locator('[data-restore] button');
    await hold.click();
    await page.locator('[data-restore-words]:has-text("Hold for 1 s")').waitFor();
    await hold.hover();
    await page.mouse.down();
    await page.locator('[data-chosen]:has-text("Requested by anna")').waitFor();
    await page.mouse.up();
    await page.click('[data-chosen] button');
    await page.locator('.outcome h2:text-is("Restore cancelled")').waitFor();
    assert.equal(await page.locator('[data-chosen]').count(), 0);
  });
});

test('an administrator uploads a downloaded backup, and the page shows why another file is rejected', async () => {
  await asAdmin('/system', async (page, pageErrors) => {
    await page.click('button:text("Back up the database")');
    const download = page.waitForEvent('download');
    await page.locator('[data-backup] a:text("Download")').first().click();
    const file = await (await download).path();
    await page.click('#backups [data-upload] summary');
    const buffer = Buffer.from('not a database');
    const wrong = { name: 'notes.db', mimeType: 'application/octet-stream', buffer };
    await page.setInputFiles('#backup-file', wrong);
    await page.click('[data-upload-form="database"] button');
    await page.locator('#backups [data-upload-words]:has-text("not an SQLite database")').waitFor();
    await page.setInputFiles('#backup-file', file);
    await page.click('[data-upload-form="database"] button');
    await page.locator('[data-checked] h2:text-is("The uploaded backup is intact")').waitFor();
    await page.locator('[data-checked]:has-text("variables.json")').waitFor();
    assert.equal(await page.locator('[data-backup^="uploaded-"]').count(), 1);
    assert.match(pageErrors.splice(0).join(), /status of 422/);
    assert.deepEqual(await violationsOf(page), []);
  });
});

test('an administrator makes, downloads, uploads, inspects and restores a gateway backup', async () => {
  const passphrase = 'a passphrase for backups';
  await asAdmin('/system', async (page, pageErrors) => {
    const section = page.locator('#gateway-backups');
    await section.locator('summary:text("Make a gateway backup")').click();
    await page.fill('#backup-passphrase', passphrase);
    await page.click('#backup-passphrase + [data-show-password]');
    assert.equal(await page.getAttribute('#backup-passphrase', 'type'), 'text');
    await page.fill('#backup-repeat', 'another passphrase');
    await section.locator('button:text("Make a backup")').click();
    await page.locator('.outcome:has-text("two passphrases differ")').waitFor();
    pageErrors.splice(0);
    await section.locator('summary:text("Make a gateway backup")').click();
    await page.fill('#backup-passphrase', passphrase);
    await page.fill('#backup-repeat', passphrase);
    await section.locator('[data-make-gateway] input[value="photos"]').check();
    await section.locator('button:text("Make a backup")').click();
    await page.locator('.outcome h2:text-is("Gateway backup made")').waitFor();
    const download = page.waitForEvent('download');
    await section.locator('a:text("Download")').click();
    const file = await (await download).path();
    const buffer = readFileSync(file);

    await section.locator('summary:text("Upload a gateway backup")').click();
    const name = 'cartwright-other-20260504T120000Z (1).cwbackup';
    await page.setInputFiles('#gateway-backup-file', { name, mimeType: 'application/octet-stream', buffer });
    await page.click('[data-upload-form="gateway"] button');
    const uploaded = section.locator('li:has-text("uploaded")');
    await uploaded.locator('summary').click();
    await uploaded.locator('input[type="password"]').fill('not the passphrase');
    await uploaded.locator('button:text("Show contents")').click();
    await page.locator('.outcome:has-text("the passphrase is incorrect")').waitFor();
    pageErrors.splice(0);
    await uploaded.locator('summary').click();
    await uploaded.locator('input[type="password"]').fill(passphrase);
    await uploaded.locator('button:text("Show contents")').click();
    await page.locator('[data-inspected] h2:has-text("is intact")').waitFor();
    await page.locator('[data-inspected]:has-text("Database: 1 file")').waitFor();
    assert.deepEqual(await violationsOf(page), []);

    await page.locator('[data-restore-gateway] summary').click();
    await page.fill('#restore-passphrase', passphrase);
    await page.click('[data-restore-gateway] button[type=submit]');
    await page.locator('.outcome h2:text-is("Restart the gateway to continue")').waitFor();
    const notice = section.locator('[data-gateway-restore="staged"]');
    await notice.filter({ hasText: 'when the gateway restarts' }).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.locator('[data-gateway-restore] button:text("Cancel restore")').click();
    await page.locator('.outcome h2:text-is("Restore cancelled")').waitFor();
    assert.equal(await page.locator('[data-gateway-restore]').count(), 0);

    // Before the script has started, a click would submit the form.
    await page.waitForLoadState('load');
    const remove = uploaded.locator('[data-delete-gateway-backup] button');
    await remove.click();
    await uploaded.locator('[data-delete-words]:has-text("Press and hold Delete")').waitFor();
    await remove.hover();
    await page.mouse.down();
    await page.locator('.outcome h2:text-is("Gateway backup deleted")').waitFor();
    await page.mouse.up();
    assert.equal(await uploaded.count(), 0);
    assert.equal(await page.locator('[data-gateway-backup]').count(), 1);
  });
});

test('the notice that the gateway restarts is hidden when the gateway is running again', async () => {
  const notice = '<section class="outcome"><h2>The gateway restarts in a few seconds</h2></section>';
  const restarted = readFileSync(join(packageRoot(), 'views/system/restarted.html'), 'utf8');
  await asAdmin('/account', async (page, pageErrors) => {
    await page.route('**/system', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('<h1>System</h1>', (title) => title + notice + restarted);
      await route.fulfill({ response, body });
    });
    let isUp = false;
    await page.route('**/livez', (route) => (isUp ? route.continue() : route.abort()));
    const refused = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/livez'));
    await page.goto(`${app.gateway.url}/system`);
    await refused;
    await page.locator('.outcome').waitFor();
    isUp = true;
    await page.locator('[data-restarting]:has-text("The gateway is running again")').waitFor();
    await page.locator('.outcome').waitFor({ state: 'hidden' });
    pageErrors.splice(0);
  });
});

test('an administrator turns scheduled gateway backups on and off', async () => {
  await asAdmin('/system', async (page, pageErrors) => {
    const section = page.locator('#gateway-backups');
    const open = () => section.locator('[data-schedule] summary').click();
    await section.locator(':text("Scheduled backups are off.")').waitFor();
    await open();
    await page.selectOption('#schedule-every', 'week');
    await page.fill('#schedule-passphrase', 'a passphrase for backups');
    await page.fill('#schedule-repeat', 'another passphrase');
    await section.locator('button:text("Turn on")').click();
    await page.locator('.outcome:has-text("two passphrases differ")').waitFor();
    pageErrors.splice(0);
    await open();
    await page.selectOption('#schedule-every', 'week');
    await page.fill('#schedule-passphrase', 'a passphrase for backups');
    await page.fill('#schedule-repeat', 'a passphrase for backups');
    await section.locator('[data-schedule] input[value="tls"]').check();
    await section.locator('button:text("Turn on")').click();
    await page.locator('.outcome h2:text-is("Scheduled gateway backups turned on")').waitFor();
    await section.locator(':text("Scheduled backups are made every week.")').waitFor();
    await open();
    assert.deepEqual(await violationsOf(page), []);
    await section.locator('button:text("Turn off scheduled backups")').click();
    await page.locator('.outcome h2:text-is("Scheduled gateway backups turned off")').waitFor();
    await section.locator(':text("Scheduled backups are off.")').waitFor();
  });
});

test('backups and the system log require a login', async () => {
  const answer = await fetch(`${app.gateway.url}/backups`, { headers: { accept: 'application/json' } });
  assert.equal(answer.status, 401);
  const log = await fetch(`${app.gateway.url}/system/log`, { headers: { accept: 'application/json' } });
  assert.equal(log.status, 401);
});

for (const width of [360, 768, 1440])
  test(`the page has no accessibility violations in light and dark mode and fits the screen at ${width} px`, () =>
    asAdmin(
      '/system#log',
      async (page) => {
        await page.locator('[data-log-lines] li').first().waitFor();
        assert.deepEqual(await violationsInBothModes(page), []);
        assert.equal(await overflowPx(page), 0);
      },
      { viewport: { width, height: 900 } },
    ));

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: the System page in Chromium (Chromium is not installed)\n');
