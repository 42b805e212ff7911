import type { Request, RequestHandler, Response } from 'express';
import type { KeysPage } from '../../console/access/contexts.js';
import {
  type AccessRoutesDeps,
  answerForm,
  doneNotice,
  entryIdOf,
  type FormWork,
  failPage,
} from '../../console/access/views.js';
import { wantsPage } from '../../http/errors.js';
import { callerName } from '../../http/guard/principal.js';
import type { Notice } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { GatewayError } from '../../shared/errors.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { accountPage, accountRoutes, totpRoutes } from './account-routes.js';
import { accessApi } from './openapi.js';

export function accessRoutes(deps: AccessRoutesDeps): DeclaredRouter {
  const router = routerOf(accessApi);
  router.use(accountRoutes(deps));
  const usersPage = usersPageOf(deps);
  userRoutes(router, deps, usersPage);
  router.use(totpRoutes({ ...deps, accountPage: accountPage(deps), usersPage }));
  router.use(keyRoutes(deps));
  return router;
}

function usersPageOf({ access: { users }, pages }: AccessRoutesDeps) {
  return (req: Request, notice?: Notice, entered?: unknown): string =>
    pages.users(req, { users: users.list(), ...(notice ? { notice } : {}), entered });
}

function userRoutes(
  router: DeclaredRouter,
  { access: { users } }: AccessRoutesDeps,
  page: (req: Request, notice?: Notice, entered?: unknown) => string,
): void {
  router.on('GET /users', (req, res) => {
    if (wantsPage(req)) res.type('html').send(page(req, doneNotice(req).notice));
    else res.json(users.list());
  });
  const answer = (
    req: Request,
    res: Response,
    {
      done,
      work,
      page: shown = (notice) => page(req, notice),
    }: Pick<FormWork, 'done' | 'work'> & Partial<FormWork>,
  ): Promise<void> => answerForm(req, res, { back: '/users', done, page: shown, work });
  const add: RequestHandler = (req, res) =>
    answer(req, res, {
      done: 'user-added',
      page: (notice) => page(req, notice, req.body),
      work: async () => ({ status: 201, body: await users.add(withoutEmpty(req.body), callerName(req)) }),
    });
  router.on('POST /users', add);
  const change: RequestHandler = (req, res) =>
    answer(req, res, {
      done: 'user-changed',
      work: async () => {
        const id = entryIdOf(req.params.userId, 'user');
        return { status: 200, body: await users.change(id, patchOf(req), callerName(req)) };
      },
    });
  router.on('PATCH /users/:userId', change);
  // HTML forms cannot send PATCH.
  router.on('POST /users/:userId', change);
}

function withoutEmpty(body: unknown): unknown {
  if (!isJsonObject(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''));
}

function patchOf(req: Request): unknown {
  const patch = withoutEmpty(req.body);
  if (req.is('application/x-www-form-urlencoded') === false || !isJsonObject(patch)) return patch;
  return 'disabled' in patch ? { ...patch, disabled: patch.disabled === 'true' } : patch;
}

function keyRoutes({ access: { keys }, pages }: AccessRoutesDeps): DeclaredRouter {
  const router = routerOf(accessApi);
  const page = (req: Request, more: Partial<KeysPage> = {}): string =>
    pages.keys(req, { keys: keys.list(), ...more });
  const failed = (req: Request, error: unknown) => (notice: Notice) =>
    page(req, { notice, entered: req.body, ...scopeErrorIn(error) });

  router.on('GET /keys', (req, res) => {
    if (wantsPage(req)) res.type('html').send(page(req, doneNotice(req)));
    else res.json(keys.list());
  });
  router.on('POST /keys', async (req, res) => {
    try {
      const newKey = await keys.add(newKeyOf(req), callerName(req));
      res.status(201);
      if (wantsPage(req)) res.type('html').send(page(req, { newKey }));
      else res.json(newKey);
    } catch (error) {
      failPage(req, res, error, failed(req, error));
    }
  });
  const revoke: RequestHandler = (req, res) =>
    answerForm(req, res, {
      back: '/keys',
      done: 'key-revoked',
      page: (notice) => page(req, { notice }),
      work: async () => {
        await keys.revoke(entryIdOf(req.params.keyId, 'key'), callerName(req));
        return { status: 200, body: { success: true } };
      },
    });
  router.on('DELETE /keys/:keyId', revoke);
  // HTML forms cannot send DELETE.
  router.on('POST /keys/:keyId/revoke', revoke);
  return router;
}

function scopeErrorIn(error: unknown): Pick<KeysPage, 'scopeError'> {
  const isInScopes = error instanceof GatewayError && error.info.field === 'scopes';
  return isInScopes ? { scopeError: error.text } : {};
}

/** A form sends one scope as a string, the cart in a separate field and numbers as strings. */
function newKeyOf(req: Request): unknown {
  const { body } = req;
  if (req.is('application/x-www-form-urlencoded') === false || !isJsonObject(body)) return body;
  const { name, scopes = [], cart, expiresInDays } = body;
  const carts = typeof cart === 'string' && cart !== '' ? [`mqtt:cart:${cart}`] : [];
  const expiry = expiresInDays ? { expiresInDays: Number(expiresInDays) } : {};
  return { name, scopes: [...[scopes].flat(), ...carts], ...expiry };
}
