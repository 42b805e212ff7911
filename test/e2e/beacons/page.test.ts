import assert from 'node:assert/strict';
import { connectAsync, type MqttClient } from 'mqtt';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { holdButton } from '../../helpers/page-session.js';
import { untilAnswer } from '../../helpers/until.js';
import { png } from '../../unit/plan/images.js';

/**
 * Tests the Beacons page in Chromium with a real gateway. A cart publishes signal strengths through a real
 * broker.
 */
const test = suite('the Beacons page in Chromium');

const COLUMNS = 20;
/** A hall with 320 beacons in a grid with a spacing of three metres. */
const HALL = Array.from({ length: 320 }, (_, i) => ({
  id: `hall-${String(i).padStart(3, '0')}`,
  description: `Row ${Math.floor(i / COLUMNS)}`,
  txPower: -59,
  ...positionAt((i % COLUMNS) * 3, Math.floor(i / COLUMNS) * 3),
}));

let receiver: MqttClient;

test.after(() => receiver.endAsync());
const app = new BrowserSuite(test);
test.before(async () => {
  await app.untilCartReady();
  receiver = await connectAsync(await app.gateway.untilBroker());
});

/** Returns the position `eastM` metres east and `northM` metres north of a corner of the hall. */
function positionAt(eastM: number, northM: number): { lat: number; long: number } {
  const [lat, long] = [52.37 + northM / 111_195, 4.895 + eastM / (111_195 * Math.cos(0.914))];
  return { lat: Number(lat.toFixed(7)), long: Number(long.toFixed(7)) };
}

/** Publishes the signal strengths that a cart receives from these beacons at a distance of `metres`, without fading. */
async function publishStrengths(ids: readonly string[], metres: number, cartID = 1): Promise<void> {
  const rssi = Math.round(-59 - 20 * Math.log10(metres));
  const sightings = ids.map((id) => ({ id, rssi }));
  await receiver.publishAsync(`cart/v1/site1/${cartID}/sightings`, JSON.stringify({ sightings }));
}

const visit = (
  run: (page: Page, complaints: string[]) => Promise<void>,
  { path = '/map', ...options }: BrowserContextOptions & { path?: string } = {},
) => app.visit(path, ({ page, pageErrors }) => run(page, pageErrors), options);

async function untilStatus(page: Page, text: string): Promise<void> {
  await page.locator(`[data-map-count]:has-text("${text}")`).waitFor();
}

async function beacon(id: string): Promise<{ status: number; body: Record<string, unknown> }> {
  return await app.gateway.call('GET', `/beacon?id=${id}`);
}

test('the page shows how to add beacons when the registry is empty', async () => {
  await visit(async (page) => {
    await untilStatus(page, '0 beacons');
    await page.locator('.empty:has-text("Add beacons, import a CSV, or start with a floor plan")').waitFor();
    await page.locator('[data-map-words]:has-text("No beacon has a position yet")').waitFor();
    await page.click('[data-go-to="#beacon-id"]');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'beacon-id');
  });
});

test('an empty map shows a grid in metres with the selected cart at its starting position', async () => {
  await visit(async (page) => {
    await page.locator('[data-map-words]:has-text("Each square is 5 m wide")').waitFor();
    await page.locator('[data-beacon-map][data-empty] .cart-mark .cart-label:text("Cart 1")').waitFor();
    const [map, cart] = await Promise.all(
      ['[data-beacon-map]', '.cart-mark'].map((selector) => page.locator(selector).boundingBox()),
    );
    assert.ok(map && cart);
    assert.ok(Math.abs(map.x + map.width / 2 - (cart.x + cart.width / 2)) < 5, JSON.stringify({ map, cart }));
    assert.match((await page.textContent('.leaflet-control-scale-line')) ?? '', /^\d+ m$/);
  });
});

