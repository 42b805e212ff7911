import { upperFirst } from '../../i18n/format.js';
import { translated } from '../../i18n/messages.js';
import { all, find, showText } from '../../web/browser/dom.js';
import { driveLockReason, outdatedReason } from '../../web/browser/drive-lock.js';
import type { StateStore } from '../../web/browser/live/state-store.js';
import { field, post, type Reply } from '../../web/browser/post.js';
import { TEXTS } from '../../web/browser/texts.js';
import type { CommandState } from '../command/model.js';
import { type CommandRow, commandRow } from '../labels/command-rows.js';
import { commandStateText } from '../labels/labels.js';
import { initPreview } from './preview.js';
import { drawSteps } from './steps.js';

/** In ms. Longer than the gateway waits for an acknowledgement, so that its response arrives first. */
const ANSWER_WITHIN_MS = 12_000;

/** Sends commands without reloading. The form is locked while data is stale or the cart may not move. */
export function initCommandForm(store: StateStore): void {
  const form = find<HTMLFormElement>('[data-command]');
  const go = find<HTMLButtonElement>('.go');
  if (!form || !go) return;
  const meaning = find<HTMLInputElement>('[name="meaning"]', form)?.value;
  const locked = (): string => driveLockReason(store) || outdatedReason(store, meaning);
  let waiting = false;
  let sentId = '';

  initPresets(form);
  initPreview(form);
  initSignButtons(form);

  // The browser rejected the numbers, so the previous command's outcome no longer applies.
  const onInvalid = (): void => {
    sentId = '';
    clearResult(form);
  };
  form.addEventListener('invalid', onInvalid, true);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (waiting || locked() !== '') return;
    waiting = true;
    sentId = newId();
    void submit(form, sentId).finally(() => {
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
    const sent = store.commands.find(({ commandId }) => commandId === sentId);
    if (sent) showProgress(find('[data-progress]', form), commandRow(sent));
  });
}

function showProgress(box: HTMLElement | undefined, row: CommandRow): void {
  if (!box) return;
  const list =
    find('[data-steps]', box) ?? Object.assign(document.createElement('ol'), { className: 'steps' });
  const note = find('[data-note]', box) ?? document.createElement('p');
  list.dataset.steps = '';
  note.dataset.note = '';
  drawSteps(list, row);
  showText(note, row.note);
  box.dataset.tone = row.tone === 'stop' ? 'stop' : 'quiet';
  if (!list.isConnected) box.replaceChildren(list, note);
}

function clearResult(form: HTMLFormElement): void {
  find('[data-outcome]')?.remove();
  const answer = find('[data-progress]', form);
  answer?.replaceChildren();
  delete answer?.dataset.tone;
}

async function submit(form: HTMLFormElement, commandId: string): Promise<void> {
  clearResult(form);
  const answer = find('[data-progress]', form);
  show(answer, 'quiet', [TEXTS.sending]);
  const values = [...new FormData(form)].filter(([, value]) => value !== '');
  const command = Object.fromEntries(
    values.map(([name, value]) => [name, name === 'meaning' ? value : Number(value)]),
  );
  const reply = await post('/', { ...command, commandId }, { timeoutMs: ANSWER_WITHIN_MS });
  if (reply.status === 0) return show(answer, 'stop', [TEXTS.noAnswer]);
  // Events show an accepted command's progress; the response is shown only if none has arrived.
  if (answer && find('[data-steps]', answer)) return;
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

/** Buttons that change a number's sign: number pads on phones have no minus key. */
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

/** A version 4 UUID: `crypto.randomUUID` exists only in secure contexts, but carts use plain HTTP. */
function newId(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID();
  const bytes = (crypto as Crypto).getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, at) => {
    const fixed = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return fixed.toString(16).padStart(2, '0');
  });
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function initPresets(form: HTMLFormElement): void {
  for (const button of all<HTMLButtonElement>('[data-preset]', form)) {
    const amounts = { distanceID: Number(button.dataset.mm), angleID: Number(button.dataset.deg) };
    const fits = Object.entries(amounts).every(
      ([name, amount]) => valueFor(form, name, amount) !== undefined,
    );
    button.hidden = !fits;
    button.addEventListener('click', () => {
      for (const [name, amount] of Object.entries(amounts)) {
        const input = find<HTMLInputElement>(`#${name}`, form);
        if (!input) continue;
        input.value = String(valueFor(form, name, amount));
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }
    });
  }
}

/** Converts mm or degrees to the field's unit; undefined if the field cannot represent the amount. */
function valueFor(form: HTMLFormElement, name: string, amount: number): number | undefined {
  const input = form.elements.namedItem(name);
  if (!(input instanceof HTMLInputElement)) return undefined;
  const value = amount / Number(input.dataset.per);
  const isInRange = value >= Number(input.min) && value <= Number(input.max);
  return Number.isInteger(value) && isInRange ? value : undefined;
}
