import { loginApi } from '../../access/http/login-openapi.js';
import { accessApi } from '../../access/http/openapi.js';
import { mapApi } from '../../beacons/http/map-openapi.js';
import { beaconApi } from '../../beacons/http/openapi.js';
import { cameraApi } from '../../camera/http/openapi.js';
import { commandApi } from '../../carts/http/command-openapi.js';
import { eventsApi } from '../../carts/http/events-openapi.js';
import { simulatorApi } from '../../carts/http/simulator-openapi.js';
import { settingsApi } from '../../settings/http/openapi.js';
import { packageVersion } from '../../shared/package-version.js';
import { shopApi } from '../../shop/http/openapi.js';
import { shopPagesApi } from '../../shop/http/pages-openapi.js';
import { healthApi } from '../../system/http/health-openapi.js';
import { historyApi } from '../../system/http/history-openapi.js';
import { backupApi, systemApi } from '../../system/http/openapi.js';
import { failureStatuses } from '../../web/errors.js';
import { GATEWAY_POLICY, type Need, type PolicyEntry, SHOP_POLICY } from '../../web/guard/policy.js';
import { FAILURE_SCHEMAS, failure, usualFailures } from '../../web/openapi/failures.js';
import { away, SESSION, text } from '../../web/openapi/parts.js';
import type { Answer, Api, Operation, Parameter, Schema } from '../../web/openapi/types.js';
import { docsApi } from './docs-openapi.js';

/** In the order of the document's chapters. */
export const APIS: readonly Api[] = [
  ...[commandApi, eventsApi, beaconApi, mapApi, shopApi, shopPagesApi, cameraApi, settingsApi],
  ...[loginApi, accessApi, historyApi, healthApi, systemApi, backupApi, simulatorApi, docsApi],
];

const INTRODUCTION = `Commands for carts, their beacons, a shop and a camera.

A failure is told as \`{error, message, code}\`; browsers, which ask for \`text/html\`, get it as a page, and are sent to
the login instead of a 401. On every route an unknown host is 421 and what nobody has foreseen 500. A path that is there
for other methods is 405 with \`Allow\`. In stop-only mode every path is 503 with the code \`STOP_ONLY\`, except health, the
stops, the reset and the login.

On a trusted network (\`auth: trusted-lan\`) most routes need no login; each says when it does.`;

/** Who may, in words. */
const WHO: Record<Need, string> = {
  public: 'For everybody.',
  session: 'For everybody who is logged in.',
  operator: 'For operators.',
  admin: 'For administrators.',
};

const SECURITY = {
  session: { type: 'apiKey', ...SESSION },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'An API key with one of the scopes.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same API key.' },
};

const LOGIN = away('A browser that is not logged in goes to the login page');

/** Where a route is in the document: `/carts/:cartID` is `/carts/{cartID}`. */
export function documentPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace('{*', '{');
}

/** The OpenAPI 3.1 document of this gateway: the policy's routes, each with its description and the schemas that check it. */
export function openApi(): object {
  const schemas = Object.assign({}, FAILURE_SCHEMAS, ...APIS.map((api) => api.schemas ?? {}));
  const described = new Map(
    APIS.flatMap(({ tag, routes }) =>
      Object.entries(routes).map(([route, operation]) => [route, { tag: tag.name, operation }] as const),
    ),
  );
  const paths: Record<string, Record<string, object>> = {};
  for (const entry of [...GATEWAY_POLICY, ...SHOP_POLICY]) {
    const found = described.get(`${entry.method} ${entry.path}`);
    if (!found) continue;
    const path = documentPath(entry.path);
    paths[path] ??= {};
    paths[path][entry.method.toLowerCase()] = operationOf(entry, found.tag, found.operation);
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
    tags: APIS.map(({ tag }) => tag),
    paths,
    components: { schemas, responses: houseFailures(), securitySchemes: SECURITY },
  };
}

function operationOf(entry: PolicyEntry, tag: string, operation: Operation): object {
  const { summary, description, path, query, headers, body } = operation;
  const parameters = [
    ...parametersOf('path', { ...namesIn(entry.path), ...path }),
    ...parametersOf('query', query),
    ...parametersOf('header', headers),
  ];
  return {
    tags: [tag],
    operationId: idOf(entry),
    summary,
    description: [description, whoMay(entry)].filter(Boolean).join('\n\n'),
    security: securityOf(entry),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(entry, operation),
  };
}

/** `POST /carts/:cartID/stop` is `postCartsCartIdStop`. */
function idOf({ method, path }: PolicyEntry): string {
  const words = path.split(/[^A-Za-z]+/).filter(Boolean);
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return method.toLowerCase() + (name || 'Page');
}

function namesIn(path: string): Record<string, Parameter> {
  return Object.fromEntries(
    [...path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => [name, { description: '' }]),
  );
}

function parametersOf(
  where: 'path' | 'query' | 'header',
  parameters: Record<string, Parameter> = {},
): object[] {
  return Object.entries(parameters).map(
    ([name, { description, schema = text, required = where === 'path' }]) => ({
      ...{ name, in: where, description, required, schema },
    }),
  );
}

function whoMay({ need, scopes = [], lan = need !== 'admin' }: PolicyEntry): string {
  const keys = scopes.length > 0 ? ` Keys: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.` : '';
  return `${WHO[need]}${keys}${lan ? '' : ' This needs a login on a trusted network, too.'}`;
}

/** One of them is enough. */
function securityOf({ need, scopes = [] }: PolicyEntry): object[] {
  if (need === 'public') return [];
  return [{ session: [] }, ...scopes.flatMap((scope) => [{ apiKey: [scope] }, { bearer: [scope] }])];
}

/** What the route says of itself, the failures of the house, and the way to the login for browsers. */
function responsesOf(entry: PolicyEntry, operation: Operation): Record<string, Answer | { $ref: string }> {
  const own: Record<string, Answer> = { ...operation.answers };
  if (entry.need !== 'public') own[303] = both(own[303], LOGIN);
  const failures = new Set([...(operation.failures ?? []), ...usualFailures(entry, operation)]);
  const told = [...failures].map((status) => {
    const answer = own[status];
    return [
      status,
      answer ? both(answer, failure(status)) : { $ref: `#/components/responses/${nameOf(status)}` },
    ];
  });
  return { ...own, ...Object.fromEntries(told) };
}

/** The failures of the house by name: most routes tell theirs like this and no other way. */
function houseFailures(): Record<string, Answer> {
  return Object.fromEntries(failureStatuses().map((status) => [nameOf(status), failure(status)]));
}

function nameOf(status: number): string {
  return `Failure${status}`;
}

/** An answer that may look like either of two. */
function both(one: Answer | undefined, other: Answer): Answer {
  if (!one) return other;
  const content: Record<string, { schema: Schema; example?: unknown }> = { ...one.content };
  for (const [type, media] of Object.entries(other.content ?? {})) {
    const known = content[type];
    const isSame = !known || JSON.stringify(known.schema) === JSON.stringify(media.schema);
    content[type] = isSame
      ? { ...media, ...known }
      : { ...known, schema: { anyOf: [known.schema, media.schema] } };
  }
  return {
    description: `${one.description}. ${other.description}`,
    ...(one.headers || other.headers ? { headers: { ...one.headers, ...other.headers } } : {}),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}
