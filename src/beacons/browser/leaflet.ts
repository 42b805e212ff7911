import type * as Leaflet from 'leaflet';

export type { Leaflet };

/** The global set by Leaflet's own script; importing Leaflet would bundle it into every page. */
export const L: Omit<typeof Leaflet, 'default'> = Reflect.get(globalThis, 'L');
