import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { messageOf } from '../src/shared/errors.js';
import { packageRoot } from '../src/shared/package-root.js';
import { GatewayProcess } from '../test/helpers/gateway.js';
import { CAMERA_IMAGE, LIVE, SCENES, type Scene, SHOWN } from './screenshots-scenes.js';
import { reportWidth, type Variant } from './screenshots-variants.js';

const TRIES = 3;

export interface ScreenshotOptions {
  /**
   * Directory for screenshots of all states. If undefined, only the screenshots in the documentation are
   * taken.
   */
  all?: string | undefined;
  /** Captures only scenes whose names start with this prefix. */
  only?: string | undefined;
}

export async function takeStates(browser: Browser, { all, only = '' }: ScreenshotOptions): Promise<void> {
  const gateway = await GatewayProcess.start();
  try {
    for (const id of [1, 2, 3]) await gateway.untilCart(id, ({ online, safety }) => online && safety.mayMove);
    for (const scene of SCENES.filter(({ name }) => name.startsWith(only))) {
      const variants = scene.variants.filter((variant) => all || isShown(scene, variant));
      if (variants.length === 0) continue;
      await scene.arrange?.(gateway);
      for (const variant of variants) await withRetries(() => take(browser, gateway, scene, variant, all));
      await scene.restore?.(gateway);
      process.stdout.write(`${scene.name}\n`);
    }
  } finally {
    await gateway.close();
  }
}

/** Retries a failed scene, because a moving cart may stop if the machine is busy. */
async function withRetries(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; tries < TRIES; tries += 1) {
    try {
      return await work();
    } catch (error) {
      process.stdout.write(`retry: ${messageOf(error)}\n`);
    }
  }
  await work();
}

function isShown({ name }: Scene, { width, scheme }: Variant): boolean {
  return SHOWN.some(([shown, w, s]) => shown === name && w === width && s === scheme);
}

async function take(
  browser: Browser,
  gateway: GatewayProcess,
  scene: Scene,
  variant: Variant,
  all: string | undefined,
): Promise<void> {
  const { width, height, scheme } = variant;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  context.setDefaultTimeout(40_000);
  const page = await context.newPage();
  const name = `${scene.name}-${width}-${scheme}.png`;
  await page.goto(`${gateway.url}${scene.path}`);
  await page.locator(LIVE).first().waitFor({ state: 'attached' });
  await scene.act?.(page, gateway);
  await page.locator(scene.seen).first().waitFor({ state: 'attached' });
  if (scene.path === '/') await page.locator(CAMERA_IMAGE).waitFor();
  if (isShown(scene, variant)) await page.screenshot({ path: join(packageRoot(), 'docs/images', name) });
  if (all) {
    await page.screenshot({ path: join(all, name) });
    await page.screenshot({ path: join(all, `full-${name}`), fullPage: true });
    await reportWidth(page, name);
  }
  await scene.leave?.(page);
  await context.close();
}
