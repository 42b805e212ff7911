import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Refusal } from '../../carts/index.js';
import type { PlanView } from '../../plan/index.js';
import { type Actor, actorName } from '../../shared/actor.js';
import { GatewayError } from '../../shared/errors.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { ReadDatabase, Statement } from '../../shared/ports/database.js';
import type { Log } from '../../shared/ports/log.js';
import type { Commit, Store } from '../../shared/ports/store.js';
import { SerialQueue } from '../../shared/queues.js';
import { Signal } from '../../shared/signal.js';
import { checkerFor, invalidInput } from '../../shared/validation/validate.js';
import { siteMessage } from '../messages.js';
import type { Leg, Route } from '../routes/route.js';
import { routeBodySchema } from '../routes/schema.js';
import type { Zone } from '../zones/zone.js';
import {
  type PlanSize,
  requireRouteCount,
  requireValidPlaces,
  requireValidRoute,
  requireValidRoutes,
  requireValidZones,
} from './faults.js';
import type { LastSaved } from './last-saved.js';
import {
  idSchema,
  type Place,
  type PlanContent,
  placesSchema,
  type ReviewReason,
  zonesSchema,
} from './schema.js';
import { type SavePlanRequest, siteWrites } from './writes.js';

/** The floor plan that positions in millimetres refer to. */
interface Frame {
  /** Hash of the image. */
  planHash: string;
  mmPerPixel: number;
}

interface StoredPlan extends PlanContent, Frame {
  version: number;
  /** True if another gateway has published this plan. */
  isShared: boolean;
}

/** A site plan for other gateways. */
export interface SharedPlan extends Omit<StoredPlan, 'isShared'> {
  needsReview: boolean;
}

/** Rules for gateways that share a site plan. */
export interface PlanOwnership {
  /** Throws `CONFLICT` if another gateway owns the site plan. */
  requireOwner(): void;
  /** True if another gateway owns the site plan. */
  readonly isMember: boolean;
  /** The highest version of other content that this gateway or an earlier owner has published; 0 if unknown. */
  readonly publishedVersion: number;
}

export interface SitePlanView extends PlanContent {
  /** Starts at 1 and increases with each change; 0 if zones and places were never stored. */
  version: number;
  /** The hash of the floor plan on which the zones and places were drawn; null if there are none. */
  planHash: string | null;
  /** True if a person must confirm the zones and places. */
  needsReview: boolean;
  /** Null if no review is needed. */
  reviewReason: ReviewReason | null;
  /**
   * Also changes with the floor plan, so that zones that were drawn on another floor plan are rejected, and after a
   * restore, when a version number can occur again with other content.
   */
  etag: string;
}

/** Who makes a change, and the `etag` of the version that the change is based on. */
export interface PlanEdit {
  by: Actor;
  basis: string;
}

/** A change for the history. */
interface PlanChange {
  by: Actor;
  version: number;
  /** Hash of the JSON of the zones and places. */
  sha256: string;
  /** The zones and places that were added, changed or removed. `path` is a JSON pointer. */
  values: readonly { path: string; from?: unknown; to?: unknown }[];
}

interface SitePlanDeps {
  store: Store;
  log: Log;
  floorPlan: { readonly current: PlanView | undefined; onChange: (listener: () => void) => Cancel };
  /** Returns why zones could not be enforced; undefined if they can be. Such zones are not stored. */
  unsuitability: () => Refusal | undefined;
  /** Default: this gateway has its own plan. */
  ownership?: PlanOwnership;
  /** Stores an entry of the history. */
  record: (change: PlanChange) => Promise<void>;
  lastSaved: LastSaved;
}

const READ = `SELECT version, plan_hash AS planHash, mm_per_pixel AS mmPerPixel, zones, places, routes, is_shared AS isShared
  FROM site_plan`;

/** The frame of an empty plan that was saved without a floor plan; the database requires a scale. */
const NO_FRAME: Frame = { planHash: 'none', mmPerPixel: 1 };

const checkZones = checkerFor<{ zones: Zone[] }>(zonesSchema);
const checkPlaces = checkerFor<{ places: Place[] }>(placesSchema);
const checkRoute = checkerFor<Omit<Route, 'id'>>(routeBodySchema);
const checkId = checkerFor<string>(idSchema);

/** The owner of a shared plan has checked that everything is within its floor plan. */
const ANY_SIZE: PlanSize = { widthMm: Number.POSITIVE_INFINITY, heightMm: Number.POSITIVE_INFINITY };

