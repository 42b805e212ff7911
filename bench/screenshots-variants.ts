import type { Page } from 'playwright-core';

/** Screenshot heights in px, by width. */
export const HEIGHTS = { 360: 780, 768: 1024, 1440: 900 } as const;
export type Width = keyof typeof HEIGHTS;
export const WIDTHS = [360, 768, 1440] as const satisfies readonly Width[];

export const SCHEMES = ['light', 'dark'] as const;
export type Scheme = (typeof SCHEMES)[number];

export interface Variant {
  width: Width;
  height: number;
  scheme: Scheme;
}

export const VARIANTS: readonly Variant[] = WIDTHS.flatMap((width) =>
  SCHEMES.map((scheme) => ({ width, height: HEIGHTS[width], scheme })),
);

export async function reportWidth(page: Page, picture: string): Promise<void> {
  const excessPx = Number(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth));
  if (excessPx > 0) process.stdout.write(`${picture}: ${excessPx} px wider than the screen\n`);
}
