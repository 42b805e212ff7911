import type { Request } from 'express';
import {
  type Access,
  type AccountPage,
  accountOf,
  accountPage,
  type EntryForm,
  keysPage,
  loginCodePage,
  loginPage,
  secondFactorPage,
  setupPage,
  type UsersPage,
  usersPage,
} from '../../access/index.js';
import { subscriptionPage } from '../../alarms/index.js';
import { isAtLeast, ROLES, type Role } from '../../http/guard/authenticator.js';
import { baseUrlOf } from '../../http/guard/origin.js';
import { userOf } from '../../http/guard/principal.js';
import { t } from '../../i18n/page-text.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { noticeText } from '../layout/context.js';
import type { AddPage } from '../layout/drawings.js';
import { type LayoutData, layoutContext } from '../layout/layout-context.js';
import { roleText } from '../layout/role-text.js';
import { accountContext, keysContext, secondFactorContext } from './contexts.js';

const DEFAULT_ROLE: Role = 'operator';

/**
 * Adds the pages for logging in, which the gateway also serves in stop-only mode.
 * @param restore returns the notice about the restore of a whole gateway.
 */
export function addLoginPages(add: AddPage, restore: () => object | null = () => null): void {
  add(loginPage, 'access/login', (layout, form) => entryContext(layout, t('Log in'), form));
  add(loginCodePage, 'access/login-code', (layout, form) => entryContext(layout, t('Log in'), form));
  add(setupPage, 'access/setup', (layout, form) =>
    Object.assign(entryContext(layout, form.isFirstRun ? t('First user') : t('Administrator'), form), {
      gatewayRestore: restore(),
    }),
  );
}

interface AccessPagesDeps {
  access: Pick<Access, 'sessions' | 'factor'>;
  /** Returns a user's alarm subscriptions, in the page's language. */
  alarmPanel?: (user: AccountPage['me']) => object;
  /** See `addLoginPages`. */
  restore?: () => object | null;
}

export function addAccessPages(add: AddPage, { access, alarmPanel, restore }: AccessPagesDeps): void {
  const drawAccount = (layout: LayoutData, page: AccountPage): object => ({
    ...layoutContext(layout, { page: 'account' }),
    ...accountContext(page, isAtLeast(page.me.role, 'operator') ? alarmPanel?.(page.me) : undefined),
  });
  addLoginPages(add, restore);
  add(accountPage, 'access/account', drawAccount);
  add(subscriptionPage, 'access/account', (layout, { notice }, req) =>
    drawAccount(layout, { ...accountOf(access, userOf(req)), notice }),
  );
  add(secondFactorPage, 'access/second-factor', (layout, page) => ({
    ...layoutContext(layout, { page: 'account', title: t('Second factor') }),
    ...secondFactorContext(page),
  }));
  add(usersPage, 'access/users', (layout, page, req) => ({
    ...layoutContext(layout, { page: 'users' }),
    ...accessNav(req),
    ...usersContext(page),
  }));
  add(keysPage, 'access/keys', (layout, page, req) => ({
    ...layoutContext(layout, { page: 'keys' }),
    ...accessNav(req),
    ...keysContext(page, baseUrlOf(req)),
  }));
}

function entryContext(layout: LayoutData, title: string, { notice, ...form }: EntryForm): object {
  return { ...layoutContext(layout, { title }), ...form, notice: notice ? noticeText(notice) : null };
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
