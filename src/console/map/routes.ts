import type { Request, Response } from 'express';
import { type Beacon, type Beacons, beaconMessage, beaconOfForm, mapApi } from '../../beacons/index.js';
import { type ErrorBody, failureOnPage } from '../../http/errors.js';
import { contentPolicy } from '../../http/guard/headers.js';
import { inLanguageOf } from '../../http/language.js';
import { declarePage, type Notice, sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { openedIn, openedTextIn } from '../../http/server/form-edits.js';
import { sentence } from '../../i18n/format.js';
import { begun, translated } from '../../i18n/messages.js';
import type { Marker } from '../../navigation/index.js';
import { type FloorPlan, type LatLong, type PlanGuard, planApi } from '../../plan/index.js';
import type { Text } from '../../shared/messages/message.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import { isJsonObject } from '../../shared/validation/json.js';
import type { SitePlanView } from '../../site/index.js';
import {
  beaconTexts,
  EMPTY_BEACON_FORM,
  FORM_FIELDS,
  type MapForm,
  type MapPage,
  mapHref,
  ROWS_PER_PAGE,
} from './context.js';
import { openedBeacon, withStoredValues } from './form-edits.js';
import { coordinatesOf } from './form-position.js';
import { lineOfForm, lineTexts, type RejectedLine } from './plan-form.js';
import { lineFaultText } from './plan-text.js';

export const mapPage = declarePage<MapPage>('Map');

interface MapRoutesDeps {
  beacons: Beacons;
  markers: { list: () => readonly Marker[] };
  floorPlan: FloorPlan;
  guard: PlanGuard;
  sitePlan: { readonly current: SitePlanView };
  origin: () => LatLong;
  tiles: () => MapPage['tiles'];
}

/** Serves the forms of the Map page, which also work when scripts are disabled. */
export function mapPageRoutes({
  beacons,
  markers,
  floorPlan,
  guard,
  sitePlan,
  origin,
  tiles,
}: MapRoutesDeps): DeclaredRouter {
  const router = routerOf(mapApi, planApi);
  const send = async (
    req: Request,
    res: Response,
    shown: Partial<Pick<MapPage, 'notice' | 'form' | 'rejectedLine'>>,
  ): Promise<void> => {
    const find = queryOf(req, 'find');
    const from = { after: queryOf(req, 'after'), isRest: queryOf(req, 'rest') !== '' };
    const found = await beacons.search(find, from, ROWS_PER_PAGE);
    const validTiles = withValidUrl(tiles());
    // Only the Map page can show images from another host, and only if a tile server is configured.
    const { tileUrl } = validTiles;
    if (tileUrl) res.setHeader('content-security-policy', contentPolicy([new URL(tileUrl).origin]));
    const place = {
      origin: origin(),
      markers: markers.list(),
      plan: floorPlan.current,
      sitePlan: sitePlan.current,
    };
    const page = { ...found, find, from, ...place, tiles: validTiles, form: EMPTY_BEACON_FORM, ...shown };
    await sendPage(req, res, mapPage, page);
  };

  router.on('GET /map', async (req, res) => {
    const notice = noticeOf(req, beacons);
    await send(req, res, {
      form: formOf(beacons, queryOf(req, 'edit'), origin()),
      ...(notice ? { notice } : {}),
    });
  });

  router.on('POST /map', async (req, res) => {
    let entered = textsIn(req.body);
    let openedText = openedTextIn(req.body);
    const isEdit = editedId(req.body) === entered.id?.trim();
    const opened = isEdit ? openedIn(req.body) : undefined;
    const current = opened && beacons.find(entered.id ?? '');
    if (opened && !current) {
      const form = { ...EMPTY_BEACON_FORM, entered };
      return await send(req, res.status(412), { notice: deletedMeanwhile(entered.id ?? ''), form });
    }
    try {
      if (opened && current) {
        const basis = { opened, current, origin: origin() };
        const merged = inLanguageOf(req, () => withStoredValues(entered, basis));
        entered = merged.entered;
        openedText = openedBeacon(current);
        if (merged.conflict) throw merged.conflict;
      }
      const form = beaconOfForm({ ...entered, ...coordinatesOf(entered) });
      const json = await (current
        ? beacons.replace(current, form)
        : beacons.create(form, { upsert: isEdit }));
      const saved: Beacon = JSON.parse(json);
      res.redirect(303, mapHref({ saved: saved.id }));
    } catch (error) {
      const body = failureOnPage(res, error);
      const faults = body.faults ?? [{ path: body.field ?? '', message: body.message }];
      const form: MapForm = { entered, faults, isEdit, opened: openedText };
      await send(req, res, { notice: notSaved(body, faults), form });
    }
  });

  router.on('POST /map/delete', async (req, res) => {
    const { id } = textsIn(req.body);
    const removed: Beacon = JSON.parse(await beacons.remove(id));
    res.redirect(303, mapHref({ deleted: removed.id }));
  });
  router.on('POST /map/plan/line', async (req, res) => {
    try {
      await guard.changePlan(req, () => floorPlan.setLine(lineOfForm(req.body), origin()));
      res.redirect(303, mapHref({ scaled: 'yes' }));
    } catch (error) {
      const body = failureOnPage(res, error);
      const rejectedLine = inLanguageOf(req, () => rejectedLineOf(body, req.body));
      const title = beaconMessage('plan-not-scaled');
      await send(req, res, {
        notice: { ok: false, title, message: rejectedLine.error },
        rejectedLine,
      });
    }
  });
  return router;
}

/** Removes a URL that matches the schema but cannot be parsed, such as one with port 99999. */
function withValidUrl(tiles: MapPage['tiles']): MapPage['tiles'] {
  return URL.canParse(tiles.tileUrl) ? tiles : { tileUrl: '', tileAttribution: '' };
}

/** Returns the result of the last form submission, which the redirect passes in the URL (POST/redirect/GET). */
function noticeOf(req: Request, beacons: Beacons): Notice | undefined {
  const [saved, deleted] = [queryOf(req, 'saved'), queryOf(req, 'deleted')];
  if (queryOf(req, 'scaled')) return { ok: true, title: beaconMessage('plan-scaled') };
  if (saved) {
    const title = beaconMessage('saved', { id: saved });
    const beacon = beacons.find(saved);
    const isWithoutPower = beacon && beacon.txPower === undefined;
    return { ok: true, title, ...(isWithoutPower ? { message: beaconMessage('no-power') } : {}) };
  }
  return deleted ? { ok: true, title: beaconMessage('deleted', { id: deleted }) } : undefined;
}

function notSaved(body: { message: Text; code: string }, faults: MapForm['faults']): Notice {
  const title = beaconMessage('not-saved');
  if (body.code === 'ETAG_MISMATCH') {
    return { ok: false, title: body.message, hint: sharedMessage('fields-changed-hint') };
  }
  if (body.code === 'CONFLICT') {
    return { ok: false, title, message: body.message, hint: beaconMessage('id-taken-hint') };
  }
  const isAtField = faults.every(({ path }) => FORM_FIELDS.some((name) => path === `/${name}`));
  return isAtField ? { ok: false, title } : { ok: false, title, message: body.message };
}

function deletedMeanwhile(id: string): Notice {
  return {
    ok: false,
    title: beaconMessage('deleted-meanwhile', { id }),
    hint: beaconMessage('deleted-meanwhile-hint'),
  };
}

function formOf(beacons: Beacons, id: string, origin: LatLong): MapForm {
  const beacon = id === '' ? undefined : beacons.find(id);
  if (!beacon) return EMPTY_BEACON_FORM;
  return { entered: beaconTexts(beacon, origin), faults: [], isEdit: true, opened: openedBeacon(beacon) };
}

function editedId(body: unknown): string | undefined {
  return isJsonObject(body) && typeof body.editing === 'string' ? body.editing.trim() : undefined;
}

function textsIn(body: unknown): MapForm['entered'] {
  const values = isJsonObject(body) ? body : {};
  const entries = FORM_FIELDS.map((name) => [name, values[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'));
}

function queryOf(req: Request, name: string): string {
  const value = req.query[name];
  return typeof value === 'string' ? value.slice(0, 100) : '';
}

function rejectedLineOf({ field = '', faults, message, hint = '' }: ErrorBody, form: unknown): RejectedLine {
  const [fault] = faults ?? [];
  const texts = [fault ? lineFaultText(fault) : begun(message), translated(hint)];
  return {
    entered: lineTexts(form),
    field: fault?.path.slice(1) ?? field,
    error: texts
      .filter((text) => text !== '')
      .map(sentence)
      .join(' '),
  };
}
