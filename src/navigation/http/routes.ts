import type { Request, RequestHandler, Response } from 'express';
import {
  EMPTY_MARKER_FORM,
  type MarkerForm,
  markersContext,
  markerTexts,
  openedMarker,
  sheetTexts,
  valuesOf,
  withStoredValues,
} from '../../console/markers/context.js';
import { failureOf, wantsHtml } from '../../http/errors.js';
import { inLanguageOf } from '../../http/language.js';
import type { Notice } from '../../http/pages.js';
import { readBody } from '../../http/server/bodies.js';
import { listsWeakly } from '../../http/server/conditional.js';
import { type DeclaredRouter, declaredRouter } from '../../http/server/declared-router.js';
import { openedIn, openedTextIn } from '../../http/server/form-edits.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { checkerFor } from '../../shared/validation/validate.js';
import { validated } from '../invalid.js';
import type { Localization } from '../localization/service.js';
import type { Marker, Pose } from '../markers/model.js';
import { type Markers, markersEtag } from '../markers/registry.js';
import { poseSchema } from '../markers/schema.js';
import { markerSheet } from '../markers/sheet.js';
import { navigationMessage } from '../messages.js';
import { type ApproachRoutesDeps, approachRoutes } from './approach-routes.js';
import { type CalibrationRoutesDeps, calibrationRoutes } from './calibration-routes.js';
import { locationApi, markerApi } from './openapi.js';

const check = checkerFor<Pose>(poseSchema);

function locationRoutes(localization: Pick<Localization, 'place'>): DeclaredRouter {
  const router = declaredRouter();
  router.put(
    '/navigation/location',
    ...readBody(locationApi.routes['PUT /navigation/location']),
    (req, res) => {
      res.json(localization.place(validated(check, req.body, poseSchema)));
    },
  );
  return router;
}

const { routes } = markerApi;

export interface NavigationRoutesDeps extends ApproachRoutesDeps, CalibrationRoutesDeps {
  markers: Markers;
  localization: Pick<Localization, 'place' | 'suspicious'>;
}

export function navigationRoutes(deps: NavigationRoutesDeps): DeclaredRouter {
  const { markers } = deps;
  const router = declaredRouter();
  const sendPage = (req: Request, res: Response, shown: { form?: MarkerForm; notice?: Notice }): void => {
    const page = {
      markers: markers.list(),
      suspicious: deps.localization.suspicious,
      form: EMPTY_MARKER_FORM,
      ...shown,
    };
    const html = inLanguageOf(req, () =>
      deps.pages.render('markers/markers', markersContext(deps.layout(req), page)),
    );
    res.type('html').send(html);
  };
  router.get('/markers', (req, res) => {
    res.setHeader('vary', 'accept');
    if (!wantsHtml(req)) return sendList(req, res, markers.list());
    const notice = noticeOf(req);
    sendPage(req, res, { form: formOf(markers, queryOf(req, 'edit')), ...(notice ? { notice } : {}) });
  });
  router.use(locationRoutes(deps.localization));
  router.use(approachRoutes(deps));
  router.use(calibrationRoutes(deps));
  changeRoutes(router, markers);
  formRoutes(router, markers, sendPage);
  router.get('/markers/:id', (req, res) => sendMarker(res, markers.require(req.params.id)));
  router.get('/markers/:id/sheet.svg', (req, res) => {
    const marker = markers.require(req.params.id);
    res.type('svg').send(inLanguageOf(req, () => markerSheet(marker, sheetTexts(marker))));
  });
  return router;
}

function changeRoutes(router: DeclaredRouter, markers: Markers): void {
  const readMarker = readBody(routes['POST /markers']);
  router.post('/markers', ...readMarker, async (req, res) => sendMarker(res, await markers.create(req.body)));
  const put: RequestHandler<{ id: string }> = async (req, res) =>
    sendMarker(res, await markers.put(req.params.id, req.body, req.get('if-match')));
  router.put('/markers/:id', ...readMarker, put);
  router.delete('/markers/:id', async (req, res) => {
    res.json(await markers.remove(req.params.id, req.get('if-match')));
  });
}

type SendPage = (req: Request, res: Response, shown: { form?: MarkerForm; notice?: Notice }) => void;

/** The forms of the page also work when scripts are disabled. */
function formRoutes(router: DeclaredRouter, markers: Markers, sendPage: SendPage): void {
  router.post('/markers/save', ...readBody(routes['POST /markers/save']), async (req, res) => {
    let entered = textsIn(req.body);
    let openedText = openedTextIn(req.body);
    const isEdit = entered.editing !== undefined && entered.editing === entered.id;
    const opened = isEdit ? openedIn(req.body) : undefined;
    const current = opened && markers.find(Number(entered.id));
    if (opened && !current) {
      const form = { ...EMPTY_MARKER_FORM, entered };
      return sendPage(req, res.status(412), { form, notice: deletedMeanwhile(entered.id ?? '') });
    }
    try {
      if (opened && current) {
        const merged = inLanguageOf(req, () => withStoredValues(entered, { opened, current }));
        entered = merged.entered;
        openedText = openedMarker(current);
        if (merged.conflict) throw merged.conflict;
      }
      const values = valuesOf(entered);
      const ifMatch = current && markersEtag(current);
      const { id } = isEdit
        ? await markers.put(entered.id ?? '', values, ifMatch)
        : await markers.create(values);
      res.redirect(303, `/markers?saved=${id}`);
    } catch (error) {
      const { status, body } = failureOf(error);
      const faults = body.faults ?? [{ path: `/${body.field ?? ''}`, message: body.message }];
      const notice =
        body.code === 'ETAG_MISMATCH'
          ? { ok: false, title: body.message, hint: sharedMessage('fields-changed-hint') }
          : { ok: false, title: navigationMessage('marker-not-saved') };
      sendPage(req, res.status(status), { form: { entered, faults, isEdit, opened: openedText }, notice });
    }
  });
  router.post('/markers/delete', ...readBody(routes['POST /markers/delete']), async (req, res) => {
    const { id } = await markers.remove(textsIn(req.body).id ?? '');
    res.redirect(303, `/markers?deleted=${id}`);
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

/** Result of the last form submission, which the redirect passes in the URL (POST/redirect/GET). */
function noticeOf(req: Request): Notice | undefined {
  const [saved, deleted] = [queryOf(req, 'saved'), queryOf(req, 'deleted')];
  if (saved) return { ok: true, title: navigationMessage('marker-saved', { id: saved }) };
  return deleted ? { ok: true, title: navigationMessage('marker-deleted', { id: deleted }) } : undefined;
}

function formOf(markers: Markers, id: string): MarkerForm {
  const marker = /^\d+$/.test(id) ? markers.find(Number(id)) : undefined;
  if (!marker) return EMPTY_MARKER_FORM;
  return { entered: markerTexts(marker), faults: [], isEdit: true, opened: openedMarker(marker) };
}

function deletedMeanwhile(id: string): Notice {
  return {
    ok: false,
    title: navigationMessage('marker-deleted-meanwhile', { id }),
    hint: navigationMessage('marker-deleted-meanwhile-hint'),
  };
}

function textsIn(body: unknown): MarkerForm['entered'] {
  const values = isJsonObject(body) ? body : {};
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string'));
}

function queryOf(req: Request, name: string): string {
  const value = req.query[name];
  return typeof value === 'string' ? value.slice(0, 10) : '';
}
