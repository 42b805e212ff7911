import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium, without its windows where that is installed: it is quicker. `CHROMIUM` names another one. */
const PATH = [process.env.CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(
  (path) => path && existsSync(path),
);

/** Whether there is a browser on this machine to drive the pages with. */
export const hasBrowser = PATH !== undefined;

/** A browser without a window that asks nothing of any network by itself. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(PATH ? { executablePath: PATH } : {}),
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
