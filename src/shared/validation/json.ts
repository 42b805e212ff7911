import { GatewayError } from '../errors.js';
import { locateJsonFault } from './json-fault.js';

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
