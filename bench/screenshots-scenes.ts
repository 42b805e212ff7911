import type { Page } from 'playwright-core';
import type { GatewayProcess } from '../test/helpers/gateway.js';
import { driveThroughHall, seedHall } from './screenshots-beacons.js';
import { type Scheme, VARIANTS, type Variant, type Width } from './screenshots-variants.js';

const LIGHT_VARIANTS = VARIANTS.filter(({ scheme }) => scheme === 'light');

/** A gateway state, the page that shows it, and the element that must be visible before the screenshot. */
export interface Scene {
  name: string;
  path: string;
  variants: readonly Variant[];
  /** Puts the gateway into the state that the scene shows. */
  arrange?: (gateway: GatewayProcess) => Promise<unknown>;
  /** Performs actions on the loaded page before the screenshot. */
  act?: (page: Page, gateway: GatewayProcess) => Promise<unknown>;
  /** CSS selector of an element that is present only when the page is ready. */
  seen: string;
  /** Performs actions on the page after the screenshot. */
  leave?: (page: Page) => Promise<unknown>;
  restore?: (gateway: GatewayProcess) => Promise<unknown>;
}

const READY = '[data-band-main] .sentence:text("Ready")';
/** The battery level is not available until the controller's first report. */
const REPORTED = '[data-now] [data-f="battery.u"]:text("%")';
export const CAMERA_IMAGE = '[data-camera]:not([data-stale])';
export const LIVE = '[data-light="broker"] strong:text-is("connected")';

