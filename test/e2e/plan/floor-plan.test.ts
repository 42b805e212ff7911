import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import type { PlanView } from '../../../src/plan/floor-plan/schema.js';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { holdButton } from '../../helpers/page-session.js';
import { png } from '../../unit/plan/images.js';
import { exif, jpegWith, pngWith, webpWith } from '../../unit/plan/oriented-images.js';

/** Tests the floor plan in Chromium on a real gateway without beacons. */
const test = suite('the floor plan in Chromium');

/** 57 m by 45 m at 20 px per metre, with a margin of 30 px. */
const IMAGE = { name: 'plan.png', mimeType: 'image/png', buffer: png(1200, 960) };

const app = new BrowserSuite(test);
test.before.each(async () => {
  await app.gateway.call('DELETE', '/map/plan');
});

async function upload(page: Page): Promise<void> {
  await page.setInputFiles('#plan-file', IMAGE);
  await page.click('[data-plan-upload] button');
  await untilStatus(page, '1200 x 960 px');
}

async function untilStatus(page: Page, text: string): Promise<void> {
  await page.locator(`[data-plan-words]:has-text("${text}")`).waitFor();
}

/** Returns the page coordinates of a pixel of the image. */
async function pointOn(page: Page, x: number, y: number): Promise<{ x: number; y: number }> {
  const image = page.locator('[data-plan-line]');
  await image.scrollIntoViewIfNeeded();
  const box = await image.boundingBox();
  assert.ok(box);
  return { x: box.x + (x / 1200) * box.width, y: box.y + (y / 960) * box.height };
}

