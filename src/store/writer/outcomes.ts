import { type GatewayError, messageOf } from '../../shared/errors.js';
import type { Outcome, WireOperation } from './protocol.js';
import { toWire } from './wire-error.js';

/** What became of a batch. */
export interface BatchResult {
  outcomes: Outcome[];
  /** The disk refused the whole batch. */
  fault?: GatewayError;
  /** One operation met a damaged page; the others were saved. */
  damage?: GatewayError;
}

/** The same refusal for every operation of a batch. */
export function refuseAll(operations: readonly WireOperation[], fault: GatewayError): BatchResult {
  const error = toWire(fault);
  return { outcomes: operations.map(({ id }) => ({ id, error })), fault };
}

/** A result that cannot be copied to another thread fails its own caller alone. The write itself is done. */
export function cloneable(outcome: Outcome): Outcome {
  try {
    structuredClone(outcome);
    return outcome;
  } catch (thrown) {
    const text = `saved, but the result of the operation cannot be copied: ${messageOf(thrown)}`;
    return { id: outcome.id, error: toWire(new Error(text)) };
  }
}
