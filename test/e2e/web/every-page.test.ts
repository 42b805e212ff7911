import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import { violationsInBothModes, violationsOf } from '../../helpers/axe.js';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import {
  CONSOLE_PAGES,
  type ConsolePage,
  openTestConsole,
  SETUP_PAGES,
  seed,
  type TestConsole,
  titleOf,
} from '../../helpers/console-pages.js';
import {
  animatedElements,
  brokenWords,
  coveredControls,
  estopPosition,
  keyboardFaults,
  overflowPx,
  smallMotionControls,
  stopFaults,
  visibleTexts,
} from '../../helpers/page-assertions.js';
import { withPage } from '../../helpers/page-session.js';
import { pageNames } from '../../helpers/templates.js';

/** Checks every page in both languages, in light and dark mode, at phone, tablet and desktop widths. */
const test = suite('every page of the console');

const WIDTHS = [360, 768, 1440] as const;
/** Separate tests cover the API page, which exists only in English, and the stop-only page. */
const EXCLUDED = ['docs/docs', 'stop-only/stop-only', 'styleguide/styleguide'];
/** Pages that are opened by a request that fails. */
const FAILED = ['layout/error', 'access/login-code', 'system/setup-restore'];
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'";

let testConsole: TestConsole;
let browser: Browser;

test.before(async () => {
  [testConsole, browser] = await Promise.all([openTestConsole(), openBrowser()]);
});
test.after(async () => {
  await browser.close();
  await testConsole.gateway.close();
});

/** Position of the Stop all button for each screen width; it must be the same on all pages. */
const estopAt = new Map<number, string>();

/** Strings that are the same in both languages: words, roles, units and user data. */
const IDENTICAL = new Set([
  'Account',
  'Menu',
  'Updates',
  'Gamepad',
  'Android',
  'MQTT',
  'Server',
  'Camera',
  'Cart',
  'Cartwright',
  'Code',
  'Contrast',
  'Controller',
  'Details',
  'Dock',
  'Filter',
  'Firmware',
  'Database',
  'Driver',
  'HTTPS',
  'Host',
  'Marker',
  'Markers',
  'Motor',
  'Offline',
  'Protocol',
  'Processor',
  'Windows',
  'macOS',
  'Status',
  'Stop',
  'live',
  'mqtt',
  'bytes',
  'admin',
  'baud',
  'deg',
  'dpt',
  'anna',
  'otto',
  'receivers',
  'By the door',
  'Zones',
  'Racks',
  'racks',
  'Crossing',
  'crossing',
  'Gate',
  'gate',
  'Charger',
  'charger',
  'Parking',
  'parking',
  'Stop A',
  'stop',
  'Cartwright CA  Cart',
  'Beacon Hunt',
  'Forklift Tycoon',
  'Night Shift',
  'Parcel Panic',
  'Warehouse Rally',
]);
const CODE = /\S*[\d_:/@]\S*/g;

function untranslatedIn(dutch: readonly string[], english: readonly string[]): string[] {
  const alike = dutch.filter((text) => english.includes(text));
  return alike.filter((text) => {
    const words = text.replace(CODE, '').replace(/,\s*/g, ' ').trim();
    return words !== '' && !IDENTICAL.has(words);
  });
}

/** Colours and the order of the focus do not depend on the language, so each is checked in one language. */
async function checkPage(page: Page, { isPublic }: ConsolePage, language: 'en' | 'nl'): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    assert.equal(await overflowPx(page), 0, `not wider than ${width} px`);
    if (width === 360) assert.deepEqual(await brokenWords(page), [], 'no word is broken');
    assert.deepEqual(await coveredControls(page), [], `no control is covered at ${width} px`);
    assert.deepEqual(await smallMotionControls(page), [], `controls that stop or move at ${width} px`);
    if (isPublic) assert.equal(await page.locator('[data-estop]').count(), 0);
    else {
      const position = await estopPosition(page);
      if (!estopAt.has(width)) estopAt.set(width, position);
      assert.equal(position, estopAt.get(width), `position of E-stop at ${width} px`);
      assert.deepEqual(await stopFaults(page), [], `stop buttons at ${width} px`);
    }
    const violations =
      language === 'en' ? await violationsInBothModes(page) : await violationsOf(page, 'others');
    assert.deepEqual(violations, [], `${width} px`);
  }
  assert.deepEqual(await animatedElements(page), [], 'no animation with reduced motion');
  if (language === 'en') return;
  assert.deepEqual(await keyboardFaults(page), [], 'Tab reaches every control and shows the focus');
}

/** Checks that the window title begins with the heading and then names the pages in the breadcrumbs. */
async function checkTitle(page: Page): Promise<void> {
  const heading = await page.locator('h1').innerText();
  const above = (await page.locator('.crumbs a').allInnerTexts()).toReversed();
  const title = await page.title();
  assert.ok(title.startsWith([heading, ...above, ''].join(' – ')), title);
}

/**
 * Opens a page in a language, checks the page and its content security policy, and returns its visible
 * strings.
 */
async function checkLanguage(language: 'en' | 'nl', consolePage: ConsolePage): Promise<readonly string[]> {
  let texts: readonly string[] = [];
  const options = { locale: language === 'nl' ? 'nl-NL' : 'en-GB', reducedMotion: 'reduce' } as const;
  await withPage(
    browser,
    'about:blank',
    async ({ page, pageErrors }) => {
      if (!consolePage.isPublic) await page.context().addCookies(testConsole.cookies);
      const policies: (string | undefined)[] = [];
      page.on('response', (response) => {
        if (response.request().isNavigationRequest())
          policies.push(response.headers()['content-security-policy']);
      });
      await consolePage.open(page, testConsole);
      assert.deepEqual([...new Set(policies)], [POLICY]);
      assert.equal(await page.locator('html').getAttribute('lang'), language);
      if (consolePage.template !== 'layout/offline') await checkTitle(page);
      await checkPage(page, consolePage, language);
      texts = await visibleTexts(page);
      // The browser logs the expected status 401 or 404 as an error.
      if (FAILED.includes(consolePage.template)) pageErrors.splice(0, 1);
    },
    options,
  );
  return texts;
}

async function checkPageInBoth(consolePage: ConsolePage): Promise<void> {
  const [english, dutch] = await Promise.all([
    checkLanguage('en', consolePage),
    checkLanguage('nl', consolePage),
  ]);
  assert.deepEqual(untranslatedIn(dutch, english), [], 'no untranslated text');
}

test('every template has a page check or is excluded', () => {
  const known = [...SETUP_PAGES, ...CONSOLE_PAGES].map(({ template }) => template);
  assert.deepEqual(
    pageNames()
      .filter((name) => !known.includes(name))
      .toSorted(),
    EXCLUDED,
  );
});

for (const setupPage of SETUP_PAGES) {
  test(titleOf(setupPage), () => checkPageInBoth(setupPage));
}

test('adds test data to the test gateway', () => seed(testConsole, browser));

for (const consolePage of CONSOLE_PAGES) {
  test(titleOf(consolePage), () => checkPageInBoth(consolePage));
}

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: every page of the console (Chromium is not installed)\n');
