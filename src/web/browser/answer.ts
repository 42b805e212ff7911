import type { Severity } from '../../i18n/format.js';
import { find, showText, tone } from './dom.js';

const GOOD_NEWS_MS = 6000;
let timer: ReturnType<typeof setTimeout> | undefined;
let shownTopic: Topic | undefined;

/** What an answer is about, so that it goes when that is over. */
type Topic = 'reset' | 'stop' | 'trial';

/**
 * Shows what became of a stop, a reset or a trial in the band under the safety sentence. Good news goes after some
 * seconds, an answer with a topic when that is over, and anything else with the next answer.
 */
export function showAnswer(text: string, how: Severity = 'quiet', topic?: Topic): void {
  const line = find('[data-live="stop-answer"]');
  clearTimeout(timer);
  shownTopic = topic;
  tone(line, how);
  showText(line, text);
  if (how === 'quiet') timer = setTimeout(() => showText(line, ''), GOOD_NEWS_MS);
}

/** The topic is over: an answer about it no longer applies. */
export function clearAnswer(topic: Topic): void {
  if (shownTopic === topic) showAnswer('');
}
