import type { Fault } from '../../shared/errors.js';
import { codesOf, type ErrorBody, titleOf } from '../errors.js';
import type { PolicyEntry } from '../guard/policy.js';
import { listOf, number, oneOf, record, ref, text, whole } from './parts.js';
import type { Answer, Operation, Schema } from './types.js';

const fault = record<Fault & { row?: number }>(
  { path: text, message: text },
  { row: { ...whole, description: 'Of an import: the row of the file, from 1' } },
);

export const failureSchema = record<ErrorBody>(
  {
    error: { ...text, description: 'A short title' },
    message: { ...text, description: 'A sentence for people' },
    code: { ...text, description: 'For programs' },
  },
  {
    hint: { ...text, description: 'What to do about it' },
    field: { ...text, description: 'The field at fault, as it was sent' },
    limit: { anyOf: [number, text], description: 'The limit that was broken, in `unit`' },
    unit: text,
    faults: listOf(ref('Fault')),
    commandId: text,
    retryAfterS: { ...number, unit: 's' },
  },
);

export const FAILURE_SCHEMAS: Readonly<Record<string, Schema>> = { Fault: fault, Failure: failureSchema };

/** A failure as every route tells it: JSON for programs, a page for browsers. */
export function failure(status: number): Answer {
  const codes = codesOf(status);
  const list = codes.map((code) => `\`${code}\``).join(', ');
  const code = status === 500 || status === 503 ? text : oneOf(codes);
  const headers = { 'retry-after': { description: 'Seconds', schema: text } };
  return {
    description: `${titleOf(status)}: ${list}`,
    content: {
      'application/json': { schema: { allOf: [ref('Failure'), { type: 'object', properties: { code } }] } },
      'text/html': { schema: text },
    },
    ...(status === 429 || status === 503 ? { headers } : {}),
  };
}

/** The failures that follow from who may use a route and from what it is sent, whatever it does. */
export function usualFailures({ method, path, need }: PolicyEntry, { body }: Operation): number[] {
  const isChange = method !== 'GET';
  return [
    // A name that is not the gateway's, an unexpected error, and anonymous requests that are shed under load.
    ...[421, 500, 503],
    ...(need === 'public' ? [] : [401, 403]),
    // Another site's page may change nothing.
    ...(isChange ? [403] : []),
    // A broken %-sign in the address, a body that cannot be read.
    ...(/[:*]/.test(path) || body ? [400] : []),
    ...(body ? [413, 415] : []),
  ];
}
