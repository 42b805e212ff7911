import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// What had begun before motion was reduced. What turns for ever is not waited for.
const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime))
  .map(({ finished }) => finished)).then(() => undefined)`;

/**
 * What axe finds on the page as it stands: each rule with the elements that break it. The page's own policy lets no script
 * in; this is the debugger's.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  // Half a megabyte: once for each page is enough.
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(AXE);
  // A colour half-way through its transition is no colour of the page, and a live page may begin one at any time.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(SETTLED);
  const found = await page.evaluate<{ id: string; nodes: { target: string[]; failureSummary: string }[] }[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}
