import type { Request, Response } from 'express';
import type { Access } from '../../access/access.js';
import { accessMessage } from '../../access/messages.js';
import { isAtLeast, ROLES, type Role, type User } from '../../access/schema.js';
import { failureOf, wantsPage } from '../../http/errors.js';
import { originOf } from '../../http/guard/origin.js';
import { inLanguageOf } from '../../http/language.js';
import type { Notice } from '../../http/pages.js';
import { t } from '../../i18n/page-text.js';
import { GatewayError } from '../../shared/errors.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { type LayoutData, noticeText } from '../layout/context.js';
import { layoutContext } from '../layout/layout-context.js';
import type { PageName } from '../layout/page-tree.js';
import type { Pages } from '../layout/pages.js';
import { roleText } from '../layout/role-text.js';
import {
  type AccountPage,
  accountContext,
  type KeysPage,
  keysContext,
  type SecondFactorPage,
  secondFactorContext,
} from './contexts.js';

interface Entry {
  notice?: Notice;
  username?: string;
}

interface UsersPage {
  users: readonly User[];
  notice?: Notice;
  /** The rejected form for a new user. */
  entered?: unknown;
}

const DEFAULT_ROLE: Role = 'operator';

export interface AccessPages {
  login(req: Request, data: Entry & { next: string }): string;
  /** @param data.login token for the second login step. */
  loginCode(req: Request, data: Entry & { next: string; login: string }): string;
  setup(req: Request, data: Entry & { code: string; isFirstRun: boolean }): string;
  account(req: Request, data: AccountPage): string;
  users(req: Request, data: UsersPage): string;
  keys(req: Request, data: KeysPage): string;
  secondFactor(req: Request, data: SecondFactorPage): string;
}

/** @param alarmPanel returns a user's alarm subscriptions, in the page's language. */
export function accessPages(
  pages: Pages,
  layout: (req: Request) => LayoutData,
  alarmPanel?: (user: { userId: number; role: string }) => object,
): AccessPages {
  const context = (req: Request, page: PageName) => layoutContext(layout(req), { page });
  const entryContext = (req: Request, title: string) => layoutContext(layout(req), { title });
  const render = (req: Request, name: string, make: () => object): string =>
    inLanguageOf(req, () => pages.render(name, make()));
  const entry = ({ notice, ...data }: Entry): object => ({
    ...data,
    notice: notice ? noticeText(notice) : null,
  });
  return {
    login: (req, data) =>
      render(req, 'access/login', () => ({ ...entryContext(req, t('Log in')), ...entry(data) })),
    loginCode: (req, data) =>
      render(req, 'access/login-code', () => ({ ...entryContext(req, t('Log in')), ...entry(data) })),
    setup: (req, data) =>
      render(req, 'access/setup', () => {
        const title = data.isFirstRun ? t('First user') : t('Administrator');
        return { ...entryContext(req, title), ...entry(data) };
      }),
    account: (req, data) =>
      render(req, 'access/account', () => ({
        ...context(req, 'account'),
        ...accountContext({
          ...data,
          alarms: isAtLeast(data.me.role, 'operator') ? alarmPanel?.(data.me) : undefined,
        }),
      })),
    users: (req, data) =>
      render(req, 'access/users', () => ({
        ...context(req, 'users'),
        ...accessNav(req),
        ...usersContext(data),
      })),
    keys: (req, data) =>
      render(req, 'access/keys', () => ({
        ...context(req, 'keys'),
        ...accessNav(req),
        ...keysContext(data, originOf(req)),
      })),
    secondFactor: (req, data) =>
      render(req, 'access/second-factor', () => ({
        ...layoutContext(layout(req), { page: 'account', title: t('Second factor') }),
        ...secondFactorContext(data),
      })),
  };
}

function accessNav({ path }: Request): object {
  const links = [
    { href: '/users', text: t('Users') },
    { href: '/keys', text: t('API keys') },
  ];
  return { accessNav: links.map((link) => ({ ...link, current: path.startsWith(link.href) })) };
}

/** Keeps the rejected form's name and role, but not its password. */
function usersContext({ users, notice, entered }: UsersPage): object {
  const { username, role: enteredRole } = isJsonObject(entered) ? entered : {};
  const newRole = ROLES.find((role) => role === enteredRole) ?? DEFAULT_ROLE;
  return {
    notice: notice ? noticeText(notice) : null,
    users: users.map((user) => ({
      ...user,
      roleText: roleText(user.role),
      roles: ROLES.map((role) => ({ role, text: roleText(role), selected: role === user.role })),
      toDisabled: !user.disabled,
    })),
    newName: typeof username === 'string' ? username : '',
    newRoles: ROLES.map((role) => ({ role, text: roleText(role), selected: role === newRole })),
  };
}

/** For a browser, renders the form with the error; for any other client, rethrows the error. */
export function failPage(
  req: Request,
  res: Response,
  error: unknown,
  render: (notice: Notice) => string,
): void {
  if (!wantsPage(req)) throw error;
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

const DONE = ['user-added', 'user-changed', 'key-revoked', 'session-closed', 'factor-off'] as const;
type DoneKey = (typeof DONE)[number];

/** Returns the success message if the page was opened by the redirect after a form submission. */
export function doneNotice({ query }: Request): { notice?: Notice } {
  const key = DONE.find((name) => name === query.done);
  return key === undefined ? {} : { notice: { ok: true, title: accessMessage(key) } };
}

export interface AccessRoutesDeps {
  access: Access;
  pages: AccessPages;
}

export interface FormWork {
  /** Path of the page to which the browser is redirected. */
  back: string;
  done: DoneKey;
  page: (notice: Notice) => string;
  work: () => Promise<{ status: number; body: object }>;
}

/** Runs `work`, then redirects a browser, or sends the result as JSON to any other client. */
export async function answerForm(
  req: Request,
  res: Response,
  { back, done, page, work }: FormWork,
): Promise<void> {
  try {
    const { status, body } = await work();
    if (wantsPage(req)) res.redirect(303, `${back}?done=${done}`);
    else res.status(status).json(body);
  } catch (error) {
    failPage(req, res, error, page);
  }
}

export function entryIdOf(text: unknown, what: string): number {
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text);
  throw new GatewayError('INVALID_INPUT', `the ${what} ID must be a number`);
}
