import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Test } from 'uvu';
import { openBrowser } from './browser.js';
import { GatewayProcess } from './gateway.js';
import { type PageSession, withPage } from './page-session.js';

/** One gateway and one browser for all tests of a suite. */
export class BrowserSuite {
  gateway!: GatewayProcess;
  browser!: Browser;

  constructor(test: Test, settings: object = {}, env: NodeJS.ProcessEnv = {}) {
    test.before(async () => {
      [this.gateway, this.browser] = await Promise.all([GatewayProcess.start(settings, env), openBrowser()]);
    });
    test.after(async () => {
      await this.browser?.close();
      await this.gateway?.close();
    });
  }

  async untilCartReady(): Promise<void> {
    await this.gateway.untilCart(1, ({ safety }) => safety.mayMove);
  }

  /** A page error fails the test. */
  visit(
    path: string,
    run: (session: PageSession) => Promise<void>,
    options?: BrowserContextOptions,
  ): Promise<void> {
    return withPage(this.browser, this.gateway.url + path, run, options);
  }
}
