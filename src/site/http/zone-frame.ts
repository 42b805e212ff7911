import { isDeepStrictEqual } from 'node:util';
import type { Request } from 'express';
import { callerActor, isAdmin } from '../../http/guard/principal.js';
import type { Marker, Pose, PoseGuard } from '../../navigation/index.js';
import type { PlanGuard, PlanView } from '../../plan/index.js';
import { type Actor, actorName } from '../../shared/actor.js';
import { GatewayError } from '../../shared/errors.js';
import type { Log } from '../../shared/ports/log.js';
import { siteMessage } from '../messages.js';
import type { SitePlanView } from '../plan-data/site-plan.js';

/** An entry of the history; `version` is that of the site plan. */
interface FrameChange {
  by: Actor;
  version: number;
  /** `/plan`, `/position` or `/markers/{id}`. */
  path: string;
  from?: unknown;
  to?: unknown;
}

interface ZoneFrameDeps {
  sitePlan: { readonly current: SitePlanView };
  floorPlan: { readonly current: PlanView | undefined };
  markers: { list: () => readonly Marker[]; find: (id: number) => Marker | undefined };
  location: () => Pose | undefined;
  isCartBusy: () => boolean;
  /** Stores an entry of the history. */
  record: (change: FrameChange) => Promise<void>;
  log: Log;
}

/**
 * Protects and records what the position of the zones on the floor depends on: the floor plan, the markers and the
 * position that a person enters. Does nothing while there are no zones.
 */
export class ZoneFrame implements PlanGuard, PoseGuard {
  readonly #deps: ZoneFrameDeps;

  constructor(deps: ZoneFrameDeps) {
    this.#deps = deps;
  }

  async changePlan<T>(req: Request, change: () => Promise<T>): Promise<T> {
    if (!this.#hasZones) return await change();
    if (!isAdmin(req)) {
      throw new GatewayError('FORBIDDEN', siteMessage('plan-locked'), {
        hint: siteMessage('plan-locked-hint'),
      });
    }
    const { floorPlan } = this.#deps;
    const from = frameOf(floorPlan.current);
    const result = await change();
    await this.#record(req, '/plan', from, frameOf(floorPlan.current));
    return result;
  }

  async changeMarker(req: Request, change: () => Promise<Marker>): Promise<Marker> {
    if (!this.#hasZones) return await change();
    this.#requireIdle();
    const { markers } = this.#deps;
    const before = markers.list();
    const marker = await change();
    const { id } = marker;
    const from = before.find((known) => known.id === id);
    await this.#record(req, `/markers/${id}`, from, markers.find(id));
    return marker;
  }

  async changePosition<T>(req: Request, pose: Pose, change: () => T): Promise<T> {
    if (!this.#hasZones) return change();
    this.#requireIdle();
    const { xMm, yMm, headingDeg } = this.#deps.location() ?? {};
    await this.#record(req, '/position', xMm === undefined ? undefined : { xMm, yMm, headingDeg }, pose);
    // The cart may have started while the entry was stored.
    this.#requireIdle();
    return change();
  }

  get #hasZones(): boolean {
    return this.#deps.sitePlan.current.zones.length > 0;
  }

  #requireIdle(): void {
    if (!this.#deps.isCartBusy()) return;
    throw new GatewayError('NOT_IDLE', siteMessage('moving'), { hint: siteMessage('moving-hint') });
  }

  async #record(req: Request, path: string, from: unknown, to: unknown): Promise<void> {
    if (path !== '/position' && isDeepStrictEqual(from, to)) return;
    const by = callerActor(req);
    const { version } = this.#deps.sitePlan.current;
    this.#deps.log.warn('site.frame_changed', { path, by: actorName(by) });
    await this.#deps.record({ by, version, path, from, to });
  }
}

/** Returns what determines where the pixels of the floor plan are. */
function frameOf(floor: PlanView | undefined): object | undefined {
  if (!floor) return undefined;
  const { version, placement } = floor;
  return { version, ...placement };
}
