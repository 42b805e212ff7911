import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import { violationsOf } from '../../helpers/axe.js';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import {
  CONSOLE_PAGES,
  type ConsolePage,
  openTestConsole,
  SETUP,
  seed,
  type TestConsole,
} from '../../helpers/console-pages.js';
import {
  animatedElements,
  estopPosition,
  keyboardFaults,
  overflowPx,
  visibleTexts,
} from '../../helpers/page-assertions.js';
import { withPage } from '../../helpers/page-session.js';
import { pageNames } from '../../helpers/templates.js';

/** What holds for every page of the console, in both languages, light and dark, on a phone, a tablet and a desk. */
const test = suite('every page of the console');

const WIDTHS = [360, 768, 1440] as const;
/** The API page, for programmers and in English, and the page of stop-only mode: both have tests of their own. */
const NOT_OF_THE_CONSOLE = ['web/docs', 'web/stop-only'];
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

let testConsole: TestConsole;
let browser: Browser;

test.before(async () => {
  [testConsole, browser] = await Promise.all([openTestConsole(), openBrowser()]);
});
test.after(async () => {
  await browser.close();
  await testConsole.gateway.close();
});

/** Where E-stop is at each width: on the first page that was looked at, and then on all of them. */
const estopAt = new Map<number, string>();

/** Words that are the same in Dutch, roles and units as the settings have them, and names that somebody gave. */
const SAME = new Set([
  ...[
    'Account',
    'Broker',
    'Camera',
    'Cart',
    'Cartwright',
    'Code',
    'Contrast',
    'Database',
    'Host',
    'Motor',
    'Processor',
  ],
  ...['Status', 'Stop', 'live', 'mqtt', 'bytes', 'admin', 'baud', 'deg', 'dpt', 'anna', 'otto', 'receivers'],
  ...['By the door', 'Beacon Hunt', 'Forklift Tycoon', 'Night Shift', 'Parcel Panic', 'Warehouse Rally'],
]);
/** Numbers, and the names that machines go by. */
const CODE = /\S*[\d_:/@]\S*/g;

/** Texts that a page says in both languages alike although a translation is due. */
function leftIn(dutch: readonly string[], english: readonly string[]): string[] {
  const alike = dutch.filter((text) => english.includes(text));
  return alike.filter((text) => {
    const words = text.replace(CODE, '').replace(/,\s*/g, ' ').trim();
    return words !== '' && !SAME.has(words);
  });
}

/** Everything that must hold of a page as it stands, in one language. */
async function look(page: Page, { isPublic }: ConsolePage): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    assert.equal(await overflowPx(page), 0, `nothing is wider than ${width} px`);
    if (isPublic) assert.equal(await page.locator('[data-estop]').count(), 0);
    else {
      const place = await estopPosition(page);
      if (!estopAt.has(width)) estopAt.set(width, place);
      assert.equal(place, estopAt.get(width), `E-stop is where it always is at ${width} px`);
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      assert.deepEqual(await violationsOf(page), [], `${colorScheme} at ${width} px`);
    }
  }
  assert.deepEqual(await animatedElements(page), [], 'nothing moves for whoever asked for less motion');
  assert.deepEqual(await keyboardFaults(page), [], 'Tab comes to every control, and shows where it is');
}

/** Opens the page in a language, with a strict policy, and looks at it. Answers the texts on it. */
async function lookIn(language: 'en' | 'nl', wanted: ConsolePage): Promise<readonly string[]> {
  let texts: readonly string[] = [];
  const options = { locale: language === 'nl' ? 'nl-NL' : 'en-GB', reducedMotion: 'reduce' } as const;
  await withPage(
    browser,
    'about:blank',
    async ({ page, pageErrors }) => {
      if (!wanted.isPublic) await page.context().addCookies(testConsole.cookies);
      const policies: (string | undefined)[] = [];
      page.on('response', (response) => {
        if (response.request().isNavigationRequest())
          policies.push(response.headers()['content-security-policy']);
      });
      await wanted.open(page, testConsole);
      assert.deepEqual([...new Set(policies)], [POLICY]);
      assert.equal(await page.locator('html').getAttribute('lang'), language);
      await look(page, wanted);
      texts = await visibleTexts(page);
      // The browser calls a page with a status of 401 or 404 an error; here it is what was asked for.
      if (['web/error', 'access/login-code'].includes(wanted.template)) pageErrors.splice(0, 1);
    },
    options,
  );
  return texts;
}

/** Looks at the page in both languages, side by side. */
async function lookInBoth(wanted: ConsolePage): Promise<void> {
  const [english, dutch] = await Promise.all([lookIn('en', wanted), lookIn('nl', wanted)]);
  assert.deepEqual(leftIn(dutch, english), [], 'no English is left');
}

test('every template makes a page that is looked at', () => {
  const known = [SETUP, ...CONSOLE_PAGES].map(({ template }) => template);
  assert.deepEqual(
    pageNames()
      .filter((name) => !known.includes(name))
      .toSorted(),
    NOT_OF_THE_CONSOLE,
  );
});

test('the setup of the first user', () => lookInBoth(SETUP));

test('the site is furnished', () => seed(testConsole, browser));

for (const wanted of CONSOLE_PAGES) {
  const name = [wanted.template, wanted.state].filter(Boolean).join(', ');
  test(name, () => lookInBoth(wanted));
}

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: every page of the console (chromium is not installed)\n');
