import type { Request, RequestHandler, Response } from 'express';
import { wantsPage } from '../../http/errors.js';
import { callerActor } from '../../http/guard/principal.js';
import { type Notice, sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { GatewayError } from '../../shared/errors.js';
import { isJsonObject } from '../../shared/validation/json.js';
import type { Access } from '../access.js';
import { accountRoutes, totpRoutes } from './account-routes.js';
import { answerForm, doneNotice, entryIdOf, failPage } from './form-answers.js';
import { accessApi } from './openapi.js';
import { type KeysPage, keysPage, usersPage } from './pages.js';

export function accessRoutes(access: Access): DeclaredRouter {
  const router = routerOf(accessApi);
  const { users } = access;
  const sendUsers: SendUsers = (req, res, notice, entered) =>
    sendPage(req, res, usersPage, { users: users.list(), notice, entered });
  router.use(accountRoutes(access));
  router.use(userRoutes(access, sendUsers));
  router.use(totpRoutes(access, sendUsers));
  router.use(keyRoutes(access));
  return router;
}

/** @param entered the rejected form for a new user. */
type SendUsers = (req: Request, res: Response, notice?: Notice, entered?: unknown) => Promise<void>;

function userRoutes({ users }: Access, sendUsers: SendUsers): DeclaredRouter {
  const router = routerOf(accessApi);
  router.on('GET /users', (req, res) => {
    if (wantsPage(req)) return sendUsers(req, res, doneNotice(req));
    res.json(users.list());
  });
  const add: RequestHandler = (req, res) =>
    answerForm(req, res, {
      back: '/users',
      done: 'user-added',
      fail: (notice) => sendUsers(req, res, notice, req.body),
      work: async () => ({ status: 201, body: await users.add(withoutEmpty(req.body), callerActor(req)) }),
    });
  router.on('POST /users', add);
  const change: RequestHandler = (req, res) =>
    answerForm(req, res, {
      back: '/users',
      done: 'user-changed',
      fail: (notice) => sendUsers(req, res, notice),
      work: async () => {
        const id = entryIdOf(req.params.userId, 'user');
        return { status: 200, body: await users.change(id, patchOf(req), callerActor(req)) };
      },
    });
  router.on('PATCH /users/:userId', change);
  // HTML forms cannot send PATCH.
  router.on('POST /users/:userId', change);
  return router;
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

function keyRoutes({ keys }: Access): DeclaredRouter {
  const router = routerOf(accessApi);
  const send = (req: Request, res: Response, shown: Partial<KeysPage>): Promise<void> =>
    sendPage(req, res, keysPage, { keys: keys.list(), ...shown });

  router.on('GET /keys', (req, res) => {
    if (wantsPage(req)) return send(req, res, { notice: doneNotice(req) });
    res.json(keys.list());
  });
  router.on('POST /keys', async (req, res) => {
    try {
      const newKey = await keys.add(newKeyOf(req), callerActor(req));
      res.status(201);
      if (wantsPage(req)) await send(req, res, { newKey });
      else res.json(newKey);
    } catch (error) {
      await failPage(req, res, error, (notice) =>
        send(req, res, { notice, entered: req.body, ...scopeErrorIn(error) }),
      );
    }
  });
  const revoke: RequestHandler = (req, res) =>
    answerForm(req, res, {
      back: '/keys',
      done: 'key-revoked',
      fail: (notice) => send(req, res, { notice }),
      work: async () => {
        await keys.revoke(entryIdOf(req.params.keyId, 'key'), callerActor(req));
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

/**
 * Converts a submitted form to the body that the API expects. A form sends a single scope as a string, the cart
 * in a separate field and numbers as strings.
 */
function newKeyOf(req: Request): unknown {
  const { body } = req;
  if (req.is('application/x-www-form-urlencoded') === false || !isJsonObject(body)) return body;
  const { name, scopes = [], cart, expiresInDays } = body;
  const carts = typeof cart === 'string' && cart !== '' ? [`mqtt:cart:${cart}`] : [];
  const expiry = expiresInDays ? { expiresInDays: Number(expiresInDays) } : {};
  return { name, scopes: [...[scopes].flat(), ...carts], ...expiry };
}
