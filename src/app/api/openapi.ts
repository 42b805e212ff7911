export { settingsDocument } from '../../settings/index.js';

import { STATUS_CODES } from 'node:http';
import { failureStatuses } from '../../http/errors.js';
import { type Need, type PolicyEntry, policyOf, type RouteName } from '../../http/guard/policy.js';
import { FAILURE_SCHEMAS, failure, failuresOf } from '../../http/openapi/failures.js';
import { redirectTo, SESSION, text } from '../../http/openapi/schema-helpers.js';
import type { Answer, Api, MediaContent, Operation, Parameters } from '../../http/openapi/types.js';
import { isRedirectable } from '../../http/server/https-redirect.js';
import { packageVersion } from '../../shared/package-root.js';
import { APIS } from './apis.js';

const INTRODUCTION = `API for a gateway's carts, beacons, camera, shop, access and settings.

An error response is \`{error, message, code}\`. Browsers (\`Accept: text/html\`) receive a page instead, and are redirected to
the login page instead of receiving 401. Every route returns 421 for an unknown host, 500 for an unexpected error, and 405 with
\`Allow\` for a method that is not supported. In stop-only mode, every route except health, the stops, the reset and the login
returns 503 with the code \`STOP_ONLY\`.

On a trusted network (\`auth: trusted-lan\`), most routes require no login. The description of each route states whether the
route requires a login.`;

const NEEDS: Record<Need, string> = {
  public: 'Public.',
  session: 'For logged-in users.',
  operator: 'For operators.',
  admin: 'For administrators.',
};

const SECURITY = {
  session: { type: 'apiKey', ...SESSION },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'An API key with one of the required scopes.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same API key, sent as a bearer token.' },
};

/** Response of routes that require a login. */
export const LOGIN = redirectTo('Browsers without a session are redirected to the login page');

const TO_HTTPS = redirectTo('Browsers are redirected to HTTPS if the HTTPS redirect is on');

/** Converts `/carts/:cartID` to `/carts/{cartID}`. */
export function documentPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace('{*', '{');
}

export function openApi(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const api of APIS) {
    for (const entry of policyOf([api])) {
      const operation = api.routes[`${entry.method} ${entry.path}` as RouteName];
      if (!operation) continue;
      const path = documentPath(entry.path);
      paths[path] ??= {};
      paths[path][entry.method.toLowerCase()] = operationOf(entry, api, operation);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cartwright',
      version: packageVersion(),
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This gateway' }],
    tags: APIS.flatMap(({ name, description }) => (description ? [{ name, description }] : [])),
    paths,
    components: {
      schemas: Object.assign({}, FAILURE_SCHEMAS, ...APIS.map((api) => api.schemas ?? {})),
      responses: Object.fromEntries(
        failureStatuses().map((status) => [nameOf(status), responseOf(status, failure(status))]),
      ),
      securitySchemes: SECURITY,
    },
  };
}

function operationOf(entry: PolicyEntry, { name, path: paths = {} }: Api, operation: Operation): object {
  const { summary, description, path, query, headers, body } = operation;
  const names = [...entry.path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => name);
  const inPath = Object.fromEntries(names.map((each) => [each, path?.[each] ?? paths[each] ?? {}]));
  const parameters = [
    ...parametersOf('path', inPath),
    ...parametersOf('query', query),
    ...parametersOf('header', headers),
  ];
  return {
    tags: [name],
    operationId: idOf(entry),
    summary,
    description: [description, accessText(entry)].filter(Boolean).join('\n\n'),
    security: securityOf(entry),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: body.required, content: body.content } } : {}),
    responses: responsesOf(entry, operation),
  };
}

/** Converts `POST /carts/:cartID/stop` to `postCartsCartIDStop`. */
function idOf({ method, path }: PolicyEntry): string {
  const words = path.split(/[^A-Za-z]+/).filter(Boolean);
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return method.toLowerCase() + (name || 'Page');
}

function parametersOf(where: 'path' | 'query' | 'header', parameters: Parameters = {}): object[] {
  const required = where === 'path';
  return Object.entries(described(parameters)).map(([name, it]) => ({ name, in: where, required, ...it }));
}

/** Moves descriptions out of the schemas, as OpenAPI requires for parameters and headers. */
function described(parameters: Parameters): Record<string, object> {
  const entries = Object.entries(parameters).map(([name, { description = '', ...schema }]) => [
    name,
    { description, schema: Object.keys(schema).length > 0 ? schema : text },
  ]);
  return Object.fromEntries(entries);
}

function accessText({ need, scopes = [], lan = need !== 'admin' }: PolicyEntry): string {
  const keys = scopes.length > 0 ? ` Keys: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.` : '';
  return `${NEEDS[need]}${keys}${lan ? '' : ' Requires a login even on a trusted network.'}`;
}

/** Satisfying any one of the requirements is sufficient. */
function securityOf({ need, scopes = [] }: PolicyEntry): object[] {
  if (need === 'public') return [];
  return [{ session: [] }, ...scopes.flatMap((scope) => [{ apiKey: [scope] }, { bearer: [scope] }])];
}

function responsesOf(entry: PolicyEntry, operation: Operation): Record<string, object> {
  const { ok, created, redirect, answers } = operation;
  const own: Record<string, Answer> = {
    ...(ok ? { 200: ok } : {}),
    ...(created ? { 201: created } : {}),
    ...(redirect ? { 303: redirectTo(redirect) } : {}),
    ...answers,
  };
  // A stop request without a session is not redirected to the login page: its response states that the stop was not
  // sent.
  if (entry.need !== 'public' && !entry.stopToken) own[303] = merged(own[303], LOGIN);
  if (isRedirectable(entry)) own[307] = TO_HTTPS;
  const responses: Record<string, object> = {};
  for (const status of failuresOf(entry, operation)) {
    const answer = own[status];
    if (answer) own[status] = merged(answer, failure(status));
    else responses[status] = { $ref: `#/components/responses/${nameOf(status)}` };
  }
  for (const [status, answer] of Object.entries(own)) responses[status] = responseOf(Number(status), answer);
  return responses;
}

const nameOf = (status: number): string => `Failure${status}`;

function responseOf(status: number, { description, content, headers }: Answer): object {
  return {
    description: description ?? STATUS_CODES[status] ?? String(status),
    ...(headers ? { headers: described(headers) } : {}),
    ...(content ? { content } : {}),
  };
}

function merged(one: Answer | undefined, other: Answer): Answer {
  if (!one) return other;
  const content: Record<string, MediaContent[string]> = { ...one.content };
  for (const [type, media] of Object.entries(other.content ?? {})) {
    const known = content[type];
    const isSame = !known || JSON.stringify(known.schema) === JSON.stringify(media.schema);
    content[type] = isSame
      ? { ...media, ...known }
      : { ...known, schema: { anyOf: [known.schema, media.schema] } };
  }
  return {
    description: [one.description, other.description].filter(Boolean).join('. '),
    ...(one.headers || other.headers ? { headers: { ...one.headers, ...other.headers } } : {}),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}
