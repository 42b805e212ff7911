import type { Request, RequestHandler, Response } from 'express';
import {
  type AccessRoutesDeps,
  answerForm,
  doneNotice,
  entryIdOf,
  failPage,
} from '../../console/access/views.js';
import { wantsPage } from '../../http/errors.js';
import { userOf } from '../../http/guard/principal.js';
import type { Notice } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { accessMessage } from '../messages.js';
import type { TotpText } from '../second-factor/totp.js';
import { accessApi } from './openapi.js';

export function accountPage({ access, pages }: AccessRoutesDeps) {
  return (req: Request, notice?: Notice): string => {
    const user = userOf(req);
    const sessions = access.sessions.list(user);
    const factor = access.factor.stateOf(user.userId);
    return pages.account(req, { me: user, sessions, factor, ...(notice ? { notice } : {}) });
  };
}

export function accountRoutes({ access, pages }: AccessRoutesDeps): DeclaredRouter {
  const router = routerOf(accessApi);
  const page = accountPage({ access, pages });
  router.on('GET /account', (req, res) => {
    const { userId, username, role } = userOf(req);
    if (wantsPage(req)) res.type('html').send(page(req, doneNotice(req).notice));
    else res.json({ userId, username, role, ...access.factor.stateOf(userId) });
  });
  router.on('POST /account/password', async (req, res) => {
    try {
      await access.users.changePassword(userOf(req), req.body, req.ip ?? '');
    } catch (error) {
      return failPage(req, res, error, (notice) => page(req, notice));
    }
    if (!wantsPage(req)) return void res.json({ success: true });
    const message = accessMessage('other-sessions-ended');
    res.type('html').send(page(req, { ok: true, title: accessMessage('password-changed'), message }));
  });

  const answer = (req: Request, res: Response, work: () => Promise<object>): Promise<void> =>
    answerForm(req, res, {
      back: '/account',
      done: 'session-closed',
      page: (notice) => page(req, notice),
      work: async () => ({ status: 200, body: { success: true, ...(await work()) } }),
    });
  const revoke: RequestHandler = (req, res) =>
    answer(req, res, async () => {
      await access.sessions.revoke(userOf(req), String(req.params.sessionId));
      return {};
    });
  router.on('GET /account/sessions', (req, res) => void res.json(access.sessions.list(userOf(req))));
  router.on('DELETE /account/sessions/:sessionId', revoke);
  // HTML forms cannot send DELETE.
  router.on('POST /account/sessions/:sessionId/revoke', revoke);
  router.on('POST /account/sessions/revoke-others', (req, res) =>
    answer(req, res, async () => ({ ended: await access.sessions.revokeOthers(userOf(req)) })),
  );
  return router;
}

interface TotpRoutesDeps extends AccessRoutesDeps {
  accountPage: (req: Request, notice?: Notice) => string;
  usersPage: (req: Request, notice?: Notice) => string;
}

export function totpRoutes({
  access: { totp },
  pages,
  accountPage,
  usersPage,
}: TotpRoutesDeps): DeclaredRouter {
  const router = routerOf(accessApi);
  const enrolPage = (req: Request, text: TotpText, notice?: Notice): string =>
    pages.secondFactor(req, { enrolment: text, ...(notice ? { notice } : {}) });
  const sendCodes = (req: Request, res: Response, recoveryCodes: readonly string[]): void => {
    if (wantsPage(req)) res.type('html').send(pages.secondFactor(req, { recoveryCodes }));
    else res.json({ success: true, recoveryCodes });
  };

  router.on('POST /account/totp', async (req, res) => {
    try {
      const from = { ip: req.ip ?? '', host: req.hostname };
      const text = await totp.begin(userOf(req), req.body, from);
      if (wantsPage(req)) res.type('html').send(enrolPage(req, text));
      else res.json(text);
    } catch (error) {
      failPage(req, res, error, (notice) => accountPage(req, notice));
    }
  });
  router.on('POST /account/totp/confirm', async (req, res) => {
    try {
      sendCodes(req, res, await totp.confirm(userOf(req), req.body, req.ip ?? ''));
    } catch (error) {
      const text = totp.pendingOf(userOf(req));
      failPage(req, res, error, (notice) => (text ? enrolPage(req, text, notice) : accountPage(req, notice)));
    }
  });
  router.on('POST /account/totp/recovery-codes', async (req, res) => {
    try {
      sendCodes(req, res, await totp.renewCodes(userOf(req), req.body, req.ip ?? ''));
    } catch (error) {
      failPage(req, res, error, (notice) => accountPage(req, notice));
    }
  });
  router.on('POST /account/totp/remove', (req, res) =>
    answerForm(req, res, {
      back: '/account',
      done: 'factor-off',
      page: (notice) => accountPage(req, notice),
      work: async () => {
        await totp.remove(userOf(req), req.body, req.ip ?? '');
        return { status: 200, body: { success: true } };
      },
    }),
  );
  router.on('POST /users/:userId/totp/reset', (req, res) =>
    answerForm(req, res, {
      back: '/users',
      done: 'factor-off',
      page: (notice) => usersPage(req, notice),
      work: async () => {
        await totp.reset(entryIdOf(req.params.userId, 'user'), userOf(req));
        return { status: 200, body: { success: true } };
      },
    }),
  );
  return router;
}
