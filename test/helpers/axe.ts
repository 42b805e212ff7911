import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Waits for running transitions to end, except endless ones.
const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime))
  .map(({ finished }) => finished)).then(() => undefined)`;

/**
 * axe violations of the page: each rule with its elements. The script is injected by the debugger, because the page's
 * content policy blocks scripts.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  // Injected only once per page, because the script is half a megabyte.
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(AXE);
  // Colours in the middle of a transition are not checked; a live page may start one at any time.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(SETTLED);
  const found = await page.evaluate<{ id: string; nodes: { target: string[]; failureSummary: string }[] }[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}
