import { upperFirst } from '../carts/words.js';
import { showAnswer } from './answer.js';
import { find } from './dom.js';
import { armHold } from './hold.js';
import { post } from './post.js';
import { TEXTS } from './texts.js';

/** Reset asks by hold, so that a stray touch does not end an emergency stop. */
export function armResets(): void {
  armHold({
    buttons: '[data-reset] button',
    question: TEXTS.confirmReset,
    done: (button) => void sendReset(button),
    early: () => showAnswer(TEXTS.holdReset),
  });
}

async function sendReset(button: HTMLElement): Promise<void> {
  const form = button.closest('form');
  if (!form) return;
  const cartID = find<HTMLInputElement>('[name="cartID"]', form)?.value ?? '';
  const reply = await post(form.action, new URLSearchParams({ cartID }), { timeoutMs: 4000 });
  if (reply.ok) return showAnswer(TEXTS.resetTaken);
  const why = reply.status === 0 ? TEXTS.cannotReach : `${upperFirst(reply.message)}. ${reply.hint}`;
  showAnswer(why.trim());
}
