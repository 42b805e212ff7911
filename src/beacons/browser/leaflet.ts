import type * as Leaflet from 'leaflet';

export type { Leaflet };

/** Leaflet, as its own script leaves it on the page: a module of ours that imported it would carry it in every page. */
export const L: Omit<typeof Leaflet, 'default'> = Reflect.get(globalThis, 'L');
