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

/** The rules whose result depends on the colour scheme, and not on the language. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;

/**
 * Returns each axe rule that the page violates, with the affected elements. `rules` limits the check to the rules for
 * colours, which take half of the time, or to the others. The debugger injects the script, because the page's content
 * security policy blocks scripts.
 */
export async function violationsOf(
  page: Page,
  rules: 'all' | 'colours' | 'others' = 'all',
): Promise<string[]> {
  // The script is half a megabyte, so it is injected only once per page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  // Transitions are disabled because a live page may start one at any time, and axe would then check
  // intermediate colours.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(settled);
  const found = await page.evaluate(
    async ({ rules, colourRules }) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      const others = Object.fromEntries(colourRules.map((rule) => [rule, { enabled: false }]));
      const options = { all: {}, colours: { runOnly: [...colourRules] }, others: { rules: others } }[rules];
      return (await axe.run(document, { resultTypes: ['violations'], ...options })).violations;
    },
    { rules, colourRules: COLOUR_RULES },
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Returns the violations in light mode, and then those that depend on the colours in dark mode. */
export async function violationsInBothModes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await violationsOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violationsOf(page, 'colours');
  return [...light, ...dark.map((violation) => `dark: ${violation}`)];
}
