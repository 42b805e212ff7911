import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import { overflowPx } from '../../helpers/page-assertions.js';
import { holdButton, withPage } from '../../helpers/page-session.js';
import { type SampleRelease, sampleRelease, signingKey } from '../../helpers/sample-release.js';
import { until, untilAnswer } from '../../helpers/until.js';
import { ADMINISTRATOR_ENV, loggedIn } from '../store/administrator.js';
import { UpdateService } from './update-service.js';

const test = suite('updates of the gateway in Chromium');
const OLD = '1.0.0';
const NEW = '2.0.0';
const NEWEST = '3.0.0';

let service: UpdateService;
let browser: Browser;
let cookies: { name: string; value: string; url: string }[] = [];

test.before(async () => {
  service = new UpdateService(ADMINISTRATOR_ENV);
  [browser] = await Promise.all([openBrowser(), service.start(OLD)]);
  await withPage(browser, `${service.gateway.url}/login`, async ({ page }) => {
    await page.fill('#username', ADMINISTRATOR_ENV.CARTWRIGHT_ADMIN_USER);
    await page.fill('#password', ADMINISTRATOR_ENV.CARTWRIGHT_ADMIN_PASSWORD);
    await page.click('button[type=submit]');
    await page.locator('body[data-page] h1').first().waitFor();
    const found = await page.context().cookies();
    cookies = found.map(({ name, value }) => ({ name, value, url: service.gateway.url }));
  });
});
test.after(async () => {
  await browser?.close();
  await service?.close();
});

function visit(
  run: (page: Page, pageErrors: string[]) => Promise<void>,
  options: BrowserContextOptions = {},
) {
  return withPage(
    browser,
    'about:blank',
    async ({ page, pageErrors }) => {
      await page.context().addCookies(cookies);
      await page.goto(`${service.gateway.url}/updates`);
      await run(page, pageErrors);
    },
    options,
  );
}

async function chooseFiles(page: Page, { file, archive, signature }: SampleRelease): Promise<void> {
  await page.setInputFiles('#release-files', [
    { name: file, mimeType: 'application/gzip', buffer: archive },
    { name: `${file}.sig`, mimeType: 'application/octet-stream', buffer: signature },
  ]);
}

async function upload(page: Page, release: SampleRelease): Promise<void> {
  await chooseFiles(page, release);
  // The page loads again after the upload.
  const loaded = page.waitForEvent('load');
  await page.click('[data-upload-release] button');
  await loaded;
}

/** The gateway closes its connections when it stops, which the browser reports. */
function ignoreConnectionErrors(pageErrors: string[]): void {
  const others = pageErrors.filter(
    (error) => !/ERR_(CONNECTION|INCOMPLETE|EMPTY)|Failed to load resource/.test(error),
  );
  pageErrors.splice(0, pageErrors.length, ...others);
}

interface Ready {
  parked: boolean;
  checks: Record<string, string>;
}

const ready = async (): Promise<Ready> => (await service.gateway.call<Ready>('GET', '/readyz')).body;

/** Resolves when the cart's safety state has this code; an empty code permits motion. */
async function untilSafety(code: string): Promise<void> {
  const request = await loggedIn(service.gateway);
  const codeOf = async () => ((await request('GET', '/carts/1')).json().safety as { code: string }).code;
  assert.equal(await untilAnswer(codeOf, (found) => found === code), code);
}

test('GET /readyz reports the checks that an update must not break, and whether the cart is parked', async () => {
  await untilSafety('');
  const { checks, parked } = await untilAnswer(ready, ({ checks: { broker } }) => broker === 'passed');
  assert.equal(parked, true);
  assert.deepEqual(checks, {
    store: 'passed',
    settings: 'passed',
    controller: 'passed',
    stop: 'off',
    camera: 'passed',
    broker: 'passed',
    emergencyStop: 'passed',
  });
  const request = await loggedIn(service.gateway);
  assert.equal((await request('POST', '/carts/1/stop', {})).status, 200);
  assert.equal((await ready()).checks.stop, 'passed');
});

