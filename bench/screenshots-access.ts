import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { packageRoot } from '../src/util/package-root.js';
import { GatewayProcess } from '../test/support/gateway.js';
import { LOOKS } from './screenshots-looks.js';

/**
 * The pictures of the pages where people matter: login, setup, account, users and keys, and the shop. Each picture in
 * docs/images is taken on the way of a person through them.
 */

const PASSWORD = 'correct horse battery';
const ADMIN = { CARTWRIGHT_ADMIN_USER: 'anna', CARTWRIGHT_ADMIN_PASSWORD: PASSWORD };
const REQUIRED = { CARTWRIGHT_AUTH: 'required' };

/** The pictures that are shown: page, width and scheme. */
const SHOWN = new Set([
  'login-360-light',
  'setup-360-light',
  'account-360-dark',
  'users-768-light',
  'shop-360-light',
  'shop-1440-dark',
  'checkout-360-dark',
  'shop-admin-768-light',
]);

type Take = (name: string) => Promise<void>;

/** Walks through the pages once; `take` is called where there is something to see. */
async function walk(page: Page, url: string, take: Take): Promise<void> {
  await page.goto(`${url}/shop`);
  await take('login');
  await logIn(page, 'carl');
  for (const game of ['Beacon Hunt', 'Night Shift']) {
    await page.click(`tr:has-text("${game}") button:has-text("Add")`);
  }
  await page.locator('#basket tfoot').waitFor();
  await page.locator('h1').scrollIntoViewIfNeeded();
  await take('shop');
  await page.click('button:has-text("Check out")');
  await page.locator('button[value=pay]').waitFor();
  await take('checkout');
  await page.click('button[value=pay]');
  await page.locator('.outcome h2:text-is("Paid")').waitFor();
  await page.goto(`${url}/account`);
  await take('account');
  await page.click('.who button');
  await logIn(page, 'anna');
  await page.goto(`${url}/users`);
  await take('users');
  await page.goto(`${url}/shop/admin`);
  await take('shop-admin');
}

async function logIn(page: Page, username: string): Promise<void> {
  await page.fill('#username', username);
  await page.fill('#password', PASSWORD);
  await page.click('button[type=submit]');
  await page.locator('.who a', { hasText: username }).waitFor();
}

/** The people and the key that are seen on the pages. */
async function people({ url }: GatewayProcess): Promise<void> {
  const post = async (path: string, body: object, cookie = ''): Promise<Response> => {
    const headers = { 'content-type': 'application/json', cookie };
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}`);
    return answer;
  };
  const login = await post('/login', { username: 'anna', password: PASSWORD });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  await post('/users', { username: 'carl', password: PASSWORD }, cookie);
  await post('/users', { username: 'olga', password: PASSWORD, role: 'operator' }, cookie);
  await post('/keys', { name: 'hall receivers', scopes: ['beacons:write'] }, cookie);
}

/** Takes those that are shown; `all` names a folder for every one. */
export async function takePeople(browser: Browser, all: string | undefined): Promise<void> {
  const empty = await GatewayProcess.start({}, REQUIRED);
  const { url: setup } = await empty.logged('access.setup');
  await visit(browser, all, async (page, take) => {
    await page.goto(String(setup));
    await take('setup');
  });
  await empty.close();

  const gateway = await GatewayProcess.start({}, { ...REQUIRED, ...ADMIN });
  await people(gateway);
  await visit(browser, all, (page, take) => walk(page, gateway.url, take));
  await gateway.close();
}

/** Goes the same way once in each look. */
async function visit(
  browser: Browser,
  all: string | undefined,
  go: (page: Page, take: Take) => Promise<void>,
): Promise<void> {
  for (const { width, height, scheme } of LOOKS) {
    const viewport = { width, height };
    const look = { viewport, colorScheme: scheme, reducedMotion: 'reduce', locale: 'en-GB' } as const;
    const context = await browser.newContext(look);
    const page = await context.newPage();
    await go(page, async (name) => {
      const picture = `${name}-${width}-${scheme}`;
      if (SHOWN.has(picture)) {
        await page.screenshot({ path: join(packageRoot(), 'docs/images', `${picture}.png`) });
      }
      if (all) await page.screenshot({ path: join(all, `${picture}.png`), fullPage: true });
    });
    await context.close();
  }
}
