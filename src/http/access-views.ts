import type { Request, Response } from 'express';
import { type ApiKey, ROLES, SCOPES, type User } from '../access/schema.js';
import { t } from '../language/page.js';
import { type FrameData, type Notice, noticeTold } from './context.js';
import { failureOf, wantsHtml } from './errors.js';
import { frameContext } from './frame-context.js';
import { inLanguageOf } from './language-routes.js';
import type { Pages } from './pages.js';

const means = (): Record<(typeof SCOPES)[number], string> => ({
  'beacons:write': t`store and delete beacons`,
  'cart:control': t`drive and stop carts`,
  'camera:read': t`see the camera`,
  'games:write': t`change the games that are sold`,
  'metrics:read': t`read the figures at /metrics`,
  'orders:read': t`read the statistics`,
  'payments:read': t`read payments`,
  'payments:write': t`make payments and orders`,
  'payments:admin': t`set payments by hand`,
  mqtt: t`come into the broker`,
  'mqtt:read': t`hear every cart on the broker`,
  'mqtt:control': t`command every cart on the broker`,
});

/** What is wrong, above a form: with what to do about it in the same breath. */
interface Entry {
  notice?: Notice;
  username?: string;
}

export interface UsersPage {
  me: { username: string; role: string };
  /** Only for administrators. */
  users?: readonly User[];
  keys?: readonly ApiKey[];
  /** A key that was just made: shown this once. */
  newKey?: { name: string; key: string };
  notice?: Notice;
}

/** The pages of this part, as HTML. */
export interface AccessPages {
  login(req: Request, data: Entry & { next: string }): string;
  setup(req: Request, data: Entry & { code: string }): string;
  users(req: Request, data: UsersPage): string;
}

export function accessPages(pages: Pages, frame: (req: Request) => FrameData): AccessPages {
  const context = (req: Request, title: string) => ({
    ...frameContext(frame(req), { title, page: 'account' }),
  });
  const render = (req: Request, name: string, make: () => object): string =>
    inLanguageOf(req, () => pages.render(name, make()));
  const entry = ({ notice, ...data }: Entry): object => ({
    ...data,
    notice: notice ? noticeTold(notice) : null,
  });
  return {
    login: (req, data) => render(req, 'login', () => ({ ...context(req, t`Log in`), ...entry(data) })),
    setup: (req, data) => render(req, 'setup', () => ({ ...context(req, t`First user`), ...entry(data) })),
    users: (req, data) => render(req, 'users', () => usersContext(frame(req), data)),
  };
}

/** What `users.html` shows. */
export function usersContext(frame: FrameData, { me, users, keys, newKey, notice }: UsersPage): object {
  const title = users ? t`Users` : t`Account`;
  return {
    ...frameContext(frame, { title, page: 'account' }),
    me,
    notice: notice ? noticeTold(notice) : null,
    newKey: newKey ?? null,
    isAdmin: users !== undefined,
    mayManage: me.role === 'admin',
    users: (users ?? []).map((user) => ({
      ...user,
      roles: ROLES.map((role) => ({ role, selected: role === user.role })),
      toDisabled: !user.disabled,
    })),
    keys: (keys ?? []).map((key) => ({
      ...key,
      scopes: key.scopes.join(', '),
      isRevoked: key.revokedAt !== null,
      lastUsed: key.lastUsedAt === null ? t`never` : dayOf(key.lastUsedAt),
    })),
    hasKeys: (keys ?? []).length > 0,
    roles: ROLES,
    scopes: SCOPES.map((scope) => ({ scope, means: means()[scope] })),
  };
}

function dayOf(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 10);
}

/** A browser gets its form back with what went wrong; everybody else the error as JSON. */
export function failPage(
  req: Request,
  res: Response,
  error: unknown,
  render: (notice: Notice) => string,
): void {
  if (!wantsHtml(req)) throw error;
  const { status, body } = failureOf(error);
  if (body.code === 'INTERNAL') throw error;
  if (body.retryAfterS !== undefined) res.setHeader('retry-after', String(body.retryAfterS));
  const message = body.hint ? `${body.message}. ${body.hint}` : `${body.message}.`;
  res
    .status(status)
    .type('html')
    .send(render({ ok: false, title: body.error, message }));
}
