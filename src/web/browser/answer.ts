import type { Severity } from '../../i18n/format.js';
import { find, setTone, showText } from './dom.js';

const SUCCESS_SHOWN_MS = 6000;
/** Minimum display time of a message about a lost connection. */
const UNREACHABLE_SHOWN_MS = 6000;
let shownAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let shownTopic: Topic | undefined;

type Topic = 'reset' | 'estop' | 'trial' | 'connection';

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

/** A failed stop is shown first on the page until a stop succeeds, in words and a shape of its own. */
export function showStopFailure(text: string): void {
  showText(find('[data-live="stop-failed"]'), text);
}

export function clearAnswer(topic: Topic): void {
  if (shownTopic === topic) showAnswer('');
}

/** Called while the page receives events, so that it no longer claims that the gateway cannot be reached. */
export function clearUnreachable(): void {
  if (performance.now() - shownAt > UNREACHABLE_SHOWN_MS) clearAnswer('connection');
}