async function dragLine(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  const [start, end] = [await pointOn(page, ...from), await pointOn(page, ...to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
  await page.mouse.move(end.x, end.y);
  await page.mouse.up();
}

async function placement(): Promise<NonNullable<PlanView['placement']>> {
  const { plan } = (await app.gateway.call<{ plan: PlanView }>('GET', '/map/plan')).body;
  assert.ok(plan.placement);
  return plan.placement;
}

const numberIn = async (page: Page, name: string): Promise<number> =>
  Number(await page.inputValue(`[name="${name}"]`));

test('a hall without coordinates can be set up with an uploaded floor plan and a line of known length', async () => {
  await app.visit('/map', async ({ page }) => {
    await untilStatus(page, 'No floor plan yet');
    await upload(page);
    await dragLine(page, [30, 930], [1170, 930]);
    // The length field has the focus, so that the length can be typed immediately.
    await page.locator('#plan-length:focus').waitFor();
    await page.keyboard.type('57');
    await page.keyboard.press('Enter');
    await untilStatus(page, 'North is at the top');
    const { metresPerPixel, rotationDeg, bottomLeft } = await placement();
    await untilStatus(page, `m wide and ${(metresPerPixel * 960).toFixed(1)} m high`);
    // One pixel on the screen is about 2.3 pixels of the image.
    assert.ok(Math.abs(metresPerPixel - 0.05) < 0.0003, String(metresPerPixel));
    assert.deepEqual(
      [Math.round(rotationDeg), Math.round(bottomLeft.lat), Math.round(bottomLeft.long)],
      [0, 0, 0],
    );
    await page.locator('[data-beacon-map][data-plan="placed"]').waitFor();

    await page.fill('#beacon-id', 'in-the-hall');
    await page.fill('#beacon-east', '30');
    await page.fill('#beacon-north', '24');
    await page.click('[data-beacon-form] button[type="submit"]');
    await page
      .locator('[data-beacon="in-the-hall"] .place:has-text("30.00 m east, 24.00 m north")')
      .waitFor();
    await page.reload();
    await page.locator('[data-beacon-map][data-plan="placed"]').waitFor();
    assert.equal(await page.inputValue('#plan-length'), '57');
    await page.locator('[data-mark="1"]').waitFor();
  });
  await app.gateway.call('DELETE', '/beacon?id=in-the-hall');
});

test('a line drawn before the floor plan has loaded has the right length', async () => {
  await app.visit('/map', async ({ page }) => {
    await page.route('**/map/plan/picture*', () => new Promise<void>(() => {}));
    await upload(page);
    await dragLine(page, [30, 930], [1170, 930]);
    await page.fill('#plan-length', '57');
    await page.keyboard.press('Enter');
    await untilStatus(page, 'North is at the top');
    const { metresPerPixel } = await placement();
    assert.ok(Math.abs(metresPerPixel - 0.05) < 0.0003, String(metresPerPixel));
  });
});

test('taps on the floor plan set both ends of the line on a phone, and dragging moves the ends', async () => {
  await app.visit(
    '/map',
    async ({ page }) => {
      await upload(page);
      for (const [x, y] of [
        [100, 100],
        [700, 100],
      ] as const) {
        const at = await pointOn(page, x, y);
        await page.touchscreen.tap(at.x, at.y);
      }
      await page.locator('[data-mark="1"]').waitFor();
      assert.ok(Math.abs((await numberIn(page, 'x1')) - 100) < 6);
      assert.ok(Math.abs((await numberIn(page, 'x2')) - 700) < 6);
      await dragLine(page, [700, 100], [1100, 860]);
      assert.ok(Math.abs((await numberIn(page, 'x1')) - 100) < 6);
      assert.ok(Math.abs((await numberIn(page, 'x2')) - 1100) < 6);
      assert.ok(Math.abs((await numberIn(page, 'y2')) - 860) < 6);
      await page.fill('#plan-length', '62,8');
      await page.locator('[data-plan-form] button[type="submit"]').tap();
      await untilStatus(page, 'North is at the top');
      await page.locator('[data-plan-saved]:text-is("Scale set")').waitFor();
      assert.ok(Math.abs((await placement()).metresPerPixel - 0.05) < 0.001);
    },
    { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  );
});

test('an error message states the field, the limit and the unit, and nothing is stored', async () => {
  await app.visit('/map', async ({ page, pageErrors }) => {
    await upload(page);
    const error = (text: string): Promise<void> =>
      page.locator(`[data-plan-error]:has-text("${text}")`).waitFor();
    await page.click('[data-plan-form] button[type="submit"]');
    await error('Draw a line on the floor plan first.');
    await dragLine(page, [30, 930], [90, 930]);
    await page.fill('#plan-length', '57');
    await page.keyboard.press('Enter');
    await error('it must be at least 100 px long. Draw a longer line');
    await dragLine(page, [300, 500], [900, 500]);
    for (const [length, text] of [
      ['', 'Length is missing.'],
      ['wide', 'Length must be a number.'],
      ['0.5', 'The length must be between 1 and 1000 m.'],
    ] as const) {
      await page.fill('#plan-length', length);
      await page.locator('#plan-length').press('Enter');
      await error(text);
      assert.equal(await page.getAttribute('#plan-length', 'aria-invalid'), 'true');
    }
    assert.deepEqual(await violationsOf(page), []);
    pageErrors.splice(0);
  });
  const { body } = await app.gateway.call<{ plan: PlanView }>('GET', '/map/plan');
  assert.equal(body.plan.placement, undefined);
});

test('a floor plan can be placed with the coordinates of two points, and deleted by holding a button', async () => {
  await app.visit('/map', async ({ page, pageErrors }) => {
    const notes = { ...IMAGE, buffer: Buffer.from('no picture') };
    await page.setInputFiles('#plan-file', notes);
    await page.click('[data-plan-upload] button');
    await untilStatus(page, 'not a complete PNG, JPEG or WebP');
    await upload(page);
    await page.click('[data-plan-advanced] summary');
    const enter = async (values: Record<string, number>): Promise<void> => {
      for (const [name, value] of Object.entries(values)) await page.fill(`[name="${name}"]`, String(value));
    };
    const [eastM, northM] = [57, 45];
    const [lat2, long2] = [52.37 + northM / 111_195, 4.895 + eastM / (111_195 * Math.cos(0.914))];
    await enter({ x1: 30, y1: 930, lat1: 52.37, long1: 4.895, x2: 40, y2: 935, lat2, long2 });
    await page.click('[data-save-points]');
    await page.locator('[data-plan-error]:has-text("at least 100 px apart")').waitFor();
    await enter({ x2: 1170, y2: 30 });
    await page.click('[data-save-points]');
    await untilStatus(page, '60.0 m wide and 48.0 m high');
    pageErrors.splice(0);

    const plan = await page.locator('.plan-layer').boundingBox();
    const map = await page.locator('[data-beacon-map]').boundingBox();
    assert.ok(plan && map && plan.width > 200 && plan.width <= map.width, JSON.stringify({ plan, map }));
    assert.ok(Math.abs(plan.width / plan.height - 1200 / 960) < 0.01);
    await page.reload();
    await page.locator('[data-beacon-map][data-plan="placed"]').waitFor();
    assert.equal(await page.inputValue('[name="x2"]'), '1170');
    assert.equal(await page.inputValue('[name="lat1"]'), '52.37');
    await holdButton(page, '[data-plan-delete]', '[data-plan-words]:has-text("Floor plan deleted")');
    await page.locator('.plan-layer').waitFor({ state: 'hidden' });
  });
});

test("the floor plan's scale can be set on the Dutch page when JavaScript is off", async () => {
  const body = new Uint8Array(IMAGE.buffer);
  assert.ok((await fetch(`${app.gateway.url}/map/plan`, { method: 'PUT', body })).ok);
  await app.visit(
    '/map',
    async ({ page, pageErrors }) => {
      await page.locator('[data-plan-words]:has-text("Teken een lijn met een bekende lengte")').waitFor();
      for (const [name, value] of Object.entries({ x1: 30, y1: 930, x2: 1170, y2: 930, lengthM: 2000 }))
        await page.fill(`[name="${name}"]`, String(value));
      await page.click('[data-plan-form] button[type="submit"]');
      await page.locator('main h2:text("Schaal niet ingesteld")').waitFor();
      await page.locator('[data-plan-error]:has-text("De lengte moet tussen 1 en 1000 m liggen.")').waitFor();
      assert.equal(await page.inputValue('[name="x2"]'), '1170');
      pageErrors.splice(0);
      await page.fill('[name="lengthM"]', '57,0');
      await page.click('[data-plan-form] button[type="submit"]');
      await page.locator('main h2:text("Schaal ingesteld")').waitFor();
      await page.locator('[data-plan-words]:has-text("60,0 m breed en 48,0 m hoog")').waitFor();
    },
    { javaScriptEnabled: false, locale: 'nl-NL' },
  );
  assert.ok(Math.abs((await placement()).metresPerPixel - 0.05) < 1e-6);
});

/** Returns a white photo of 400 x 200 px with a red top left corner and a blue top right corner. */
async function photo(page: Page, type: string): Promise<Buffer> {
  const base64 = await page.evaluate((mime) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 400, height: 200 });
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    const areas = [
      ['#fff', 0, 400],
      ['#f00', 0, 60],
      ['#00f', 340, 60],
    ] as const;
    for (const [colour, x, size] of areas) {
      context.fillStyle = colour;
      context.fillRect(x, 0, size, size);
    }
    return canvas.toDataURL(mime, 0.95).split(',')[1] ?? '';
  }, type);
  return Buffer.from(base64, 'base64');
}

