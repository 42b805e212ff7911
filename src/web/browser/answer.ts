import type { Severity } from '../../i18n/format.js';
import { find, setTone, showText } from './dom.js';

const SUCCESS_SHOWN_MS = 6000;
let timer: ReturnType<typeof setTimeout> | undefined;
let shownTopic: Topic | undefined;

type Topic = 'reset' | 'stop' | 'estop' | 'trial';

/**
 * Shows a result below the safety status. Success messages disappear after 6 s. Messages with a topic
 * disappear when they no longer apply; other messages disappear when the next one is shown.
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
