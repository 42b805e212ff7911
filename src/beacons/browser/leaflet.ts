import type * as Leaflet from 'leaflet';

export type { Leaflet };

/** The global of Leaflet's own script: an import would bundle Leaflet into every page. */
export const L: Omit<typeof Leaflet, 'default'> = Reflect.get(globalThis, 'L');
