import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { GIVE_UP_MS } from './until.js';

const SHOWN_TIMEOUT_MS = 5000;

/** A page with its own cookies. */
export interface PageSession {
  page: Page;
  /** Console errors and requests to other hosts; tests remove the expected ones. */
  pageErrors: string[];
}

/** Runs a test on a new page and fails on any page error. */
export async function withPage(
  browser: Browser,
  url: string,
  run: (session: PageSession) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(GIVE_UP_MS);
  const page = await context.newPage();
  try {
    const pageErrors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') pageErrors.push(message.text());
    });
    page.on('pageerror', (error) => pageErrors.push(String(error)));
    page.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (protocol !== 'data:' && protocol !== 'blob:' && hostname !== '127.0.0.1')
        pageErrors.push(request.url());
    });
    await page.goto(url);
    await run({ page, pageErrors });
    assert.deepEqual(pageErrors, []);
  } catch (error) {
    // Shows why the page did not reach the expected state.
    const shown = await page.innerText('body', { timeout: SHOWN_TIMEOUT_MS }).catch(String);
    if (error instanceof Error) error.message += `\nThe page shows:\n${shown.replace(/\s*\n\s*/g, '\n')}\n`;
    throw error;
  } finally {
    await context.close();
  }
}

export async function pressEstop(
  page: Page,
  press: () => Promise<unknown> = () => page.click('.estop'),
): Promise<void> {
  const taken = page.waitForResponse((response) => new URL(response.url()).pathname === '/estop');
  await press();
  await taken;
}

/** Presses a button that requires a hold, until an element appears. */
export async function holdButton(page: Page, button: string, until: string): Promise<void> {
  await page.locator(button).scrollIntoViewIfNeeded();
  await page.hover(button);
  await page.mouse.down();
  await page.locator(until).waitFor();
  await page.mouse.up();
}
