import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import {
  EVERY_PAGE,
  furnish,
  openSite,
  type PageOfConsole,
  SETUP,
  type Site,
} from '../test/helpers/every-page.js';
import { LOOKS, reportWidth } from './screenshots-looks.js';

/** Made for programmers, and the same in every language. */
const DOCS: PageOfConsole = {
  template: 'web/docs',
  isOutside: true,
  open: async (page, { url }) => {
    await page.goto(`${url}/docs`);
    await page.locator('.opblock-tag').first().waitFor();
  },
};

/** Takes every page of the console, whole, in every look and both languages: `<folder>/<language>-<page>-<look>.png`. */
export async function takeEveryPage(browser: Browser, folder: string): Promise<void> {
  const site = await openSite();
  try {
    for (const language of ['en', 'nl'] as const) await takePage(browser, site, SETUP, language, folder);
    await furnish(site, browser);
    for (const wanted of [...EVERY_PAGE, DOCS]) {
      for (const language of ['en', 'nl'] as const) await takePage(browser, site, wanted, language, folder);
    }
  } finally {
    await site.gateway.close();
  }
}

async function takePage(
  browser: Browser,
  site: Site,
  wanted: PageOfConsole,
  language: 'en' | 'nl',
  folder: string,
): Promise<void> {
  const locale = language === 'nl' ? 'nl-NL' : 'en-GB';
  const context = await browser.newContext({ locale, reducedMotion: 'reduce' });
  if (!wanted.isOutside) await context.addCookies(site.cookies);
  const page = await context.newPage();
  const name = [language, wanted.template, wanted.state].filter(Boolean).join('-').replaceAll(/[ /]/g, '-');
  for (const { width, height, scheme } of LOOKS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme });
    await wanted.open(page, site);
    const path = join(folder, `${name}-${width}-${scheme}.png`);
    await page.screenshot({ path, fullPage: true });
    await reportWidth(page, path);
  }
  await context.close();
  process.stdout.write(`${name}\n`);
}
