import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Place, Zone } from '../../src/site/pure.js';
import { png } from '../unit/plan/images.js';
import { GatewayProcess } from './gateway.js';
import { totpCode } from './totp-code.js';

export const PASSWORD = 'correct horse battery';

const ZONES: readonly Zone[] = [
  {
    id: 'racks',
    kind: 'BLOCKED',
    name: 'Racks',
    polygon: [
      [2000, 2000],
      [10_000, 2000],
      [10_000, 9000],
      [2000, 9000],
    ],
  },
  {
    id: 'crossing',
    kind: 'SPEED_LIMIT',
    name: 'Crossing',
    maxSpeedMmps: 300,
    polygon: [
      [13_000, 1000],
      [21_000, 1000],
      [21_000, 11_000],
      [13_000, 11_000],
    ],
  },
  {
    id: 'gate',
    kind: 'MANUAL_ONLY',
    name: 'Gate',
    polygon: [
      [20_000, 13_000],
      [29_000, 13_000],
      [29_000, 19_000],
    ],
  },
];
const PLACES: readonly Place[] = [
  { id: 'charger', name: 'Charger', purpose: 'CHARGE', xMm: 26_000, yMm: 4000, headingDeg: 0 },
  { id: 'parking', name: 'Parking', purpose: 'PARK', xMm: 5000, yMm: 15_000, headingDeg: 90 },
  { id: 'stop', name: 'Stop A', purpose: 'STOP', xMm: 13_000, yMm: 16_000, headingDeg: 180 },
];

export interface ConsolePage {
  /** Name of the page's template. */
  template: string;
  /** Set if the template renders more than one page. */
  state?: string;
  /** Set if the page requires no login and therefore has no E-stop button. */
  isPublic?: true;
  open: (page: Page, testConsole: TestConsole) => Promise<unknown>;
}

/** For example `access/login` or `system/history/entries, an entry is open`. */
export function titleOf({ template, state }: ConsolePage): string {
  return [template, state].filter(Boolean).join(', ');
}

export const CONSOLE_PAGES: readonly ConsolePage[] = [
  { template: 'access/login', isPublic: true, open: at('/login') },
  { template: 'access/login-code', isPublic: true, open: loginCode },
  { template: 'drive/index', open: at('/') },
  { template: 'fleet/fleet', open: at('/fleet') },
  { template: 'history/entries', open: at('/history') },
  { template: 'history/entries', state: 'an entry is open', open: at('/history?id=1#details') },
  { template: 'history/statistics', open: at('/history/statistics') },
  { template: 'camera/cameraSettings', open: at('/cameraSettings') },
  { template: 'map/beacons', open: mapWithZones },
  { template: 'map/beacons', state: 'a zone and a beacon are edited', open: editZone },
  { template: 'markers/markers', open: at('/markers') },
  { template: 'markers/markers', state: 'a marker is edited', open: at('/markers?edit=12') },
  { template: 'calibration/calibration', open: at('/navigation/calibration') },
  { template: 'settings/brokerSettings', open: at('/brokerSettings') },
  { template: 'settings/history', open: at('/brokerSettings/history') },
  { template: 'settings/review', open: review },
  { template: 'shop/shop', open: at('/shop') },
  { template: 'shop/admin', open: at('/shop/admin') },
  { template: 'shop/checkout', open: (page, { checkout }) => page.goto(checkout) },
  { template: 'system/system', open: at('/system') },
  { template: 'tls/tls', open: at('/system/tls') },
  { template: 'firmware/firmware', open: at('/controller/firmware') },
  { template: 'update/update', open: at('/updates') },
  { template: 'first-run/page', open: at('/first-run') },
  { template: 'commissioning/commissioning', open: at('/commissioning') },
  { template: 'commissioning/commissioning', state: 'a step', open: at('/commissioning?step=limits#step') },
  { template: 'access/users', open: at('/users') },
  { template: 'access/keys', open: at('/keys') },
  { template: 'access/account', open: at('/account') },
  { template: 'access/second-factor', open: secondFactor },
  { template: 'layout/error', open: at('/nowhere') },
  { template: 'layout/offline', isPublic: true, open: at('/offline') },
];

/** The pages that are available until the first user exists. */
export const SETUP_PAGES: readonly ConsolePage[] = [
  { template: 'access/setup', isPublic: true, open: (page, { setup }) => page.goto(setup) },
  { template: 'system/setup-restore', isPublic: true, open: setupRestore },
];

/** The style guide, which exists only in development and only in English. */
export const STYLEGUIDE: ConsolePage = { template: 'styleguide/styleguide', open: at('/styleguide') };

export interface TestConsole {
  gateway: GatewayProcess;
  url: string;
  /** URL that includes the setup code. */
  setup: string;
  /** URL of the sandbox's payment page for an open order; set by `seed`. */
  checkout: string;
  /** The administrator's cookies in Playwright's format; set by `seed`. */
  cookies: { name: string; value: string; url: string }[];
}

export async function openTestConsole(env: NodeJS.ProcessEnv = {}): Promise<TestConsole> {
  const gateway = await GatewayProcess.start({}, { CARTWRIGHT_AUTH: 'required', ...env });
  const code = (await readFile(join(gateway.dir, 'data', 'setup-code'), 'utf8')).trim();
  const setup = `${gateway.url}/setup?code=${code}`;
  return { gateway, url: gateway.url, setup, checkout: '', cookies: [] };
}

