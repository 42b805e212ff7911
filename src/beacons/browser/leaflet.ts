import type * as Leaflet from 'leaflet';

export type { Leaflet };

/** Global object defined by Leaflet's script; an import would bundle Leaflet into every page. */
export const L: Omit<typeof Leaflet, 'default'> = Reflect.get(globalThis, 'L');
