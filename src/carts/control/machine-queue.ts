import { spanText } from '../../shared/span.js';
import type { Reason } from '../command/model.js';
import type { Accepted, Draft, Ended, In } from './machine-types.js';

export const PREDECESSOR_FAILED: Reason = {
  code: 'PREDECESSOR_FAILED',
  text: 'the command before it did not finish',
};

export function askForNext(draft: Draft): void {
  if (draft.waiting.length > 0) draft.effects.push({ type: 'next' });
}

/** What follows a cancelled command would start from the wrong place. */
export function cancelWaiting(draft: Draft, { command, reason }: Omit<In<'cancel'>, 'type'>): void {
  const at = draft.waiting.indexOf(command);
  if (at < 0) return;
  const followers = draft.waiting.slice(at + 1);
  draft.waiting = draft.waiting.slice(0, at);
  end(draft, command, 'CANCELLED', reason);
  for (const follower of followers) end(draft, follower, 'CANCELLED', PREDECESSOR_FAILED);
}

export function expireWaiting(draft: Draft): void {
  for (const command of draft.waiting) if (isExpired(draft, command)) expire(draft, command);
  draft.waiting = draft.waiting.filter((command) => !isExpired(draft, command));
}

export function endWaiting(draft: Draft, state: Ended, reason: Reason): void {
  for (const command of draft.waiting) end(draft, command, state, reason);
  draft.waiting = [];
}

export function end(draft: Draft, command: Accepted, state: Ended, reason: Reason): void {
  draft.effects.push({ type: 'end', command, state, reason });
}

export function expire(draft: Draft, command: Accepted): void {
  const text = `the cart did not start within ${spanText(command.order.ttlMs)}`;
  end(draft, command, 'EXPIRED', { code: 'EXPIRED', text });
}

export function isExpired({ nowMs }: Draft, { order, acceptedAtMs }: Accepted): boolean {
  return nowMs - acceptedAtMs >= order.ttlMs;
}