test('adding the first beacon does not move the selected cart on the map', () =>
  visit(
    async (page) => {
      const label = page.locator('.cart-mark .cart-label:text("Cart 1")');
      await label.waitFor();
      await page.fill('#beacon-id', 'beacon-first');
      await page.fill('#beacon-east', '-3');
      await page.fill('#beacon-north', '9');
      await page.click('[data-beacon-form] [type="submit"]');
      await untilStatus(page, '1 beacon, with a position');
      await page.locator('[data-map-words]:has-text("as if it had started at the cross")').waitFor();
      await page.locator('.cart-mark [data-assumed]').waitFor();
      const [map, cart, origin] = await Promise.all(
        ['[data-beacon-map]', '.cart-mark', '.map-origin'].map((name) => page.locator(name).boundingBox()),
      );
      assert.ok(map && cart && origin);
      const centre = { x: cart.x + cart.width / 2, y: cart.y + cart.height / 2 };
      assert.ok(Math.abs(centre.x - (origin.x + origin.width / 2)) < 5, JSON.stringify({ cart, origin }));
      assert.ok(centre.y > map.y && centre.y < map.y + map.height, JSON.stringify({ map, cart }));
      await page.reload();
      await label.waitFor();
      await holdButton(page, '[data-delete-beacon] button', '[data-map-count]:has-text("0 beacons")');
    },
    { viewport: { width: 360, height: 740 } },
  ));

test('an import with errors changes nothing and lists each error with its line and field', async () => {
  const csv = (rows: readonly string[]): Buffer =>
    Buffer.from(['id,description,txPower,lat,long', ...rows, ''].join('\r\n'));
  const good = HALL.map(({ id, description, txPower, lat, long }) =>
    [id, description, txPower, lat, long].join(),
  );
  await visit(async (page, complaints) => {
    const bad = [...good.slice(0, 5), 'hall-wrong,Row 9,-59,95,4.895', 'x,Row 9,loud,52.37,4.895'];
    await page.setInputFiles('#import-file', { name: 'hall.csv', mimeType: 'text/csv', buffer: csv(bad) });
    await page.click('[data-import-go]');
    await page.locator('.import-faults h3:has-text("Nothing was imported: 2 rows are invalid")').waitFor();
    const rows = await page.locator('.import-faults tbody tr').allTextContents();
    assert.equal(rows.length, 3);
    assert.match(rows[0] ?? '', /^7hall-wrong.*lat: 95.*at most 90 degrees$/);
    assert.ok(rows.some((row) => /^8xid/.test(row)));
    assert.ok(rows.some((row) => /^8xtxPower: loud/.test(row)));
    assert.equal((await beacon('hall-000')).status, 404);
    // The browser logs the 400 response to its console.
    complaints.splice(0);
    await page.setInputFiles('#import-file', { name: 'hall.csv', mimeType: 'text/csv', buffer: csv(good) });
    await page.click('[data-import-go]');
    await page.locator('[data-import-answer]:has-text("Imported: 320 new")').waitFor();
    await untilStatus(page, '320 beacons, all with a position');
    await page.locator('[data-beacon="hall-049"]').waitFor();
  });
  assert.equal((await beacon('hall-319')).status, 200);
});

test('the table shows beacons page by page and filters them as the user types', async () => {
  await visit(async (page) => {
    assert.equal(await page.locator('[data-beacon]').count(), 50);
    await page.click('[data-page-link]:text("Next page")');
    await page.locator('[data-beacon="hall-099"]').waitFor();
    await page.click('[data-page-link]:text("First page")');
    await page.locator('[data-beacon="hall-000"]').waitFor();
    await page.check('[data-coordinates]');
    await page.locator('#find').pressSequentially('hall-31');
    await page.locator('[data-beacon="hall-049"]').waitFor({ state: 'detached' });
    assert.equal(await page.locator('[data-beacon]').count(), 10);
    assert.equal(await page.inputValue('#find'), 'hall-31');
    await page.click('[data-beacon="hall-310"] [data-edit]');
    await page.click('[data-beacon-form] button:text-is("Save")');
    await page.locator('[data-beacon-form] button:text-is("Add")').waitFor();
    await page.locator('[data-part="notice"] .outcome').waitFor();
    assert.equal(await page.inputValue('#find'), 'hall-31');
    assert.equal(await page.locator('[data-beacon]').count(), 10);
    assert.ok(await page.isChecked('[data-coordinates]'));
    await page.locator('#find').pressSequentially('x');
    await page.locator('[data-part="notice"] .outcome').waitFor({ state: 'detached' });
    await page.locator('.empty:has-text("No id or description contains")').waitFor();
  });
});