test('the page explains which files to select if the selection is not a release', async () => {
  await visit(async (page) => {
    const { file, archive } = sampleRelease({ key: service.key, version: NEW });
    await page.setInputFiles('#release-files', { name: file, mimeType: 'application/gzip', buffer: archive });
    await page.click('[data-upload-release] button');
    await page.locator('[data-upload-words]:has-text("Select the archive")').waitFor();
  });
});

test('the page shows why a release cannot be installed', async () => {
  await visit(async (page) => {
    await upload(page, sampleRelease({ key: signingKey(), version: NEW }));
    await page.locator('[data-fit]:has-text("Cannot be installed: the release is not signed")').waitFor();
    assert.equal(await page.textContent('[data-signed-by]'), 'no valid signature');
    assert.equal(await page.locator('[data-install]').count(), 0);
  });
});

for (const locale of ['en', 'nl']) {
  for (const width of [360, 768, 1440]) {
    test(`the page with a release fits and has no accessibility violations in ${locale} at ${width} px`, async () => {
      await visit(
        async (page) => {
          await upload(
            page,
            sampleRelease({ key: service.key, version: NEW, notes: `${'- New: a long line '.repeat(9)}\n` }),
          );
          await page.click('.update-page summary');
          assert.equal(await overflowPx(page), 0);
          assert.deepEqual(await violationsOf(page), []);
        },
        { locale, viewport: { width, height: 900 } },
      );
    });
  }
}

test('the page shows why an installation was rejected, even if the state changed during the request', async () => {
  await visit(async (page, pageErrors) => {
    const release = sampleRelease({ key: service.key, version: NEW });
    await upload(page, release);
    await page.locator('[data-install]').waitFor();
    rmSync(join(service.gateway.dir, 'data/updates', `${release.file}.sig`));
    let isHeld = false;
    let held = 0;
    await page.route('**/updates/progress', async (route) => {
      const response = await route.fetch();
      const progress = (await response.json()) as object;
      await route.fulfill({ json: isHeld ? { ...progress, state: 'requested', elapsedMs: 0 } : progress });
      if (isHeld) held += 1;
    });
    await page.route('**/install', async (route) => {
      isHeld = true;
      // When the page requests the second response, it has shown the first.
      await until(() => held === 2);
      isHeld = false;
      await route.continue();
    });
    await holdButton(page, '[data-install] button', '[role="status"]:has-text("signature file")');
    // The next response contains the state that the page already shows.
    await page.waitForResponse('**/updates/progress');
    await page.waitForResponse('**/updates/progress');
    assert.equal(await page.locator('[role="status"]:has-text("signature file")').count(), 1);
    ignoreConnectionErrors(pageErrors);
  });
});

test('an administrator installs a release, and the page stays up to date during the restart', async () => {
  await visit(async (page, pageErrors) => {
    await upload(page, sampleRelease({ key: service.key, version: NEW }));
    await page.locator('[data-fit]:has-text("Can be installed on this gateway")').waitFor();
    await holdButton(page, '[data-install] button', '[data-state="requested"]');
    assert.equal(await page.locator('[data-install], [data-upload-release]').count(), 0);
    const request = await loggedIn(service.gateway);
    const moved = await request('POST', '/', { cartID: 1, distanceID: 10, angleID: 0 });
    assert.deepEqual([moved.status, moved.json().code], [409, 'UPDATE_RUNNING']);
    assert.equal((await request('POST', '/carts/1/stop', {})).status, 200);
    assert.deepEqual(await violationsOf(page), []);
    assert.equal(await service.request(), `cartwright-${NEW}-${process.arch}.tar.gz`);
    service.report({ version: NEW, from: OLD, step: 'placing' });
    await page
      .locator('[data-state="running"] [data-progress-text]:has-text("the files are being installed")')
      .waitFor();
    await page.locator('[data-progress-time]:has-text("Elapsed: 0:")').waitFor();
    await service.restart(NEW, async () => {
      await page.locator('[data-progress-silent]:has-text("It restarts during the update")').waitFor();
      assert.equal(await page.locator('[data-progress][data-stale]').count(), 1);
    });
    await page.locator(`[data-state="running"][data-version="${NEW}"]`).waitFor();
    assert.equal(await page.locator('[data-progress-silent]:visible').count(), 0);
    await untilSafety('UPDATE_RUNNING');
    await untilAnswer(ready, ({ checks: { stop } }) => stop === 'passed');
    service.report({ step: 'done', result: 'installed', sha256: 'a'.repeat(64) });
    await page.locator(`[data-state="installed"] :text("Version ${NEW} was installed")`).waitFor();
    await untilSafety('');
    ignoreConnectionErrors(pageErrors);
  });
});

