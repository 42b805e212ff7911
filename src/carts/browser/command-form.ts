import { upperFirst } from '../../i18n/format.js';
import { translated } from '../../i18n/messages.js';
import { all, find, showText } from '../../web/browser/dom.js';
import { driveLockReason, outdatedReason } from '../../web/browser/drive-lock.js';
import type { StateStore } from '../../web/browser/live/state-store.js';
import { field, post, type Reply } from '../../web/browser/post.js';
import { TEXTS } from '../../web/browser/texts.js';
import type { CommandState } from '../command/model.js';
import { commandStateText } from '../labels/labels.js';
import { initPresets } from './presets.js';
import { initPreview } from './preview.js';

/**
 * Timeout in ms. Longer than the gateway waits for an acknowledgement, so that the gateway's response arrives
 * first.
 */
const ANSWER_WITHIN_MS = 12_000;

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
    onEarly: () => show(answerBox(), 'quiet', [TEXTS.holdPreset]),
  });
  initPreview(form);
  initSignButtons(form);

  // The browser rejected the numbers, so the previous command's outcome no longer applies.
  const onInvalid = (): void => {
    sentId = '';
    clearResult();
  };
  form.addEventListener('invalid', onInvalid, true);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (waiting || locked() !== '') return;
    waiting = true;
    sentId = newId();
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
  show(answer, 'quiet', [TEXTS.sending]);
  const values = [...new FormData(form)].filter(([, value]) => value !== '');
  const command = Object.fromEntries(
    values.map(([name, value]) => [name, name === 'meaning' ? value : Number(value)]),
  );
  const reply = await post('/', { ...command, commandId }, { timeoutMs: ANSWER_WITHIN_MS });
  if (reply.status === 0) return show(answer, 'stop', [TEXTS.noAnswer]);
  if (isShown()) return clearAnswer();
  if (!reply.ok) return show(answer, 'stop', refusal(reply));
  show(answer, 'quiet', [upperFirst(commandStateText(field(reply.body, 'state') as CommandState))]);
}

function refusal(reply: Reply): string[] {
  const faults = reply.faults.map(({ path, message }) => `${path.replace('/', '')} ${translated(message)}`);
  return [TEXTS.refused, `${upperFirst(reply.message)}.`.replace('..', '.'), ...faults, reply.hint].filter(
    Boolean,
  );
}

function show(box: HTMLElement | undefined, how: 'quiet' | 'stop', lines: readonly string[]): void {
  if (!box) return;
  box.dataset.tone = how;
  box.replaceChildren(
    ...lines.map((line) => Object.assign(document.createElement('p'), { textContent: line })),
  );
}

/** Buttons that change a number's sign, because number pads on phones have no minus key. */
function initSignButtons(form: HTMLFormElement): void {
  for (const button of form.querySelectorAll<HTMLButtonElement>('[data-sign]')) {
    const input = find<HTMLInputElement>(`#${button.dataset.sign}`, form);
    if (!input) continue;
    const word = (): void => {
      const minus = input.value.startsWith('-');
      button.textContent = (minus ? button.dataset.minus : button.dataset.plus) ?? '';
    };
    button.addEventListener('click', () => {
      const { value } = input;
      input.value = value.startsWith('-') ? value.slice(1) : `-${value || '0'}`;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    form.addEventListener('input', word);
    word();
  }
}

/**
 * Returns a version 4 UUID. `crypto.randomUUID` exists only in secure contexts, but carts may use plain HTTP.
 */
function newId(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID();
  const bytes = (crypto as Crypto).getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, at) => {
    const fixed = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return fixed.toString(16).padStart(2, '0');
  });
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
