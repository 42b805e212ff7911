import { ROLES } from '../../http/guard/authenticator.js';
import * as t from '../../http/openapi/schema-helpers.js';
import * as access from '../schema.js';
import type { SecondFactorState } from '../second-factor/second-factor.js';
import type { TotpText } from '../second-factor/totp.js';

/** These endpoints are not available in `trusted-lan` mode, which has no accounts. */
const own = t.access({ need: 'session', lan: false });
const ownOperator = t.access({ need: 'operator', lan: false });

const PASSWORD = 'correct horse battery';
const onward = 'For forms';
const login = {
  created: {
    ...t.json(t.success({ message: t.text, sessieId: t.uuid })),
    headers: { 'set-cookie': { description: 'The session cookie' } },
  },
  redirect: onward,
  fails: [401, 429],
};

const loginChapter = { name: 'Login', description: 'User sessions. Programs use API keys.' };
export const loginApi = t.api(loginChapter, {
  'GET /login': t.anyone('Shows the login page', {
    query: { next: { description: 'Path on this gateway to open after login' } },
    ok: t.page,
    redirect: 'Redirect to `/setup` if no user exists yet',
  }),
  'POST /login': t.anyone('Logs in; returns 401 `TOTP_REQUIRED` if a second-factor `code` is required', {
    ...login,
    body: t.formBody(access.loginSchema, { username: 'anna', password: PASSWORD }),
  }),
  'POST /login/code': t.anyone(
    'Completes a login on the login page with a second-factor code; programs send `code` to `POST /login`',
    {
      ...login,
      body: t.formBody(access.loginCodeSchema, { login: 'token from the login page', code: '287082' }),
    },
  ),
  'POST /logout': t.anyone('Ends the current session', {
    body: t.empty,
    ok: t.json(t.success()),
    redirect: onward,
  }),
  'POST /logout/everywhere': own("Ends all of the caller's sessions", {
    body: t.empty,
    ok: t.json(t.success({ ended: t.whole })),
    redirect: onward,
  }),
  'GET /setup': t.anyone('Shows the setup page for the first administrator', {
    query: { code: { description: 'Setup code from the log' } },
    ok: t.page,
    redirect: 'Redirect to `/login` if the gateway is already set up',
  }),
  'POST /setup': t.anyone('Creates the first administrator and logs in as that user', {
    body: t.formBody(access.setupSchema, { code: 'abcd-efgh-ijkl', username: 'anna', password: PASSWORD }),
    ...login,
    fails: [409, 429],
  }),
});

const user = t.record<access.User>({
  userId: t.whole,
  username: t.text,
  role: t.oneOf(ROLES),
  createdAt: t.since1970,
  ...t.each(t.flag, 'disabled', 'passwordRevoked', 'totp'),
});
const key = t.record<access.ApiKey>({
  keyId: t.whole,
  name: t.text,
  prefix: t.text,
  scopes: t.listOf(t.text),
  createdAt: t.since1970,
  ...t.each(t.orNull(t.since1970), 'lastUsedAt', 'expiresAt', 'revokedAt'),
});
const session = t.record<access.OwnSession>({
  id: t.text,
  ...t.each(t.orNull(t.text), 'browser', 'system'),
  current: t.flag,
  ...t.each(t.since1970, 'createdAt', 'lastUsedAt'),
});
const newKey = t.exact({ keyId: t.whole, ...t.each(t.text, 'name', 'prefix', 'key') });
const me = t.record<Pick<access.User, 'userId' | 'username' | 'role'> & SecondFactorState>({
  ...t.each(t.whole, 'userId', 'recoveryCodesLeft'),
  totp: t.flag,
  username: t.text,
  role: t.oneOf(ROLES),
});
const secret = t.record<TotpText>({
  secret: { ...t.text, description: 'Base32' },
  uri: { ...t.text, description: '`otpauth://totp/…` URI to show as a QR code' },
});
const codes = t.jsonOrPage(t.success({ recoveryCodes: t.listOf(t.text) }));

