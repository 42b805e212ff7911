import type { Request, RequestHandler } from 'express';
import { failureOnPage, wantsPage } from '../../http/errors.js';
import { callerActor } from '../../http/guard/principal.js';
import { type Notice, sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { fieldNumber } from '../../shared/validation/number-text.js';
import { checkerFor } from '../../shared/validation/validate.js';
import { calibrationMessage } from '../calibration/messages.js';
import type { Discardable, OneShotRequest } from '../calibration/model.js';
import type { Calibration } from '../calibration/service.js';
import { validated } from '../invalid.js';
import { boardImageSchema, calibrationApi, discardSchema, oneShotSchema } from './calibration-openapi.js';
import { type CalibrationPage, calibrationPage } from './pages.js';

const PATH = '/navigation/calibration';

const checkOneShot = checkerFor<OneShotRequest>(oneShotSchema);
const checkBoardImage = checkerFor<{ firstId?: number }>(boardImageSchema);
const checkDiscard = checkerFor<{ what: Discardable }>(discardSchema);

export interface CalibrationRoutesDeps {
  calibration: Calibration;
}

export function calibrationRoutes({ calibration }: CalibrationRoutesDeps): DeclaredRouter {
  const router = routerOf(calibrationApi);
  /** Sends JSON to programs; redirects browsers to the page, or shows the error on the page. */
  const answering =
    (anchor: string, work: (req: Request) => unknown): RequestHandler =>
    async (req, res) => {
      try {
        await work(req);
      } catch (error) {
        if (!wantsPage(req)) throw error;
        const { message, hint, field = '', faults = [{ path: field, message }] } = failureOnPage(res, error);
        const notice = {
          ok: false,
          title: calibrationMessage('not-done'),
          message,
          ...(hint ? { hint } : {}),
        };
        const page = { view: calibration.status(), notice, faults, entered: textsIn(req.body) };
        return await sendPage(req, res, calibrationPage, page);
      }
      if (wantsPage(req)) res.redirect(303, `${PATH}${anchor}`);
      else res.json(calibration.status());
    };

  router.on('GET /navigation/calibration', (req, res) => {
    res.setHeader('vary', 'accept');
    if (!wantsPage(req)) return void res.json(calibration.status());
    return sendPage(req, res, calibrationPage, { view: calibration.status(), notice: noticeOf(req) });
  });
  router.on('GET /navigation/calibration/seen', (_req, res) => void res.json(calibration.seen()));
  router.on(
    'POST /navigation/calibration/one-shot',
    answering('#result', ({ body }) =>
      calibration.measure(validated(checkOneShot, numbersIn(body), oneShotSchema)),
    ),
  );
  router.on(
    'POST /navigation/calibration/board/images',
    answering('#board', ({ body }) =>
      calibration.takeBoardImage(validated(checkBoardImage, numbersIn(body), boardImageSchema).firstId),
    ),
  );
  router.on(
    'POST /navigation/calibration/board/compute',
    answering('#result', () => calibration.compute()),
  );
  router.on(
    'POST /navigation/calibration/save',
    answering('?saved=calibration', (req) => calibration.save(callerActor(req))),
  );
  router.on(
    'POST /navigation/calibration/discard',
    answering('', ({ body }) =>
      calibration.discard(validated(checkDiscard, numbersIn(body), discardSchema).what),
    ),
  );
  router.on('DELETE /navigation/calibration', (_req, res) => {
    calibration.discard('all');
    res.json(calibration.status());
  });
  router.on(
    'POST /navigation/calibration/camera',
    answering('?saved=camera', (req) => {
      const { preset = '', xMm = '', yMm = '', headingDeg = '' } = numbersIn(req.body);
      return calibration.saveCamera({ preset, mount: { xMm, yMm, headingDeg } }, callerActor(req));
    }),
  );
  return router;
}

/** Converts the numbers of a form and omits its empty fields. Keeps other texts, so that validation rejects them. */
function numbersIn(body: unknown): Record<string, unknown> {
  const values = Object.entries(isJsonObject(body) ? body : {}).map(
    ([name, value]) => [name, typeof value === 'string' ? fieldNumber(value) : value] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
}

function textsIn(body: unknown): NonNullable<CalibrationPage['entered']> {
  const values = Object.entries(isJsonObject(body) ? body : {});
  return Object.fromEntries(values.filter(([, value]) => typeof value === 'string'));
}

/** Returns the result of the last form submission, which the redirect passes in the URL (POST/redirect/GET). */
function noticeOf({ query }: Request): Notice | undefined {
  if (query.saved === 'calibration') return { ok: true, title: calibrationMessage('saved') };
  return query.saved === 'camera' ? { ok: true, title: calibrationMessage('camera-saved') } : undefined;
}
