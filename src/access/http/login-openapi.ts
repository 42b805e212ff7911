import {
  away,
  formBody,
  json,
  optionalBody,
  page,
  record,
  text,
  uuid,
  whole,
} from '../../web/openapi/parts.js';
import type { Answer, Api, Schema } from '../../web/openapi/types.js';
import { loginCodeSchema, loginSchema, setupSchema } from '../schema.js';

const welcome: Answer = {
  ...json(
    'Logged in; the session is in the cookie',
    record<{ success: true; message: string; sessieId: string }>({
      ...{ success: { const: true }, message: text, sessieId: uuid },
    }),
    { success: true, message: 'Logged in as anna.', sessieId: '0b2a4c1e-8a3f-4d5e-9c7b-1f2e3d4c5b6a' },
  ),
  headers: { 'set-cookie': { description: 'The session', schema: text } },
};
const onward = away('A form is sent on');
const nothing = optionalBody({ type: 'object' }, {});
const gone = (more: Record<string, Schema> = {}) =>
  json('Logged out', {
    type: 'object',
    additionalProperties: false,
    required: ['success', ...Object.keys(more)],
    properties: { success: { const: true }, ...more },
  });

/** The page of a form shows what is wrong with what was entered. */
const told = (status: number) => [status, page('The form, with what is wrong')] as const;
const shown = (...statuses: number[]) => Object.fromEntries(statuses.map(told));

const language = {
  type: 'object',
  required: ['language'],
  properties: { language: { ...text, description: 'Its code, such as `en`' }, back: text },
};

export const loginApi: Api = {
  tag: { name: 'Login', description: 'Sessions of people. Programs use API keys.' },
  routes: {
    'GET /login': {
      summary: 'The login page',
      query: { next: { description: 'Where to go after it: a path of this gateway' } },
      answers: { 200: page('A form'), 303: away('To the setup, while there is no user') },
    },
    'POST /login': {
      summary: 'Logs in; users with a second factor send `code` as well, or get 401 `TOTP_REQUIRED`',
      body: formBody(loginSchema, { username: 'anna', password: 'correct horse battery' }),
      answers: { 201: welcome, 303: onward, ...shown(400, 401, 429, 500) },
      failures: [400, 401, 429, 500],
    },
    'POST /login/code': {
      summary: 'The second step of the login page; programs send `code` to `POST /login`',
      body: formBody(loginCodeSchema, { login: 'from the page', code: '287082' }),
      answers: { 201: welcome, 303: onward, ...shown(400, 401, 429, 500) },
      failures: [400, 401, 429, 500],
    },
    'POST /logout': {
      summary: 'Ends this session',
      body: nothing,
      answers: { 200: gone(), 303: onward },
      failures: [503],
    },
    'POST /logout/everywhere': {
      summary: 'Ends every session of whoever asks',
      body: nothing,
      answers: { 200: gone({ ended: whole }), 303: onward },
      failures: [503],
    },
    'POST /language': {
      summary: 'Chooses the language of the pages',
      body: formBody(language, { language: 'en', back: '/' }),
      answers: { 303: away('Back to the page') },
    },
    'GET /setup': {
      summary: 'The page for the first administrator',
      query: { code: { description: 'As the console shows it' } },
      answers: { 200: page('A form'), 303: away('To the login, once there is a user') },
    },
    'POST /setup': {
      summary: 'Makes the first administrator, and logs him in',
      body: formBody(setupSchema, {
        ...{ code: 'abcd-efgh-ijkl', username: 'anna', password: 'correct horse battery' },
      }),
      answers: { 201: welcome, 303: onward, ...shown(400, 403, 409, 429, 503) },
      failures: [409, 429, 503],
    },
  },
};
