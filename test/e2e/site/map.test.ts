import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import type { Place, Zone } from '../../../src/site/pure.js';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import {
  createAdministrator,
  openTestConsole,
  PASSWORD,
  type TestConsole,
} from '../../helpers/console-pages.js';
import { holdButton, type PageSession, withPage } from '../../helpers/page-session.js';
import { UnreliableNetwork } from '../../helpers/unreliable-network.js';
import { untilAnswer } from '../../helpers/until.js';
import { png } from '../../unit/plan/images.js';

/** Tests the zones and places on the map in Chromium, with a real gateway and its logins. */
const test = suite('zones and places on the map in Chromium');

type Browser = Awaited<ReturnType<typeof openBrowser>>;

let app: TestConsole;
let browser: Browser;
/** Sends the administrator's requests. */
let admin: BrowserContext;
let operatorCookies: TestConsole['cookies'];

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
/** 60 m by 48 m at 20 px per metre. */
const LINE = { x1: 30, y1: 930, x2: 1170, y2: 930, lengthM: 57 };

const FOOTPRINT = [
  { xMm: 400, yMm: 250 },
  { xMm: -200, yMm: 250 },
  { xMm: -200, yMm: -250 },
  { xMm: 400, yMm: -250 },
];
const RACKS: Zone = {
  id: 'racks',
  kind: 'BLOCKED',
  name: 'Racks',
  polygon: [
    [10_000, 10_000],
    [30_000, 10_000],
    [30_000, 30_000],
    [10_000, 30_000],
  ],
};
const CHARGER: Place = {
  id: 'charger',
  name: 'Charger',
  purpose: 'CHARGE',
  xMm: 45_000,
  yMm: 20_000,
  headingDeg: 0,
};

async function send(method: string, path: string, data?: unknown, headers: Record<string, string> = {}) {
  const all = { origin: app.url, ...headers };
  const answer = await admin.request.fetch(app.url + path, { method, data, headers: all });
  assert.ok(answer.ok(), `${method} ${path} answered ${answer.status()}: ${await answer.text()}`);
  return answer;
}

async function put(list: 'zones' | 'places', items: readonly object[]): Promise<void> {
  const { etag = '' } = (await send('GET', `/${list}`)).headers();
  await send('PUT', `/${list}`, { [list]: items }, { 'if-match': etag });
}

/** Waits until the cart is stationary. */
async function placeCart(xMm: number, yMm: number): Promise<void> {
  const options = { data: { xMm, yMm, headingDeg: 0 }, headers: { origin: app.url } };
  await untilAnswer(
    () => admin.request.put(`${app.url}/navigation/location`, options),
    (answer) => answer.ok(),
  );
}

const zones = async (): Promise<Zone[]> => (await (await send('GET', '/zones')).json()).zones;
const places = async (): Promise<Place[]> => (await (await send('GET', '/places')).json()).places;

test.before(async () => {
  [app, browser] = await Promise.all([openTestConsole(), openBrowser()]);
  admin = await browser.newContext();
  app.cookies = await createAdministrator(await admin.newPage(), app);
  await send('POST', '/users', { username: 'otto', password: PASSWORD, role: 'operator' });
  await send('POST', '/updateJson', { kinematics: { footprint: FOOTPRINT } });
  const operator = await browser.newContext();
  const login = { username: 'otto', password: PASSWORD };
  await operator.request.post(`${app.url}/login`, { data: login, headers: { origin: app.url } });
  operatorCookies = (await operator.cookies()).map(({ name, value }) => ({ name, value, url: app.url }));
  await operator.close();
});
test.after(async () => {
  await browser.close();
  await app.gateway.close();
});
test.before.each(async () => {
  await send('PUT', '/map/plan', png(1200, 960), { 'content-type': 'image/png' });
  await send('PUT', '/map/plan/line', LINE);
  // Zones that are stored while there are no others need no review.
  for (const list of ['zones', 'places'] as const) await put(list, []);
  await put('zones', [RACKS]);
  await put('places', [CHARGER]);
});

