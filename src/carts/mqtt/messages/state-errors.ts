import { cutText } from '../../../shared/cut-text.js';
import { type Text, textOf } from '../../../shared/messages/message.js';
import type { CartView, Reason } from '../../command/model.js';

/** Maximum number of faults in a state message, which limits the message's size. */
export const MAX_FAULTS = 5;
const MAX_TEXT = 160;

/** An entry in the `errors` array of VDA 5050. */
export interface StateError {
  errorType: string;
  errorLevel: 'WARNING' | 'URGENT' | 'CRITICAL' | 'FATAL';
  errorReferences: { referenceKey: string; referenceValue: string }[];
  errorDescription: string;
}

/** Returns the cart's faults, followed by the reason that it cannot move, unless that reason is a latched stop. */
export function errorsOf({ safety, faults }: CartView): StateError[] {
  const errors = faults.slice(0, MAX_FAULTS).map(({ path, message, level }): StateError => {
    const error = stateError('CART_FAULT', message, { path });
    return level ? { ...error, errorLevel: level } : error;
  });
  if (!safety.mayMove && safety.emergencyStop === 'NONE') {
    errors.push({ ...stateError('MOBILE_ROBOT_NOT_AVAILABLE', safety.reason), errorLevel: 'CRITICAL' });
  }
  return errors;
}

export function stateError(
  type: string,
  description: Text,
  references: Record<string, string> = {},
): StateError {
  return {
    errorType: type,
    errorLevel: 'WARNING',
    errorReferences: Object.entries(references).map(([referenceKey, value]) => ({
      referenceKey,
      referenceValue: cutText(value, 64),
    })),
    errorDescription: short(description),
  };
}

export function rejectionError({ code, text }: Reason, references: Record<string, string>): StateError {
  return stateError(code, text, references);
}

/** Returns the English text, truncated to 160 characters. */
export function short(message: Text): string {
  const text = textOf(message);
  return text.length > MAX_TEXT ? `${cutText(text, MAX_TEXT - 1)}…` : text;
}
