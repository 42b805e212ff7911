import {
  away,
  done,
  formBody,
  jsonOrPage,
  listOf,
  optionalBody,
  page,
  record,
  text,
  whole,
} from '../../web/openapi/parts.js';
import type { Api } from '../../web/openapi/types.js';
import { codeSchema, ownFactorSchema } from '../schema.js';
import type { TotpText } from '../second-factor/totp.js';

const secret = record<TotpText>({
  secret: { ...text, description: 'Base32' },
  uri: { ...text, description: '`otpauth://totp/…`, as the QR code has it' },
});
const codes = record<{ success: true; recoveryCodes: string[] }>({
  success: { const: true },
  recoveryCodes: listOf(text),
});
const shown = (...statuses: number[]) =>
  Object.fromEntries(statuses.map((status) => [status, page('The page, with what is wrong')]));
const back = away('A browser goes back to its page');
const PROOF = { currentPassword: 'correct horse battery', code: '287082' };

/** The second factor: RFC 6238 with SHA-1, 6 digits and 30 s. */
export const totpRoutesApi: Api['routes'] = {
  'POST /account/totp': {
    summary:
      'Makes a TOTP secret to be confirmed within 10 minutes; `code` when there is a second factor already',
    body: formBody(ownFactorSchema, { currentPassword: PROOF.currentPassword }),
    answers: { 200: jsonOrPage('The secret, shown this once', secret), ...shown(400, 401, 409, 429, 503) },
    failures: [409, 429, 503],
  },
  'POST /account/totp/confirm': {
    summary: 'Turns the second factor on; every other session ends',
    body: formBody(codeSchema, { code: PROOF.code }),
    answers: { 200: jsonOrPage('The recovery codes, shown this once', codes), ...shown(400, 401, 409, 503) },
    failures: [409, 503],
  },
  'POST /account/totp/recovery-codes': {
    summary: 'Makes new recovery codes in place of the old ones; every other session ends',
    body: formBody(ownFactorSchema, PROOF),
    answers: {
      200: jsonOrPage('The recovery codes, shown this once', codes),
      ...shown(400, 401, 404, 409, 429, 503),
    },
    failures: [404, 409, 429, 503],
  },
  'POST /account/totp/remove': {
    summary: 'Turns the second factor off; every other session ends',
    body: formBody(ownFactorSchema, PROOF),
    answers: { 200: done('It is off'), 303: back, ...shown(400, 401, 404, 409, 429, 503) },
    failures: [404, 409, 429, 503],
  },
  'POST /users/:userId/totp/reset': {
    summary: "Turns off another user's second factor, whose sessions end",
    path: { userId: { description: 'Its number', schema: whole } },
    body: optionalBody({ type: 'object' }, {}),
    answers: { 200: done('It is off'), 303: back, ...shown(403, 404, 503) },
    failures: [404, 503],
  },
};