/** Returns the colour at fractions of an element's box: `R`, `B` or `-`. */
async function colourAt(page: Page, selector: string, [x, y]: readonly [number, number]): Promise<string> {
  const box = await page.locator(selector).boundingBox();
  assert.ok(box);
  const clip = { x: box.x + x * box.width, y: box.y + y * box.height, width: 1, height: 1 };
  const shot = (await page.screenshot({ clip })).toString('base64');
  const [red = 0, green = 0, blue = 0] = await page.evaluate(async (base64) => {
    const image = Object.assign(new Image(), { src: `data:image/png;base64,${base64}` });
    await image.decode();
    const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    return [...context.getImageData(0, 0, 1, 1).data];
  }, shot);
  if (green > 150) return '-';
  return red > blue ? 'R' : 'B';
}

/** Fractions of the displayed image at which the red and the blue corner appear. */
const CORNERS = [
  [1, [0, 0], [1, 0]],
  [2, [1, 0], [0, 0]],
  [3, [1, 1], [0, 1]],
  [4, [0, 1], [1, 1]],
  [5, [0, 0], [0, 1]],
  [6, [1, 0], [1, 1]],
  [7, [1, 1], [1, 0]],
  [8, [0, 1], [0, 0]],
] as const;

for (const [type, oriented, orientations] of [
  ['image/jpeg', jpegWith, [3, 6, 7]],
  ['image/png', pngWith, [4, 5, 8]],
  [
    'image/webp',
    (image: Buffer, data: Buffer) => webpWith(image, data, [400, 200]),
    [1, 2, 3, 4, 5, 6, 7, 8],
  ],
] as const) {
  test(`the form and the map display a photo of type ${type} upright with the orientations ${orientations.join(', ')}`, async () => {
    await app.visit('/map', async ({ page }) => {
      const stored = await photo(page, type);
      for (const [orientation, red, blue] of CORNERS) {
        if (!orientations.some((tested) => tested === orientation)) continue;
        const buffer = oriented(stored, exif(orientation));
        const answer = await fetch(`${app.gateway.url}/map/plan`, {
          method: 'PUT',
          body: new Uint8Array(buffer),
          headers: { 'content-type': type },
        });
        assert.equal(answer.status, 200);
        const line = { x1: 0, y1: 50, x2: 200, y2: 50, lengthM: 20 };
        assert.equal((await app.gateway.call('PUT', '/map/plan/line', line)).status, 200);
        await page.reload();
        const ratio = orientation >= 5 ? 0.5 : 2;
        for (const selector of ['[data-plan-image]', '.plan-layer']) {
          const image = page.locator(selector);
          await page.$eval(selector, (element: HTMLImageElement) => element.decode());
          await image.scrollIntoViewIfNeeded();
          const box = await image.boundingBox();
          assert.ok(box);
          assert.ok(Math.abs(box.width / box.height / ratio - 1) < 0.02, `${selector} ${orientation}`);
          const inset = (at: number): number => (at === 0 ? 0.05 : 0.95);
          const at = ([x, y]: readonly [number, number]) => colourAt(page, selector, [inset(x), inset(y)]);
          assert.deepEqual([await at(red), await at(blue)], ['R', 'B'], `${selector} ${orientation}`);
        }
      }
    });
  });
}

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: the floor plan in Chromium (Chromium is not installed)\n');