function visit(
  run: (session: PageSession) => Promise<void>,
  {
    cookies = app.cookies,
    url = app.url,
    ...options
  }: BrowserContextOptions & { cookies?: TestConsole['cookies']; url?: string } = {},
): Promise<void> {
  return withPage(
    browser,
    'about:blank',
    async (session) => {
      await session.page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url })));
      await session.page.goto(`${url}/map`);
      await session.page.locator('path.zone').first().waitFor();
      await session.page.locator('[data-map-count]:not(:empty)').waitFor();
      await run(session);
    },
    options,
  );
}

/** Returns the page coordinates of a point on the floor plan. */
async function pointAt(page: Page, xMm: number, yMm: number): Promise<{ x: number; y: number }> {
  await page.locator('[data-beacon-map]').scrollIntoViewIfNeeded();
  const box = await page.locator('.plan-layer').boundingBox();
  assert.ok(box);
  return { x: box.x + (xMm / 60_000) * box.width, y: box.y + (1 - yMm / 48_000) * box.height };
}

async function clickAt(page: Page, xMm: number, yMm: number): Promise<void> {
  const { x, y } = await pointAt(page, xMm, yMm);
  await page.mouse.click(x, y);
}

async function drag(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  const [start, end] = [await pointAt(page, ...from), await pointAt(page, ...to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 });
  await page.mouse.move(end.x, end.y, { steps: 3 });
  await page.mouse.up();
}

const corners = (page: Page) => page.locator('[data-corner]');
const report = (page: Page, text: string): Promise<void> =>
  page.locator(`[data-site-report]:visible:has-text("${text}")`).waitFor();

/** A pixel is about 0.1 m on the desktop and 0.2 m on the phone. */
function isNear(actual: readonly number[] | undefined, expected: readonly number[], toleranceMm = 400): void {
  const distance = Math.hypot(
    (actual?.[0] ?? Number.NaN) - (expected[0] ?? 0),
    (actual?.[1] ?? Number.NaN) - (expected[1] ?? 0),
  );
  assert.ok(distance < toleranceMm, `${actual} instead of ${expected}`);
}

test('a zone is drawn by clicking its corners, and undo removes the last corner', () =>
  visit(async ({ page }) => {
    await page.click('[data-site-add="zones"]');
    await clickAt(page, 35_000, 35_000);
    await clickAt(page, 50_000, 35_000);
    await clickAt(page, 55_000, 40_000);
    await page.click('[data-site-undo]');
    assert.equal(await corners(page).count(), 2);
    await clickAt(page, 50_000, 45_000);
    await page.locator('[data-site-hint]:has-text("Tap the first corner")').waitFor();
    await clickAt(page, 35_000, 35_000);
    await page.locator('[data-site-hint]:has-text("Drag a corner")').waitFor();
    assert.equal(await corners(page).count(), 3);
    await page.fill('#zone-name', 'Workshop');
    await page.selectOption('#zone-kind', 'SPEED_LIMIT');
    await page.fill('#zone-speed', '250');
    await page.click('[data-site-tools] [data-site-save]');
    await report(page, 'Workshop saved');
    const [, zone] = await zones();
    const { polygon, ...others } = zone ?? {};
    assert.deepEqual(others, { id: 'zone-1', kind: 'SPEED_LIMIT', name: 'Workshop', maxSpeedMmps: 250 });
    isNear(polygon?.[0], [35_000, 35_000]);
    isNear(polygon?.[1], [50_000, 35_000]);
    isNear(polygon?.[2], [50_000, 45_000]);
    assert.equal(await page.locator('path.zone').count(), 2);
  }));

