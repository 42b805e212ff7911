import type { Request, RequestHandler, Response } from 'express';
import { wantsPage } from '../../http/errors.js';
import { type Notice, sendPage } from '../../http/pages.js';
import { listsWeakly } from '../../http/server/conditional.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { checkerFor } from '../../shared/validation/validate.js';
import { validated } from '../invalid.js';
import type { Localization } from '../localization/service.js';
import type { Marker, Pose } from '../markers/model.js';
import { type Markers, markersEtag } from '../markers/registry.js';
import { poseSchema } from '../markers/schema.js';
import { navigationMessage } from '../messages.js';
import { type ApproachRoutesDeps, approachRoutes } from './approach-routes.js';
import { type CalibrationRoutesDeps, calibrationRoutes } from './calibration-routes.js';
import { locationApi, markerApi } from './openapi.js';
import { markersPage } from './pages.js';

const check = checkerFor<Pose>(poseSchema);

/** Later modules can forbid and record changes that affect the cart's pose. Both throw `NOT_IDLE`. */
export interface PoseGuard {
  changeMarker(req: Request, change: () => Promise<Marker>): Promise<Marker>;
  changePosition<T>(req: Request, pose: Pose, change: () => T): Promise<T>;
}

function locationRoutes({
  localization,
  guard,
}: Pick<NavigationRoutesDeps, 'localization' | 'guard'>): DeclaredRouter {
  const router = routerOf(locationApi, markerApi);
  router.on('PUT /navigation/location', async (req, res) => {
    const pose = validated(check, req.body, poseSchema);
    res.json(await guard.changePosition(req, pose, () => localization.place(pose)));
  });
  return router;
}

export interface NavigationRoutesDeps extends ApproachRoutesDeps, CalibrationRoutesDeps {
  guard: PoseGuard;
  markers: Markers;
  localization: Pick<Localization, 'place' | 'suspicious'>;
}

export function navigationRoutes(deps: NavigationRoutesDeps): DeclaredRouter {
  const { markers, localization } = deps;
  const router = routerOf(locationApi, markerApi);
  router.on('GET /markers', (req, res) => {
    res.setHeader('vary', 'accept');
    if (!wantsPage(req)) return sendList(req, res, markers.list());
    const edit = queryOf(req, 'edit');
    return sendPage(req, res, markersPage, {
      markers: markers.list(),
      suspicious: localization.suspicious,
      edited: /^\d+$/.test(edit) ? markers.find(Number(edit)) : undefined,
      notice: noticeOf(req),
    });
  });
  router.use(locationRoutes(deps));
  router.use(approachRoutes(deps));
  router.use(calibrationRoutes(deps));
  changeRoutes(router, deps);
  router.on('GET /markers/:id', (req, res) => sendMarker(res, markers.require(req.params.id)));
  return router;
}

function changeRoutes(
  router: DeclaredRouter,
  { markers, guard }: Pick<NavigationRoutesDeps, 'markers' | 'guard'>,
): void {
  router.on('POST /markers', async (req, res) =>
    sendMarker(res, await guard.changeMarker(req, () => markers.create(req.body))),
  );
  const put: RequestHandler<{ id: string }> = async (req, res) =>
    sendMarker(
      res,
      await guard.changeMarker(req as Request, () =>
        markers.put(req.params.id, req.body, req.get('if-match')),
      ),
    );
  router.on('PUT /markers/:id', put);
  router.on('DELETE /markers/:id', async (req, res) => {
    const ifMatch = req.get('if-match');
    res.json(await guard.changeMarker(req, () => markers.remove(req.params.id, ifMatch)));
  });
}

function sendList(req: Request, res: Response, list: readonly Marker[]): void {
  const etag = markersEtag(list);
  res.setHeader('etag', etag);
  if (listsWeakly(req.get('if-none-match') ?? '', etag)) return void res.status(304).end();
  res.json(list);
}

function sendMarker(res: Response, marker: Marker): void {
  res.setHeader('etag', markersEtag(marker));
  res.json(marker);
}

/** Returns the result of the last form submission, which the redirect passes in the URL (POST/redirect/GET). */
function noticeOf(req: Request): Notice | undefined {
  const [saved, deleted] = [queryOf(req, 'saved'), queryOf(req, 'deleted')];
  if (saved) return { ok: true, title: navigationMessage('marker-saved', { id: saved }) };
  return deleted ? { ok: true, title: navigationMessage('marker-deleted', { id: deleted }) } : undefined;
}

function queryOf(req: Request, name: string): string {
  const value = req.query[name];
  return typeof value === 'string' ? value.slice(0, 10) : '';
}
