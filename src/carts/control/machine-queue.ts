import { span } from '../../shared/messages/messages.js';
import type { Reason } from '../command/model.js';
import { cartMessage } from '../messages.js';
import type { Accepted, Draft, Ended, In } from './machine-types.js';

export const PREDECESSOR_FAILED: Reason = {
  code: 'PREDECESSOR_FAILED',
  text: cartMessage('predecessor-failed'),
};

export function requestNext(draft: Draft): void {
  if (draft.waiting.length > 0) draft.effects.push({ type: 'next' });
}

export function cancelWaiting(draft: Draft, { command, reason }: Omit<In<'cancel'>, 'type'>): void {
  if (!draft.waiting.includes(command)) return;
  const followers = takeFollowers(draft, command);
  end(draft, command, 'CANCELLED', reason);
  for (const follower of followers) end(draft, follower, 'CANCELLED', PREDECESSOR_FAILED);
}

export function expireWaiting(draft: Draft): void {
  const command = draft.waiting.find((waiting) => isExpired(draft, waiting));
  if (!command) return;
  const followers = takeFollowers(draft, command);
  expire(draft, command);
  for (const follower of followers) end(draft, follower, 'CANCELLED', PREDECESSOR_FAILED);
}

/** Removes and returns the commands behind `command`; they would start from the wrong position. */
function takeFollowers(draft: Draft, command: Accepted): Accepted[] {
  const at = draft.waiting.indexOf(command);
  const followers = draft.waiting.slice(at + 1);
  draft.waiting = draft.waiting.slice(0, at);
  return followers;
}

export function endWaiting(draft: Draft, state: Ended, reason: Reason): void {
  for (const command of draft.waiting) end(draft, command, state, reason);
  draft.waiting = [];
}

export function end(draft: Draft, command: Accepted, state: Ended, reason: Reason): void {
  draft.effects.push({ type: 'end', command, state, reason });
}

export function expire(draft: Draft, command: Accepted): void {
  const text = cartMessage('not-started', { time: span(command.order.ttlMs) });
  end(draft, command, 'EXPIRED', { code: 'EXPIRED', text });
}

export function isExpired({ nowMs }: Draft, { order, acceptedAtMs }: Accepted): boolean {
  return nowMs - acceptedAtMs >= order.ttlMs;
}
