import type { Fault } from '../../shared/errors.js';
import { codesOf, type ErrorBody, titleOf } from '../errors.js';
import type { PolicyEntry } from '../guard/policy.js';
import * as t from './schema-helpers.js';
import type { Answer, Operation, Schema } from './types.js';

const fault = t.record<Fault & { row?: number; line?: number; id?: string; value?: string }>(
  t.each(t.text, 'path', 'message'),
  {
    row: {
      ...t.whole,
      description: 'Row number in an imported file, starting at 1; the header and empty rows are not counted',
    },
    line: {
      ...t.whole,
      description: 'Number of the line on which the row begins in a CSV file, starting at 1',
    },
    id: { ...t.text, description: 'ID of the beacon in an imported file' },
    value: { ...t.text, description: 'The first 40 characters of the invalid value in an imported file' },
  },
);

export const zoneDetails = {
  zoneId: { ...t.text, description: 'ID of the zone that the motion would enter' },
  freeDistanceMm: {
    ...t.number,
    unit: 'mm',
    description: 'How far the cart can drive on this way before the zone',
  },
};

export const failureSchema = t.record<ErrorBody>(
  {
    error: { ...t.text, description: 'Short title' },
    message: { ...t.text, description: 'Error message for users' },
    code: { ...t.text, description: 'Error code for programs' },
  },
  {
    hint: { ...t.text, description: 'How to resolve the error' },
    field: { ...t.text, description: 'Name of the invalid field in the request' },
    limit: { anyOf: [t.number, t.text], description: 'The limit that was exceeded, in `unit`' },
    ...t.each(t.text, 'unit', 'commandId'),
    faults: t.listOf(t.ref('Fault')),
    retryAfterS: { ...t.number, unit: 's' },
    ...zoneDetails,
  },
);

export const FAILURE_SCHEMAS: Readonly<Record<string, Schema>> = { Fault: fault, Failure: failureSchema };

/** Describes an error response, which is JSON for programs and HTML for browsers. */
export function failure(status: number): Answer {
  const codes = codesOf(status);
  const code = status === 500 || status === 503 ? t.text : t.oneOf(codes);
  return {
    description: `${titleOf(status)}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    ...t.jsonOrPage({ allOf: [t.ref('Failure'), { type: 'object', properties: { code } }] }),
    ...(status === 429 || status === 503 ? { headers: { 'retry-after': { description: 'Seconds' } } } : {}),
  };
}

/** Returns the declared error statuses and those derived from the access rule, method, path and body. */
export function failuresOf({ method, path, need }: PolicyEntry, { body, fails }: Operation): Set<number> {
  const hasParameters = /[:*]/.test(path);
  return new Set([
    ...(fails ?? (hasParameters ? [404] : [])),
    // Any request can fail because of a wrong host name, an unexpected error or overload.
    421,
    500,
    503,
    ...(need === 'public' ? [] : [401, 403]),
    // A cross-site request is rejected.
    ...(method === 'GET' ? [] : [403]),
    // Malformed percent-encoding in the path, or a malformed body.
    ...(hasParameters || body ? [400] : []),
    ...(body ? [413, 415] : []),
  ]);
}