test('corners are moved, inserted and deleted with the mouse, and undo restores them', () =>
  visit(async ({ page }) => {
    await page.click('[data-site-edit="racks"]');
    await drag(page, [10_000, 10_000], [5000, 5000]);
    await page.locator('[data-site-hint]:has-text("Corner 1 is selected")').waitFor();
    // The middle of the edge between corners 2 and 3.
    await drag(page, [30_000, 20_000], [40_000, 20_000]);
    assert.equal(await corners(page).count(), 5);
    await clickAt(page, 10_000, 30_000);
    await page.click('[data-site-delete-corner]:has-text("Delete corner 5")');
    assert.equal(await corners(page).count(), 4);
    await page.click('[data-site-undo]');
    assert.equal(await corners(page).count(), 5);
    await page.click('[data-site-tools] [data-site-save]');
    await report(page, 'Racks saved');
    const [{ polygon }] = (await zones()) as [Zone];
    isNear(polygon[0], [5000, 5000]);
    isNear(polygon[2], [40_000, 20_000]);
    assert.deepEqual(polygon.slice(3), RACKS.polygon.slice(2));
  }));

test('cancel discards the draft, and the map selects destinations again only afterwards', () =>
  visit(async ({ page }) => {
    await page.click('[data-site-edit="racks"]');
    assert.equal(await page.locator('[data-drive-to]').isVisible(), false);
    await page.fill('#zone-name', 'Other');
    await page.click('[data-pick]');
    await page.locator('[data-map-words]:has-text("First save or cancel")').waitFor();
    await page.click('[data-site-tools] [data-site-cancel]');
    assert.equal(await page.locator('[data-drive-to]').isVisible(), true);
    await page.locator('[data-site-list] strong:text-is("Racks")').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-site-edit')), 'racks');
  }));

test('a zone is edited with the keyboard alone', () =>
  visit(async ({ page }) => {
    await page.focus('[data-site-edit="racks"]');
    await page.keyboard.press('Enter');
    await page.locator('#zone-name:focus').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Shelves');
    const tabTo = async (selector: string): Promise<void> => {
      for (let presses = 0; presses < 40; presses += 1) {
        if (await page.locator(`${selector}:focus`).count()) return;
        await page.keyboard.press('Tab');
      }
      assert.fail(`the Tab key does not reach ${selector}`);
    };
    await tabTo('[data-corner="0"] [data-axis="1"]');
    await page.keyboard.type('9,5');
    await tabTo('[data-corner="1"] [data-corner-insert]');
    await page.keyboard.press('Enter');
    await page.locator('[data-corner="2"] [data-axis="0"]:focus').waitFor();
    await page.keyboard.type('35');
    await tabTo('[data-corner="4"] [data-corner-delete]');
    await page.keyboard.press('Enter');
    await tabTo('[data-corner-add]');
    await tabTo('[data-site-form="zones"] [type="submit"]');
    await page.keyboard.press('Enter');
    await report(page, 'Shelves saved');
    const [zone] = await zones();
    assert.deepEqual(zone?.polygon, [
      [10_000, 9500],
      [30_000, 10_000],
      [35_000, 20_000],
      [30_000, 30_000],
    ]);
  }));

test('a version of another user is reported, and the draft is kept and can be saved on top of it', () =>
  visit(async ({ page, pageErrors }) => {
    await page.click('[data-site-edit="racks"]');
    await page.fill('#zone-name', 'Shelves');
    const other = {
      ...RACKS,
      id: 'other',
      name: 'Other',
      polygon: RACKS.polygon.map(([x, y]) => [x + 25_000, y]),
    };
    await put('zones', [RACKS, other]);
    await report(page, 'Save adds your draft to the new version');
    await page.locator('path.zone:not(.zone-draft)').waitFor();
    assert.equal(await page.inputValue('#zone-name'), 'Shelves');
    await page.click('[data-site-tools] [data-site-save]');
    await report(page, 'Shelves saved');
    assert.deepEqual(
      (await zones()).map(({ name }) => name),
      ['Shelves', 'Other'],
    );
    assert.deepEqual(pageErrors, []);
  }));

