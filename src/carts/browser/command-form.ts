import { driveLockNote, driveLockReason, outdatedReason } from '../../web/browser/commands/drive-lock.js';
import { newId } from '../../web/browser/commands/new-id.js';
import { type CommandAnswer, sendCommand, showLines } from '../../web/browser/commands/send-command.js';
import { all, find, setAttribute, showText } from '../../web/browser/dom.js';
import type { StateStore } from '../../web/browser/live/state-store.js';
import { TEXTS } from '../../web/browser/texts.js';
import { initFieldErrors } from './field-errors.js';
import { initPresets, type PresetMotion } from './presets.js';
import { initPreview, isMotionless } from './preview.js';
import { initSignedFields } from './signed-fields.js';

/** Nothing is drawn for a shorter wait, because it would only flicker. */
const NOTICEABLE_MS = 200;

/** The form is locked while the cart's data is stale or the cart is not permitted to move. */
export function initCommandForm(store: StateStore): void {
  const form = find<HTMLFormElement>('[data-command]');
  const go = find<HTMLButtonElement>('.go');
  if (!form || !go) return;
  const meaning = find<HTMLInputElement>('[name="meaning"]', form)?.value;
  const locked = (): string => driveLockReason(store) || outdatedReason(store, meaning);
  let isWaiting = false;
  let isWaitShown = false;
  let sentId = '';
  /** ID of the last command whose progress an event has reported. */
  let reportedId = '';
  const isShown = (): boolean => store.commands.some(({ commandId }) => commandId === sentId);

  const showAnswer = (answer: CommandAnswer): void => {
    if (answer.isAnswered && isShown()) clearAnswer();
    else showLines(answerBox(), answer);
  };
  const showWait = (): void => {
    isWaitShown = true;
    showLines(answerBox(), { tone: 'quiet', lines: [TEXTS.sending] });
    store.draw();
  };
  const send = async (preset?: PresetMotion): Promise<void> => {
    if (isWaiting || locked() !== '') return;
    isWaiting = true;
    const commandId = newId();
    sentId = commandId;
    clearResult();
    const wait = setTimeout(showWait, NOTICEABLE_MS);
    const answer = await sendCommand({ ...valuesOf(form), ...preset, commandId });
    clearTimeout(wait);
    isWaiting = false;
    isWaitShown = false;
    store.draw();
    if (answer.tone === 'stop') return showAnswer(answer);
    // The event that reports the command usually follows within a few milliseconds.
    setTimeout(() => commandId === sentId && showAnswer(answer), NOTICEABLE_MS);
  };

  initPresets(form, {
    // The preset's numbers are not written to the fields; otherwise, the Drive button would resend them.
    onHold: (motion) => {
      const speed = find<HTMLInputElement>('[name="maxSpeed"]', form);
      if (speed?.reportValidity() ?? true) void send(motion);
    },
    onEarly: () => showLines(answerBox(), { tone: 'quiet', lines: [TEXTS.holdPreset] }),
  });
  initSignedFields(form);
  initFieldErrors(form);
  initPreview(form, store);

  // The browser rejected the numbers, so the previous command's outcome no longer applies.
  const onInvalid = (): void => {
    sentId = '';
    clearResult();
  };
  form.addEventListener('invalid', onInvalid, true);
  clearOnSelect(store);
  // A hint disappears when the operator follows it; a rejection stays until the next command.
  form.addEventListener('input', () => {
    if (!isWaiting && answerBox()?.dataset.tone === 'quiet') clearAnswer();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isMotionless(form)) {
      showLines(answerBox(), { tone: 'quiet', lines: [TEXTS.enterMotion] });
      find('[name="distanceID"]', form)?.focus();
    } else {
      void send();
    }
  });
  store.onDraw(() => {
    const why = locked();
    drawLock(driveLockNote(store), outdatedReason(store, meaning));
    go.disabled = why !== '' || isWaitShown;
    for (const preset of all('[data-preset]', form))
      setAttribute(preset, 'aria-disabled', String(go.disabled));
    // The page now shows the command's progress instead of the response.
    if (sentId !== reportedId && isShown()) {
      reportedId = sentId;
      clearAnswer();
    }
  });
}

/** A reason for which the cart must not move locks manual drive too; outdated values lock only the form. */
function drawLock(note: string, outdated: string): void {
  const lock = find('[data-live="lock"]');
  lock?.classList.toggle('of-move', note === '');
  showText(lock, note || outdated ? TEXTS.cannotMove(note || outdated) : '');
}

/** Clears the result when another cart is selected, because the result belongs to the previous cart. */
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

function valuesOf(form: HTMLFormElement): Record<string, string | number> {
  const values = [...new FormData(form)].filter(([, value]) => value !== '');
  return Object.fromEntries(
    values.map(([name, value]) => [name, name === 'meaning' ? String(value) : Number(value)]),
  );
}
