import type { Request, Response } from 'express';
import { callerActor } from '../../http/guard/principal.js';
import { listsStrongly, listsWeakly } from '../../http/server/conditional.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import type { PlanView } from '../../plan/index.js';
import { GatewayError } from '../../shared/errors.js';
import { checkerFor, invalidInput } from '../../shared/validation/validate.js';
import { siteMessage } from '../messages.js';
import {
  isGeoJson,
  placesOfGeoJson,
  placesToGeoJson,
  zonesOfGeoJson,
  zonesToGeoJson,
} from '../plan-data/geojson.js';
import { overrideSchema } from '../plan-data/schema.js';
import {
  changedMeanwhile,
  type PlanEdit,
  requireReviewed,
  type SitePlan,
  type SitePlanView,
} from '../plan-data/site-plan.js';
import type { ZoneGate } from '../zones/zone-gate.js';
import { siteApi } from './openapi.js';

interface SiteRoutesDeps {
  sitePlan: SitePlan;
  floorPlan: { readonly current: PlanView | undefined };
  zoneGate: Pick<ZoneGate, 'override' | 'endOverride'>;
}

const checkOverride = checkerFor<{ reason: string; seconds: number }>(overrideSchema);

const GEOJSON = 'application/geo+json';

export function siteRoutes({ sitePlan, floorPlan, zoneGate }: SiteRoutesDeps): DeclaredRouter {
  const router = routerOf(siteApi);

  /** @param encode returns the list as GeoJSON, with the floor plan's present position. */
  const send = (
    req: Request,
    res: Response,
    list: 'zones' | 'places',
    encode: (view: SitePlanView) => object,
  ): void => {
    const view = sitePlan.current;
    const { version, planHash, needsReview, reviewReason, etag } = view;
    res.setHeader('etag', etag);
    res.setHeader('vary', 'accept');
    if (listsWeakly(req.get('if-none-match') ?? '', etag)) return void res.status(304).end();
    if (req.accepts(['application/json', GEOJSON]) !== GEOJSON) {
      return void res.json({ version, planHash, needsReview, reviewReason, [list]: view[list] });
    }
    // The geographic positions on another floor plan are unknown.
    requireReviewed(view);
    res.type(GEOJSON).send(JSON.stringify(encode(view)));
  };
  const sendZones = (req: Request, res: Response): void =>
    send(req, res, 'zones', ({ zones }) => zonesToGeoJson(zones, floorPlan.current));
  const sendPlaces = (req: Request, res: Response): void =>
    send(req, res, 'places', ({ places }) => placesToGeoJson(places, floorPlan.current));

  router.on('GET /zones', sendZones);
  router.on('PUT /zones', async (req, res) => {
    const edit = editOf(req, sitePlan.current);
    await sitePlan.putZones(
      isGeoJson(req.body) ? zonesOfGeoJson(req.body, floorPlan.current) : req.body,
      edit,
    );
    sendZones(req, res);
  });
  router.on('GET /places', sendPlaces);
  router.on('PUT /places', async (req, res) => {
    const edit = editOf(req, sitePlan.current);
    await sitePlan.putPlaces(
      isGeoJson(req.body) ? placesOfGeoJson(req.body, floorPlan.current) : req.body,
      edit,
    );
    sendPlaces(req, res);
  });
  router.on('POST /site-plan/confirm', async (req, res) => {
    const {
      zones: _zones,
      places: _places,
      routes: _routes,
      etag,
      ...view
    } = await sitePlan.confirm(editOf(req, sitePlan.current));
    res.setHeader('etag', etag);
    res.json(view);
  });
  router.on('POST /site-plan/override', async (req, res) => {
    const checked = checkOverride(req.body);
    if ('faults' in checked) throw invalidInput(checked.faults);
    await zoneGate.override({ ...checked.value, by: callerActor(req) });
    res.json({ success: true });
  });
  router.on('DELETE /site-plan/override', (req, res) => {
    zoneGate.endOverride(callerActor(req));
    res.json({ success: true });
  });
  return router;
}

/** Throws `PRECONDITION_REQUIRED` or `ETAG_MISMATCH`. */
export function editOf(req: Pick<Request, 'get'>, { etag }: SitePlanView): PlanEdit {
  const ifMatch = req.get('if-match');
  if (ifMatch === undefined) {
    throw new GatewayError('PRECONDITION_REQUIRED', siteMessage('no-version'), {
      hint: siteMessage('no-version-hint'),
    });
  }
  if (!listsStrongly(ifMatch, etag)) throw changedMeanwhile();
  return { by: callerActor(req as Request), basis: etag };
}