test('an operator adds a beacon at a map position, edits it and holds a button to delete it', async () => {
  await visit(async (page, complaints) => {
    await untilStatus(page, '320 beacons');
    await page.fill('#beacon-id', 'short');
    await page.fill('#beacon-txPower', '60');
    await page.click('[data-beacon-form] button[type="submit"]');
    await page.locator('.row.bad:has(#beacon-id)').waitFor();
    assert.match((await page.textContent('#beacon-txPower-error')) ?? '', /at most 20 dBm/);
    assert.equal(await page.inputValue('#beacon-txPower'), '60');
    complaints.splice(0);

    await page.fill('#beacon-id', 'added-by-hand');
    await page.fill('#beacon-txPower', '-61');
    await page.click('[data-pick]');
    await page.locator('[data-beacon-map][data-picking]').click({ position: { x: 200, y: 150 } });
    assert.match(await page.inputValue('#beacon-lat'), /^52\.\d{7}$/);
    assert.match(await page.inputValue('#beacon-east'), /^-?\d+\.\d\d$/);
    await page.click('[data-beacon-form] button[type="submit"]');
    await page.locator('[data-part="notice"] h2:text("Saved added-by-hand")').waitFor();
    await untilStatus(page, '321 beacons');

    await page.locator('[data-beacon="added-by-hand"] [data-edit]').click();
    await page.locator('#beacon-form-title:text("Edit added-by-hand")').waitFor();
    await page.fill('#beacon-description', 'Over the door');
    await page.click('[data-beacon-form] button[type="submit"]');
    await page.locator('[data-beacon="added-by-hand"] .more:text("Over the door")').waitFor();
    assert.equal((await beacon('added-by-hand')).body.txPower, -61);

    const remove = '[data-beacon="added-by-hand"] .hold';
    await page.click(remove);
    await page.locator('[data-part="notice"]:has-text("Hold Delete")').waitFor();
    assert.equal((await beacon('added-by-hand')).status, 200);
    await holdButton(page, remove, '[data-part="notice"] h2:text("Deleted added-by-hand")');
    await untilStatus(page, '320 beacons');
  });
  assert.equal((await beacon('added-by-hand')).status, 404);
});

test("a beacon's position in metres and its coordinates stay consistent when either is edited", async () => {
  const lat = async (): Promise<number> => Number((await beacon('at-ten-metres')).body.lat);
  await visit(async (page) => {
    await page.fill('#beacon-id', 'at-ten-metres');
    await page.fill('#beacon-east', '0');
    await page.fill('#beacon-north', '10');
    await page.click('[data-beacon-form] button[type="submit"]');
    await page.locator('[data-part="notice"] h2:text("Saved at-ten-metres")').waitFor();
    assert.ok(Math.abs((await lat()) - 52.37 - 10 / 111_195) < 1e-7);
    await page.fill('#find', 'at-ten-metres');
    // Waits for the filtered table, because a click during its refresh would be lost.
    await page.locator('tbody > tr[data-beacon]:only-child').waitFor();
    await page
      .locator('[data-beacon="at-ten-metres"] .place:has-text("0.00 m east, 10.00 m north")')
      .waitFor();
    await page.locator('[data-beacon="at-ten-metres"] [data-edit]').click();
    await page.locator('#beacon-form-title:text("Edit at-ten-metres")').waitFor();
    assert.equal(await page.inputValue('#beacon-north'), '10.00');
    await page.click('[data-advanced] summary');
    await page.fill('#beacon-lat', '52.3702');
    assert.equal(await page.inputValue('#beacon-north'), '22.24');
    await page.click('[data-beacon-form] button[type="submit"]');
    await page.locator('[data-beacon="at-ten-metres"] .place:has-text("22.24 m north")').waitFor();
    assert.equal(await lat(), 52.3702);
  });
  await app.gateway.call('DELETE', '/beacon?id=at-ten-metres');
});

