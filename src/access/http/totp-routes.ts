import { type Request, type Response, Router } from 'express';
import { wantsHtml } from '../../web/errors.js';
import { userOf } from '../../web/guard/principal.js';
import type { Notice } from '../../web/layout/context.js';
import { readBody } from '../../web/server/bodies.js';
import type { TotpText } from '../second-factor/totp.js';
import { type AccessRoutesDeps, answerForm, idOf } from './answers.js';
import { accessApi } from './openapi.js';
import { failPage } from './views.js';

interface TotpRoutesDeps extends AccessRoutesDeps {
  accountPage: (req: Request, notice?: Notice) => string;
  usersPage: (req: Request, notice?: Notice) => string;
}

const { routes } = accessApi;

/** The second factor: enrolment, recovery codes, removal, and an administrator's reset. */
export function totpRoutes({ access: { totp }, pages, accountPage, usersPage }: TotpRoutesDeps): Router {
  const router = Router();
  const enrolPage = (req: Request, text: TotpText, notice?: Notice): string =>
    pages.secondFactor(req, { enrolment: text, ...(notice ? { notice } : {}) });
  const sendCodes = (req: Request, res: Response, recoveryCodes: readonly string[]): void => {
    if (wantsHtml(req)) res.type('html').send(pages.secondFactor(req, { recoveryCodes }));
    else res.json({ success: true, recoveryCodes });
  };

  router.post('/account/totp', ...readBody(routes['POST /account/totp']), async (req, res) => {
    try {
      const from = { ip: req.ip ?? '', host: req.hostname };
      const text = await totp.begin(userOf(req), req.body, from);
      if (wantsHtml(req)) res.type('html').send(enrolPage(req, text));
      else res.json(text);
    } catch (error) {
      failPage(req, res, error, (notice) => accountPage(req, notice));
    }
  });
  router.post(
    '/account/totp/confirm',
    ...readBody(routes['POST /account/totp/confirm']),
    async (req, res) => {
      try {
        sendCodes(req, res, await totp.confirm(userOf(req), req.body, req.ip ?? ''));
      } catch (error) {
        const text = totp.pendingOf(userOf(req));
        failPage(req, res, error, (notice) =>
          text ? enrolPage(req, text, notice) : accountPage(req, notice),
        );
      }
    },
  );
  router.post(
    '/account/totp/recovery-codes',
    ...readBody(routes['POST /account/totp/recovery-codes']),
    async (req, res) => {
      try {
        sendCodes(req, res, await totp.renewCodes(userOf(req), req.body, req.ip ?? ''));
      } catch (error) {
        failPage(req, res, error, (notice) => accountPage(req, notice));
      }
    },
  );
  router.post('/account/totp/remove', ...readBody(routes['POST /account/totp/remove']), (req, res) =>
    answerForm(req, res, {
      back: '/account',
      page: (notice) => accountPage(req, notice),
      work: async () => {
        await totp.remove(userOf(req), req.body, req.ip ?? '');
        return { status: 200, body: { success: true } };
      },
    }),
  );
  router.post(
    '/users/:userId/totp/reset',
    ...readBody(routes['POST /users/:userId/totp/reset']),
    (req, res) =>
      answerForm(req, res, {
        back: '/users',
        page: (notice) => usersPage(req, notice),
        work: async () => {
          await totp.reset(idOf(req.params.userId, 'user'), userOf(req));
          return { status: 200, body: { success: true } };
        },
      }),
  );
  return router;
}
