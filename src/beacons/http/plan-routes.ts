import express, { type Request, type Response } from 'express';
import { type MapPage, mapHref } from '../../console/map/map-context.js';
import { lineFaultText } from '../../console/map/plan-text.js';
import { failureOf } from '../../http/errors.js';
import { inLanguageOf } from '../../http/language.js';
import { readBody } from '../../http/server/bodies.js';
import { sendBytes } from '../../http/server/content.js';
import type { DeclaredRouter } from '../../http/server/declared-router.js';
import { sentence } from '../../i18n/format.js';
import { begun, translated } from '../../i18n/messages.js';
import { GatewayError } from '../../shared/errors.js';
import type { FloorPlan } from '../floor-plan/floor-plan.js';
import { beaconMessage } from '../messages.js';
import type { LatLong } from '../positioning/geodesy.js';
import { mapApi } from './openapi.js';
import { lineOfForm, lineTexts, type RejectedLine } from './plan-form.js';

interface PlanRoutesDeps {
  floorPlan: FloorPlan;
  origin: () => LatLong;
  send: (req: Request, res: Response, shown: Pick<MapPage, 'notice' | 'rejectedLine'>) => Promise<void>;
}

const { routes } = mapApi;

export function planRoutes(router: DeclaredRouter, { floorPlan, origin, send }: PlanRoutesDeps): void {
  router.get('/map/plan', (_req, res) => void res.json({ plan: floorPlan.current ?? null }));
  router.get('/map/plan/picture', async (req, res) => {
    const { bytes, type, version } = await floorPlan.image();
    sendBytes(req, res, { body: bytes, etag: `"${version}"`, headers: { 'content-type': type } });
  });

  // Accepts every declared media type, because the image format is determined from the bytes.
  const readImage = express.raw({ type: () => true, limit: routes['PUT /map/plan'].body.maxBytes });
  router.put('/map/plan', readImage, async (req, res) => {
    if (!Buffer.isBuffer(req.body) || req.body.length === 0) {
      throw new GatewayError('INVALID_INPUT', 'the request body contains no image', { field: 'image' });
    }
    res.json({ plan: await floorPlan.replace(req.body) });
  });
  router.put('/map/plan/line', ...readBody(routes['PUT /map/plan/line']), async (req, res) => {
    res.json({ plan: await floorPlan.setLine(req.body, origin()) });
  });
  router.post('/map/plan/line', ...readBody(routes['POST /map/plan/line']), async (req, res) => {
    try {
      await floorPlan.setLine(lineOfForm(req.body), origin());
      res.redirect(303, mapHref({ scaled: 'yes' }));
    } catch (error) {
      const { status } = failureOf(error);
      const rejectedLine = inLanguageOf(req, () => rejectedLineOf(error, req.body));
      const title = beaconMessage('plan-not-scaled');
      await send(req, res.status(status), {
        notice: { ok: false, title, message: rejectedLine.error },
        rejectedLine,
      });
    }
  });
  router.put('/map/plan/points', ...readBody(routes['PUT /map/plan/points']), async (req, res) => {
    res.json({ plan: await floorPlan.setPoints(req.body) });
  });
  router.delete('/map/plan', async (_req, res) => {
    await floorPlan.remove();
    res.json({ plan: null });
  });
}

function rejectedLineOf(error: unknown, form: unknown): RejectedLine {
  const { field = '', faults, message, hint = '' } = failureOf(error).body;
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
