import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import type { CartView } from '../../../src/carts/command/model.js';
import { packageRoot } from '../../../src/shared/package-root.js';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import {
  CONSOLE_PAGES,
  type ConsolePage,
  openTestConsole,
  SETUP_PAGES,
  STYLEGUIDE,
  seed,
  type TestConsole,
  titleOf,
} from '../../helpers/console-pages.js';
import { withPage } from '../../helpers/page-session.js';
import { Screenshots } from '../../helpers/screenshots.js';
import { pageNames } from '../../helpers/templates.js';
import { untilAnswer } from '../../helpers/until.js';

/**
 * Compares every page with stored screenshots: on a phone in Dutch, on a tablet in dark mode, and on a desktop. Further
 * states of a page are compared only on a phone. `SCREENSHOTS_WRITE=1` stores new screenshots.
 */
const test = suite('screenshots of the pages');

/** Sizes in px; the layout of the Drive page depends on both. */
const PHONE = { width: 360, height: 740, language: 'nl', scheme: 'light' } as const;
const WINDOWS = [
  PHONE,
  { width: 768, height: 1024, language: 'en', scheme: 'dark' },
  { width: 1440, height: 900, language: 'en', scheme: 'light' },
] as const;
/** Window height in px for pages other than the Drive page; shows most of each page. */
const TALL_PX = 2000;
/** Not tested: the API page (rendered by Swagger UI) and the stop-only page (requires several crashes). */
const EXCLUDED = ['docs/docs', 'stop-only/stop-only'];
const LANGUAGES = { en: 'en-GB', nl: 'nl-NL' } as const;

let testConsole: TestConsole;
let browser: Browser;
let screenshots: Screenshots;

test.before(async () => {
  const fonts = join(packageRoot(), 'test/fixtures/fonts.conf');
  // Validation is off, because the style guide exists only in development and is not in the API document.
  const env = { NODE_ENV: 'development', NO_VALIDATION: '1' };
  [testConsole, browser] = await Promise.all([openTestConsole(env), openBrowser({ FONTCONFIG_FILE: fonts })]);
  screenshots = new Screenshots(browser);
});
test.after(async () => {
  await browser.close();
  await testConsole.gateway.close();
});

const nameOf = (consolePage: ConsolePage): string => titleOf(consolePage).replace(/\W+/g, '-');

async function untilCartReady(id: number): Promise<void> {
  const cookie = testConsole.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const cart = async (): Promise<CartView> =>
    (await (await fetch(`${testConsole.url}/carts/${id}`, { headers: { cookie } })).json()) as CartView;
  await untilAnswer(cart, ({ safety }) => safety.mayMove);
}

async function checkPage(consolePage: ConsolePage): Promise<void> {
  const isDrive = consolePage.template === 'drive/index';
  const check = async ({ width, height, language, scheme }: (typeof WINDOWS)[number]): Promise<string[]> => {
    let difference: string | undefined;
    await withPage(
      browser,
      'about:blank',
      async ({ page, pageErrors }) => {
        if (!consolePage.isPublic) await page.context().addCookies(testConsole.cookies);
        difference = await screenshots.check(page, {
          open: () => consolePage.open(page, testConsole),
          name: `${nameOf(consolePage)}/${width}-${scheme}-${language}`,
        });
        // Another test checks for errors; here, the pages for status 401 and 404 cause expected errors.
        pageErrors.length = 0;
      },
      {
        locale: LANGUAGES[language],
        colorScheme: scheme,
        reducedMotion: 'reduce',
        viewport: { width, height: isDrive ? height : TALL_PX },
      },
    );
    return difference === undefined ? [] : [difference];
  };
  const windows = consolePage.state === undefined ? WINDOWS : [PHONE];
  assert.deepEqual((await Promise.all(windows.map(check))).flat(), []);
}

test('every template has screenshots or is excluded', () => {
  const known = [...SETUP_PAGES, STYLEGUIDE, ...CONSOLE_PAGES].map(({ template }) => template);
  const others = pageNames().filter((name) => !known.includes(name));
  assert.deepEqual(others.toSorted(), EXCLUDED);
});

for (const setupPage of SETUP_PAGES) {
  test(`${titleOf(setupPage)} matches its stored screenshots`, () => checkPage(setupPage));
}

test('adds test data to the test gateway', async () => {
  await seed(testConsole, browser);
  for (const id of [1, 2, 3]) await untilCartReady(id);
});

for (const consolePage of [...CONSOLE_PAGES, STYLEGUIDE]) {
  test(`${titleOf(consolePage)} matches its stored screenshots`, () => checkPage(consolePage));
}

test('every stored screenshot belongs to a page', () => {
  assert.deepEqual(screenshots.unused(), []);
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: screenshots of the pages (Chromium is not installed)\n');
