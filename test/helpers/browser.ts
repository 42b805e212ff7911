import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium, preferably the faster headless shell. `CHROMIUM` overrides the path. */
const PATH = [process.env.CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(
  (path) => path && existsSync(path),
);

export const hasBrowser = PATH !== undefined;

/** @param env environment variables, such as `HOME`, whose `.pki/nssdb` contains the trusted CAs. */
export function openBrowser(env: Record<string, string> = {}): Promise<Browser> {
  return chromium.launch({
    ...(PATH ? { executablePath: PATH } : {}),
    env: { ...process.env, ...env },
    // Without these options, a signal to the test run would close only the browser, and the run would
    // continue.
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