test('grid lines pass through the cross that marks the origin', () =>
  visit(async (page) => {
    await untilStatus(page, '320 beacons');
    const transform = await page.$eval('.map-origin', ({ style }: HTMLElement) => style.transform);
    const [, x, y] = /translate3d\((-?[\d.]+)px, (-?[\d.]+)px/.exec(transform) ?? [];
    const cross = [Number(x), Number(y)];
    const lines = (await page.getAttribute('.map-grid', 'd')) ?? '';
    const points = [...lines.matchAll(/[ML](-?\d+) (-?\d+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
    for (const axis of [0, 1]) {
      const nearest = Math.min(...points.map((point) => Math.abs((point[axis] ?? 0) - (cross[axis] ?? 0))));
      assert.ok(nearest <= 1, `no grid line passes through the cross: ${nearest} px`);
    }
  }));

test("the map shows a beacon's ID after the user zooms in", async () => {
  await visit(async (page) => {
    await untilStatus(page, '320 beacons');
    await page.locator('[data-show="hall-000"]').click();
    await page.locator('.beacon-label > span:text("hall-000")').waitFor();
    for (let i = 0; i < 6; i += 1) await page.click('.leaflet-control-zoom-out');
    await page.locator('.beacon-label > span').first().waitFor({ state: 'detached' });
  });
});

test('a duplicate ID is rejected with a message, and the form keeps its values', async () => {
  await visit(async (page, complaints) => {
    await page.fill('#beacon-id', 'hall-000');
    await page.fill('#beacon-description', 'A second one');
    await page.click('[data-beacon-form] button[type="submit"]');
    await page
      .locator('[data-part="notice"]:has-text("Find the beacon in the table and edit it there")')
      .waitFor();
    assert.equal(await page.inputValue('#beacon-description'), 'A second one');
    complaints.splice(0);
  });
  assert.equal((await beacon('hall-000')).body.description, 'Row 0');
});

test("a cart's position is shown with its age on the map, in the list and in the table", async () => {
  await visit(async (page) => {
    await untilStatus(page, '320 beacons');
    const corners = ['hall-000', 'hall-001', `hall-0${COLUMNS}`, `hall-0${COLUMNS + 1}`];
    await publishStrengths(corners, 2.12);
    await page.locator('.cart-mark .cart-label:text("Cart 1")').waitFor();
    await page.locator('[data-heard="hall-000"]:has-text("Cart 1, −66 dBm, 2.24 m")').waitFor();
    await page.locator('[data-heard-list] li:has-text("receives 4 beacons")').waitFor();
    assert.equal(await page.locator('path.heard-circle').count(), 4);
    const middle = positionAt(1.5, 1.5);
    // The metres are measured from the position 52.370, 4.895.
    const inMetres = page.locator('.heard-place', { hasText: /^[12]\.\d\d m east, [12]\.\d\d m north$/ });
    await inMetres.waitFor();
    await page.locator('[data-coordinates]').check();
    const position = await page.innerText('.heard-coordinates');
    const [lat = 0, long = 0] = position.split(', ').map(Number);
    assert.ok(Math.abs(lat - middle.lat) < 5e-6 && Math.abs(long - middle.long) < 1e-5, position);
    // No further messages arrive, so the data becomes stale and is greyed out.
    await page.locator('[data-heard-list] li[data-stale]').waitFor();
    await page.locator('[data-circles]').uncheck();
    await page.locator('path.heard-circle').first().waitFor({ state: 'detached' });
    assert.equal(await page.locator('path.heard-circle').count(), 0);
  });
});

test('a cart is removed from its last position on the map when it can no longer be located', () =>
  visit(async (page) => {
    const mark = page.locator('.cart-mark .cart-label:text("Cart 2")');
    const publish = async (ids: readonly string[]): Promise<number> => {
      await publishStrengths(ids, 2.24, 2);
      return await mark.count();
    };
    const corners = ['hall-000', 'hall-001', 'hall-020', 'hall-021'];
    await untilAnswer(
      () => publish(corners),
      (count) => count === 1,
    );
    // One beacon is not enough for a position.
    await untilAnswer(
      () => publish(corners.slice(0, 1)),
      (count) => count === 0,
    );
    await page.locator('[data-heard-list] li', { hasText: /Cart 2.*no position/ }).waitFor();
  }));

test('a beacon can be added, edited and deleted when JavaScript is off', async () => {
  await visit(
    async (page) => {
      await page.fill('#beacon-id', 'no-script-1');
      await page.click('[data-advanced] summary');
      await page.fill('#beacon-lat', '52,3701');
      await page.fill('#beacon-long', '4,8951');
      await page.click('[data-beacon-form] button[type="submit"]');
      await page.locator('main h2:text("Saved no-script-1")').waitFor();
      assert.equal((await beacon('no-script-1')).body.lat, 52.3701);
      await page.fill('#find', 'no-script');
      await page.click('[data-find] button');
      await page.click('[data-beacon="no-script-1"] [data-edit]');
      await page.fill('#beacon-description', 'changed');
      await page.click('[data-beacon-form] button[type="submit"]');
      await page.locator('main h2:text("Saved no-script-1")').waitFor();
      assert.equal((await beacon('no-script-1')).body.description, 'changed');
      await page.goto(`${app.gateway.url}/map?find=no-script`);
      await page.click('[data-beacon="no-script-1"] .hold');
      await page.locator('main h2:text("Deleted no-script-1")').waitFor();
    },
    { javaScriptEnabled: false },
  );
  assert.equal((await beacon('no-script-1')).status, 404);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the page has no accessibility violations in ${colorScheme} mode`, async () => {
    await visit(
      async (page, complaints) => {
        await untilStatus(page, '320 beacons');
        await page.setInputFiles('#plan-file', {
          name: 'a.png',
          mimeType: 'image/png',
          buffer: png(400, 300),
        });
        await page.click('[data-plan-upload] button');
        await page.locator('[data-plan-words]:has-text("400 x 300 px")').waitFor();
        await publishStrengths(['hall-000', 'hall-001', 'hall-020'], 2);
        await page.locator('[data-heard-list] li').first().waitFor();
        assert.deepEqual(await violationsOf(page), []);
        // The page is also checked while it shows form errors and import errors.
        await page.fill('#beacon-id', 'short');
        await page.click('[data-beacon-form] button[type="submit"]');
        await page.locator('.row.bad').waitFor();
        const buffer = Buffer.from('id\nshort\n');
        await page.setInputFiles('#import-file', { name: 'a.csv', mimeType: 'text/csv', buffer });
        await page.click('[data-import-go]');
        await page.locator('.import-faults tbody tr').waitFor();
        assert.deepEqual(await violationsOf(page), []);
        complaints.splice(0);
      },
      { colorScheme },
    );
  });
}

test('the page fits the width of a phone, a tablet and a desktop screen', async () => {
  for (const width of [360, 768, 1440]) {
    await visit(
      async (page) => {
        await untilStatus(page, '320 beacons');
        assert.equal(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
          0,
          `${width} px`,
        );
      },
      { viewport: { width, height: 800 } },
    );
  }
});

test('the page draws, filters and paginates 10,000 beacons', async () => {
  const many = Array.from({ length: 9600 }, (_, i) => ({
    id: `yard-${String(i).padStart(5, '0')}`,
    description: '<i>yard</i>',
    ...positionAt(100 + (i % 100), Math.floor(i / 100)),
  }));
  assert.equal((await app.gateway.call('POST', '/beacons/import', many)).status, 200);
  await visit(async (page) => {
    await untilStatus(page, '9920 beacons, all with a position');
    await page.locator('#find').pressSequentially('yard-0959');
    await page.locator('[data-beacon="yard-09599"]').waitFor();
    await page.locator('[data-show="yard-09599"]').click();
    await page.locator('.leaflet-tooltip:has-text("yard-09599")').waitFor();
    assert.equal(await page.locator('.leaflet-tooltip i').count(), 0, 'a description is not escaped');
  });
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: the Beacons page in Chromium (Chromium is not installed)\n');
