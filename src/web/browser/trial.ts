import { trialText } from '../labels/fault-texts.js';
import { clearAnswer, showAnswer } from './answer.js';
import { find, setHidden, setText } from './dom.js';
import type { StateStore } from './live/state-store.js';
import { post } from './post.js';
import { TEXTS } from './texts.js';

/** ID of the trial whose result this page already displays. */
let settledId = '';

export function drawTrial({ trial }: StateStore): void {
  const band = find('[data-trial]');
  if (!band || trial === undefined) return;
  const id = find<HTMLInputElement>('[name="id"]', band);
  const isOver = trial === null && !band.hidden;
  setHidden(band, trial === null);
  const isNew = trial !== null && id?.value !== trial.id;
  if (isNew) clearAnswer('trial');
  if (isOver || isNew) find('[data-of-trial]')?.remove();
  if (isOver && id?.value !== settledId) showAnswer(TEXTS.trialOver, 'warn', 'trial');
  if (!trial) return;
  const leftMs = trial.leftMs - (performance.now() - trial.at);
  setText(find('[data-trial-words]', band), trialText({ ...trial, leftMs }));
  if (id) id.value = trial.id;
}

/** Confirms or rolls back the changes on trial without leaving the page. */
export function initTrial(): void {
  const form = find<HTMLFormElement>('[data-trial-form]');
  form?.addEventListener('submit', (event) => {
    const { submitter } = event;
    if (!(submitter instanceof HTMLButtonElement)) return;
    event.preventDefault();
    void settle(form, submitter);
  });
}

async function settle(form: HTMLFormElement, { formAction }: HTMLButtonElement): Promise<void> {
  const id = find<HTMLInputElement>('[name="id"]', form)?.value ?? '';
  settledId = id;
  const reply = await post(formAction, new URLSearchParams({ id }), { timeoutMs: 10_000 });
  if (reply.ok) {
    const text = formAction.endsWith('confirm') ? TEXTS.confirmed : TEXTS.rolledBack;
    return showAnswer(text, 'quiet', 'trial');
  }
  settledId = '';
  showAnswer(
    reply.status === 0 ? TEXTS.trialUnsure : `${reply.message}. ${reply.hint}`.trim(),
    'warn',
    'trial',
  );
}
