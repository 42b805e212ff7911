import { driveLockReason, outdatedReason } from '../../web/browser/commands/drive-lock.js';
import { newCommandId, sendCommand, showLines } from '../../web/browser/commands/send-command.js';
import { all, find, showText } from '../../web/browser/dom.js';
import type { StateStore } from '../../web/browser/live/state-store.js';
import { TEXTS } from '../../web/browser/texts.js';
import { initPresets } from './presets.js';
import { initPreview } from './preview.js';
import { initSignedFields } from './signed-fields.js';

/**
 * Sends commands without reloading the page. The form is locked while data is stale or the cart is not
 * permitted to move.
 */
export function initCommandForm(store: StateStore): void {
  const form = find<HTMLFormElement>('[data-command]');
  const go = find<HTMLButtonElement>('.go');
  if (!form || !go) return;
  const meaning = find<HTMLInputElement>('[name="meaning"]', form)?.value;
  const locked = (): string => driveLockReason(store) || outdatedReason(store, meaning);
  let waiting = false;
  let sentId = '';
  /** Id of the last command whose progress an event has reported. */
  let reportedId = '';
  const isShown = (): boolean => store.commands.some(({ commandId }) => commandId === sentId);

  initPresets(form, {
    mayDrive: () => !waiting && locked() === '',
    onEarly: () => showLines(answerBox(), { tone: 'quiet', lines: [TEXTS.holdPreset] }),
  });
  initSignedFields(form);
  initPreview(form);

  // The browser rejected the numbers, so the previous command's outcome no longer applies.
  const onInvalid = (): void => {
    sentId = '';
    clearResult();
  };
  form.addEventListener('invalid', onInvalid, true);
  clearOnSelect(store);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (waiting || locked() !== '') return;
    waiting = true;
    sentId = newCommandId();
    void submit(form, sentId, isShown).finally(() => {
      waiting = false;
      store.draw();
    });
    store.draw();
  });
  store.onDraw(() => {
    const why = locked();
    showText(find('[data-live="lock"]'), why === '' ? '' : TEXTS.cannotMove(why));
    go.disabled = why !== '' || waiting;
    go.toggleAttribute('aria-busy', waiting);
    for (const preset of all('[data-preset]', form))
      preset.setAttribute('aria-disabled', String(go.disabled));
    // From now on, the line of the last command shows the progress.
    if (sentId !== reportedId && isShown()) {
      reportedId = sentId;
      clearAnswer();
    }
  });
}

/** The previous result concerns the cart that was selected before. */
function clearOnSelect(store: StateStore): void {
  let selectedID = store.selectedID;
  store.onSelect((cartID) => {
    if (cartID === selectedID) return;
    selectedID = cartID;
    clearResult();
  });
}

function answerBox(): HTMLElement | undefined {
  return find('[data-progress]');
}

function clearResult(): void {
  find('[data-outcome]')?.remove();
  clearAnswer();
}

function clearAnswer(): void {
  const answer = answerBox();
  answer?.replaceChildren();
  delete answer?.dataset.tone;
}

/**
 * @param isShown returns true if an event has reported the command, whose progress is then shown instead of
 * the response.
 */
async function submit(form: HTMLFormElement, commandId: string, isShown: () => boolean): Promise<void> {
  clearResult();
  const answer = answerBox();
  showLines(answer, { tone: 'quiet', lines: [TEXTS.sending] });
  const values = [...new FormData(form)].filter(([, value]) => value !== '');
  const command = Object.fromEntries(
    values.map(([name, value]) => [name, name === 'meaning' ? value : Number(value)]),
  );
  const reply = await sendCommand({ ...command, commandId });
  if (reply.isAnswered && isShown()) clearAnswer();
  else showLines(answer, reply);
}