test('a save that is based on an outdated version is rejected and keeps the draft', () =>
  visit(async ({ page, pageErrors }) => {
    await page.click('[data-site-edit="racks"]');
    await page.fill('#zone-name', 'Shelves');
    await page.route('**/zones', async (route) => {
      if (route.request().method() === 'PUT') await put('zones', [{ ...RACKS, name: 'Renamed' }]);
      await route.continue();
    });
    await page.click('[data-site-tools] [data-site-save]');
    await report(page, 'This item was changed there as well');
    await page.unroute('**/zones');
    assert.equal(await page.inputValue('#zone-name'), 'Shelves');
    assert.equal((await zones())[0]?.name, 'Renamed');
    await page.click('[data-site-tools] [data-site-save]');
    await report(page, 'Shelves saved');
    // The browser logs the 412 response.
    assert.ok(pageErrors.splice(0).every((text) => text.includes('412')));
  }));

test("an error of the gateway is shown at the zone's corner or field, and nothing is stored", () =>
  visit(async ({ page, pageErrors }) => {
    await page.click('[data-site-edit="racks"]');
    // The edges cross.
    await page.fill('[data-corner="1"] [data-axis="0"]', '20');
    await page.fill('[data-corner="1"] [data-axis="1"]', '40');
    await page.click('[data-site-tools] [data-site-save]');
    await page.locator('[data-corner] .error:has-text("touches another edge")').waitFor();
    await page.locator('.corner-handle.is-faulty').waitFor();
    await page.fill('[data-corner="1"] [data-axis="0"]', '61');
    await page.fill('[data-corner="1"] [data-axis="1"]', '10');
    await page.click('[data-site-tools] [data-site-save]');
    await page.locator('[data-corner="1"] .error:has-text("within the floor plan")').waitFor();
    await page.fill('[data-corner="1"] [data-axis="0"]', 'far');
    await page.click('[data-site-tools] [data-site-save]');
    await page.locator('[data-corner="1"] .error:has-text("Enter a number")').waitFor();
    await report(page, 'Correct the marked fields');
    assert.deepEqual(await violationsOf(page), []);
    pageErrors.splice(0);
    assert.deepEqual(await zones(), [RACKS]);
  }));

test('a place is moved, turned and deleted', () =>
  visit(async ({ page }) => {
    await page.click('[data-site-edit="charger"]');
    await clickAt(page, 40_000, 35_000);
    const at = await pointAt(page, 40_000, 35_000);
    await page.mouse.move(at.x + 56, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 20, at.y - 30, { steps: 3 });
    await page.mouse.move(at.x, at.y - 56, { steps: 3 });
    await page.mouse.up();
    const heading = Number(await page.inputValue('#place-heading'));
    assert.ok(Math.abs(heading - 90) <= 2, `${heading}°`);
    await page.fill('#place-heading', '−45,5');
    await page.click('[data-site-tools] [data-site-save]');
    await report(page, 'Charger saved');
    const [place] = await places();
    isNear([place?.xMm ?? 0, place?.yMm ?? 0], [40_000, 35_000]);
    assert.equal(place?.headingDeg, -45.5);
    await page.click('[data-site-edit="charger"]');
    await holdButton(
      page,
      '[data-site-form="places"] [data-site-delete]',
      '[data-site-none="places"]:visible',
    );
    assert.deepEqual(await places(), []);
  }));

test('on a phone, a zone and a place are added by tapping the map', () =>
  visit(async ({ page }) => {
    const tap = async (xMm: number, yMm: number): Promise<void> => {
      const { x, y } = await pointAt(page, xMm, yMm);
      await page.touchscreen.tap(x, y);
    };
    await page.tap('[data-site-add="zones"]');
    for (const [x, y] of [
      [35_000, 20_000],
      [55_000, 20_000],
      [55_000, 40_000],
    ] as const)
      await tap(x, y);
    await page.tap('[data-site-close-shape]');
    assert.deepEqual(await violationsOf(page), []);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.equal(over, 0);
    await page.tap('[data-site-tools] [data-site-save]');
    await report(page, 'Zone 2 saved');
    isNear((await zones())[1]?.polygon[1], [55_000, 20_000]);
    await page.tap('[data-site-add="places"]');
    await tap(20_000, 40_000);
    await page.tap('[data-site-tools] [data-site-save]');
    await report(page, 'New place 2 saved');
    const place = (await places())[1];
    isNear([place?.xMm ?? 0, place?.yMm ?? 0], [20_000, 40_000]);
  }, PHONE));