/** Sets up the first administrator on a page without cookies. Returns the cookies of the session. */
export async function createAdministrator(
  page: Page,
  { setup, url }: TestConsole,
): Promise<TestConsole['cookies']> {
  await page.goto(setup);
  await page.fill('#username', 'anna');
  await page.fill('#password', PASSWORD);
  await page.click('button.go');
  await page.waitForURL(`${url}/#first-run`);
  return (await page.context().cookies()).map(({ name, value }) => ({ name, value, url }));
}

/** Creates the administrator in a browser, and test data: a command, a beacon, a key, a photo and an order. */
export async function seed(testConsole: TestConsole, browser: Browser): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  testConsole.cookies = await createAdministrator(page, testConsole);
  await addTotpUser(testConsole, browser, page);
  const { request } = context;
  const send = async (path: string, data: object): Promise<void> => {
    const answer = await request.post(`${testConsole.url}${path}`, {
      data,
      headers: { origin: testConsole.url },
    });
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
  };
  // The command is a stop, which is accepted even on a busy machine.
  await send('/', { cartID: 1, distanceID: 0, angleID: 0 });
  await send('/beacon', { id: 'hall-01', description: 'By the door', txPower: -59, lat: 52.1, long: 4.3 });
  await send('/markers', { id: 12, sizeMm: 150, xMm: 4000, yMm: 0, headingDeg: 90, purpose: 'dock' });
  await send('/keys', { name: 'receivers', scopes: ['beacons:write'] });
  await send('/backups', {});
  await send('/system/tls', {});
  await send('/updateJson', { limits: { maxSpeedMmps: 400 } });
  await page.goto(`${testConsole.url}/runCamera`);
  await page.goto(`${testConsole.url}/shop`);
  await page.click('tr:has-text("Beacon Hunt") button');
  await page.click('form[action="/shop/checkout"] button');
  await page.locator('button[value=pay]').waitFor();
  testConsole.checkout = page.url();
  await page.goto(`${testConsole.url}/shop`);
  await page.click('tr:has-text("Night Shift") button');
  await page.locator('#basket tfoot').waitFor();
  await context.close();
}

async function addTotpUser({ url }: TestConsole, browser: Browser, admin: Page): Promise<void> {
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

function at(path: string): ConsolePage['open'] {
  return (page, { url }) => page.goto(`${url}${path}`);
}

/**
 * Opens the map with a floor plan, zones and places that only this page has, because zones would change other pages.
 */
async function mapWithZones(page: Page, { url }: TestConsole, path = '/map'): Promise<void> {
  const size = { width: 1200, height: 800 };
  const corner = { lat: 52.1, long: 4.3 };
  const [top, right] = [corner.lat + 20 / 111_195, corner.long + 30 / (111_195 * Math.cos(0.9093))];
  const placement = {
    metresPerPixel: 0.025,
    rotationDeg: 0,
    topLeft: { lat: top, long: corner.long },
    topRight: { lat: top, long: right },
    bottomLeft: corner,
  };
  const values = {
    'plan-json': { version: 'x', ...size, placement },
    'site-plan': {
      version: 3,
      planHash: 'x',
      needsReview: false,
      reviewReason: null,
      zones: ZONES,
      places: PLACES,
      etag: '"3"',
    },
  };
  await page.route(url + path, async (route) => {
    const answer = await route.fetch();
    let body = await answer.text();
    for (const [name, value] of Object.entries(values)) {
      const json = JSON.stringify(value).replaceAll('"', '&quot;');
      body = body.replace(new RegExp(`(?<=data-${name}=")[^"]*`), json);
    }
    await route.fulfill({ response: answer, body });
  });
  await page.route('**/zones', (route) => route.fulfill({ status: 304 }));
  await page.route('**/map/plan/picture*', (route) =>
    route.fulfill({ contentType: 'image/png', body: png(size.width, size.height) }),
  );
  await page.goto(url + path);
  await page
    .locator('path.zone')
    .nth(ZONES.length - 1)
    .waitFor();
}

async function editZone(page: Page, testConsole: TestConsole): Promise<void> {
  await mapWithZones(page, testConsole, '/map?edit=hall-01');
  await page.locator('[data-site-edit="gate"]').click();
  await page.locator('#zone-name').waitFor();
}

/** Opens the page for a backup that does not exist, which is the only one without an upload. */
async function setupRestore(page: Page, { setup }: TestConsole): Promise<void> {
  await page.goto(setup);
  const form = page.locator('[data-setup-restore] form');
  await form.evaluate((element) => {
    element.setAttribute('action', '/setup/gateway-backups/none/inspect');
    (element as HTMLFormElement).submit();
  });
  await page.locator('form[action="/setup/gateway-backups/none/inspect"]').waitFor();
}

async function loginCode(page: Page, { url }: TestConsole): Promise<void> {
  await page.goto(`${url}/login`);
  await page.fill('#username', 'otto');
  await page.fill('#password', PASSWORD);
  await page.click('button.go');
  await page.locator('#code').waitFor();
}

async function secondFactor(page: Page, { url }: TestConsole): Promise<void> {
  await page.goto(`${url}/account`);
  await page.fill('#factor-password', PASSWORD);
  await page.click('form[action="/account/totp"] button[type=submit]');
  await page.locator('.qr').waitFor();
}

async function review(page: Page, { url }: TestConsole): Promise<void> {
  await page.goto(`${url}/brokerSettings`);
  await page.fill('[name="/limits/maxSpeedMmps"]', '250');
  await page.click('[data-save]');
  await page.locator('[data-apply]').waitFor();
}
