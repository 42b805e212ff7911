import { GatewayError } from '../../shared/errors.js';

/** Permitted keys. node-libcamera inserts keys and values into a shell command without escaping them. */
const KEY = /^[a-z][a-z-]{1,24}$/;
/**
 * Permitted strings. A string that starts with `-` would be read as an option. Negative numbers are passed as numbers.
 */
const VALUE = /^[A-Za-z0-9_.,:/+][A-Za-z0-9_.,:/+-]{0,119}$/;
const PARTS: Readonly<Record<string, readonly string[]>> = {
  awbgains: ['0', '1'],
  roi: ['x', 'y', 'w', 'h'],
  thumb: ['width', 'height', 'quality'],
};

/**
 * Returns a validated copy of the options. Throws `CAMERA_BAD_OPTION` without quoting the value. Rejects
 * falsy values except 0, because they would become flags.
 */
export function safeOptions(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(options)) {
    if (!KEY.test(key)) throw bad('a camera option has an invalid name');
    copy[key] = safeValue(key, value);
  }
  return copy;
}

function safeValue(key: string, value: unknown): unknown {
  const parts = Object.hasOwn(PARTS, key) ? PARTS[key] : undefined;
  if (parts) return safeParts(key, parts, value);
  if (value === true || isSafeNumber(value)) return value;
  if (typeof value === 'string' && VALUE.test(value)) return value;
  throw bad(`the camera option ${key} has an unsafe value`);
}

function safeParts(key: string, parts: readonly string[], value: unknown): unknown {
  const given: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {};
  const isComplete = Object.keys(given).length === parts.length;
  const numbers = parts.map((part) => given[part]);
  if (!isComplete || !numbers.every(isSafeNumber))
    throw bad(`the camera option ${key} must consist of ${parts.length} numbers`);
  return Array.isArray(value) ? numbers : given;
}

function isSafeNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function bad(message: string): GatewayError {
  return new GatewayError('CAMERA_BAD_OPTION', message);
}
