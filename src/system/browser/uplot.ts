import type uPlot from 'uplot';

export type { uPlot };

/** uPlot, as its own script leaves it on the page: a module of ours that imported it would carry it in every page. */
export const Plot: typeof uPlot = Reflect.get(globalThis, 'uPlot');
