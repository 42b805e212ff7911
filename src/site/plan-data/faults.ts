import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ErrorDetails, GatewayError } from '../../shared/errors.js';
import type { Message } from '../../shared/messages/message.js';
import { siteMessage } from '../messages.js';
import type { Route, RouteAction } from '../routes/route.js';
import { ROUTE_LIMITS } from '../routes/schema.js';
import type { Zone } from '../zones/zone.js';
import { MAX_ZONE_VERTICES, MIN_ZONE_VERTICES, zoneFault } from '../zones/zone-fault.js';
import { LIMITS, type Place } from './schema.js';

/** The size of the floor plan in mm. */
export interface PlanSize {
  widthMm: number;
  heightMm: number;
}

interface PlanFault extends Pick<ErrorDetails, 'limit' | 'unit'> {
  /** For example `zones/3/polygon/7`. */
  field: string;
  message: Message;
}

/**
 * Throws `INVALID_INPUT` with every invalid zone, and the field, limit and unit of the first one. Yields to the event
 * loop between zones, because checking 5,000 corners takes 25 ms on a desktop.
 */
export async function requireValidZones(zones: readonly Zone[], size: PlanSize): Promise<void> {
  const faults = [
    ...countFault('zones', zones.length, LIMITS.zones),
    ...countFault('corners', cornersOf(zones), LIMITS.corners),
  ];
  // Checking the shapes of too many corners would take too long.
  if (faults.length === 0) {
    faults.push(...duplicates('zones', zones));
    for (const [nth, zone] of zones.entries()) {
      await nextTurn();
      const fault = faultOfZone(zone, size);
      if (fault) faults.push({ ...fault, field: `zones/${nth}${fault.field}` });
    }
  }
  rejectIfAny(faults);
}

/** Throws `INVALID_INPUT` with every invalid place, and the field, limit and unit of the first one. */
export function requireValidPlaces(places: readonly Place[], size: PlanSize): void {
  const faults = countFault('places', places.length, LIMITS.places);
  if (faults.length === 0) {
    faults.push(...duplicates('places', places));
    for (const [nth, { id, xMm, yMm }] of places.entries()) {
      const outside = outsideFault([xMm, yMm], size);
      if (!outside) continue;
      const { axis, ...fault } = outside;
      const message = siteMessage('place', { id, fault: fault.message });
      faults.push({ ...fault, field: `places/${nth}/${axis}Mm`, message });
    }
  }
  rejectIfAny(faults);
}

/** Throws `INVALID_INPUT` if there are too many routes or legs. */
export function requireRouteCount(routes: readonly Route[]): void {
  const legs = routes.reduce((sum, route) => sum + route.legs.length, 0);
  rejectIfAny([
    ...countFault('routes', routes.length, ROUTE_LIMITS.routes),
    ...countFault('legs', legs, ROUTE_LIMITS.allLegs),
  ]);
}

/** Throws like `requireRouteCount` and `requireValidRoute`. */
export function requireValidRoutes(routes: readonly Route[], size: PlanSize): void {
  requireRouteCount(routes);
  rejectIfAny(duplicates('routes', routes));
  for (const route of routes) requireValidRoute(route, size);
}

/** Throws `INVALID_INPUT` with every invalid leg, and the field, limit and unit of the first one. */
export function requireValidRoute({ legs }: Pick<Route, 'legs'>, size: PlanSize): void {
  const faults = legs.flatMap(({ xMm, yMm, action }, nth): PlanFault[] => {
    const leg = `legs/${nth}`;
    const outside = outsideFault([xMm, yMm], size);
    const [needed, unused] = action ? actionMembers(action) : [];
    if (outside) {
      const { axis, ...fault } = outside;
      const message = siteMessage('leg', { leg: nth, fault: fault.message });
      return [{ ...fault, field: `${leg}/${axis}Mm`, message }];
    }
    if (needed === undefined && unused === undefined) return [];
    const key = needed === undefined ? 'action-not-allowed' : 'action-missing';
    const field = needed ?? unused ?? '';
    const fault = siteMessage(key, { kind: action?.kind ?? '', field });
    return [{ field: `${leg}/action/${field}`, message: siteMessage('leg', { leg: nth, fault }) }];
  });
  rejectIfAny(faults);
}

