import { upperFirst } from '../carts/words.js';
import { showAnswer } from './answer.js';
import { find } from './dom.js';
import { post } from './post.js';
import { TEXTS } from './texts.js';

const HOLD_MS = 800;

/**
 * Reset asks by hold, so that a stray touch does not end an emergency stop. Listens on the document, because bands
 * come and go. A screen reader clicks without holding: it is asked in words instead.
 */
export function armResets(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let held: HTMLElement | undefined;

  const release = (): void => {
    if (!held) return;
    clearTimeout(timer);
    held.classList.remove('holding');
    held = undefined;
    showAnswer(TEXTS.holdReset);
  };
  const hold = (button: HTMLElement): void => {
    if (held) return;
    held = button;
    button.classList.add('holding');
    timer = setTimeout(() => {
      held?.classList.remove('holding');
      held = undefined;
      void sendReset(button);
    }, HOLD_MS);
  };

  document.addEventListener('pointerdown', (event) => {
    const button = resetButton(event.target);
    if (button && event.button === 0) hold(button);
  });
  for (const end of ['pointerup', 'pointercancel', 'keyup']) addEventListener(end, release, true);
  // Not captured: the press itself takes the focus from another element, and only the window's own blur counts.
  addEventListener('blur', release);
  document.addEventListener('pointermove', (event) => {
    if (held && document.elementFromPoint(event.clientX, event.clientY)?.closest('.hold') !== held) release();
  });
  document.addEventListener('keydown', (event) => {
    const button = resetButton(event.target);
    if (!button || event.key !== 'Enter') return;
    event.preventDefault();
    hold(button);
  });
  document.addEventListener('click', (event) => {
    const button = resetButton(event.target);
    if (!button) return;
    event.preventDefault();
    // detail 0: nobody pressed anything, assistive software asked for the click.
    if (event.detail === 0 && confirm(TEXTS.confirmReset)) void sendReset(button);
  });
}

function resetButton(target: EventTarget | null): HTMLElement | undefined {
  const button = target instanceof Element ? target.closest('[data-reset] button') : null;
  return button instanceof HTMLElement ? button : undefined;
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
