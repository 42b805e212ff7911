import type { Request, Response } from 'express';
import { t } from '../../i18n/page.js';
import { GatewayError } from '../../shared/errors.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import { failureOf, wantsHtml } from '../../web/errors.js';
import { type FrameData, type Notice, noticeTold } from '../../web/layout/context.js';
import { inLanguageOf } from '../../web/layout/language-routes.js';
import { frameContext } from '../../web/layout/layout-context.js';
import type { Pages } from '../../web/layout/pages.js';
import type { Access } from '../access.js';
import { ROLES, type User } from '../schema.js';
import {
  type AccountPage,
  accountContext,
  type KeysPage,
  keysContext,
  type SecondFactorPage,
  secondFactorContext,
} from './contexts.js';

/** What is wrong, above a form: with what to do about it in the same breath. */
interface Entry {
  notice?: Notice;
  username?: string;
}

interface UsersPage {
  users: readonly User[];
  notice?: Notice;
}

/** The pages of this part, as HTML. */
export interface AccessPages {
  login(req: Request, data: Entry & { next: string }): string;
  /** @param data.login stands for the password. */
  loginCode(req: Request, data: Entry & { next: string; login: string }): string;
  /** `isFirstRun`: there are no users at all. */
  setup(req: Request, data: Entry & { code: string; isFirstRun: boolean }): string;
  account(req: Request, data: AccountPage): string;
  users(req: Request, data: UsersPage): string;
  keys(req: Request, data: KeysPage): string;
  secondFactor(req: Request, data: SecondFactorPage): string;
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
    login: (req, data) => render(req, 'access/login', () => ({ ...context(req, t`Log in`), ...entry(data) })),
    loginCode: (req, data) =>
      render(req, 'access/login-code', () => ({ ...context(req, t`Log in`), ...entry(data) })),
    setup: (req, data) =>
      render(req, 'access/setup', () => {
        const title = data.isFirstRun ? t`First user` : t`Administrator`;
        return { ...context(req, title), ...entry(data) };
      }),
    account: (req, data) =>
      render(req, 'access/account', () => ({
        ...context(req, t`Account`),
        ...peopleNav(req),
        ...accountContext(data),
      })),
    users: (req, data) =>
      render(req, 'access/users', () => ({
        ...context(req, t`Users`),
        ...peopleNav(req),
        ...usersContext(data),
      })),
    keys: (req, data) =>
      render(req, 'access/keys', () => ({
        ...context(req, t`API keys`),
        ...peopleNav(req),
        ...keysContext(data),
      })),
    secondFactor: (req, data) =>
      render(req, 'access/second-factor', () => ({
        ...context(req, t`Second factor`),
        ...secondFactorContext(data),
      })),
  };
}

/** The links between the three pages, for administrators. */
function peopleNav({ path }: Request): object {
  const links = [
    { href: '/account', text: t`Account` },
    { href: '/users', text: t`Users` },
    { href: '/keys', text: t`API keys` },
  ];
  return { peopleNav: links.map((link) => ({ ...link, current: path.startsWith(link.href) })) };
}

/** What `access/users.html` shows. */
function usersContext({ users, notice }: UsersPage): object {
  return {
    isAdmin: true,
    notice: notice ? noticeTold(notice) : null,
    users: users.map((user) => ({
      ...user,
      roles: ROLES.map((role) => ({ role, selected: role === user.role })),
      toDisabled: !user.disabled,
    })),
    roles: ROLES,
  };
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
  const { message: text, hint } = body;
  const message = hint
    ? sharedMessage('sentences', { first: text, second: hint })
    : sharedMessage('sentence', { text });
  res
    .status(status)
    .type('html')
    .send(render({ ok: false, title: body.error, message }));
}

export interface AccessRoutesDeps {
  access: Access;
  pages: AccessPages;
}

export interface FormWork {
  /** The page that a browser returns to. */
  back: string;
  /** The same page with a notice, for a browser whose form failed. */
  page: (notice: Notice) => string;
  work: () => Promise<{ status: number; body: object }>;
}

/** Does the work, then sends a browser back to its page and a program the result. */
export async function answerForm(req: Request, res: Response, { back, page, work }: FormWork): Promise<void> {
  try {
    const { status, body } = await work();
    if (wantsHtml(req)) res.redirect(303, back);
    else res.status(status).json(body);
  } catch (error) {
    failPage(req, res, error, page);
  }
}

export function idOf(text: unknown, what: string): number {
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text);
  throw new GatewayError('INVALID_INPUT', `a ${what} is named by its number`);
}
