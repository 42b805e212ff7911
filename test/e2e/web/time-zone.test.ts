import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { suite } from 'uvu';
import type { CommandView } from '../../../src/carts/command/model.js';
import { hasBrowser } from '../../helpers/browser.js';
import { BrowserSuite } from '../../helpers/browser-suite.js';
import { pressEstop } from '../../helpers/page-session.js';

const test = suite('page times in a browser in another time zone');

/** Differs from Tokyo's time by 11.5 or 12.5 hours, so that the minutes differ, and the day during half of each day. */
const GATEWAY_ZONE = 'America/St_Johns';
const TOKYO = { timezoneId: 'Asia/Tokyo' };

const app = new BrowserSuite(test, { camera: { mode: 'simulated' } }, { TZ: GATEWAY_ZONE });
test.before(() => app.untilCartReady());

const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: GATEWAY_ZONE,
});

/** Returns `[day of the month, time]` in the gateway's zone. */
function expected(time: string | number): [string, string] {
  const part = Object.fromEntries(
    format.formatToParts(new Date(time)).map(({ type, value }) => [type, value]),
  );
  return [part.day ?? '', `${part.hour}:${part.minute}:${part.second}`];
}

/** Checks a text such as `4 May 2026, 14:02:11`. */
function assertMoment(text: string, time: string | number): void {
  const [day, timeOfDay] = expected(time);
  assert.ok(text.startsWith(`${day} `) && text.endsWith(timeOfDay), `${text} is not ${day}, ${timeOfDay}`);
}

/** Checks every `time` element with a machine-readable time. */
async function assertTimes(times: Locator): Promise<void> {
  await times.first().waitFor();
  for (const time of await times.all())
    assertMoment((await time.textContent()) ?? '', (await time.getAttribute('datetime')) ?? '');
}

const zoneNote = (page: Page): Locator => page.locator('footer [data-zone]');

test("the Drive page shows a new command's time in the gateway's time zone", () =>
  app.visit(
    '/',
    async ({ page }) => {
      await page.locator('[data-hand-who]:text-is("No one has control")').waitFor();
      const { body } = await app.gateway.call<CommandView>('POST', '/?wait=ack', {
        cartID: 1,
        distanceID: 50,
        angleID: 0,
      });
      const row = page.locator(`[data-command-id="${body.commandId}"] time`);
      await row.waitFor();
      assert.equal(await row.textContent(), expected(body.acceptedAt)[1]);
    },
    TOKYO,
  ));

test("the Drive page shows a stop's time in the gateway's time zone", () =>
  app.visit(
    '/',
    async ({ page }) => {
      await pressEstop(page);
      const sentence = page.locator('[data-band-main] .sentence').filter({ hasText: 'Stopped by' });
      await sentence.waitFor();
      const { safety } = await app.gateway.cart(1);
      const [shown] = /\d\d:\d\d:\d\d$/.exec(await sentence.innerText()) ?? [];
      assert.equal(shown, expected(safety.stoppedAt ?? '')[1]);
    },
    TOKYO,
  ));

test("the History page shows and filters events in the gateway's time zone", () =>
  app.visit(
    '/history',
    async ({ page }) => {
      const times = page.locator('[data-history-row] time');
      await times.first().waitFor();
      const at = (await times.first().getAttribute('datetime')) ?? '';
      assert.equal(await times.first().textContent(), expected(at)[1]);
      const day = new Intl.DateTimeFormat('sv-SE', { timeZone: GATEWAY_ZONE }).format(new Date(at));
      await page.goto(`${app.gateway.url}/history?from=${day}&to=${day}`);
      await page.locator(`[data-history-row] time[datetime="${at}"]`).waitFor();
    },
    TOKYO,
  ));

test("the Camera page shows a photo's time in the gateway's time zone when the photo is taken and after a reload", () =>
  app.visit(
    '/cameraSettings',
    async ({ page }) => {
      await page.locator('[data-no-photos]').waitFor();
      await page.click('[data-take] button');
      const times = page.locator('[data-photos] [data-photo] time');
      await assertTimes(times);
      const image = page.locator('[data-photos] [data-photo] img');
      assert.equal(await image.getAttribute('alt'), `Photo taken on ${await times.textContent()}`);
      await page.reload();
      await assertTimes(times);
    },
    TOKYO,
  ));

test("the charts and the log on the System page show times in the gateway's time zone", () =>
  app.visit(
    '/system#trend',
    async ({ page }) => {
      const answer = await page.waitForResponse((response) => response.url().endsWith('/system/trend'));
      const { at } = (await answer.json()) as { at: number[] };
      const slider = page.locator('#trend-moment');
      await page.locator('[data-trend-when]:has-text(":")').waitFor();
      await slider.press('Home');
      assert.equal(await slider.getAttribute('aria-valuetext'), expected(at[0] ?? Number.NaN)[1]);
      const line = page.locator('[data-log-lines] li span').first();
      await line.waitFor();
      const shown = (await line.textContent()) ?? '';
      const first = app.gateway.log
        .map(({ time }) => String(time))
        .find((time) => {
          const [day, timeOfDay] = expected(time);
          return shown.startsWith(`${day} `) && shown.endsWith(timeOfDay);
        });
      assert.ok(first, `${shown} is the time of no line in the log`);
    },
    TOKYO,
  ));

test("the settings history shows the versions' times in the gateway's time zone", async () => {
  await app.gateway.call('POST', '/updateJson', { limits: { maxDistanceMm: 900 } });
  await app.visit(
    '/brokerSettings/history',
    async ({ page }) => {
      await page.locator('[data-versions] li').first().waitFor();
      await assertTimes(page.locator('[data-versions] time'));
    },
    TOKYO,
  );
});

test("the footer names the gateway's time zone when the browser's time zone differs", async () => {
  await app.visit(
    '/system',
    async ({ page }) => {
      await zoneNote(page).waitFor();
      assert.equal(
        await zoneNote(page).textContent(),
        `Times are in ${GATEWAY_ZONE}, the gateway's time zone.`,
      );
    },
    TOKYO,
  );
  await app.visit(
    '/system',
    async ({ page }) => {
      await zoneNote(page).waitFor({ state: 'attached' });
      await page.locator('#trend-moment').waitFor({ state: 'attached' });
      await page.locator('[data-js]:not([hidden])').first().waitFor({ state: 'attached' });
      assert.equal(await zoneNote(page).isVisible(), false);
    },
    { timezoneId: GATEWAY_ZONE },
  );
});

if (hasBrowser) test.run();
else process.stdout.write('SKIPPED: time zones in Chromium (Chromium is not installed)\n');
