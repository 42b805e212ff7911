import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GatewayError } from '../errors.js';
import { sharedMessage } from '../messages/messages.js';

interface JsonLimits {
  /** Maximum size in UTF-8 bytes; default 256 KiB. */
  maxBytes?: number;
  /** Maximum nesting depth; `{}` has depth 1. Default 12. */
  maxDepth?: number;
}

export const JSON_MAX_BYTES = 256 * 1024;
const JSON_MAX_DEPTH = 12;

/** Copying members with these names could modify an object's prototype. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Throws `INVALID_INPUT` with the error's position, without quoting the input, because it may contain a password.
 */
export function parseJson(text: string, { maxBytes = JSON_MAX_BYTES, maxDepth }: JsonLimits = {}): unknown {
  checkLength(text, maxBytes);
  const value = parse(withoutMark(text));
  if (value === undefined) throw invalidJson(locateJsonFault(withoutMark(text)));
  checkJsonShape(value, maxDepth);
  return value;
}

/** Like `parseJson`, but yields to the event loop while it locates an error, which is slow in a long text. */
export async function parseLongJson(text: string, { maxBytes, maxDepth }: JsonLimits): Promise<unknown> {
  checkLength(text, maxBytes ?? JSON_MAX_BYTES);
  const value = parse(withoutMark(text));
  if (value === undefined) {
    const search = searchJsonFault(withoutMark(text));
    let step = search.next();
    for (; !step.done; step = search.next()) await nextTurn();
    throw invalidJson(step.value);
  }
  checkJsonShape(value, maxDepth);
  return value;
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function invalidJson(fault: string): GatewayError {
  return new GatewayError('INVALID_INPUT', `the document is not valid JSON: ${fault}`);
}

function checkLength(text: string, maxBytes: number): void {
  if (Buffer.byteLength(text) > maxBytes) {
    throw new GatewayError('INVALID_INPUT', `the document is longer than ${maxBytes} bytes`, {
      limit: maxBytes,
      unit: 'bytes',
    });
  }
}

/** Returns undefined if the text is not valid JSON. Throws `INVALID_INPUT` if it is empty. */
function parse(text: string): unknown {
  if (text.trim() === '') throw new GatewayError('INVALID_INPUT', 'the document is empty');
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Throws `INVALID_INPUT` for a forbidden member name or excessive nesting. */
export function checkJsonShape(value: unknown, maxDepth = JSON_MAX_DEPTH): void {
  if (typeof value !== 'object' || value === null) return;
  if (maxDepth <= 0) throw new GatewayError('INVALID_INPUT', 'the document is nested too deeply');
  for (const name of Object.keys(value)) {
    if (FORBIDDEN.has(name))
      throw new GatewayError(
        'INVALID_INPUT',
        `the document has a member named "${name}", which is not allowed`,
      );
  }
  for (const member of Object.values(value)) checkJsonShape(member, maxDepth - 1);
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Expected =
  | 'a value'
  | 'a value or ]'
  | 'a name in double quotes'
  | 'a name in double quotes or }'
  | ':'
  | ', or ]'
  | ', or }'
  | 'the end';

/** Whitespace, followed by a punctuation mark, a string, a number or a literal. */
const TOKEN =
  /[ \t\r\n]*(?:([{}[\],:])|("[ !#-[\]-\uFFFF]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uFFFF]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

/** Describes the first syntax error, for example `line 3, column 7: expected , or }`. */
export function locateJsonFault(text: string): string {
  const search = searchJsonFault(text);
  let step = search.next();
  while (!step.done) step = search.next();
  return step.value;
}

/** Tokens read in one event-loop iteration, which takes about 1 ms on a desktop. */
const SLICE_TOKENS = 5000;

function* searchJsonFault(text: string): Generator<undefined, string> {
  const open: string[] = [];
  const token = new RegExp(TOKEN);
  let awaited: Expected | undefined = 'a value';
  let expected: Expected = awaited;
  let at = 0;
  for (let tokens = 1; awaited; tokens += 1) {
    if (tokens % SLICE_TOKENS === 0) yield;
    expected = awaited;
    at = token.lastIndex;
    const found = token.exec(text);
    if (!found) break;
    awaited = next(awaited, found[1] ?? (found[2] ? 'string' : 'scalar'), open);
  }
  const before = text.slice(0, at + (/[ \t\r\n]*/y.exec(text.slice(at))?.[0].length ?? 0));
  const lines = before.split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: expected ${expected}`;
}

/** Returns what is expected after `token`, or undefined if `token` is not allowed. */
function next(expected: Expected, token: string, open: string[]): Expected | undefined {
  if (token === 'string' && expected.startsWith('a name')) return ':';
  if (expected === ':') return token === ':' ? 'a value' : undefined;
  if (expected.startsWith('a value')) {
    if (token === 'string' || token === 'scalar') return after(open);
    if (token === '{' || token === '[') {
      open.push(token);
      return token === '{' ? 'a name in double quotes or }' : 'a value or ]';
    }
  }
  if (expected.startsWith(',') && token === ',') {
    return expected === ', or }' ? 'a name in double quotes' : 'a value';
  }
  if (!expected.endsWith(` ${token}`)) return undefined;
  open.pop();
  return after(open);
}

function after(open: string[]): Expected {
  const innermost = open.at(-1);
  if (innermost === undefined) return 'the end';
  return innermost === '{' ? ', or }' : ', or ]';
}

/**
 * Throws `INVALID_INPUT` unless the bytes are UTF-8, because a decoder would replace invalid bytes without an
 * error.
 */
export function requireUtf8(bytes: Buffer): void {
  if (isUtf8(bytes)) return;
  throw new GatewayError('INVALID_INPUT', sharedMessage('not-utf8'), {
    hint: sharedMessage('not-utf8-hint'),
  });
}

/** Decodes UTF-8 and removes a byte order mark. Throws `INVALID_INPUT` if the bytes are not UTF-8. */
export function utf8Text(bytes: Buffer): string {
  requireUtf8(bytes);
  return withoutMark(bytes.toString());
}
