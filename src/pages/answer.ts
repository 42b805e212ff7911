import type { Tone } from '../carts/words.js';
import { find, say, tone } from './dom.js';

const GOOD_NEWS_MS = 6000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says what became of a stop or a reset, in the band under the safety sentence. Bad news stays until the next answer. */
export function showAnswer(text: string, how: Tone = 'quiet'): void {
  const line = find('[data-live="stop-answer"]');
  clearTimeout(timer);
  tone(line, how);
  say(line, text);
  if (how === 'quiet') timer = setTimeout(() => say(line, ''), GOOD_NEWS_MS);
}
