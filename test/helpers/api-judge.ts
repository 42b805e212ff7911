import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { APIS } from '../../src/gateway/api/apis.js';
import { documentPath, openApi } from '../../src/gateway/api/openapi.js';
import { type PolicyEntry, PolicyTable, policyOf } from '../../src/web/guard/policy.js';
import type { Answered } from './watched.js';

interface Described {
  content?: Record<string, { schema: object }>;
  $ref?: string;
}

interface ApiDocument {
  paths: Record<string, Record<string, { responses: Record<string, Described> }>>;
  components: { responses: Record<string, Described> };
}

/** What a path that is not there can be answered with: not here, not so, not by that name. */
const NOWHERE = [404, 405, 421];
const FAILURE = '#/components/schemas/Failure';

/** Holds answers against the OpenAPI document, in which they have their route, their status and every member. */
export class ApiJudge {
  readonly document = openApi() as unknown as ApiDocument;
  readonly #table = new PolicyTable(policyOf(APIS));
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor() {
    this.#ajv.addSchema({ ...this.document, $id: 'api' });
  }

  /** What the document does not say of an answer, as a sentence; undefined when it says all of it. */
  faultOf(answer: Answered): string | undefined {
    const { method, path, status } = answer;
    const fault = this.#faultOf(answer);
    return fault === undefined ? undefined : `${method} ${path}, ${status}: ${fault}`;
  }

  /** The route of a request as the policy has it; of two that fit, the one with fewer names in it. */
  routeOf(method: string, path: string): PolicyEntry | undefined {
    const names = ({ path }: PolicyEntry): number => path.split(':').length;
    return this.#table.find(method, path).toSorted((a, b) => names(a) - names(b))[0];
  }

  /** Whether a value is as a schema of the document says; the faults in words when not. */
  faultIn(value: unknown, pointer: string): string | undefined {
    let validate = this.#compiled.get(pointer);
    if (!validate) {
      validate = this.#ajv.compile({ $ref: `api${pointer}` });
      this.#compiled.set(pointer, validate);
    }
    if (validate(value)) return undefined;
    return `${this.#ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 500)}`;
  }

  #faultOf({ method, path, status, type, body }: Answered): string | undefined {
    const route = this.routeOf(method, path);
    if (!route) {
      if (!NOWHERE.includes(status)) return 'the route is not in the document';
      return type.includes('json') && body ? this.faultIn(JSON.parse(body), FAILURE) : undefined;
    }
    const key = documentPath(route.path);
    const operation = this.document.paths[key]?.[route.method.toLowerCase()];
    if (!operation) return `${route.method} ${route.path} is not in the document`;
    const described = operation.responses[status];
    if (!described) return `the document knows ${Object.keys(operation.responses).join(', ')} only`;
    if (method === 'HEAD') return undefined;
    const at = described.$ref ?? `#/paths/${escaped(key)}/${route.method.toLowerCase()}/responses/${status}`;
    const { content } = described.$ref ? this.#shared(described.$ref) : described;
    // Who asks for JSON is sent on without a word.
    if (status === 303 && !body) return undefined;
    return this.#bodyFault({ type, body }, content, at);
  }

  #shared(pointer: string): Described {
    return this.document.components.responses[pointer.split('/').at(-1) ?? ''] ?? {};
  }

  #bodyFault(
    { type, body }: Pick<Answered, 'type' | 'body'>,
    content: Described['content'],
    at: string,
  ): string | undefined {
    const kind = type.split(';')[0] ?? '';
    if (!content) return body ? `there is a body (${kind}), which the document does not know` : undefined;
    if (!(kind in content)) return `the document knows ${Object.keys(content).join(', ')}, not "${kind}"`;
    if (!kind.includes('json') || body === undefined) return undefined;
    return this.faultIn(JSON.parse(body), `${at}/content/${escaped(kind)}/schema`);
  }
}

/** A member's name in a JSON pointer. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