/** The message for each reason; `<key>-hint` is its hint. */
const REVIEW_KEYS = {
  FLOOR_PLAN: 'needs-review',
  OTHER_FLOOR_PLAN: 'other-floor-plan',
  DATA_LOST: 'data-lost',
  NOT_RECEIVED: 'not-received',
} as const satisfies Record<ReviewReason, string>;

/**
 * 0.1 mm in 100 m. The last digits of a scale differ between gateways whose floor plans have different geographic
 * positions.
 */
const SCALE_TOLERANCE = 1e-6;

/** The zones and places of the floor plan, which have one version. */
export class SitePlan {
  readonly #o: SitePlanDeps;
  readonly #read: Statement<
    Frame & { version: number; zones: string; places: string; routes: string; isShared: number }
  >;
  readonly #stopListening: Cancel[];
  readonly #queue = new SerialQueue();
  readonly #changed = new Signal();
  #stored: StoredPlan | undefined;
  /** True until a person has confirmed a plan that differs from the last saved one; undefined until it is loaded. */
  #isLost: boolean | undefined;
  #view: { of: StoredPlan; floor: PlanView | undefined; isMissing: boolean; view: SitePlanView } | undefined;

  constructor(o: SitePlanDeps) {
    this.#o = o;
    const db: ReadDatabase = o.store.read;
    this.#read = db.prepare(READ);
    this.#stopListening = [
      o.store.onCommit((commit) => this.#invalidate(commit)),
      o.floorPlan.onChange(() => this.#changed.emit()),
    ];
  }

  /** Calls the listener when zones, places or the floor plan have been changed. */
  readonly onChange = this.#changed.on.bind(this.#changed);

  close(): void {
    for (const stop of this.#stopListening) stop();
  }

  /** Calls the listeners after a change of the owner. */
  refresh(): void {
    this.#changed.emit();
  }

  /** Computed again only after a change of the site plan, its owner or the floor plan. */
  get current(): SitePlanView {
    this.#stored ??= this.#load();
    const floor = this.#o.floorPlan.current;
    const isMissing = (this.#o.ownership?.isMember ?? false) && !this.#stored.isShared;
    const { of, floor: viewed, isMissing: wasMissing } = this.#view ?? {};
    if (of !== this.#stored || viewed !== floor || wasMissing !== isMissing || !this.#view) {
      const view = viewOf(this.#stored, frameOf(floor), { isLost: this.#isLost ?? false, isMissing });
      this.#view = { of: this.#stored, floor, isMissing, view };
    }
    return this.#view.view;
  }

  /** True if another gateway has published the zones and places. */
  get isShared(): boolean {
    this.#stored ??= this.#load();
    return this.#stored.isShared;
  }

  /** The plan for other gateways; undefined if nothing has been stored yet. */
  get shared(): SharedPlan | undefined {
    const { needsReview } = this.current;
    this.#stored ??= this.#load();
    const { version, planHash, mmPerPixel, zones, places, routes } = this.#stored;
    return version === 0 ? undefined : { version, planHash, mmPerPixel, needsReview, zones, places, routes };
  }

  /**
   * Replaces the plan with one that another gateway has published, which may belong to another floor plan. This also
   * replaces a confirmation after a loss of data. Resolves with `older` if the present plan was published later, and with
   * `unreviewed` if the plan is new and the other gateway has not confirmed it. Rejects with `INVALID_INPUT` or the
   * store's error.
   */
  applyShared(plan: SharedPlan, by: Actor): Promise<'applied' | 'unchanged' | 'older' | 'unreviewed'> {
    return this.#queue.take(async () => {
      const { version, planHash, mmPerPixel } = plan;
      const [zones, places] = [plan.zones.map(zoneOf), plan.places.map(placeOf)];
      const routes = plan.routes.map(routeOf);
      const before = this.#stored ?? this.#load();
      const after: StoredPlan = { version, planHash, mmPerPixel, zones, places, routes, isShared: true };
      // The database may be older than the last saved plan, or empty.
      if (version < this.#o.lastSaved.sharedVersion) return 'older';
      if (before.isShared && version <= before.version) {
        if (!isDeepStrictEqual(before, after)) return 'older';
        if (this.#isLost) await this.#o.lastSaved.save(after);
        this.#found();
        return 'unchanged';
      }
      if (plan.needsReview) return 'unreviewed';
      await requireValidZones(zones, ANY_SIZE);
      requireValidPlaces(places, ANY_SIZE);
      requireValidRoutes(routes, ANY_SIZE);
      await this.#save(before, after, { by, values: changedValues(before, after), confirms: true });
      return 'applied';
    });
  }

  /**
   * Replaces all zones, also before a review after a loss of data. Takes `{zones}`. Rejects with `INVALID_INPUT`,
   * `ETAG_MISMATCH`, `CONFLICT` (no floor plan, or zones cannot be enforced) or the store's error.
   */
  putZones(body: unknown, edit: PlanEdit): Promise<SitePlanView> {
    const replaced = async (plan: StoredPlan): Promise<StoredPlan> => {
      const checked = checkZones(body);
      if ('faults' in checked) throw invalidInput(checked.faults);
      const zones = checked.value.zones.map(zoneOf);
      if (zones.length > 0) {
        const size = sizeOf(this.#requireFloor());
        this.#requireSuitableCart();
        await requireValidZones(zones, size);
      }
      return { ...plan, zones };
    };
    return this.#change(edit, replaced, { corrects: true });
  }

  /** Replaces all places. Takes `{places}`. Rejects like `putZones`, and with `CONFLICT` after a loss of data. */
  putPlaces(body: unknown, edit: PlanEdit): Promise<SitePlanView> {
    return this.#change(edit, async (plan) => {
      const checked = checkPlaces(body);
      if ('faults' in checked) throw invalidInput(checked.faults);
      const places = checked.value.places.map(placeOf);
      if (places.length > 0) requireValidPlaces(places, sizeOf(this.#requireFloor()));
      return { ...plan, places };
    });
  }

  /** Adds or replaces a route. Takes a route without its ID. Rejects like `putPlaces`. */
  putRoute(id: string, body: unknown, edit: PlanEdit): Promise<SitePlanView> {
    return this.#change(edit, async (plan) => {
      const [checkedId, checked] = [checkId(id), checkRoute(body)];
      if ('faults' in checkedId)
        throw invalidInput(checkedId.faults.map((fault) => ({ ...fault, path: '/id' })));
      if ('faults' in checked) throw invalidInput(checked.faults);
      const route = routeOf({ ...checked.value, id });
      const size = sizeOf(this.#requireFloor());
      requireValidRoute(route, size);
      const isKnown = plan.routes.some((each) => each.id === id);
      const routes = isKnown
        ? plan.routes.map((each) => (each.id === id ? route : each))
        : [...plan.routes, route];
      requireRouteCount(routes);
      return { ...plan, routes };
    });
  }

  /** Deletes a route. Rejects with NOT_FOUND and like `putPlaces`. */
  removeRoute(id: string, edit: PlanEdit): Promise<SitePlanView> {
    return this.#change(edit, async (plan) => {
      const removed = requireRoute(plan, id);
      return { ...plan, routes: plan.routes.filter((route) => route !== removed) };
    });
  }

  /**
   * Confirms that the zones and places are correct on the current floor plan, and complete. Rejects like `putZones`, for
   * example if a zone is no longer within the floor plan.
   */
  confirm(edit: PlanEdit): Promise<SitePlanView> {
    const confirmed = async (plan: StoredPlan): Promise<StoredPlan> => {
      if (isEmpty(plan)) return plan;
      const floor = this.#requireFloor();
      await requireValidZones(plan.zones, sizeOf(floor));
      requireValidPlaces(plan.places, sizeOf(floor));
      requireValidRoutes(plan.routes, sizeOf(floor));
      return { ...plan, ...frameOf(floor) };
    };
    return this.#change(edit, confirmed, { confirms: true });
  }

  /**
   * @param edited returns the new content; it may yield to the event loop.
   * @param how whether the edit confirms the plan, or is also permitted before a confirmation after a loss of data
   */
  #change(
    { by, basis }: PlanEdit,
    edited: (plan: StoredPlan) => Promise<StoredPlan>,
    { confirms = false, corrects = false } = {},
  ): Promise<SitePlanView> {
    return this.#queue.take(async () => {
      const { ownership } = this.#o;
      ownership?.requireOwner();
      this.#requireBasis(basis);
      const before = this.#stored ?? this.#load();
      if (this.#isLost && !confirms && !corrects) throw needsReviewError('DATA_LOST');
      const after = await edited(before);
      // The floor plan may have been replaced while the zones were checked.
      this.#requireBasis(basis);
      const { publishedVersion = 0 } = ownership ?? {};
      const values = changedValues(before, after);
      if (confirms && this.#isLost) values.push({ path: '/lost', from: true, to: false });
      // A restored plan is saved again with a new version, because other gateways refuse the earlier one.
      const isBehind = before.version > 0 && before.version <= publishedVersion;
      if (values.length === 0 && !isBehind) return this.current;
      const version = Math.max(before.version, publishedVersion) + 1;
      const { planHash, mmPerPixel } = isEmpty(before)
        ? (frameOf(this.#o.floorPlan.current) ?? after)
        : after;
      const saved = { ...after, version, planHash, mmPerPixel, isShared: false };
      await this.#save(before, saved, { by, values, confirms });
      return this.current;
    });
  }

  /** @param confirms true if the saved plan is known to be complete. */
  async #save(
    before: StoredPlan,
    after: StoredPlan,
    { by, values, confirms }: Pick<PlanChange, 'by' | 'values'> & { confirms: boolean },
  ): Promise<void> {
    const { store, record, lastSaved, log } = this.#o;
    const { version, planHash, mmPerPixel } = after;
    const isShared = after.isShared ? 1 : 0;
    const [zones, places] = [JSON.stringify(after.zones), JSON.stringify(after.places)];
    const routes = JSON.stringify(after.routes);
    const request: SavePlanRequest = { version, planHash, mmPerPixel, zones, places, routes, isShared };
    const sha256 = createHash('sha256').update(`${zones}\n${places}\n${routes}`).digest('hex');
    const isSaved = confirms || !this.#isLost;
    // If the gateway stops before the database contains the change, a person must confirm the plan.
    if (isSaved) await lastSaved.save(after);
    // Both operations are sent in one message, so they are committed together.
    const saved = store.write('site.save', request);
    try {
      await Promise.all([saved, record({ by, version, sha256, values })]);
    } catch (error) {
      if (isSaved && !this.#isLost) await lastSaved.save(before).catch(() => undefined);
      throw error;
    }
    if (isSaved) this.#found();
    const counts = {
      zones: after.zones.length,
      places: after.places.length,
      routes: after.routes.length,
    };
    log.info('site.plan_changed', { version, ...counts, by: actorName(by) });
  }

  /** The plan is known to be complete. */
  #found(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#view = undefined;
    this.#changed.emit();
  }

  #requireBasis(basis: string): void {
    if (this.current.etag !== basis) throw changedMeanwhile();
  }

  /** Throws `CONFLICT` if there is no floor plan with a scale. */
  #requireFloor(): PlanView {
    const floor = this.#o.floorPlan.current;
    if (floor && frameOf(floor)) return floor;
    throw noFloorPlan();
  }

