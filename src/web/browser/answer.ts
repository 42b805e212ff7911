import type { Severity } from '../../i18n/format.js';
import { find, setTone, showText } from './dom.js';

const SUCCESS_SHOWN_MS = 6000;
let timer: ReturnType<typeof setTimeout> | undefined;
let shownTopic: Topic | undefined;

/** The subject of a message. The message is removed when it no longer applies. */
type Topic = 'reset' | 'stop' | 'trial';

/**
 * Shows the result of a stop, a reset or a trial below the safety status. A success message disappears after
 * 6 s, a message with a topic when it no longer applies, and any other message when the next one is shown.
 */
export function showAnswer(text: string, severity: Severity = 'quiet', topic?: Topic): void {
  const line = find('[data-live="stop-answer"]');
  clearTimeout(timer);
  shownTopic = topic;
  setTone(line, severity);
  showText(line, text);
  if (severity === 'quiet') timer = setTimeout(() => showText(line, ''), SUCCESS_SHOWN_MS);
}

export function clearAnswer(topic: Topic): void {
  if (shownTopic === topic) showAnswer('');
}
