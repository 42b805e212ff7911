import { upperFirst } from '../../i18n/format.js';
import { showAnswer } from './answer.js';
import { armHold } from './hold.js';
import { post } from './post.js';
import { TEXTS } from './texts.js';

/** Reset asks by hold, so that a stray touch does not end an emergency stop. */
export function armResets(): void {
  armHold({
    buttons: '[data-reset] button',
    question: TEXTS.confirmReset,
    done: (button, fields) => void sendReset(button, fields),
    early: () => showAnswer(TEXTS.holdReset, 'quiet', 'reset'),
  });
}

async function sendReset(button: HTMLElement, fields: URLSearchParams): Promise<void> {
  const form = button.closest('form');
  if (!form) return;
  const reply = await post(form.action, fields, { timeoutMs: 4000 });
  if (reply.ok) return showAnswer(TEXTS.resetTaken);
  const why = reply.status === 0 ? TEXTS.cannotReach : `${upperFirst(reply.message)}. ${reply.hint}`;
  showAnswer(why.trim(), 'stop', 'reset');
}
