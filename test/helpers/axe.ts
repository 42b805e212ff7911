import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs in the page: resolves when all transitions except endless ones have ended. */
async function settled(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

type Axe = typeof import('axe-core');

/** The rules whose result depends on the colour scheme. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;

/**
 * Returns each axe rule that the page violates, with the affected elements; `rules` limits the check to some
 * rules. The debugger injects the script, because the page's content security policy blocks scripts.
 */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  // The script is half a megabyte, so it is injected only once per page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  // Transitions are disabled because a live page may start one at any time, and axe would then check
  // intermediate colours.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(settled);
  const found = await page.evaluate(
    async (runOnly) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      const options = runOnly === null ? {} : { runOnly };
      return (await axe.run(document, { resultTypes: ['violations'], ...options })).violations;
    },
    rules ? [...rules] : null,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}
