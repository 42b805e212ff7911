import type { Request, Response } from 'express';
import { failureOnPage } from '../../http/errors.js';
import { inLanguageOf } from '../../http/language.js';
import { type Notice, sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { openedIn, openedTextIn } from '../../http/server/form-edits.js';
import {
  type MarkerForm,
  markerApi,
  markerSheet,
  markersEtag,
  markersPage,
  type NavigationRoutesDeps,
  navigationMessage,
} from '../../navigation/index.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { EMPTY_MARKER_FORM, openedMarker, sheetTexts, valuesOf, withStoredValues } from './context.js';

type MarkersPageDeps = Pick<NavigationRoutesDeps, 'markers' | 'localization' | 'guard'>;

/** Serves the forms of the Markers page, which also work when scripts are disabled, and the sheets to print. */
export function markersPageRoutes({ markers, localization, guard }: MarkersPageDeps): DeclaredRouter {
  const router = routerOf(markerApi);
  const reject = (req: Request, res: Response, rejected: MarkerForm, notice: Notice): Promise<void> =>
    sendPage(req, res, markersPage, {
      markers: markers.list(),
      suspicious: localization.suspicious,
      rejected,
      notice,
    });

  router.on('POST /markers/save', async (req, res) => {
    let entered = textsIn(req.body);
    let openedText = openedTextIn(req.body);
    const isEdit = entered.editing !== undefined && entered.editing === entered.id;
    const opened = isEdit ? openedIn(req.body) : undefined;
    const current = opened && markers.find(Number(entered.id));
    if (opened && !current) {
      const form = { ...EMPTY_MARKER_FORM, entered };
      return await reject(req, res.status(412), form, deletedMeanwhile(entered.id ?? ''));
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
      const idText = entered.id ?? '';
      const { id } = await guard.changeMarker(req, () =>
        isEdit ? markers.put(idText, values, ifMatch) : markers.create(values),
      );
      res.redirect(303, `/markers?saved=${id}`);
    } catch (error) {
      const body = failureOnPage(res, error);
      const faults = body.faults ?? [{ path: `/${body.field ?? ''}`, message: body.message }];
      const notice =
        body.code === 'ETAG_MISMATCH'
          ? { ok: false, title: body.message, hint: sharedMessage('fields-changed-hint') }
          : { ok: false, title: navigationMessage('marker-not-saved') };
      await reject(req, res, { entered, faults, isEdit, opened: openedText }, notice);
    }
  });
  router.on('POST /markers/delete', async (req, res) => {
    const { id } = await guard.changeMarker(req, () => markers.remove(textsIn(req.body).id ?? ''));
    res.redirect(303, `/markers?deleted=${id}`);
  });
  router.on('GET /markers/:id/sheet.svg', (req, res) => {
    const marker = markers.require(req.params.id);
    res.type('svg').send(inLanguageOf(req, () => markerSheet(marker, sheetTexts(marker))));
  });
  return router;
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
