import assert from 'node:assert/strict';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import { hasBrowser, openBrowser } from '../../helpers/browser.js';
import { openTestConsole, seed, type TestConsole } from '../../helpers/console-pages.js';
import { withPage } from '../../helpers/page-session.js';
import { repeatOnce } from '../../helpers/repeat-once.js';

const test = suite('expired sessions in Chromium');

let testConsole: TestConsole;
let browser: Browser;

test.before(async () => {
  [testConsole, browser] = await Promise.all([openTestConsole(), openBrowser()]);
  await seed(testConsole, browser);
});
test.after(async () => {
  await browser.close();
  await testConsole.gateway.close();
});

/** Sets every session's expiry time to the past but keeps the rows, as in a normal expiry. */
function expireSessions(): void {
  const db = new Database(join(testConsole.gateway.dir, 'data', 'cartwright.db'));
  try {
    const { ms } = db.prepare('SELECT session_ms AS ms FROM session_clock').get() as { ms: number };
    const { changes } = db.prepare('UPDATE sessions SET expires_at = ?').run(ms - 1);
    assert.ok(changes > 0);
  } finally {
    db.close();
  }
}

test('a page reports that its session has expired, and Stop still stops the cart', async () => {
  await withPage(browser, 'about:blank', async ({ page, pageErrors }) => {
    await page.context().addCookies(testConsole.cookies);
    await page.goto(`${testConsole.url}/`);
    const read = (path: string) =>
      page.evaluate(async (address): Promise<{ code?: string }> => {
        const answer = await fetch(address, { headers: { accept: 'application/json' } });
        return (await answer.json()) as { code?: string };
      }, path);
    await page
      .locator('[data-band-main] .sentence')
      .filter({ hasText: /^Ready$/ })
      .waitFor();
    const { key } = (await page.evaluate(async () => {
      const headers = { accept: 'application/json', 'content-type': 'application/json' };
      const body = JSON.stringify({ name: 'witness', scopes: ['cart:control'] });
      return (await fetch('/keys', { method: 'POST', headers, body })).json();
    })) as { key: string };
    const observer = async (path: string, init: RequestInit = {}): Promise<Record<string, unknown>> => {
      const headers = { accept: 'application/json', 'content-type': 'application/json', 'x-api-key': key };
      return (await (await fetch(testConsole.url + path, { ...init, headers })).json()) as Record<
        string,
        unknown
      >;
    };
    assert.equal((await read('/carts/1')).code, undefined);

    expireSessions();
    const band = page.locator('[data-live="session-expired"]');
    await band
      .filter({ hasText: /^Your session has expired.*Stop and Stop all still work here for 9 min/ })
      .waitFor();
    assert.equal(await page.locator('[data-live="logged-out"]').isVisible(), false);
    assert.equal(await band.locator('a[href="/login"]').isVisible(), true);

    const body = JSON.stringify({ cartID: 1, distanceID: 8000, angleID: 0, maxSpeed: 20 });
    const stopped = await repeatOnce(
      async () => {
        const { commandId } = await observer('/?wait=ack', { method: 'POST', body });
        const answer = page.waitForResponse(
          (response) => new URL(response.url()).pathname === '/carts/1/stop',
        );
        await page.click('[data-stop-selected] button');
        return { status: (await answer).status(), command: await observer(`/commands/${commandId}`) };
      },
      ({ command }) => (command.reason as { code: string } | undefined)?.code,
    );
    assert.equal(stopped.status, 200);
    assert.deepEqual(stopped.command.reason, { code: 'STOPPED', text: 'stopped by anna' });

    // The stop token permits only stops, so the page can neither read data nor reset a latched stop.
    assert.equal((await read('/carts/1')).code, 'NOT_LOGGED_IN');
    pageErrors.splice(0);
  });
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: expired sessions in Chromium (Chromium is not installed)\n');
