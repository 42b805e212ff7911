import { type Actor, actorText, isSameActor } from '../../shared/actor.js';
import { span } from '../../shared/messages/messages.js';
import type { Reason } from '../command/model.js';
import { holderOf } from '../command/origin.js';
import { driveMessage } from '../manual-drive/messages.js';
import { cartMessage } from '../messages.js';
import type { Accepted, Draft, Ended, In, Waiting } from './machine-types.js';

export const PREDECESSOR_FAILED: Reason = {
  code: 'PREDECESSOR_FAILED',
  text: cartMessage('predecessor-failed'),
};

/** Called when no command is ahead of the first queued command, whose time to live is counted from now on. */
export function requestNext(draft: Draft): void {
  const [first, ...rest] = draft.waiting;
  if (!first) return;
  draft.waiting = [{ ...first, sinceMs: first.sinceMs ?? draft.nowMs }, ...rest];
  draft.effects.push({ type: 'next' });
}

export function waitingOf({ motion, nowMs, waiting }: Draft, command: Accepted): Waiting {
  const { kind, onBusy } = command.order;
  const isMotionOpen = motion !== undefined && (motion.phase === 'moving' || motion.released);
  const isBehind = isMotionOpen || waiting.length > 0;
  // The sender of a jog must still be holding the controls when the jog starts, so a jog always expires.
  const isSuspended = kind === 'move' && onBusy === 'queue' && isBehind;
  return { command, leftMs: startByMs(command) - nowMs, sinceMs: isSuspended ? undefined : nowMs };
}

export function startByMs({ order, acceptedAtMs }: Accepted): number {
  return acceptedAtMs + order.ttlMs;
}

/** Infinity while the time to live is suspended. */
export function expiresAtMs({ leftMs, sinceMs = Number.POSITIVE_INFINITY }: Waiting): number {
  return sinceMs + leftMs;
}

export function cancelWaiting(draft: Draft, { command, reason }: Omit<In<'cancel'>, 'type'>): void {
  const waiting = draft.waiting.find((queued) => queued.command === command);
  if (!waiting) return;
  const followers = takeFollowers(draft, waiting);
  end(draft, command, 'CANCELLED', reason);
  for (const follower of followers) end(draft, follower.command, 'CANCELLED', PREDECESSOR_FAILED);
}

export function expireWaiting(draft: Draft): void {
  const expired = draft.waiting.find((waiting) => draft.nowMs >= expiresAtMs(waiting));
  if (!expired) return;
  const followers = takeFollowers(draft, expired);
  expire(draft, expired.command);
  for (const follower of followers) end(draft, follower.command, 'CANCELLED', PREDECESSOR_FAILED);
}

/** Cancels the commands that other actors queued before `holder` took control. */
export function dropOthers(draft: Draft, holder: Actor): void {
  if (draft.waiting.every(({ command }) => isSameActor(holderOf(command.origin), holder))) return;
  const text = driveMessage('passed-on', { name: actorText(holder) });
  endWaiting(draft, 'CANCELLED', { code: 'PASSED_ON', text });
}

/** Removes the command and returns the commands behind it; they would start from the wrong position. */
function takeFollowers(draft: Draft, waiting: Waiting): readonly Waiting[] {
  const at = draft.waiting.indexOf(waiting);
  const followers = draft.waiting.slice(at + 1);
  draft.waiting = draft.waiting.slice(0, at);
  return followers;
}

export function endWaiting(draft: Draft, state: Ended, reason: Reason): void {
  for (const { command } of draft.waiting) end(draft, command, state, reason);
  draft.waiting = [];
}

export function end(draft: Draft, command: Accepted, state: Ended, reason: Reason): void {
  draft.effects.push({ type: 'end', command, state, reason });
}

export function expire(draft: Draft, command: Accepted): void {
  const text = cartMessage('not-started', { time: span(command.order.ttlMs) });
  end(draft, command, 'EXPIRED', { code: 'EXPIRED', text });
}