const USER: access.User = {
  userId: 2,
  username: 'bo',
  role: 'operator',
  createdAt: 1_777_896_131_000,
  disabled: false,
  passwordRevoked: false,
  totp: false,
};
const CODE = '287082';
const proven = {
  body: t.formBody(access.ownFactorSchema, { currentPassword: PASSWORD, code: CODE }),
  fails: [404, 409, 429],
};
const change = {
  body: t.formBody(access.userPatchSchema, { role: 'operator' }),
  ok: t.jsonOf('User', USER),
  redirect: t.BACK,
  fails: [404, 409, 429],
};

/** The second factor is TOTP (RFC 6238) with SHA-1, 6 digits and a period of 30 s. */
const accessChapter = {
  name: 'Users and keys',
  description: 'User accounts, and API keys for programs.',
  schemas: { User: user, ApiKey: key, Session: session },
  path: { userId: t.whole, keyId: t.whole },
};
export const accessApi = t.api(accessChapter, {
  'GET /account': own('Returns the logged-in user', { ok: t.jsonOrPage(me) }),
  'POST /account/password': own("Changes the caller's password and ends the caller's other sessions", {
    body: t.formBody(access.passwordChangeSchema, {
      currentPassword: PASSWORD,
      newPassword: 'a longer password',
    }),
    ok: t.jsonOrPage(t.success()),
    fails: [409, 429],
  }),
  'GET /account/sessions': own(
    "Lists the caller's sessions: the current session first, then the others by most recent use",
    {
      ok: t.jsonListOf('Session'),
    },
  ),
  'DELETE /account/sessions/:sessionId': own("Ends one of the caller's sessions", t.doneOrBack),
  'POST /account/sessions/:sessionId/revoke': own("Ends one of the caller's sessions (HTML form)", {
    ...t.doneOrBack,
    body: t.empty,
  }),
  'POST /account/sessions/revoke-others': own("Ends all of the caller's other sessions", {
    body: t.empty,
    ok: t.json(t.success({ ended: t.whole })),
    redirect: t.BACK,
  }),
  'POST /account/totp': ownOperator('Creates a TOTP secret, which must be confirmed within 10 minutes', {
    body: t.formBody(access.ownFactorSchema, { currentPassword: PASSWORD }),
    ok: t.jsonOrPage(secret),
    fails: [409, 429],
  }),
  'POST /account/totp/confirm': ownOperator(
    "Turns on the caller's second factor and ends the caller's other sessions",
    {
      body: t.formBody(access.codeSchema, { code: CODE }),
      ok: codes,
      fails: [409],
    },
  ),
  // A user who is no longer an operator can still manage their second factor.
  'POST /account/totp/recovery-codes': own(
    "Replaces the caller's recovery codes and ends the caller's other sessions",
    {
      ...proven,
      ok: codes,
    },
  ),
  'POST /account/totp/remove': own(
    "Turns off the caller's second factor and ends the caller's other sessions",
    {
      ...proven,
      ...t.doneOrBack,
    },
  ),
  'POST /users/:userId/totp/reset': t.admin(
    "Turns off a user's second factor and ends all of that user's sessions",
    {
      ...t.doneOrBack,
      body: t.empty,
    },
  ),
  'GET /users': t.admin('Lists all users', { ok: t.jsonOrPage(t.refs('User'), [USER]) }),
  'POST /users': t.admin('Adds a user', {
    body: t.formBody(access.newUserSchema, { username: 'bo', password: PASSWORD, role: 'operator' }),
    created: t.jsonOf('User', USER),
    redirect: t.BACK,
    fails: [409, 429],
  }),
  'PATCH /users/:userId': t.admin(
    "Changes a user's role or password, or disables or enables the user",
    change,
  ),
  'POST /users/:userId': t.admin('Changes, disables or enables a user (HTML form)', change),
  'GET /keys': t.admin('Lists all API keys', { ok: t.jsonOrPage(t.refs('ApiKey')) }),
  'POST /keys': t.admin('Creates an API key', {
    body: t.formBody(access.newKeySchema, { name: 'warehouse', scopes: ['cart:control'] }),
    created: t.jsonOrPage(newKey),
    fails: [409],
  }),
  'DELETE /keys/:keyId': t.admin('Revokes a key', t.doneOrBack),
  'POST /keys/:keyId/revoke': t.admin('Revokes a key (HTML form)', { ...t.doneOrBack, body: t.empty }),
});