export const SCENES: readonly Scene[] = [
  { name: 'drive-first', path: '/', variants: LIGHT_VARIANTS, seen: REPORTED },
  { name: 'drive-ready', path: '/', variants: VARIANTS, arrange: sendCommands, seen: REPORTED },
  {
    name: 'drive-moving',
    path: '/',
    variants: VARIANTS,
    act: async (page, gateway) => {
      await gateway.call('POST', '/carts/1/stop');
      await gateway.untilCart(1, ({ moving }) => !moving);
      await page.fill('#distanceID', '2000');
      await page.fill('#angleID', '40');
      await page.click('.go:not(:disabled)');
      await page
        .locator('[data-band-main] .sentence')
        .filter({ hasText: /Moving: 1/ })
        .waitFor();
    },
    seen: '[data-band-main] [data-tone="live"]',
  },
  {
    name: 'drive-hand',
    path: '/',
    variants: VARIANTS,
    arrange: async (gateway) => {
      await gateway.call('POST', '/carts/1/stop');
      await gateway.untilCart(1, ({ moving }) => !moving);
    },
    act: async (page) => {
      const pad = page.locator('[data-pad]:not([aria-disabled="true"])');
      await pad.scrollIntoViewIfNeeded();
      const box = await pad.boundingBox();
      if (!box) throw new Error('the page has no pad');
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.4, box.y + 12);
      await page.locator('[data-hand-trip]:has-text("round trip")').waitFor();
      const band = page.locator('[data-band-main]');
      await band.filter({ hasText: /Moving at 0\.0[3-6] m/ }).waitFor();
    },
    seen: '[data-hand-who]:text-is("You are driving")',
  },
  {
    name: 'drive-refused',
    path: '/',
    variants: LIGHT_VARIANTS,
    arrange: (gateway) => gateway.call('POST', '/carts/1/stop'),
    act: async (page) => {
      await page.locator(READY).waitFor();
      await page.fill('#distanceID', '99999');
      await page.locator('[data-command]').evaluate((form: HTMLFormElement) => {
        form.noValidate = true;
      });
      await page.click('.go');
    },
    seen: '[data-progress][data-tone="stop"] p',
  },
  {
    name: 'drive-estop',
    path: '/',
    variants: VARIANTS,
    arrange: (gateway) => gateway.call('POST', '/simulator', { action: 'button', on: true }),
    seen: '[data-band-main] [data-tone="stop"]',
    restore: async (gateway) => {
      await gateway.call('POST', '/simulator', { action: 'button', on: false });
      await gateway.untilCart(1, ({ safety }) => safety.resetNeeds === '' || safety.input === 'healthy');
      while ((await gateway.call('POST', '/simulator', { action: 'reset-here' })).status !== 200);
      await gateway.untilCart(1, ({ safety }) => safety.mayMove);
    },
  },
  {
    name: 'drive-estop-all',
    path: '/brokerSettings',
    variants: LIGHT_VARIANTS,
    arrange: async (gateway) => {
      await gateway.call('POST', '/estop');
      for (const id of [2, 3]) await gateway.untilCart(id, ({ safety }) => !safety.mayMove);
    },
    seen: '[data-band-others] [data-band-cart]:nth-child(2)',
    restore: async (gateway) => {
      for (const cartID of [1, 2, 3]) {
        await gateway.call('POST', '/estop/reset', { cartID });
        await gateway.untilCart(cartID, ({ safety }) => safety.mayMove);
      }
    },
  },
  {
    name: 'drive-unplugged',
    path: '/',
    variants: LIGHT_VARIANTS,
    arrange: (gateway) => gateway.call('POST', '/simulator', { action: 'plug', on: false }),
    seen: '.lock:not([hidden])',
    restore: async (gateway) => {
      await gateway.call('POST', '/simulator', { action: 'plug', on: true });
      await gateway.untilCart(1, ({ safety }) => safety.mayMove);
    },
  },
  { name: 'settings', path: '/brokerSettings', variants: VARIANTS, seen: '[data-savebar]' },
  {
    name: 'settings-changed',
    path: '/brokerSettings',
    variants: LIGHT_VARIANTS,
    act: async (page) => {
      await page.fill('[name="/limits/maxDistanceMm"]', '8000');
      await page.locator('#limits').scrollIntoViewIfNeeded();
    },
    seen: '[data-savebar]:not([data-idle])',
  },
  {
    name: 'settings-fault',
    path: '/brokerSettings',
    variants: VARIANTS,
    act: async (page) => {
      await page.fill('[name="/limits/maxSpeedMmps"]', '-5');
      await page.evaluate(() => location.assign('#mqtt'));
      await page.fill('[name="/mqtt/host"]', 'no spaces allowed');
      await page.click('[data-save]');
    },
    seen: '[data-summary]:not([hidden]) li',
  },
  {
    name: 'settings-check',
    path: '/brokerSettings',
    variants: VARIANTS,
    act: changeLimits,
    seen: '[data-apply]',
  },
  {
    name: 'settings-trial',
    path: '/brokerSettings',
    variants: VARIANTS,
    act: async (page) => {
      await changeLimits(page);
      await page.click('[data-apply]');
    },
    seen: '[data-trial]:not([hidden])',
    leave: (page) => page.click('[data-trial] button:text-is("Roll back")'),
  },
  {
    name: 'settings-history',
    path: '/brokerSettings/history',
    variants: VARIANTS,
    arrange: (gateway) => gateway.call('POST', '/updateJson', { beacons: { maxRangeM: 80 } }),
    act: (page) => page.locator('[data-versions] summary').first().click(),
    seen: '[data-versions] details[open]',
    restore: (gateway) => gateway.call('POST', '/updateJson', { beacons: { maxRangeM: 100 } }),
  },
  {
    name: 'camera',
    path: '/cameraSettings',
    variants: VARIANTS,
    arrange: takePhotos,
    seen: CAMERA_IMAGE,
  },
  {
    name: 'camera-none',
    path: '/cameraSettings',
    variants: VARIANTS,
    // Mode `pi` fails here, because this machine has no camera program.
    arrange: (gateway) => gateway.call('POST', '/updateJson', { camera: { mode: 'pi' } }),
    seen: '[data-camera-fault]:not([hidden])',
    restore: (gateway) => gateway.call('POST', '/updateJson', { camera: { mode: 'auto' } }),
  },
  {
    name: 'beacons-none',
    path: '/map',
    variants: LIGHT_VARIANTS,
    seen: '[data-map-count]:text("No beacons yet")',
  },
  {
    name: 'beacons',
    path: '/map',
    variants: VARIANTS,
    arrange: seedHall,
    act: driveThroughHall,
    seen: '[data-plan="placed"]',
  },
  {
    name: 'beacons-fault',
    path: '/map',
    variants: VARIANTS,
    act: async (page) => {
      const buffer = Buffer.from('id,txPower,lat,long\nhall-a1,-59,95,4.9\nshort,loud,52.4,4.9\n');
      await page.setInputFiles('#import-file', { name: 'hall.csv', mimeType: 'text/csv', buffer });
      await page.click('[data-import-go]');
      await page.fill('#beacon-id', 'short');
      await page.fill('#beacon-lat', '95');
      await page.click('[data-beacon-form] button[type="submit"]');
      await page.locator('.row.bad').first().waitFor();
    },
    seen: '.import-faults tbody tr',
  },
  { name: 'system', path: '/system', variants: VARIANTS, seen: '[data-parts] li:nth-child(5)' },
  {
    name: 'system-trend',
    path: '/system#trend',
    variants: VARIANTS,
    arrange: sendCommands,
    act: async (page) => {
      await page.locator('[data-trend-of="answerMs"] canvas').waitFor();
      await page.locator('#trend').evaluate((charts: { scrollIntoView(): void }) => charts.scrollIntoView());
    },
    seen: '[data-trend-of="speedMmps"] small:has-text("Between")',
  },
  {
    name: 'commissioning-step',
    path: '/commissioning?step=deadman',
    variants: VARIANTS,
    seen: '[data-do]:not([hidden])',
  },
  {
    name: 'commissioning',
    path: '/commissioning',
    variants: VARIANTS,
    arrange: async (gateway) => {
      for (const [step, outcome, note] of COMMISSIONED) {
        await gateway.call('POST', '/commissioning', { step, outcome, note });
      }
    },
    seen: '[data-outcome="failed"]',
  },
  { name: 'error', path: '/nothing-here', variants: LIGHT_VARIANTS, seen: 'main h1' },
];

