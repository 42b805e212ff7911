import type { Request, Response } from 'express';
import { wantsPage } from '../../http/errors.js';
import type { UserPrincipal } from '../../http/guard/authenticator.js';
import { sessionCookies } from '../../http/guard/cookies.js';
import { safeNext } from '../../http/guard/origin.js';
import { principalOf, userOf } from '../../http/guard/principal.js';
import { sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { ERROR_STATUS, GatewayError, messageOf } from '../../shared/errors.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import type { Log } from '../../shared/ports/log.js';
import type { Access } from '../access.js';
import { accessMessage } from '../messages.js';
import { TotpRequired } from '../second-factor/second-factor.js';
import type { LoggedIn } from '../sessions/logins.js';
import type { ClientInfo } from '../sessions/sessions.js';
import { failPage } from './form-answers.js';
import { loginApi } from './openapi.js';
import { loginCodePage, loginPage, setupPage } from './pages.js';
import { clearSessionCookie, setSessionCookie } from './session-cookie.js';

interface LoginRoutesDeps {
  access: Access;
  log: Log;
}

export function loginRoutes({ access, log }: LoginRoutesDeps): DeclaredRouter {
  const router = routerOf(loginApi);

  router.on('GET /login', (req, res) => {
    if (access.setup.isFirstRun) return void res.redirect(303, '/setup');
    return sendPage(req, res, loginPage, { next: safeNext(req.query.next) });
  });
  router.on('POST /login', async (req, res) => {
    const next = safeNext(req.body.next);
    try {
      const session = await access.logins.login(req.body, clientInfoOf(req));
      sendLoggedIn(req, res, session, next);
    } catch (error) {
      if (error instanceof TotpRequired && wantsPage(req)) {
        return await sendPage(req, res.status(401), loginCodePage, { next, login: error.login });
      }
      const username = textOf(req.body.username);
      await failPage(req, res, asSpecified(error, log), (notice) =>
        sendPage(req, res, loginPage, { next, notice, username }),
      );
    }
  });

  router.on('POST /login/code', async (req, res) => {
    const next = safeNext(req.body.next);
    try {
      sendLoggedIn(req, res, await access.logins.loginWithCode(req.body, clientInfoOf(req)), next);
    } catch (error) {
      const isExpired = error instanceof GatewayError && error.code === 'NOT_LOGGED_IN';
      const login = textOf(req.body.login);
      await failPage(req, res, asSpecified(error, log), (notice) =>
        isExpired
          ? sendPage(req, res, loginPage, { next, notice })
          : sendPage(req, res, loginCodePage, { next, login, notice }),
      );
    }
  });

  router.on('GET /setup', (req, res) => {
    if (!access.setup.isOpen) return void res.redirect(303, '/login');
    const { isFirstRun } = access.setup;
    return sendPage(req, res, setupPage, { code: textOf(req.query.code), isFirstRun });
  });
  router.on('POST /setup', async (req, res) => {
    try {
      const admin = await access.setup.finish(req.body, req.ip ?? '');
      sendLoggedIn(req, res, await access.logins.login(admin, clientInfoOf(req)), '/#first-run');
    } catch (error) {
      const { code, username } = req.body;
      const entered = { code: textOf(code), username: textOf(username) };
      const { isFirstRun } = access.setup;
      await failPage(req, res, error, (notice) =>
        sendPage(req, res, setupPage, { ...entered, isFirstRun, notice }),
      );
    }
  });

  router.on('POST /logout', async (req, res) => {
    const user = principalOf(req);
    for (const cookie of sessionCookies(req)) await access.sessions.end(cookie);
    if (user.kind === 'user') log.info('access.logged_out', logFieldsOf(req, user));
    sendLoggedOut(req, res, {});
  });
  router.on('POST /logout/everywhere', async (req, res) => {
    const user = userOf(req);
    const ended = await access.sessions.endAll(user.userId);
    log.info('access.logged_out_everywhere', { ...logFieldsOf(req, user), ended });
    sendLoggedOut(req, res, { ended });
  });
  return router;
}

/**
 * Sets the session cookie and responds to the login. `sessieId` is the session's handle; only the cookie contains
 * the secret.
 */
function sendLoggedIn(req: Request, res: Response, session: LoggedIn, next: string): void {
  const { id, cookie, username, stopsOnly } = session;
  setSessionCookie(req, res, cookie);
  if (isForm(req) && wantsPage(req)) res.redirect(303, next);
  else {
    const message = `Logged in as ${username}.${stopsOnly ? ` ${accessMessage('stops-only').text}` : ''}`;
    res.status(201).json({ success: true, message, sessieId: id });
  }
}

function sendLoggedOut(req: Request, res: Response, more: object): void {
  clearSessionCookie(req, res);
  if (wantsPage(req)) res.redirect(303, '/login');
  else res.json({ success: true, ...more });
}

/** Converts server errors to `ADD_FAILED`, with the message that the specification prescribes. */
function asSpecified(error: unknown, log: Log): unknown {
  if (error instanceof GatewayError && ERROR_STATUS[error.code] < 500) return error;
  log.error('access.login_aborted', { reason: messageOf(error) });
  const text = 'the game could not be added';
  if (!(error instanceof GatewayError)) return new GatewayError('ADD_FAILED', text, { cause: error });
  return new GatewayError('ADD_FAILED', sharedMessage('both', { first: text, second: error.text }), {
    ...error.info,
    cause: error,
  });
}

function logFieldsOf(req: Request, { userId, username }: UserPrincipal) {
  return { userId, username, ip: req.ip ?? '' };
}

function isForm(req: Request): boolean {
  return req.is('application/x-www-form-urlencoded') !== false;
}

function clientInfoOf(req: Request): ClientInfo {
  return { ip: req.ip ?? '', userAgent: req.get('user-agent') ?? '', cookies: sessionCookies(req) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 200) : '';
}
