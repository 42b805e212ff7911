import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Access } from '../access/access.js';
import { nameOf } from '../access/schema.js';
import { GatewayError } from '../util/errors.js';
import { isJsonObject } from '../util/json.js';
import { principalOf, userOf } from './access-principal.js';
import { type AccessPages, failPage, type UsersPage } from './access-views.js';
import { readBody, readOptionalBody } from './bodies.js';
import { wantsHtml } from './errors.js';

const BODY_BYTES = 16 * 1024;

export interface AccessRoutesDeps {
  access: Access;
  pages: AccessPages;
}

/** One's own account, and for administrators the users and the API keys. */
export function accessRoutes(deps: AccessRoutesDeps): Router {
  const router = Router();
  accountRoutes(router, deps);
  userRoutes(router, deps);
  keyRoutes(router, deps);
  return router;
}

function accountRoutes(router: Router, { access, pages }: AccessRoutesDeps): void {
  router.get('/account', (req, res) => {
    const { userId, username, role } = userOf(req);
    if (wantsHtml(req)) res.type('html').send(pages.users(req, { me: { username, role } }));
    else res.json({ userId, username, role });
  });
  router.post('/account/password', ...readBody(BODY_BYTES, { form: true }), async (req, res) => {
    const me = userOf(req);
    const page = (notice: UsersPage['notice'] & object) => pages.users(req, { me, notice });
    try {
      await access.users.changePassword(me, req.body, req.ip ?? '');
    } catch (error) {
      return failPage(req, res, error, page);
    }
    if (!wantsHtml(req)) return void res.json({ success: true });
    const message = 'Everywhere else you are logged out.';
    res.type('html').send(page({ ok: true, title: 'The password is changed', message }));
  });
}

function userRoutes(router: Router, { access, pages }: AccessRoutesDeps): void {
  const { users } = access;
  const body = readBody(BODY_BYTES, { form: true });
  router.get('/users', (req, res) => {
    if (wantsHtml(req)) res.type('html').send(pages.users(req, adminPage(access, req)));
    else res.json(users.list());
  });
  const add: RequestHandler = (req, res) =>
    attempt(req, res, { access, pages }, '/users', async () => {
      const user = await users.add(withoutEmpty(req.body), nameOf(principalOf(req)));
      return { status: 201, body: user };
    });
  router.post('/users', ...body, add);
  const change: RequestHandler = (req, res) =>
    attempt(req, res, { access, pages }, '/users', async () => {
      const id = idOf(req.params.userId, 'user');
      return { status: 200, body: await users.change(id, patchOf(req), nameOf(principalOf(req))) };
    });
  router.patch('/users/:userId', ...body, change);
  // The same for forms, which know no PATCH.
  router.post('/users/:userId', ...body, change);
}

function keyRoutes(router: Router, { access, pages }: AccessRoutesDeps): void {
  const { keys } = access;
  router.get('/keys', (_req, res) => void res.json(keys.list()));
  router.post('/keys', ...readBody(BODY_BYTES, { form: true }), async (req, res) => {
    try {
      const key = await keys.add(newKeyOf(req), nameOf(principalOf(req)));
      if (!wantsHtml(req)) return void res.status(201).json(key);
      res
        .status(201)
        .type('html')
        .send(pages.users(req, { ...adminPage(access, req), newKey: key }));
    } catch (error) {
      failPage(req, res, error, (notice) => pages.users(req, { ...adminPage(access, req), notice }));
    }
  });
  const revoke: RequestHandler = (req, res) =>
    attempt(req, res, { access, pages }, '/users', async () => {
      await keys.revoke(idOf(req.params.keyId, 'key'), nameOf(principalOf(req)));
      return { status: 200, body: { success: true } };
    });
  router.delete('/keys/:keyId', revoke);
  router.post('/keys/:keyId/revoke', ...readOptionalBody(BODY_BYTES), revoke);
}

/** Does it, and sends a browser back to its page and a program the answer. */
async function attempt(
  req: Request,
  res: Response,
  { access, pages }: AccessRoutesDeps,
  back: string,
  work: () => Promise<{ status: number; body: object }>,
): Promise<void> {
  try {
    const { status, body } = await work();
    if (wantsHtml(req)) res.redirect(303, back);
    else res.status(status).json(body);
  } catch (error) {
    failPage(req, res, error, (notice) => pages.users(req, { ...adminPage(access, req), notice }));
  }
}

function adminPage(access: Access, req: Request): UsersPage {
  return { me: userOf(req), users: access.users.list(), keys: access.keys.list() };
}

/** Forms send every field: those that were left empty were not meant. */
function withoutEmpty(body: unknown): unknown {
  if (!isJsonObject(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''));
}

function patchOf(req: Request): unknown {
  const patch = withoutEmpty(req.body);
  if (req.is('application/x-www-form-urlencoded') === false || !isJsonObject(patch)) return patch;
  return 'disabled' in patch ? { ...patch, disabled: patch.disabled === 'true' } : patch;
}

/** A form has one text for one ticked box, and the number of a cart in a field of its own. */
function newKeyOf(req: Request): unknown {
  const { body } = req;
  if (req.is('application/x-www-form-urlencoded') === false || !isJsonObject(body)) return body;
  const { name, scopes = [], cart } = body;
  const carts = typeof cart === 'string' && cart !== '' ? [`mqtt:cart:${cart}`] : [];
  return { name, scopes: [...[scopes].flat(), ...carts] };
}

function idOf(text: unknown, what: string): number {
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text);
  throw new GatewayError('INVALID_INPUT', `a ${what} is named by its number`);
}
