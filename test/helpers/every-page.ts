import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { GatewayProcess } from './gateway.js';
import { totpCode } from './totp-code.js';

const PASSWORD = 'correct horse battery';

/** A page of the console, and how a person comes to it. */
export interface PageOfConsole {
  /** The template that makes it. */
  template: string;
  /** Set when one template makes more than one page. */
  state?: string;
  /** Seen without a login: there is no cart to stop on it. */
  isOutside?: true;
  open: (page: Page, site: Site) => Promise<unknown>;
}

/** Every page of the console that stands for longer than until the first login. */
export const EVERY_PAGE: readonly PageOfConsole[] = [
  { template: 'access/login', isOutside: true, open: at('/login') },
  { template: 'access/login-code', isOutside: true, open: loginCode },
  { template: 'carts/index', open: at('/') },
  { template: 'carts/fleet', open: at('/fleet') },
  { template: 'camera/cameraSettings', open: at('/cameraSettings') },
  { template: 'beacons/beacons', open: at('/map') },
  { template: 'beacons/beacons', state: 'a beacon is edited', open: at('/map?edit=hall-01') },
  { template: 'settings/brokerSettings', open: at('/brokerSettings') },
  { template: 'settings/history', open: at('/brokerSettings/history') },
  { template: 'settings/review', open: review },
  { template: 'shop/shop', open: at('/shop') },
  { template: 'shop/admin', open: at('/shop/admin') },
  { template: 'shop/checkout', open: (page, { checkout }) => page.goto(checkout) },
  { template: 'system/system', open: at('/system') },
  { template: 'carts/commissioning', open: at('/commissioning') },
  { template: 'carts/commissioning', state: 'a step', open: at('/commissioning?step=limits#step') },
  { template: 'access/users', open: at('/users') },
  { template: 'access/keys', open: at('/keys') },
  { template: 'access/account', open: at('/account') },
  { template: 'access/second-factor', open: secondFactor },
  { template: 'web/error', open: at('/nowhere') },
];

/** The first page of all: it is gone when there is a user. */
export const SETUP: PageOfConsole = {
  template: 'access/setup',
  isOutside: true,
  open: (page, { setup }) => page.goto(setup),
};

/** A gateway on which every page has something to show. */
export interface Site {
  gateway: GatewayProcess;
  url: string;
  /** Address of the setup, with its code. */
  setup: string;
  /** Address of the sandbox's page, where an order waits to be paid; known after `furnish`. */
  checkout: string;
  /** Cookies of the administrator, as Playwright takes them; known after `furnish`. */
  cookies: { name: string; value: string; url: string }[];
}

/** A gateway without users. */
export async function openSite(): Promise<Site> {
  const gateway = await GatewayProcess.start({}, { CARTWRIGHT_AUTH: 'required' });
  const code = (await readFile(join(gateway.dir, 'data', 'setup-code'), 'utf8')).trim();
  const setup = `${gateway.url}/setup?code=${code}`;
  return { gateway, url: gateway.url, setup, checkout: '', cookies: [] };
}

/** Makes the administrator, in a browser, and what the pages show: a command, a beacon, a key, a photo, an order. */
export async function furnish(site: Site, browser: Browser): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(site.setup);
  await page.fill('#username', 'anna');
  await page.fill('#password', PASSWORD);
  await page.click('button.go');
  await page.waitForURL(`${site.url}/`);
  await enrolOtto(site, browser, page);
  site.cookies = (await context.cookies()).map(({ name, value }) => ({ name, value, url: site.url }));
  const { request } = context;
  const send = async (path: string, data: object): Promise<void> => {
    const answer = await request.post(`${site.url}${path}`, { data, headers: { origin: site.url } });
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
  };
  // A stop is a command that is never refused, however busy the machine is.
  await send('/', { cartID: 1, distanceID: 0, angleID: 0 });
  await send('/beacon', { id: 'hall-01', description: 'By the door', txPower: -59, lat: 52.1, long: 4.3 });
  await send('/keys', { name: 'receivers', scopes: ['beacons:write'] });
  await send('/backups', {});
  await send('/updateJson', { limits: { maxSpeedMmps: 400 } });
  await page.goto(`${site.url}/runCamera`);
  await page.goto(`${site.url}/shop`);
  await page.click('tr:has-text("Beacon Hunt") button');
  await page.click('form[action="/shop/checkout"] button');
  await page.locator('button[value=pay]').waitFor();
  site.checkout = page.url();
  await page.goto(`${site.url}/shop`);
  await page.click('tr:has-text("Night Shift") button');
  await page.locator('#basket tfoot').waitFor();
  await context.close();
}

/** Adds an operator with a second factor. */
async function enrolOtto({ url }: Site, browser: Browser, admin: Page): Promise<void> {
  const context = await browser.newContext();
  const send = async ({ request }: Pick<Page, 'request'>, path: string, data: object) => {
    const answer = await request.post(`${url}${path}`, { data, headers: { origin: url } });
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const login = { username: 'otto', password: PASSWORD };
  await send(admin, '/users', { ...login, role: 'operator' });
  await send(context, '/login', login);
  const { secret } = await send(context, '/account/totp', { currentPassword: PASSWORD });
  await send(context, '/account/totp/confirm', { code: totpCode(String(secret), Date.now()) });
  await context.close();
}

function at(path: string): PageOfConsole['open'] {
  return (page, { url }) => page.goto(`${url}${path}`);
}

/** The second step of the login of a user with a second factor. */
async function loginCode(page: Page, { url }: Site): Promise<void> {
  await page.goto(`${url}/login`);
  await page.fill('#username', 'otto');
  await page.fill('#password', PASSWORD);
  await page.click('button.go');
  await page.locator('#code').waitFor();
}

async function secondFactor(page: Page, { url }: Site): Promise<void> {
  await page.goto(`${url}/account`);
  await page.fill('#factor-password', PASSWORD);
  await page.click('form[action="/account/totp"] button');
  await page.locator('.qr').waitFor();
}

async function review(page: Page, { url }: Site): Promise<void> {
  await page.goto(`${url}/brokerSettings`);
  await page.fill('[name="/limits/maxSpeedMmps"]', '250');
  await page.click('[data-save]');
  await page.locator('[data-apply]').waitFor();
}
