import { trialEndText, trialText } from '../labels/fault-texts.js';
import { clearAnswer, showAnswer } from './answer.js';
import { find, setHidden, setText, showText } from './dom.js';
import type { StateStore } from './live/state-store.js';
import { post } from './post.js';
import { TEXTS } from './texts.js';

let changeListener = (): void => undefined;

/** Calls the listener when a trial begins or ends, because both change the stored settings. */
export function onTrialChange(listener: () => void): void {
  changeListener = listener;
}

/** Shows the change on trial and, when the trial ends, names the result. */
export function drawTrial({ trial, trialEnded }: StateStore): void {
  const band = find('[data-trial]');
  if (!band || trial === undefined) return;
  const id = find<HTMLInputElement>('[name="id"]', band);
  const isOver = trial === null && !band.hidden;
  setHidden(band, trial === null);
  const isNew = trial !== null && id?.value !== trial.id;
  if (isNew) {
    clearAnswer('trial');
    // The list of changes is cleared, because only the gateway can write it in the page's language.
    setText(find('[data-trial-changes]', band), '');
    find('[data-trial-ended]')?.toggleAttribute('hidden', true);
  }
  if (isOver || isNew) {
    find('[data-of-trial]')?.remove();
    changeListener();
  }
  // If the gateway has no record of the trial, it restarted during the trial and rolled back the changes.
  if (isOver)
    showEnd(trialEnded ? trialEndText(trialEnded) : TEXTS.trialUndone, trialEnded?.outcome === 'confirmed');
  if (!trial) return;
  const leftMs = trial.leftMs - (performance.now() - trial.at);
  setText(find('[data-trial-words]', band), trialText({ ...trial, leftMs }));
  if (id) id.value = trial.id;
}

/** Shows the result of a trial. On the Settings page, a panel shows it until the next trial begins. */
function showEnd(text: string, isKept: boolean): void {
  const panel = find('[data-trial-ended]');
  if (!panel) return showAnswer(text, isKept ? 'quiet' : 'warn', 'trial');
  showText(find('[data-trial-ended-text]', panel), text);
  setHidden(panel, false);
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
  const reply = await post(formAction, new URLSearchParams({ id }), { timeoutMs: 10_000 });
  // No message is needed, because the event about the end of the trial names the result.
  if (reply.ok) return;
  const text = reply.status === 0 ? TEXTS.trialUnsure : `${reply.message}. ${reply.hint}`.trim();
  showAnswer(text, 'warn', 'trial');
}
