import type { ApiRequest } from './api-clients.js';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: object;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: object }> };
}

interface ApiDocument {
  paths: Record<string, Record<string, object>>;
  components: object;
}

export interface FuzzedRequest {
  /** `METHOD /path`, as in the OpenAPI document. */
  route: string;
  method: string;
  path: string;
  options: ApiRequest;
}

export interface ApiFuzzer {
  /**
   * Generates one request per operation; every second request contains an error. The same seed produces the
   * same requests.
   */
  requests(seed: number): FuzzedRequest[];
}

/** True if the request generator, a development dependency, is installed. */
export const hasFuzzer = canResolve('json-schema-faker');

const WRONG: readonly unknown[] = [
  null,
  '',
  true,
  -1,
  0.5,
  1e308,
  [],
  {},
  'x'.repeat(3000),
  '../../etc/passwd',
  "' OR 1=1 --",
  '\u0000',
  [[[[[[]]]]]],
  { constructor: { prototype: 1 } },
  '{{7*7}}',
  '😀'.repeat(20),
];

export async function openFuzzer(document: ApiDocument): Promise<ApiFuzzer> {
  const { generateSync } = await import('json-schema-faker');
  const { components } = document;
  const make = (schema: object, seed: number): unknown => {
    // Omitting optional members at random could violate `minProperties`.
    const alwaysFakeOptionals = 'minProperties' in schema || seed % 3 === 0;
    return generateSync({ ...schema, components } as never, { seed, alwaysFakeOptionals } as never);
  };
  const requestOf = (path: string, method: string, operation: Operation, seed: number): FuzzedRequest => {
    const { parameters = [], requestBody } = operation;
    const isWrong = seed % 2 === 0;
    const textFor = ({ schema }: Parameter, at: number): string => {
      const value = isWrong && at % 2 === 0 ? WRONG[(seed + at) % WRONG.length] : make(schema, seed + at);
      return encodeURIComponent(typeof value === 'object' ? JSON.stringify(value) : String(value));
    };
    let address = path;
    const query: string[] = [];
    for (const [at, parameter] of parameters.entries()) {
      if (parameter.in === 'path')
        address = address.replace(`{${parameter.name}}`, textFor(parameter, at) || '1');
      else if (parameter.in === 'query' && (seed + at) % 3 === 0)
        query.push(`${parameter.name}=${textFor(parameter, at)}`);
    }
    const media = requestBody?.content['application/json'];
    const body = media && make(media.schema, seed);
    const apiRequest = media ? { body: asJson(isWrong ? mutated(body, seed) : body) } : {};
    return {
      route: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path: query.length > 0 ? `${address}?${query.join('&')}` : address,
      options: media ? { ...apiRequest, headers: { 'content-type': 'application/json' } } : {},
    };
  };
  return {
    requests: (seed) =>
      Object.entries(document.paths).flatMap(([path, methods], at) =>
        Object.entries(methods).map(([method, operation]) =>
          requestOf(path, method, operation, seed * 1000 + seed + at),
        ),
      ),
  };
}

function asJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value) ?? 'null');
}

/** Replaces a part of the value with an invalid value or adds an unknown member, depending on the seed. */
function mutated(value: unknown, seed: number): unknown {
  const wrong = WRONG[seed % WRONG.length];
  if (typeof value !== 'object' || value === null) return wrong;
  const names = Object.keys(value);
  const name = names[seed % Math.max(1, names.length)];
  if (name === undefined || seed % 5 === 0) return { ...value, unheardOf: wrong };
  const inner = (value as Record<string, unknown>)[name];
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[name] = seed % 3 === 0 ? mutated(inner, Math.floor(seed / 3)) : wrong;
  return copy;
}

function canResolve(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
