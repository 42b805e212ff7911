import type { Page } from 'playwright-core';

/** The screens that the pages are looked at on. */
export const HEIGHTS = { 360: 780, 768: 1024, 1440: 900 } as const;
export type Width = keyof typeof HEIGHTS;
export const WIDTHS = [360, 768, 1440] as const satisfies readonly Width[];

export const SCHEMES = ['light', 'dark'] as const;
export type Scheme = (typeof SCHEMES)[number];

export interface Look {
  width: Width;
  height: number;
  scheme: Scheme;
}

/** Every screen, light and dark. */
export const LOOKS: readonly Look[] = WIDTHS.flatMap((width) =>
  SCHEMES.map((scheme) => ({ width, height: HEIGHTS[width], scheme })),
);

/** Says so when a page is wider than its screen. */
export async function reportWidth(page: Page, picture: string): Promise<void> {
  const over = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  if (over > 0) process.stdout.write(`${picture}: ${over} px wider than the screen\n`);
}
