import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium; `CHROMIUM` names another one. */
const PATH = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Whether there is a browser on this machine to drive the pages with. */
export const hasBrowser = existsSync(PATH);

/** A browser without a window that asks nothing of any network by itself. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: PATH,
    // A run that is told to end would only lose its browser otherwise, and go on.
    handleSIGTERM: false,
    handleSIGINT: false,
    handleSIGHUP: false,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
