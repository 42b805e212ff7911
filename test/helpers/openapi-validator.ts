import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { APIS } from '../../src/app/api/apis.js';
import { documentPath, openApi } from '../../src/app/api/openapi.js';
import { type PolicyEntry, policyOf } from '../../src/http/guard/policy.js';
import { RouteTable } from '../../src/http/server/route-table.js';
import type { RecordedResponse } from './response-recorder.js';

interface DocumentedResponse {
  content?: Record<string, { schema: object }>;
  $ref?: string;
}

interface ApiDocument {
  paths: Record<string, Record<string, { responses: Record<string, DocumentedResponse> }>>;
  components: { responses: Record<string, DocumentedResponse> };
}

const UNROUTED = [404, 405, 421];
const FAILURE = '#/components/schemas/Failure';

/** Validates responses against the OpenAPI document: route, status, content type and body. */
export class OpenApiValidator {
  readonly document = openApi() as unknown as ApiDocument;
  readonly #table = new RouteTable(policyOf(APIS));
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor() {
    this.#ajv.addSchema({ ...this.document, $id: 'api' });
  }

  /**
   * Returns a description of the first mismatch between a response and the OpenAPI document, or undefined if
   * there is none.
   */
  faultOf(answer: RecordedResponse): string | undefined {
    const { method, path, status } = answer;
    const fault = this.#faultOf(answer);
    return fault === undefined ? undefined : `${method} ${path}, ${status}: ${fault}`;
  }

  routeOf(method: string, path: string): PolicyEntry | undefined {
    return this.#table.find(method, path).route;
  }

  /** Returns a value's schema violations as a string, or undefined if there are none. */
  faultIn(value: unknown, pointer: string): string | undefined {
    let validate = this.#compiled.get(pointer);
    if (!validate) {
      validate = this.#ajv.compile({ $ref: `api${pointer}` });
      this.#compiled.set(pointer, validate);
    }
    if (validate(value)) return undefined;
    return `${this.#ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 500)}`;
  }

  #faultOf({ method, path, status, type, body }: RecordedResponse): string | undefined {
    const route = this.routeOf(method, path);
    if (!route) {
      if (!UNROUTED.includes(status)) return 'the route is not in the document';
      return type.includes('json') && body ? this.faultIn(JSON.parse(body), FAILURE) : undefined;
    }
    const key = documentPath(route.path);
    const operation = this.document.paths[key]?.[route.method.toLowerCase()];
    if (!operation) return `${route.method} ${route.path} is not in the document`;
    const described = operation.responses[status];
    if (!described) return `the document lists ${Object.keys(operation.responses).join(', ')} only`;
    if (method === 'HEAD') return undefined;
    const at = described.$ref ?? `#/paths/${escaped(key)}/${route.method.toLowerCase()}/responses/${status}`;
    const { content } = described.$ref ? this.#shared(described.$ref) : described;
    // A redirect has no body if the client accepts JSON.
    if (status === 303 && !body) return undefined;
    return this.#bodyFault({ type, body }, content, at);
  }

  #shared(pointer: string): DocumentedResponse {
    return this.document.components.responses[pointer.split('/').at(-1) ?? ''] ?? {};
  }

  #bodyFault(
    { type, body }: Pick<RecordedResponse, 'type' | 'body'>,
    content: DocumentedResponse['content'],
    at: string,
  ): string | undefined {
    const kind = type.split(';')[0] ?? '';
    if (!content) return body ? `the document lists no body, but there is one (${kind})` : undefined;
    if (!(kind in content)) return `the document lists ${Object.keys(content).join(', ')}, not "${kind}"`;
    if (!kind.includes('json') || body === undefined) return undefined;
    return this.faultIn(JSON.parse(body), `${at}/content/${escaped(kind)}/schema`);
  }
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