  #requireSuitableCart(): void {
    const fault = this.#o.unsuitability();
    if (fault) throw new GatewayError('CONFLICT', fault.text, fault.hint ? { hint: fault.hint } : {});
  }

  #load(): StoredPlan {
    const row = this.#read.get();
    const plan = row
      ? {
          ...row,
          zones: JSON.parse(row.zones) as Zone[],
          places: JSON.parse(row.places) as Place[],
          routes: JSON.parse(row.routes) as Route[],
          isShared: row.isShared === 1,
        }
      : { version: 0, ...NO_FRAME, zones: [], places: [], routes: [], isShared: false };
    // The database is replaced only before it is opened.
    this.#isLost ??= !this.#o.lastSaved.isSame(plan);
    return plan;
  }

  /** Runs before a write is acknowledged, so that later reads return current data. */
  #invalidate({ names }: Commit): void {
    if (!names.some((name) => Object.hasOwn(siteWrites, name))) return;
    this.#stored = undefined;
    this.#changed.emit();
  }
}

export function changedMeanwhile(): GatewayError {
  return new GatewayError('ETAG_MISMATCH', siteMessage('changed'), { hint: siteMessage('changed-hint') });
}

export function noFloorPlan(): GatewayError {
  return new GatewayError('CONFLICT', siteMessage('no-floor-plan'), {
    hint: siteMessage('no-floor-plan-hint'),
  });
}