/** Returns a member that the action lacks, and one that it must not have. */
function actionMembers(action: RouteAction): [needed?: string | undefined, unused?: string | undefined] {
  const wanted = { WAIT: 'seconds', DOCK: 'markerId', WAIT_FOR_OPERATOR: '', PHOTO: '' }[action.kind];
  const unused = ['seconds', 'markerId'].find((name) => name !== wanted && name in action);
  return [wanted === '' || wanted in action ? undefined : wanted, unused];
}

function cornersOf(zones: readonly Zone[]): number {
  return zones.reduce((sum, { polygon }) => sum + polygon.length, 0);
}

function countFault(
  what: keyof typeof LIMITS | 'routes' | 'legs',
  count: number,
  limit: number,
): PlanFault[] {
  if (count <= limit) return [];
  const field = { corners: 'zones', legs: 'routes', zones: 'zones', places: 'places', routes: 'routes' }[
    what
  ];
  return [{ field, message: siteMessage(`too-many-${what}`, { count, limit }), limit }];
}

function duplicates(list: 'zones' | 'places' | 'routes', items: readonly { id: string }[]): PlanFault[] {
  const seen = new Set<string>();
  return items.flatMap(({ id }, nth) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    const fault = siteMessage('duplicate-id');
    const message = siteMessage(({ zones: 'zone', places: 'place', routes: 'route' } as const)[list], {
      id,
      fault,
    });
    return [{ field: `${list}/${nth}/id`, message }];
  });
}

/** The field is relative to the zone. */
function faultOfZone(zone: Zone, size: PlanSize): PlanFault | undefined {
  const { id, polygon } = zone;
  const shape = zoneFault(zone);
  if (shape) {
    const { reason, vertex } = shape;
    const field = reason.startsWith('speed') ? '/maxSpeedMmps' : '/polygon';
    if (reason !== 'too-few-vertices' && reason !== 'too-many-vertices') {
      return atCorner(id, vertex, siteMessage(reason), field);
    }
    const limit = reason === 'too-few-vertices' ? MIN_ZONE_VERTICES : MAX_ZONE_VERTICES;
    const fault = siteMessage(reason, { count: polygon.length, limit });
    return { ...atCorner(id, vertex, fault, field), limit };
  }
  for (const [vertex, point] of polygon.entries()) {
    const outside = outsideFault(point, size);
    if (!outside) continue;
    const { axis: _axis, message, ...details } = outside;
    return { ...details, ...atCorner(id, vertex, message, '/polygon') };
  }
  return undefined;
}

/** Corners are counted from 1 in messages, and from 0 in fields. */
function atCorner(id: string, vertex: number | undefined, fault: Message, field: string): PlanFault {
  return vertex === undefined
    ? { field, message: siteMessage('zone', { id, fault }) }
    : { field: `${field}/${vertex}`, message: siteMessage('corner', { id, corner: vertex + 1, fault }) };
}

function outsideFault(
  [x, y]: readonly [number, number],
  { widthMm, heightMm }: PlanSize,
): (Omit<PlanFault, 'field'> & { axis: 'x' | 'y' }) | undefined {
  for (const [axis, value, max] of [
    ['x', x, widthMm],
    ['y', y, heightMm],
  ] as const) {
    const limit = Math.floor(max);
    if (value < 0 || value > limit)
      return { axis, message: siteMessage('outside', { axis, limit }), limit, unit: 'mm' };
  }
  return undefined;
}

function rejectIfAny(faults: readonly PlanFault[]): void {
  const [first] = faults;
  if (!first) return;
  const { message, ...details } = first;
  throw new GatewayError('INVALID_INPUT', message, {
    ...details,
    faults: faults.map((fault) => ({ path: `/${fault.field}`, message: fault.message })),
  });
}
