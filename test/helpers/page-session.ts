import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, JSHandle, Page } from 'playwright-core';
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

/** Resolves when everything that the page has changed is drawn. */
export function untilDrawn(page: Page): Promise<unknown> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** Resolves when the page has received this many heartbeats of the gateway. */
export function untilBeats(page: Page, count: number): Promise<void> {
  return page.evaluate(
    (expected) =>
      new Promise<void>((resolve) => {
        const source = new EventSource('/events');
        let beats = 0;
        source.addEventListener('beat', () => {
          beats += 1;
          if (beats < expected) return;
          source.close();
          resolve();
        });
      }),
    count,
  );
}

/** Simulates a change in the document's visibility, which headless Chromium does not support. */
export function setVisibility(page: Page, visibility: DocumentVisibilityState): Promise<void> {
  return page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
    document.dispatchEvent(new Event('visibilitychange'));
  }, visibility);
}

/** Records the text of an element after each change in an element around it. */
export function recordTexts(page: Page, selector: string, around = selector): Promise<JSHandle<string[]>> {
  return page.evaluateHandle(
    ([inner, outer]) => {
      const texts: string[] = [];
      const record = () => texts.push(document.querySelector<HTMLElement>(inner)?.innerText ?? '');
      const watched = document.querySelector(outer) as Element;
      const changes = { childList: true, characterData: true, subtree: true, attributes: true };
      new MutationObserver(record).observe(watched, changes);
      return texts;
    },
    [selector, around] as const,
  );
}

/** A simulated gamepad in a page. */
export interface PageGamepad {
  readonly pad: { connected: boolean; axes: number[]; buttons: { pressed: boolean }[] };
  /** Dispatches an event of the gamepad. */
  dispatch(type: 'gamepadconnected' | 'gamepaddisconnected'): void;
  /** Resolves when the page has read the gamepad several times. */
  read(times: number): Promise<void>;
}

/** Adds a gamepad to the page, which does not know it until it is dispatched. */
export function addGamepad(page: Page): Promise<JSHandle<PageGamepad>> {
  return page.evaluateHandle(() => {
    const pad = {
      index: 0,
      mapping: 'standard',
      connected: true,
      axes: [0, 0, 0, 0],
      buttons: Array.from({ length: 17 }, () => ({ pressed: false })),
    };
    navigator.getGamepads = () => (pad.connected ? [pad as unknown as Gamepad] : []);
    return {
      pad,
      dispatch: (type: string) => void dispatchEvent(Object.assign(new Event(type), { gamepad: pad })),
      read: (times: number) =>
        new Promise<void>((resolve) => {
          let left = times;
          const timer = setInterval(() => {
            left -= 1;
            if (left > 0) return;
            clearInterval(timer);
            resolve();
          }, 50);
        }),
    };
  });
}
