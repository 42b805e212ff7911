import { type Request, type RequestHandler, Router } from 'express';
import { isJsonObject } from '../../shared/validation/json.js';
import { wantsHtml } from '../../web/errors.js';
import { principalOf } from '../../web/guard/principal.js';
import type { Notice } from '../../web/layout/context.js';
import { readBody } from '../../web/server/bodies.js';
import { nameOf } from '../schema.js';
import { type AccessRoutesDeps, answerForm, idOf } from './answers.js';
import type { KeysPage } from './key-views.js';
import { accessApi } from './openapi.js';
import { failPage } from './views.js';

const { routes } = accessApi;

/** The API keys, for administrators: JSON for programs, a page for browsers. */
export function keyRoutes({ access: { keys }, pages }: AccessRoutesDeps): Router {
  const router = Router();
  const page = (req: Request, more: Partial<KeysPage> = {}): string =>
    pages.keys(req, { keys: keys.list(), ...more });
  const failed = (req: Request) => (notice: Notice) => page(req, { notice, entered: req.body });

  router.get('/keys', (req, res) => {
    if (wantsHtml(req)) res.type('html').send(page(req));
    else res.json(keys.list());
  });
  router.post('/keys', ...readBody(routes['POST /keys']), async (req, res) => {
    try {
      const newKey = await keys.add(newKeyOf(req), nameOf(principalOf(req)));
      res.status(201);
      if (wantsHtml(req)) res.type('html').send(page(req, { newKey }));
      else res.json(newKey);
    } catch (error) {
      failPage(req, res, error, failed(req));
    }
  });
  const revoke: RequestHandler = (req, res) =>
    answerForm(req, res, {
      back: '/keys',
      page: (notice) => page(req, { notice }),
      work: async () => {
        await keys.revoke(idOf(req.params.keyId, 'key'), nameOf(principalOf(req)));
        return { status: 200, body: { success: true } };
      },
    });
  router.delete('/keys/:keyId', revoke);
  // HTML forms have no DELETE.
  router.post('/keys/:keyId/revoke', ...readBody(routes['POST /keys/:keyId/revoke']), revoke);
  return router;
}

/** A form sends one text for one ticked box, the number of a cart in a field of its own, and numbers as text. */
function newKeyOf(req: Request): unknown {
  const { body } = req;
  if (req.is('application/x-www-form-urlencoded') === false || !isJsonObject(body)) return body;
  const { name, scopes = [], cart, expiresInDays } = body;
  const carts = typeof cart === 'string' && cart !== '' ? [`mqtt:cart:${cart}`] : [];
  const expiry = expiresInDays ? { expiresInDays: Number(expiresInDays) } : {};
  return { name, scopes: [...[scopes].flat(), ...carts], ...expiry };
}