test('after a change of the floor plan, the zones must be confirmed', () =>
  visit(async ({ page }) => {
    await send('PUT', '/map/plan/line', { ...LINE, lengthM: 60 });
    await page.click('[data-site-confirm]');
    await report(page, 'Confirmed');
    await page.locator('[data-site-review]').waitFor({ state: 'hidden' });
    assert.equal((await (await send('GET', '/zones')).json()).needsReview, false);
  }));

test('zones are exported as GeoJSON, and a file replaces all zones', () =>
  visit(async ({ page, pageErrors }) => {
    await page.click('[data-site-plan] summary');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('[data-site-export="zones"]'),
    ]);
    assert.equal(download.suggestedFilename(), 'zones.geojson');
    const exported = await readFile(await download.path());
    await put('zones', []);
    await page.locator('[data-site-none="zones"]').waitFor();
    const file = { name: 'zones.geojson', mimeType: 'application/json' };
    await page.setInputFiles('#site-file', { ...file, buffer: Buffer.from('{"type":"Feature"}') });
    await holdButton(
      page,
      '[data-site-import="zones"]',
      '[role="alert"]:has-text("must be a FeatureCollection")',
    );
    pageErrors.splice(0);
    await page.setInputFiles('#site-file', { ...file, buffer: exported });
    await holdButton(page, '[data-site-import="zones"]', '[data-site-list] strong:text-is("Racks")');
    assert.deepEqual(await zones(), [RACKS]);
  }));

test('operators can see the zones and places but not change them', () =>
  visit(
    async ({ page }) => {
      await page.locator('[data-site-list] strong:text-is("Racks")').waitFor();
      await page.locator('.place-mark .cart-label:text("Charger")').waitFor();
      await page.locator('[data-site-plan]:has-text("Only administrators can change")').waitFor();
      assert.equal(await page.locator('[data-site-edit], [data-site-add], [data-site-form]').count(), 0);
      assert.deepEqual(await violationsOf(page), []);
    },
    { cookies: operatorCookies },
  ));

test('the zones are marked as possibly outdated while there is no connection', async () => {
  const network = await UnreliableNetwork.open(app.url);
  await visit(
    async ({ page, pageErrors }) => {
      network.dropTraffic();
      await page.locator('[data-site-outdated]:has-text("may be outdated")').waitFor();
      await page.locator('.leaflet-zones-pane[data-stale]').waitFor({ state: 'attached' });
      await put('zones', [{ ...RACKS, name: 'Renamed' }]);
      network.disconnect();
      await page.locator('[data-site-list] strong:text-is("Renamed")').waitFor();
      await page.locator('[data-site-outdated]').waitFor({ state: 'hidden' });
      pageErrors.splice(0);
    },
    { url: network.url },
  );
  await network.close();
});

test('the map first shows the floor plan, even if a beacon is 1,000 km away or in the next village', async () => {
  await send('POST', '/beacon', { id: 'far-away', lat: 9, long: 0 });
  await send('POST', '/beacon', { id: 'next-village', lat: 0.1, long: 0 });
  await visit(async ({ page }) => {
    await page.locator('[data-map-count]:has-text("More than 20 km away")').waitFor();
    const plan = await page.locator('.plan-layer').boundingBox();
    const map = await page.locator('[data-beacon-map]').boundingBox();
    assert.ok(plan && map && plan.height > map.height * 0.7, JSON.stringify({ plan, map }));
  });
});