/** Throws `CONFLICT` while a person must confirm the plan. */
export function requireReviewed({ reviewReason }: Pick<SitePlanView, 'reviewReason'>): void {
  if (reviewReason !== null) throw needsReviewError(reviewReason);
}

/** Throws `NOT_FOUND`. */
export function requireRoute({ routes }: Pick<PlanContent, 'routes'>, id: string): Route {
  const route = routes.find((each) => each.id === id);
  if (route) return route;
  throw new GatewayError('NOT_FOUND', siteMessage('no-route', { id }));
}

function needsReviewError(reason: ReviewReason): GatewayError {
  const key = REVIEW_KEYS[reason];
  return new GatewayError('CONFLICT', siteMessage(key), { hint: siteMessage(`${key}-hint`) });
}

function isEmpty({ zones, places, routes }: PlanContent): boolean {
  return zones.length === 0 && places.length === 0 && routes.length === 0;
}

/** Returns undefined if the floor plan has no scale. */
function frameOf(floor: PlanView | undefined): Frame | undefined {
  if (!floor?.placement) return undefined;
  return { planHash: floor.version, mmPerPixel: floor.placement.metresPerPixel * 1000 };
}

function sizeOf({ width, height, placement }: PlanView): PlanSize {
  const mmPerPixel = (placement?.metresPerPixel ?? 0) * 1000;
  return { widthMm: width * mmPerPixel, heightMm: height * mmPerPixel };
}

