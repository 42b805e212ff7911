import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import {
  CONSOLE_PAGES,
  type ConsolePage,
  openTestConsole,
  SETUP_PAGES,
  seed,
  type TestConsole,
} from '../test/helpers/console-pages.js';
import { reportWidth, VARIANTS } from './screenshots-variants.js';

/** The API documentation exists only in English. */
const DOCS: ConsolePage = {
  template: 'docs/docs',
  isPublic: true,
  open: async (page, { url }) => {
    await page.goto(`${url}/docs`);
    await page.locator('.opblock-tag').first().waitFor();
  },
};

/** Captures every page in every variant and in both languages as `<folder>/<language>-<page>-<variant>.png`. */
export async function takeEveryPage(browser: Browser, folder: string): Promise<void> {
  const testConsole = await openTestConsole();
  try {
    for (const setupPage of SETUP_PAGES) {
      for (const language of ['en', 'nl'] as const)
        await takePage(browser, testConsole, setupPage, language, folder);
    }
    await seed(testConsole, browser);
    for (const consolePage of [...CONSOLE_PAGES, DOCS]) {
      for (const language of ['en', 'nl'] as const)
        await takePage(browser, testConsole, consolePage, language, folder);
    }
  } finally {
    await testConsole.gateway.close();
  }
}

async function takePage(
  browser: Browser,
  testConsole: TestConsole,
  consolePage: ConsolePage,
  language: 'en' | 'nl',
  folder: string,
): Promise<void> {
  const locale = language === 'nl' ? 'nl-NL' : 'en-GB';
  const context = await browser.newContext({ locale, reducedMotion: 'reduce' });
  if (!consolePage.isPublic) await context.addCookies(testConsole.cookies);
  const page = await context.newPage();
  const name = [language, consolePage.template, consolePage.state]
    .filter(Boolean)
    .join('-')
    .replaceAll(/[ /]/g, '-');
  for (const { width, height, scheme } of VARIANTS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme });
    await consolePage.open(page, testConsole);
    const path = join(folder, `${name}-${width}-${scheme}.png`);
    await page.screenshot({ path, fullPage: true });
    await reportWidth(page, path);
  }
  await context.close();
  process.stdout.write(`${name}\n`);
}
