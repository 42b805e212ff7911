import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { suite } from 'uvu';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import { HTTPS_ENVIRONMENT, HttpsGateway, logIn } from '../../helpers/https-gateway.js';

const test = suite('pages as an installed app');
const hasCertutil = spawnSync('certutil', ['--help']).error === undefined;

/** An expression that returns the paths of the style sheets that contain rules. */
const loadedStyles = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.styleSheets]
      .filter(({ cssRules }) => cssRules.length > 0)
      .map(({ href }) => new URL(href ?? '').pathname),
  );

let gateway: HttpsGateway;
let browser: Browser;
const home = mkdtempSync(join(tmpdir(), 'home-'));

/** Adds the CA to the NSS database in the home directory, so that Chromium trusts it as on a user's machine. */
function trust(ca: string): void {
  const database = join(home, '.pki', 'nssdb');
  const file = join(home, 'ca.crt');
  mkdirSync(database, { recursive: true });
  writeFileSync(file, ca);
  const certutil = (...args: string[]) => execFileSync('certutil', ['-d', `sql:${database}`, ...args]);
  certutil('-N', '--empty-password');
  certutil('-A', '-t', 'C,,', '-n', 'cartwright', '-i', file);
}

test.before(async () => {
  gateway = await HttpsGateway.start();
  trust(gateway.ca);
  browser = await openBrowser({ HOME: home });
});
test.after(async () => {
  await browser?.close();
  await gateway?.close();
  rmSync(home, { recursive: true });
});

/** Runs a test on a logged-in page whose service worker is active. */
async function withApp(run: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
  const context = await browser.newContext();
  try {
    const [pair = ''] = (await logIn(gateway.url, gateway.ca)).split(';');
    const [name = '', value = ''] = pair.split('=');
    await context.addCookies([{ name, value, url: gateway.url, secure: true }]);
    const page = await context.newPage();
    await page.goto(gateway.url);
    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active?.state === 'activated') return;
      await new Promise((resolve) => active?.addEventListener('statechange', resolve, { once: true }));
    });
    await run(page, context);
  } finally {
    await context.close();
  }
}

test('Chromium opens the page without a warning only if it trusts the CA', async () => {
  const page = await browser.newPage();
  const response = await page.goto(`${gateway.url}/login`);
  assert.equal(response?.status(), 200);
  const details = await response?.securityDetails();
  assert.match(details?.issuer ?? '', /^Cartwright CA /);
  assert.equal(await page.evaluate(() => isSecureContext), true);
  await page.close();

  const empty = mkdtempSync(join(tmpdir(), 'home-'));
  const other = await openBrowser({ HOME: empty });
  const untrusting = await other.newPage();
  await assert.rejects(untrusting.goto(`${gateway.url}/login`), /ERR_CERT_AUTHORITY_INVALID/);
  await other.close();
  rmSync(empty, { recursive: true });
});

test('the pages are installable, with a valid manifest and an active service worker', () =>
  withApp(async (page, context) => {
    const devtools = await context.newCDPSession(page);
    const { url, errors, data = '' } = await devtools.send('Page.getAppManifest');
    assert.equal(url, `${gateway.url}/manifest.webmanifest`);
    assert.deepEqual(errors, []);
    const manifest = JSON.parse(data);
    assert.deepEqual([manifest.start_url, manifest.display], ['/', 'standalone']);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    const ids = installabilityErrors.map(({ errorId }) => errorId);
    // Chromium treats every browser context in a test as incognito.
    assert.deepEqual(
      ids.filter((id) => id !== 'in-incognito'),
      [],
    );
    for (const { src, sizes } of manifest.icons) {
      const size = await page.evaluate(async (url) => {
        const image = Object.assign(new Image(), { src: url });
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
      assert.equal(size, sizes);
    }
  }));

test('the service worker caches only the application shell', () =>
  withApp(async (page) => {
    for (const path of ['/', '/system', '/fleet', '/map', '/cameraSettings']) {
      assert.equal((await page.goto(`${gateway.url}${path}`))?.status(), 200, path);
    }
    await page.evaluate(async () => {
      await Promise.all(['/carts', '/health', '/beacons'].map((path) => fetch(path)));
    });
    const cached = await page.evaluate(async () => {
      const stored = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
      const requests = await Promise.all(stored.map((cache) => cache.keys()));
      return requests.flat().map(({ url }) => new URL(url).pathname);
    });
    const assets = ['app.css', 'favicon.svg', 'icon-192.png'].map((name) => `/assets/${name}`);
    assert.deepEqual(cached.toSorted(), ['/offline', ...assets].toSorted());
  }));

test('shows only the offline page, without data, while the gateway is unreachable', () =>
  withApp(async (page) => {
    const { process } = gateway;
    await page.goto(`${gateway.url}/fleet`);
    await process.kill('SIGKILL');
    for (const path of ['/', '/fleet', '/system']) {
      const response = await page.goto(`${gateway.url}${path}`);
      assert.equal(response?.status(), 503, path);
      assert.equal(await page.textContent('h1'), 'Offline: no connection to the gateway');
      assert.match(
        (await page.textContent('main')) ?? '',
        /cannot stop the cart: use the button on the cart/,
      );
      assert.equal(await page.locator('[data-cart-id], [data-band-cart], .lights').count(), 0);
      assert.deepEqual(await loadedStyles(page), ['/assets/app.css']);
    }
    const outcomes = await page.evaluate(() =>
      Promise.all(
        ['/carts', '/health', '/beacons', '/manifest.webmanifest'].map((path) =>
          fetch(path).then(
            ({ status }) => `${path} ${status}`,
            () => 'failed',
          ),
        ),
      ),
    );
    assert.deepEqual([...new Set(outcomes)], ['failed']);

    // The page loads again once the gateway is running on the same port.
    const { port } = new URL(gateway.url);
    await process.spawn({ ...HTTPS_ENVIRONMENT, HTTPS_PORT: port });
    await gateway.findPort();
    await page.click('a[role=button]');
    await page.locator('.lights').waitFor();
  }));

if (hasBrowser && hasCertutil) test.run();
else process.stdout.write('SKIPPED: pages as an installed app (Chromium or certutil is not installed)\n');
