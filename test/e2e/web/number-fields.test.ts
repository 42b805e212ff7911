import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';

/** Types into number fields of several pages as an operator does: after a tap, a click or the Tab key. */
const test = suite('number fields in Chromium');

const app = new BrowserSuite(test);
test.before(async () => {
  const marker = { id: 12, sizeMm: 150, xMm: 20_000, yMm: 20_000, headingDeg: 90, purpose: 'dock' };
  assert.equal((await app.gateway.call('PUT', '/markers/12', marker)).status, 200);
});

const FIELDS = [
  { path: '/', field: '#distanceID', before: '0', label: 'the distance on the Drive page' },
  { path: '/', field: '#angleID', before: '0', label: 'the angle on the Drive page' },
  { path: '/markers?edit=12', field: '#marker-headingDeg', before: '90', label: 'the direction of a marker' },
  { path: '/markers?edit=12', field: '#marker-xMm', before: '20000', label: 'the position of a marker' },
  {
    path: '/brokerSettings?section=limits',
    field: '[name="/limits/maxDistanceMm"]',
    before: '10000',
    label: 'a limit in the settings',
  },
] as const;

/** Presses the left edge, where the caret would be placed before the digits. */
const AT_START = { x: 5, y: 10 };

for (const { path, field, before, label } of FIELDS) {
  for (const [how, isTouch] of [
    ['a tap on', true],
    ['a click on', false],
  ] as const) {
    test(`typing after ${how} ${label} replaces the number`, () =>
      app.visit(
        path,
        async ({ page }) => {
          const input = page.locator(field);
          assert.equal(await input.inputValue(), before);
          await (isTouch ? input.tap({ position: AT_START }) : input.click({ position: AT_START }));
          await page.keyboard.type('45');
          assert.equal(await input.inputValue(), '45');
        },
        { hasTouch: isTouch },
      ));
  }
}

test('typing after the Tab key has moved to a number field replaces the number', () =>
  app.visit('/', async ({ page }) => {
    await page.focus('[data-sign="distanceID"]');
    await page.keyboard.press('Tab');
    await page.keyboard.type('45');
    assert.equal(await page.inputValue('#distanceID'), '45');
  }));

test('a second click in a number field places the caret', () =>
  app.visit('/markers?edit=12', async ({ page }) => {
    await page.locator('#marker-xMm').click({ position: AT_START });
    await page.locator('#marker-xMm').click({ position: AT_START });
    await page.keyboard.type('1');
    assert.equal((await page.inputValue('#marker-xMm')).length, '120000'.length);
  }));

if (hasBrowser) test.run();