test('the page names the failed checks after an update was rolled back', async () => {
  await visit(async (page, pageErrors) => {
    await upload(page, sampleRelease({ key: service.key, version: NEWEST }));
    await page.focus('[data-install] button');
    await page.keyboard.down('Enter');
    await page.locator('[data-state="requested"]').waitFor();
    await page.keyboard.up('Enter');
    await service.request();
    service.report({ version: NEWEST, from: NEW });
    await service.restart(NEW);
    service.report({ step: 'done', result: 'returned', code: 'CHECKS', failedChecks: ['camera', 'stop'] });
    await page
      .locator(`[data-state="returned"] :text("The previous version ${NEW} is running again")`)
      .waitFor();
    await page
      .locator(
        '[data-progress-reason]:text("These checks no longer passed after the update: camera, stop confirmed.")',
      )
      .waitFor();
    assert.deepEqual(await violationsOf(page), []);
    ignoreConnectionErrors(pageErrors);
  });
});

test('the history shows the user who requested an update and the result of the update', async () => {
  const request = await loggedIn(service.gateway);
  type Entries = { kind: string; person: string }[];
  const entries = await untilAnswer(
    async () => {
      const found = (await request('GET', '/history?outcome=change')).json().entries as Entries;
      return found.filter(({ kind }) => kind.startsWith('software.'));
    },
    (found) => found.length === 4,
  );
  assert.deepEqual(
    entries.map(({ kind, person }) => [kind, person]),
    [
      ['software.returned', 'anna'],
      ['software.update_requested', 'anna'],
      ['software.installed', 'anna'],
      ['software.update_requested', 'anna'],
    ],
  );
  const csv = (await request('GET', '/history.csv?outcome=change')).text;
  assert.match(
    csv,
    /Update to version 3\.0\.0 undone: these checks no longer passed after the update: camera/,
  );
});

test('a form requests the update and the page shows its state when JavaScript is off', async () => {
  await visit(
    async (page) => {
      await page.click('[data-install] button');
      await page.locator('[data-state="requested"]').waitFor();
      await service.request();
      service.report({ step: 'done', result: 'rejected', code: 'NOT_PARKED' });
      await service.gateway.logged('update.ended', { code: 'NOT_PARKED' });
      await page.click('noscript a, [data-progress] a');
      await page.locator('[data-state="rejected"]:has-text("Nothing was changed")').waitFor();
    },
    { javaScriptEnabled: false },
  );
});

test('the System page reports changed files of the installed release', async () => {
  service.reportFiles('dist/src/main.js differs', NEW);
  await service.restart(NEW);
  await visit(async (page) => {
    await page.goto(`${service.gateway.url}/system`);
    const row = page.locator('[data-parts] > li[data-item="software"][data-tone="stop"]');
    await row
      .locator(':text("Files of the installed release were changed: dist/src/main.js differs")')
      .waitFor();
    assert.equal(await row.locator('a').getAttribute('href'), '/updates');
  });
  const { body } = await service.gateway.call<{ faults: string[] }>('GET', '/health');
  assert.ok(body.faults.includes('software'));
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED test/e2e/updates/updates.test.ts: chromium is not installed\n');
