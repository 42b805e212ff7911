import type { Request, RequestHandler, Response } from 'express';
import { wantsPage } from '../../http/errors.js';
import type { UserPrincipal } from '../../http/guard/authenticator.js';
import { userOf } from '../../http/guard/principal.js';
import { type Notice, sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import type { Access } from '../access.js';
import { accessMessage } from '../messages.js';
import type { TotpText } from '../second-factor/totp.js';
import { answerForm, doneNotice, entryIdOf, failPage } from './form-answers.js';
import { accessApi } from './openapi.js';
import { type AccountPage, accountPage, secondFactorPage } from './pages.js';

/** Returns the data for the Account page. */
export function accountOf(
  { sessions, factor }: Pick<Access, 'sessions' | 'factor'>,
  me: UserPrincipal,
): AccountPage {
  return { me, sessions: sessions.list(me), factor: factor.stateOf(me.userId) };
}

const sendAccount = (access: Access, req: Request, res: Response, notice?: Notice): Promise<void> =>
  sendPage(req, res, accountPage, { ...accountOf(access, userOf(req)), notice });

export function accountRoutes(access: Access): DeclaredRouter {
  const router = routerOf(accessApi);
  router.on('GET /account', (req, res) => {
    const { userId, username, role } = userOf(req);
    if (wantsPage(req)) return sendAccount(access, req, res, doneNotice(req));
    res.json({ userId, username, role, ...access.factor.stateOf(userId) });
  });
  router.on('POST /account/password', async (req, res) => {
    try {
      await access.users.changePassword(userOf(req), req.body, req.ip ?? '');
    } catch (error) {
      return await failPage(req, res, error, (notice) => sendAccount(access, req, res, notice));
    }
    if (!wantsPage(req)) return void res.json({ success: true });
    const message = accessMessage('other-sessions-ended');
    await sendAccount(access, req, res, { ok: true, title: accessMessage('password-changed'), message });
  });

  const answer = (req: Request, res: Response, work: () => Promise<object>): Promise<void> =>
    answerForm(req, res, {
      back: '/account',
      done: 'session-closed',
      fail: (notice) => sendAccount(access, req, res, notice),
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

/** @param sendUsers sends the Users page with an error. */
export function totpRoutes(
  access: Access,
  sendUsers: (req: Request, res: Response, notice: Notice) => Promise<void>,
): DeclaredRouter {
  const { totp } = access;
  const router = routerOf(accessApi);
  const sendEnrolment = (req: Request, res: Response, enrolment: TotpText, notice?: Notice): Promise<void> =>
    sendPage(req, res, secondFactorPage, { enrolment, notice });
  const sendCodes = async (req: Request, res: Response, recoveryCodes: readonly string[]): Promise<void> => {
    if (wantsPage(req)) await sendPage(req, res, secondFactorPage, { recoveryCodes });
    else res.json({ success: true, recoveryCodes });
  };

  router.on('POST /account/totp', async (req, res) => {
    try {
      const from = { ip: req.ip ?? '', host: req.hostname };
      const text = await totp.begin(userOf(req), req.body, from);
      if (wantsPage(req)) await sendEnrolment(req, res, text);
      else res.json(text);
    } catch (error) {
      await failPage(req, res, error, (notice) => sendAccount(access, req, res, notice));
    }
  });
  router.on('POST /account/totp/confirm', async (req, res) => {
    try {
      await sendCodes(req, res, await totp.confirm(userOf(req), req.body, req.ip ?? ''));
    } catch (error) {
      const text = totp.pendingOf(userOf(req));
      await failPage(req, res, error, (notice) =>
        text ? sendEnrolment(req, res, text, notice) : sendAccount(access, req, res, notice),
      );
    }
  });
  router.on('POST /account/totp/recovery-codes', async (req, res) => {
    try {
      await sendCodes(req, res, await totp.renewCodes(userOf(req), req.body, req.ip ?? ''));
    } catch (error) {
      await failPage(req, res, error, (notice) => sendAccount(access, req, res, notice));
    }
  });
  router.on('POST /account/totp/remove', (req, res) =>
    answerForm(req, res, {
      back: '/account',
      done: 'factor-off',
      fail: (notice) => sendAccount(access, req, res, notice),
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
      fail: (notice) => sendUsers(req, res, notice),
      work: async () => {
        await totp.reset(entryIdOf(req.params.userId, 'user'), userOf(req));
        return { status: 200, body: { success: true } };
      },
    }),
  );
  return router;
}
