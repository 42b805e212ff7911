import { GatewayError } from '../../shared/errors.js';

/**
 * The last gate before node-libcamera, which pastes keys and values into the command line of a shell as they are. Only
 * what no shell, no printf and no option parser can take for anything else passes; whoever calls has chosen the keys.
 */
const KEY = /^[a-z][a-z-]{1,24}$/;
/** A word that begins with - would be another option; negative numbers come as numbers. */
const VALUE = /^[A-Za-z0-9_.,:/+][A-Za-z0-9_.,:/+-]{0,119}$/;
/** The options that node-libcamera writes itself, from parts. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  awbgains: ['0', '1'],
  roi: ['x', 'y', 'w', 'h'],
  thumb: ['width', 'height', 'quality'],
};

/**
 * Copies the options once and checks the copy. Throws `CAMERA_BAD_OPTION`, which names the key, never the value.
 * Falsy values other than 0 are an error: node-libcamera would switch the option on.
 */
export function safeOptions(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(options)) {
    if (!KEY.test(key)) throw bad('a camera option has a name that no program knows');
    copy[key] = safeValue(key, value);
  }
  return copy;
}

function safeValue(key: string, value: unknown): unknown {
  const parts = Object.hasOwn(PARTS, key) ? PARTS[key] : undefined;
  if (parts) return safeParts(key, parts, value);
  if (value === true || isSafeNumber(value)) return value;
  if (typeof value === 'string' && VALUE.test(value)) return value;
  throw bad(`the camera option ${key} has a value that must not reach a command line`);
}

function safeParts(key: string, parts: readonly string[], value: unknown): unknown {
  const given: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {};
  const isComplete = Object.keys(given).length === parts.length;
  const numbers = parts.map((part) => given[part]);
  if (!isComplete || !numbers.every(isSafeNumber))
    throw bad(`the camera option ${key} must be ${parts.length} numbers`);
  return Array.isArray(value) ? numbers : given;
}

function isSafeNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function bad(message: string): GatewayError {
  return new GatewayError('CAMERA_BAD_OPTION', message);
}
