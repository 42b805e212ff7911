import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { GIVE_UP_MS } from './until.js';

/** A visit with its own cookies. */
export interface Visit {
  page: Page;
  /** Errors on the console and requests to other machines; what a test expects it takes out. */
  complaints: string[];
}

/** Runs a test on a new page; whatever the page complained about fails it. */
export async function visit(
  browser: Browser,
  url: string,
  run: (visit: Visit) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(GIVE_UP_MS);
  try {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (protocol !== 'data:' && protocol !== 'blob:' && hostname !== '127.0.0.1')
        complaints.push(request.url());
    });
    await page.goto(url);
    await run({ page, complaints });
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

/** Presses E-stop on a page; resolves when the gateway has answered, and so has had it by each way that it was sent. */
export async function pressEstop(
  page: Page,
  press: () => Promise<unknown> = () => page.click('.estop'),
): Promise<void> {
  const taken = page.waitForResponse((response) => new URL(response.url()).pathname === '/estop');
  await press();
  await taken;
}