test("the map shows the cart's footprint, uncertainty and, while it moves, its stopping distance", async () => {
  await placeCart(20_000, 40_000);
  await visit(async ({ page }) => {
    const drawn = (name: string) => page.locator(`path.${name}[d^="M"]:not([d="M0 0"])`);
    await drawn('cart-footprint').waitFor({ state: 'attached' });
    await drawn('cart-ellipse').waitFor({ state: 'attached' });
    assert.equal(await drawn('cart-stopping').count(), 0);
    // The zones would limit the speed.
    await put('zones', []);
    const move = { cartID: 1, distanceID: 2000, angleID: 0 };
    await untilAnswer(
      () =>
        admin.request.post(app.url, { data: move, headers: { origin: app.url, accept: 'application/json' } }),
      (answer) => answer.ok(),
    );
    await drawn('cart-stopping').waitFor({ state: 'attached' });
  });
});

test('a place refers to a marker and a cart, and keeps a marker that is not registered', async () => {
  await put('places', [{ ...CHARGER, markerId: 12 }]);
  await visit(async ({ page }) => {
    await page.click('[data-site-edit="charger"]');
    assert.equal(await page.inputValue('#place-marker'), '12');
    await page.selectOption('#place-cart', '2');
    await page.click('[data-site-tools] [data-site-save]');
    await report(page, 'Charger saved');
    assert.deepEqual(await places(), [{ ...CHARGER, markerId: 12, cartID: 2 }]);
    await page.locator('[data-site-list="places"]:has-text("marker 12, only for cart 2")').waitFor();
    await page.click('[data-site-edit="charger"]');
    await page.selectOption('#place-marker', '');
    await page.selectOption('#place-cart', { label: 'All carts' });
    await page.click('[data-site-tools] [data-site-save]');
    await report(page, 'Charger saved');
    assert.deepEqual(await places(), [CHARGER]);
  });
});

test('the cross at the origin is hidden while a cart covers it', () =>
  visit(async ({ page }) => {
    await placeCart(0, 0);
    await page.locator('.map-origin[style*="opacity: 0"]').waitFor({ state: 'attached' });
    await placeCart(20_000, 40_000);
    await page.locator('.map-origin[style*="opacity: 1"]').waitFor();
  }));

test('on a phone, the name of a zone extends above its Edit button', () =>
  visit(async ({ page }) => {
    const name = await page.locator('[data-site-list="zones"] strong').boundingBox();
    const button = await page.locator('[data-site-edit="racks"]').boundingBox();
    assert.ok(name && button);
    assert.ok(name.x + name.width >= button.x + button.width - 1);
    assert.ok(name.y + name.height <= button.y);
  }, PHONE));

test('the map shows a changed footprint without a reload', async () => {
  await placeCart(20_000, 40_000);
  await visit(async ({ page }) => {
    const outline = page.locator('path.cart-footprint[d^="M"]:not([d="M0 0"])');
    const before = await outline.getAttribute('d');
    const longer = FOOTPRINT.map(({ xMm, yMm }) => ({ xMm: 5 * xMm, yMm }));
    await send('POST', '/updateJson', { kinematics: { footprint: longer } });
    await page.waitForFunction(
      (d) => document.querySelector('path.cart-footprint')?.getAttribute('d') !== d,
      before,
    );
    await send('POST', '/updateJson', { kinematics: { footprint: FOOTPRINT } });
  });
});

test('the pages of other users show for whom the zones are off, until an emergency stop', () =>
  visit(
    async ({ page }) => {
      for (const path of ['/map', '/']) {
        await page.goto(app.url + path);
        const request = { reason: 'pallet in the way', seconds: 60 };
        await send('POST', '/site-plan/override', request);
        const band = page.locator('[data-override]:has-text("not for you: ")');
        await band.waitFor();
        assert.deepEqual(await violationsOf(page), []);
        await send('POST', '/estop');
        await band.waitFor({ state: 'hidden' });
        await send('POST', '/estop/reset', { cartID: 1 });
      }
    },
    { cookies: operatorCookies },
  ));

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: zones and places on the map in Chromium (Chromium is not installed)\n');
