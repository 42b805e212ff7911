import type * as Leaflet from 'leaflet';

export type { Leaflet };

/** The global object that Leaflet's script defines. Importing Leaflet would bundle it into every page. */
export const L: Omit<typeof Leaflet, 'default'> = Reflect.get(globalThis, 'L');