const COMMISSIONED = [
  ['wheels', 'passed', ''],
  ['forward', 'passed', 'Finished. The controller reports a movement of 0.10 m.'],
  ['turn', 'failed', ''],
  ['limits', 'passed', 'Rejected, as expected: distanceID is 10001 mm; the limit is 10000 mm'],
  ['camera', 'skipped', ''],
] as const;

/** The images in README.md and docs/, with their scenes, widths and colour schemes. */
export const SHOWN: readonly (readonly [string, Width, Scheme])[] = [
  ['drive-hand', 1440, 'light'],
  ['drive-hand', 1440, 'dark'],
  ['drive-ready', 360, 'light'],
  ['drive-estop', 360, 'dark'],
  ['settings', 768, 'light'],
  ['settings-check', 360, 'light'],
  ['settings-trial', 1440, 'light'],
  ['beacons', 1440, 'light'],
  ['system', 360, 'light'],
  ['system-trend', 768, 'light'],
  ['commissioning-step', 360, 'dark'],
  ['commissioning', 768, 'light'],
  ['camera', 768, 'light'],
];

async function sendCommands(gateway: GatewayProcess): Promise<void> {
  await gateway.move(1, 500, { angleID: 45 }, '?wait=done');
  await gateway.move(2, 300, { angleID: -30 }, '?wait=done');
  await gateway.move(1, 800, { angleID: -90 }, '?wait=done');
  await gateway.move(1, 3000);
  await gateway.untilCart(1, ({ moving }) => moving);
  await gateway.call('POST', '/carts/1/stop');
  await gateway.untilCart(1, ({ moving }) => !moving);
}

/** Enters new limits and opens the preview of the changes without applying them. */
async function changeLimits(page: Page): Promise<void> {
  await page.fill('[name="/limits/maxDistanceMm"]', '8000');
  await page.fill('[name="/limits/maxSpeedMmps"]', '250');
  await page.evaluate(() => location.assign('#mqtt'));
  await page.fill('[name="/mqtt/password"]', 'a new one');
  await page.click('[data-save]');
  await page.locator('[data-apply]').waitFor();
}

/** Takes three different photos. All requests within one second return the same photo. */
async function takePhotos(gateway: GatewayProcess): Promise<void> {
  const names = new Set<unknown>();
  while (names.size < 3) names.add((await gateway.call('POST', '/camera/photo')).body.name);
}