function viewOf(
  { version, planHash, mmPerPixel, zones, places, routes, isShared }: StoredPlan,
  floor: Frame | undefined,
  { isLost, isMissing }: { isLost: boolean; isMissing: boolean },
): SitePlanView {
  const content = { zones, places, routes };
  const isSame =
    floor?.planHash === planHash && Math.abs(floor.mmPerPixel / mmPerPixel - 1) <= SCALE_TOLERANCE;
  const isOutdated = !isEmpty(content) && !isSame;
  const outdated = isShared ? 'OTHER_FLOOR_PLAN' : 'FLOOR_PLAN';
  const floorReason = isOutdated ? outdated : null;
  const otherReason = isMissing ? 'NOT_RECEIVED' : floorReason;
  // A lost plan may lack zones, so its loss takes precedence over another floor plan.
  const reviewReason = isLost ? 'DATA_LOST' : otherReason;
  const digest = createHash('sha256').update(JSON.stringify([content, planHash, mmPerPixel, floor ?? null]));
  return {
    version,
    planHash: isEmpty(content) ? null : planHash,
    needsReview: reviewReason !== null,
    reviewReason,
    ...content,
    etag: `"${version}-${digest.digest('base64url').slice(0, 12)}"`,
  };
}

/** Members in a fixed order, so that equal zones have the same JSON. */
function zoneOf({ id, kind, name, polygon, maxSpeedMmps }: Zone): Zone {
  return { id, kind, name, polygon, ...(maxSpeedMmps === undefined ? {} : { maxSpeedMmps }) };
}

function placeOf({ id, name, purpose, xMm, yMm, headingDeg, markerId, cartID }: Place): Place {
  return {
    id,
    name,
    purpose,
    xMm,
    yMm,
    headingDeg,
    ...(markerId === undefined ? {} : { markerId }),
    ...(cartID === undefined ? {} : { cartID }),
  };
}

function routeOf({ id, name, cartID, legs }: Route): Route {
  return { id, name, ...(cartID === undefined ? {} : { cartID }), legs: legs.map(legOf) };
}

function legOf({ xMm, yMm, headingDeg, maxSpeedMmps, action }: Leg): Leg {
  return {
    xMm,
    yMm,
    ...(headingDeg === undefined ? {} : { headingDeg }),
    ...(maxSpeedMmps === undefined ? {} : { maxSpeedMmps }),
    ...(action === undefined ? {} : { action }),
  };
}

/** Corners or legs that are more are replaced by their number, so that an entry of the history stays short. */
const MAX_RECORDED_POINTS = 50;

function changedValues(before: StoredPlan, after: StoredPlan): PlanChange['values'][number][] {
  const items = (['zones', 'places', 'routes'] as const).flatMap((list) => {
    const [from, to] = [before, after].map((plan) => new Map(plan[list].map((item) => [item.id, item])));
    const ids = new Set([...(from?.keys() ?? []), ...(to?.keys() ?? [])]);
    return [...ids].map((id) => ({ path: `/${list}/${id}`, from: from?.get(id), to: to?.get(id) }));
  });
  const frame = (['planHash', 'mmPerPixel'] as const).map((name) => ({
    path: `/${name}`,
    from: before[name],
    to: after[name],
  }));
  return [...items, ...frame]
    .filter(({ from, to }) => !isDeepStrictEqual(from, to))
    .map(({ path, from, to }) => ({ path, from: shortened(from), to: shortened(to) }));
}

function shortened(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('polygon' in value) {
    const { polygon, ...zone } = value as Zone;
    return polygon.length > MAX_RECORDED_POINTS ? { ...zone, corners: polygon.length } : value;
  }
  if ('legs' in value) {
    const { legs, ...route } = value as Route;
    return legs.length > MAX_RECORDED_POINTS ? { ...route, legCount: legs.length } : value;
  }
  return value;
}
