import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { test } from 'uvu';
import type { FirmwareView } from '../../../src/carts/firmware/firmware-update.js';
import { packageRoot } from '../../../src/shared/package-root.js';
import { Bench, LiveBoard, wasEnabled } from '../../firmware/bench.js';
import { missingUpdateTool, releaseOf } from '../../firmware/update-gateway.js';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import { createAdministrator, type TestConsole } from '../../helpers/console-pages.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { overflowPx } from '../../helpers/page-assertions.js';
import { holdButton, withPage } from '../../helpers/page-session.js';
import { GIVE_UP_MS, until } from '../../helpers/until.js';

/** A gateway as installed, with the firmware in its release, and a simulated Uno on its serial line. */

const WIDTHS = [360, 768, 1440] as const;
const PATH = '/controller/firmware';

let bench: Bench;
let board: LiveBoard;
let gateway: GatewayProcess;
let browser: Browser;
let cookies: TestConsole['cookies'] = [];

/** Copies this build and the firmware. Returns the path of the program. */
function install(): string {
  const app = releaseOf(bench);
  mkdirSync(join(app, 'dist'));
  cpSync(join(import.meta.dirname, '../../../src'), join(app, 'dist/src'), { recursive: true });
  for (const name of ['views', 'config', 'package.json'])
    cpSync(join(packageRoot(), name), join(app, name), { recursive: true });
  symlinkSync(join(packageRoot(), 'node_modules'), join(app, 'node_modules'));
  return join(app, 'dist/src/main.js');
}

test.before(async () => {
  bench = new Bench();
  board = await LiveBoard.start(bench, { bootLoader: 'optiboot' });
  const settings = { serial: { path: board.path }, safety: { acceptNoEstop: true } };
  [gateway, browser] = await Promise.all([
    GatewayProcess.start(settings, { CARTWRIGHT_AUTH: 'required' }, {}, install()),
    openBrowser(),
  ]);
  const code = readFileSync(join(gateway.dir, 'data', 'setup-code'), 'utf8').trim();
  const { url } = gateway;
  await withPage(browser, 'about:blank', async ({ page }) => {
    const setup = `${url}/setup?code=${code}`;
    cookies = await createAdministrator(page, { gateway, url, setup, checkout: '', cookies: [] });
  });
});
test.after(async () => {
  await browser?.close();
  await gateway?.close();
  await board?.close();
  bench.dispose();
});

function send(method: string, path: string, body?: string, accept = 'application/json'): Promise<Response> {
  const headers: Record<string, string> = {
    accept,
    origin: gateway.url,
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
  };
  if (body !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded';
  return fetch(gateway.url + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
}

const view = async (): Promise<FirmwareView> => (await send('GET', PATH)).json() as Promise<FirmwareView>;

/** Opens the page as the administrator. */
function visit(run: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> {
  return withPage(
    browser,
    'about:blank',
    async ({ page }) => {
      await page.context().addCookies(cookies);
      await page.goto(gateway.url + PATH);
      await run(page);
    },
    options,
  );
}

for (const locale of ['en', 'nl']) {
  for (const width of WIDTHS) {
    test(`the page with the form fits the screen and has no accessibility violations in ${locale} at ${width} px`, async () => {
      await visit(
        async (page) => {
          await page.locator('[data-update]').waitFor();
          assert.equal(await overflowPx(page), 0);
          assert.deepEqual(await violationsOf(page), []);
        },
        { locale, viewport: { width, height: 900 } },
      );
    });
  }
}

test('the page shows an error and does not update the controller when the confirmation is missing', async () => {
  const answer = await send('POST', PATH, 'board=uno', 'text/html');
  assert.equal(answer.status, 400);
  assert.match(await answer.text(), /role="status"/);
  assert.equal((await view()).phase, 'idle');
});

/** Starts an update with `start` and resolves with the state at its end. */
function update(
  start: (page: Page) => Promise<void>,
  options?: BrowserContextOptions,
): Promise<FirmwareView> {
  const run = async (): Promise<FirmwareView> => {
    await visit(start, options);
    await until(async () => ['done', 'failed'].includes((await view()).phase));
    return view();
  };
  return board.repeatedOnce(run, ({ phase }) => (phase === 'done' ? undefined : 'FAILED'));
}

test('an administrator updates the controller and can follow the progress', async () => {
  const { phase, reason, installed, shipped, blocksMotion } = await update(async (page) => {
    await page.selectOption('#board', 'uno');
    await page.check('[name=wheelsUp]');
    await holdButton(page, '[data-update] button', '[data-phase=flashing], [data-phase=verifying]');
    await page.locator('[data-update-progress]').waitFor();
    assert.equal(await page.locator('[data-update]').isVisible(), false);
    const refused = await send('POST', '/', 'cartID=1&distanceID=10&angleID=0');
    assert.equal(((await refused.json()) as { code: string }).code, 'FIRMWARE_UPDATE');
    assert.deepEqual(await violationsOf(page), []);
    await page.locator('[data-phase=done], [data-phase=failed]').waitFor({ timeout: GIVE_UP_MS });
    await page.locator('[data-update]').waitFor();
  });
  assert.equal(phase, 'done', String(reason));
  assert.equal(installed, shipped?.version);
  assert.equal(blocksMotion, false);
});

test('a form starts the update and the page shows its state when JavaScript is off', async () => {
  const start = async (page: Page): Promise<void> => {
    await page.selectOption('#board', 'uno');
    await page.check('[name=wheelsUp]');
    await page.click('[data-update] button');
    await page.locator('[data-firmware]:not([data-phase=idle], [data-phase=done])').waitFor();
  };
  const { phase, reason } = await update(start, { javaScriptEnabled: false });
  assert.equal(phase, 'done', String(reason));
  assert.equal(wasEnabled(board.events), false);
});

const missing = missingUpdateTool() ?? (hasBrowser ? undefined : 'chromium');
if (missing)
  process.stdout.write(`SKIPPED test/e2e/carts/firmware-update.test.ts: ${missing} is not installed\n`);
else test.run();
