import { type Severity, timeOfDay } from '../../i18n/format.js';
import { freshness } from '../labels/labels.js';
import { find, setTone, showText } from './dom.js';
import type { StateStore } from './live/state-store.js';
import { TEXTS } from './texts.js';

const SUCCESS_SHOWN_MS = 6000;
/** Minimum display time of a message about a lost connection. */
const UNREACHABLE_SHOWN_MS = 6000;
let shownAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let shownTopic: Topic | undefined;

type Topic = 'stop' | 'reset' | 'estop' | 'trial' | 'connection';

/**
 * Shows a result below the safety status. Success messages disappear after 6 s. Messages with a topic
 * disappear when they no longer apply; other messages disappear when the next one is shown.
 */
export function showAnswer(text: string, severity: Severity = 'quiet', topic?: Topic): void {
  const line = find('[data-live="stop-answer"]');
  clearTimeout(timer);
  shownTopic = topic;
  shownAt = performance.now();
  setTone(line, severity);
  showText(line, text);
  if (severity === 'quiet') timer = setTimeout(() => showText(line, ''), SUCCESS_SHOWN_MS);
}

/** A stop that the carts may or may not have executed. */
export interface UnconfirmedStop {
  /** The text of the button that was pressed. */
  action: string;
  isEstop: boolean;
  /** The carts to stop; all carts if it is empty. */
  cartIDs: readonly number[];
  /** Time of the press, on the `performance.now()` clock. */
  pressedAt: number;
  isAnswered: boolean;
}

let unconfirmed: UnconfirmedStop | undefined;

/**
 * Shows a message about a failed stop at the top of the page, until a stop succeeds. An empty text removes the message.
 */
export function showStopFailure(text: string, stop?: UnconfirmedStop): void {
  unconfirmed = stop;
  showText(find('[data-live="stop-failed"]'), text);
}

/**
 * Removes the message about an unconfirmed stop when the carts have stopped. A stop without a response keeps its
 * message until the page has reconnected, because stops can still fail while events arrive. If the carts have not
 * stopped by then, the message states the time of the stop.
 */
export function updateStopFailure(state: StateStore): void {
  if (!unconfirmed || state.lostForMs() > 0) return;
  const { action, pressedAt, isAnswered } = unconfirmed;
  if (!isAnswered && state.connectedAt < pressedAt) return;
  if (hasTakenEffect(unconfirmed, state)) showStopFailure('');
  else if (!isAnswered) {
    const time = timeOfDay(Date.now() - (performance.now() - pressedAt));
    showText(find('[data-live="stop-failed"]'), TEXTS.stopUnansweredBefore(action, time));
  }
}

function hasTakenEffect({ isEstop, cartIDs }: UnconfirmedStop, state: StateStore): boolean {
  const stopped = cartIDs.length > 0 ? cartIDs : [...state.carts.keys()];
  return stopped.every((cartID) => {
    const cart = state.carts.get(cartID);
    const ageMs = state.ageMs(cartID);
    if (!cart?.online || cart.stopPending || ageMs === null || ageMs > freshness(cart).greyMs) return false;
    return isEstop ? cart.safety.emergencyStop !== 'NONE' : !cart.moving;
  });
}

export function clearAnswer(topic: Topic): void {
  if (shownTopic === topic) showAnswer('');
}

/** Removes the message that the gateway cannot be reached. Called while the page receives events. */
export function clearUnreachable(): void {
  if (performance.now() - shownAt > UNREACHABLE_SHOWN_MS) clearAnswer('connection');
}
