import { GatewayError } from '../../shared/errors.js';
import { commissioningMessage } from './messages.js';

/** Reads a number from JSON or from a form field. Throws `INVALID_INPUT`. */
export function wholeNumber(
  field: string,
  value: unknown,
  { min, max, unit }: { min: number; max: number; unit: string },
): number {
  const number = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number;
  throw new GatewayError('INVALID_INPUT', commissioningMessage('whole', { min, max, unit }), {
    field,
    limit: `${min} to ${max}`,
    unit,
  });
}
