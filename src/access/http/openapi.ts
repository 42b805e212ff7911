import {
  away,
  done,
  flag,
  formBody,
  json,
  jsonOrPage,
  listOf,
  oneOf,
  optionalBody,
  orNull,
  page,
  record,
  ref,
  since1970,
  text,
  whole,
} from '../../web/openapi/parts.js';
import type { Api } from '../../web/openapi/types.js';
import {
  type ApiKey,
  newKeySchema,
  newUserSchema,
  type OwnSession,
  passwordChangeSchema,
  ROLES,
  type User,
  userPatchSchema,
} from '../schema.js';
import type { SecondFactorState } from '../second-factor/second-factor.js';
import { totpRoutesApi } from './totp-openapi.js';

const role = oneOf(ROLES);
const user = record<User>({
  userId: whole,
  username: text,
  role,
  disabled: flag,
  passwordRevoked: flag,
  totp: flag,
  createdAt: since1970,
});
const key = record<ApiKey>({
  ...{ keyId: whole, name: text, prefix: text, scopes: listOf(text), createdAt: since1970 },
  ...{ lastUsedAt: orNull(since1970), expiresAt: orNull(since1970), revokedAt: orNull(since1970) },
});
const session = record<OwnSession>({
  ...{ id: text, browser: orNull(text), system: orNull(text), createdAt: since1970 },
  ...{ lastUsedAt: since1970, current: flag },
});
const newKey = record<{ keyId: number; name: string; prefix: string; key: string }>({
  ...{ keyId: whole, name: text, prefix: text, key: { ...text, description: 'Shown this once' } },
});
const me = record<Pick<User, 'userId' | 'username' | 'role'> & SecondFactorState>({
  ...{ userId: whole, username: text, role, totp: flag },
  recoveryCodesLeft: whole,
});

const USER: User = {
  userId: 2,
  username: 'bo',
  role: 'operator',
  disabled: false,
  passwordRevoked: false,
  totp: false,
  createdAt: 1_777_896_131_000,
};
const userId = { userId: { description: 'Its number', schema: whole } };
const keyId = { keyId: { description: 'Its number', schema: whole } };
const back = away('A browser goes back to its page');
/** What a form did wrong is shown above it. */
const shown = (...statuses: number[]) =>
  Object.fromEntries(statuses.map((status) => [status, page('The page, with what is wrong')]));
const revokeSession = {
  path: { sessionId: { description: 'Its `id` in the list', schema: text } },
  answers: { 200: done('The session has ended'), 303: back, ...shown(404, 503) },
  failures: [404, 503],
};
const change = {
  path: userId,
  body: formBody(userPatchSchema, { role: 'operator' }),
  answers: { 200: json('The user', ref('User'), USER), 303: back, ...shown(400, 404, 409, 429, 503) },
  failures: [404, 409, 429, 503],
};
const revoke = {
  path: keyId,
  answers: { 200: done('It is good for nothing any more'), 303: back, ...shown(404, 503) },
  failures: [404, 503],
};

export const accessApi: Api = {
  tag: { name: 'Users and keys', description: 'Who may come in: people, and programs.' },
  schemas: { User: user, ApiKey: key, Session: session },
  routes: {
    'GET /account': { summary: 'Who is logged in', answers: { 200: jsonOrPage('You', me) } },
    'POST /account/password': {
      summary: 'Changes the own password; every other session ends',
      body: formBody(passwordChangeSchema, {
        ...{ currentPassword: 'correct horse battery', newPassword: 'staple of the field' },
      }),
      answers: {
        200: jsonOrPage('Changed', record<{ success: true }>({ success: { const: true } })),
        ...shown(400, 401, 409, 429, 503),
      },
      failures: [409, 429, 503],
    },
    'GET /account/sessions': {
      summary: 'The own sessions: this one, then the others by their last use',
      answers: { 200: json('The sessions', listOf(ref('Session'))) },
    },
    'DELETE /account/sessions/:sessionId': { summary: 'Ends one of the own sessions', ...revokeSession },
    'POST /account/sessions/:sessionId/revoke': {
      summary: 'The same, for forms',
      ...revokeSession,
      body: optionalBody({ type: 'object' }, {}),
    },
    'POST /account/sessions/revoke-others': {
      summary: 'Ends every own session but this one',
      body: optionalBody({ type: 'object' }, {}),
      answers: {
        200: json(
          'How many have ended',
          record<{ success: true; ended: number }>({ success: { const: true }, ended: whole }),
        ),
        303: back,
        ...shown(503),
      },
      failures: [503],
    },
    ...totpRoutesApi,
    'GET /users': {
      summary: 'All users',
      answers: { 200: jsonOrPage('The users', listOf(ref('User')), [USER]) },
    },
    'POST /users': {
      summary: 'Adds a user',
      body: formBody(newUserSchema, { username: 'bo', password: 'staple of the field', role: 'operator' }),
      answers: { 201: json('The user', ref('User'), USER), 303: back, ...shown(400, 409, 429, 503) },
      failures: [409, 429, 503],
    },
    'PATCH /users/:userId': { summary: 'Role, disabled or not, a new password', ...change },
    'POST /users/:userId': { summary: 'The same, for forms', ...change },
    'GET /keys': {
      summary: 'All API keys',
      answers: { 200: jsonOrPage('The keys', listOf(ref('ApiKey'))) },
    },
    'POST /keys': {
      summary: 'Makes an API key',
      body: formBody(newKeySchema, { name: 'warehouse', scopes: ['cart:control'] }),
      answers: { 201: jsonOrPage('The key', newKey), ...shown(400, 409, 503) },
      failures: [409, 503],
    },
    'DELETE /keys/:keyId': { summary: 'Revokes a key', ...revoke },
    'POST /keys/:keyId/revoke': {
      summary: 'The same, for forms',
      ...revoke,
      body: optionalBody({ type: 'object' }, {}),
    },
  },
};
