import { GatewayError } from '../errors.js';

/** How large a document may be. */
interface JsonLimits {
  /** UTF-8 bytes; 256 KiB when left out. */
  maxBytes?: number;
  /** Objects and arrays inside one another; `{}` is 1. 12 when left out. */
  maxDepth?: number;
}

export const JSON_MAX_BYTES = 256 * 1024;
const JSON_MAX_DEPTH = 12;

/** Names that would reach an object's prototype when somebody copies members without care. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Parses a JSON text from outside. A byte order mark is dropped. Throws `INVALID_INPUT` with line and column; the
 * sentence never quotes the text (V8's own message does), for there may be a password in it.
 */
export function parseJson(text: string, { maxBytes = JSON_MAX_BYTES, maxDepth }: JsonLimits = {}): unknown {
  if (Buffer.byteLength(text) > maxBytes) {
    throw new GatewayError('INVALID_INPUT', `the document is longer than ${maxBytes} bytes`, {
      limit: maxBytes,
      unit: 'bytes',
    });
  }
  const value = parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  checkJsonShape(value, maxDepth);
  return value;
}

function parse(text: string): unknown {
  if (text.trim() === '') throw new GatewayError('INVALID_INPUT', 'the document is empty');
  try {
    return JSON.parse(text);
  } catch {
    throw new GatewayError('INVALID_INPUT', `the document is not valid JSON: ${locateJsonFault(text)}`);
  }
}

/** The same checks for a body that is parsed already: throws `INVALID_INPUT` on a forbidden name and on deep nesting. */
export function checkJsonShape(value: unknown, maxDepth = JSON_MAX_DEPTH): void {
  if (typeof value !== 'object' || value === null) return;
  if (maxDepth <= 0) throw new GatewayError('INVALID_INPUT', 'the document is nested too deeply');
  for (const name of Object.keys(value)) {
    if (FORBIDDEN.has(name))
      throw new GatewayError('INVALID_INPUT', `the document has a member named "${name}", which is refused`);
  }
  for (const member of Object.values(value)) checkJsonShape(member, maxDepth - 1);
}

/** Whether a JSON value is an object: no array, not null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What may stand at a place in a JSON text; also the words for people. */
type Want =
  | 'a value'
  | 'a value or ]'
  | 'a name in double quotes'
  | 'a name in double quotes or }'
  | ':'
  | ', or ]'
  | ', or }'
  | 'the end';

/** White space, then a mark, a string, or a number or word. */
const TOKEN =
  /[ \t\r\n]*(?:([{}[\],:])|("[ !#-[\]-\uFFFF]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uFFFF]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

/**
 * Where a text that is not JSON stops being JSON, for the person who wrote it by hand: `line 3, column 7: expected
 * , or }`. `JSON.parse` tells a position for some faults only, and quotes the text around it.
 */
export function locateJsonFault(text: string): string {
  const open: string[] = [];
  const token = new RegExp(TOKEN);
  let want: Want | undefined = 'a value';
  let expected: Want = want;
  let at = 0;
  while (want) {
    expected = want;
    at = token.lastIndex;
    const found = token.exec(text);
    if (!found) break;
    want = next(want, found[1] ?? (found[2] ? 'string' : 'scalar'), open);
  }
  const before = text.slice(0, at + (/[ \t\r\n]*/y.exec(text.slice(at))?.[0].length ?? 0));
  const lines = before.split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: expected ${expected}`;
}

/** What is wanted after a token, or undefined when it may not stand here. */
function next(want: Want, token: string, open: string[]): Want | undefined {
  if (token === 'string' && want.startsWith('a name')) return ':';
  if (want === ':') return token === ':' ? 'a value' : undefined;
  if (want.startsWith('a value')) {
    if (token === 'string' || token === 'scalar') return after(open);
    if (token === '{' || token === '[') {
      open.push(token);
      return token === '{' ? 'a name in double quotes or }' : 'a value or ]';
    }
  }
  if (want.startsWith(',') && token === ',') {
    return want === ', or }' ? 'a name in double quotes' : 'a value';
  }
  if (!want.endsWith(` ${token}`)) return undefined;
  open.pop();
  return after(open);
}

function after(open: string[]): Want {
  const innermost = open.at(-1);
  if (innermost === undefined) return 'the end';
  return innermost === '{' ? ', or }' : ', or ]';
}
