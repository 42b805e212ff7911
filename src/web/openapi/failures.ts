import type { Fault } from '../../shared/errors.js';
import { codesOf, type ErrorBody, titleOf } from '../errors.js';
import type { PolicyEntry } from '../guard/policy.js';
import * as t from './schema-helpers.js';
import type { Answer, Operation, Schema } from './types.js';

const fault = t.record<Fault & { row?: number }>(t.each(t.text, 'path', 'message'), {
  row: { ...t.whole, description: 'Of an import: the row of the file, from 1' },
});

export const failureSchema = t.record<ErrorBody>(
  {
    error: { ...t.text, description: 'A short title' },
    message: { ...t.text, description: 'A sentence for people' },
    code: { ...t.text, description: 'For programs' },
  },
  {
    hint: { ...t.text, description: 'What to do about it' },
    field: { ...t.text, description: 'The field at fault, as it was sent' },
    limit: { anyOf: [t.number, t.text], description: 'The limit that was broken, in `unit`' },
    ...t.each(t.text, 'unit', 'commandId'),
    faults: t.listOf(t.ref('Fault')),
    retryAfterS: { ...t.number, unit: 's' },
  },
);

export const FAILURE_SCHEMAS: Readonly<Record<string, Schema>> = { Fault: fault, Failure: failureSchema };

/** A failure in the common shape: JSON for programs, a page for browsers. */
export function failure(status: number): Answer {
  const codes = codesOf(status);
  const code = status === 500 || status === 503 ? t.text : t.oneOf(codes);
  return {
    description: `${titleOf(status)}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    ...t.jsonOrPage({ allOf: [t.ref('Failure'), { type: 'object', properties: { code } }] }),
    ...(status === 429 || status === 503 ? { headers: { 'retry-after': { description: 'Seconds' } } } : {}),
  };
}

/** The failures of a route: declared ones, and those that follow from its access, method, path and body. */
export function failuresOf({ method, path, need }: PolicyEntry, { body, fails }: Operation): Set<number> {
  const hasParameters = /[:*]/.test(path);
  return new Set([
    ...(fails ?? (hasParameters ? [404] : [])),
    // An unknown host name, an unexpected error, and requests that are shed under load.
    ...[421, 500, 503],
    ...(need === 'public' ? [] : [401, 403]),
    // Pages of other sites may change nothing.
    ...(method === 'GET' ? [] : [403]),
    // A malformed %-escape in the path, or a malformed body.
    ...(hasParameters || body ? [400] : []),
    ...(body ? [413, 415] : []),
  ]);
}
