import { recognised } from '../../shared/messages/recognise.js';
import type { CartView } from '../command/model.js';

/** Replaces the texts that another gateway has published with messages, which the pages can translate. */
export function withMessages(view: CartView): CartView {
  const { safety } = view;
  return {
    ...view,
    reason: recognised(view.reason),
    safety: {
      ...safety,
      reason: recognised(safety.reason),
      resetNeeds: recognised(safety.resetNeeds),
      ...(safety.stoppedBy ? { stoppedBy: recognised(safety.stoppedBy) } : {}),
    },
    faults: view.faults.map((fault) => ({ ...fault, message: recognised(fault.message) })),
  };
}
