import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { messageOf } from '../src/shared/errors.js';
import { packageRoot } from '../src/shared/package-root.js';
import { GatewayProcess } from '../test/helpers/gateway.js';
import { type Look, reportWidth } from './screenshots-looks.js';
import { LIVE, PICTURE, SCENES, type Scene, SHOWN } from './screenshots-scenes.js';

const TRIES = 3;

export interface Wanted {
  /** Where every picture goes; left out: only those that are shown are taken. */
  all?: string | undefined;
  /** Only the scenes whose names begin so. */
  only?: string | undefined;
}

/** The gateway in each of its states: driven there, and looked at in a real browser. */
export async function takeStates(browser: Browser, { all, only = '' }: Wanted): Promise<void> {
  const gateway = await GatewayProcess.start();
  try {
    for (const id of [1, 2, 3]) await gateway.untilCart(id, ({ online, safety }) => online && safety.mayMove);
    for (const scene of SCENES.filter(({ name }) => name.startsWith(only))) {
      const looks = scene.looks.filter((look) => all || isShown(scene, look));
      if (looks.length === 0) continue;
      await scene.arrange?.(gateway);
      for (const look of looks) await patiently(() => take(browser, gateway, scene, look, all));
      await scene.restore?.(gateway);
      process.stdout.write(`${scene.name}\n`);
    }
  } finally {
    await gateway.close();
  }
}

/** A machine that is busy with something else stops a moving cart, as it must: then the scene is set once more. */
async function patiently(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; tries < TRIES; tries += 1) {
    try {
      return await work();
    } catch (error) {
      process.stdout.write(`once more: ${messageOf(error)}\n`);
    }
  }
  await work();
}

function isShown({ name }: Scene, { width, scheme }: Look): boolean {
  return SHOWN.some(([shown, w, s]) => shown === name && w === width && s === scheme);
}

async function take(
  browser: Browser,
  gateway: GatewayProcess,
  scene: Scene,
  look: Look,
  all: string | undefined,
): Promise<void> {
  const { width, height, scheme } = look;
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
  await page.locator(LIVE).first().waitFor();
  await scene.act?.(page, gateway);
  await page.locator(scene.seen).first().waitFor({ state: 'attached' });
  if (scene.path === '/') await page.locator(PICTURE).waitFor();
  if (isShown(scene, look)) await page.screenshot({ path: join(packageRoot(), 'docs/images', name) });
  if (all) {
    await page.screenshot({ path: join(all, name) });
    await page.screenshot({ path: join(all, `full-${name}`), fullPage: true });
    await reportWidth(page, name);
  }
  await scene.leave?.(page);
  await context.close();
}
