import { driveLockNote, driveLockReason, outdatedReason } from '../../browser/commands/drive-lock.js';
import { newId } from '../../browser/commands/new-id.js';
import { type CommandAnswer, sendCommand, showLines } from '../../browser/commands/send-command.js';
import { all, find, setAttribute, setText, showText } from '../../browser/dom.js';
import { initHoldButtons } from '../../browser/hold.js';
import type { StateStore } from '../../browser/live/state-store.js';
import { TEXTS } from '../../browser/texts.js';
import { initPreview, isMotionless, previewDistance } from './preview.js';
import { initSignedFields, resetDirections } from './signed-fields.js';

/** Numbers in the units of the form's fields. */
type PresetMotion = Readonly<Record<'distanceID' | 'angleID', number>>;

interface PresetOptions {
  onHold: (motion: PresetMotion) => void;
  onEarly: () => void;
}

/** Sends a preset's command when its button is held. Hides presets that exceed the limits in the settings. */
function initPresets(form: HTMLFormElement, { onHold, onEarly }: PresetOptions): void {
  for (const button of all<HTMLButtonElement>('[data-preset]', form)) {
    button.hidden = motionOf(form, button) === undefined;
  }
  initHoldButtons({
    buttons: '[data-preset]',
    question: TEXTS.confirmPreset,
    done: (button) => {
      const motion = motionOf(form, button);
      if (motion) onHold(motion);
    },
    early: onEarly,
  });
}

/** Returns undefined if the form's fields cannot represent the motion. */
function motionOf(form: HTMLFormElement, { dataset }: HTMLElement): PresetMotion | undefined {
  const distanceID = valueFor(form, 'distanceID', Number(dataset.mm));
  const angleID = valueFor(form, 'angleID', Number(dataset.deg));
  return distanceID === undefined || angleID === undefined ? undefined : { distanceID, angleID };
}

/** Converts mm or degrees to a field's unit; undefined if the field cannot represent the amount. */
function valueFor(form: HTMLFormElement, name: string, amount: number): number | undefined {
  const input = form.elements.namedItem(name);
  if (!(input instanceof HTMLInputElement)) return undefined;
  const value = amount / Number(input.dataset.per);
  const isInRange = value >= Number(input.min) && value <= Number(input.max);
  return Number.isInteger(value) && isInRange ? value : undefined;
}

/** Shows the valid range beside a field that contains an invalid number. */
function initFieldErrors(form: HTMLFormElement): void {
  for (const input of all<HTMLInputElement>('input[type="number"]', form)) {
    const error = find(`#${input.name}-error`, form);
    const check = ({ type }: Pick<Event, 'type'>): void => {
      input.setCustomValidity('');
      // An empty field is not an error during input, because the user may have cleared it to enter a new number.
      const isTyping = type === 'input' && input.value === '';
      const text = isTyping || input.validity.valid ? '' : rangeText(form, input);
      input.setCustomValidity(text);
      if (text === '') input.removeAttribute('aria-invalid');
      else input.setAttribute('aria-invalid', 'true');
      showText(error, text);
    };
    for (const event of ['input', 'change', 'invalid']) input.addEventListener(event, check);
    check({ type: 'change' });
  }
}

/** Returns a text such as `Speed: 1 to 300 mm/s`. */
function rangeText(form: HTMLFormElement, { id, min, max, dataset, validity }: HTMLInputElement): string {
  const label = find(`label[for="${id}"]`, form)?.textContent ?? '';
  if (validity.stepMismatch && !validity.rangeOverflow) return TEXTS.noDecimals(label);
  const { unit = '' } = dataset;
  const limit = unit === '°' ? `${max}°` : unit.includes('°') ? `${max} × ${unit}` : `${max} ${unit}`;
  // The direction of a signed number is entered separately, so the range does not start below 0.
  return TEXTS.validRange(label, String(Math.max(0, Number(min))), limit);
}

/** A shorter wait is not shown, because the text would only flicker. */
const NOTICEABLE_MS = 200;
/** A press this soon after the Drive button changed its meaning may be the second tap of a double tap. */
const SETTLING_MS = 1000;

type BusyPolicy = { onBusy?: 'replace' | 'reject' | 'queue' };

/** Initialises the form, which is locked while the cart's data is stale or the cart is not permitted to move. */
export function initCommandForm(store: StateStore): void {
  const form = find<HTMLFormElement>('[data-command]');
  const go = find<HTMLButtonElement>('.go');
  const queue = find<HTMLButtonElement>('[data-queue]');
  if (!form || !go || !queue) return;
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
  const isMoving = (): boolean => store.selected?.moving ?? false;
  /** True while the button is labelled Replace. */
  let isReplace = false;
  let changedAtMs = Number.NEGATIVE_INFINITY;
  const isSettling = (): boolean => performance.now() - changedAtMs < SETTLING_MS;
  const send = async (more: Partial<PresetMotion> & BusyPolicy): Promise<void> => {
    if (isWaiting || locked() !== '') return;
    isWaiting = true;
    const commandId = newId();
    sentId = commandId;
    clearResult();
    const wait = setTimeout(showWait, NOTICEABLE_MS);
    const values = { ...valuesOf(form), ...more, commandId };
    const answer = await sendCommand(values);
    clearTimeout(wait);
    isWaiting = false;
    isWaitShown = false;
    store.draw();
    if (answer.tone === 'stop') return showAnswer(answer);
    resetDirections(form, values);
    // Counts as a change, because the button becomes Replace as soon as the cart reports that it is moving.
    changedAtMs = performance.now();
    // Usually, the event that reports the command follows within a few milliseconds and makes the response redundant.
    setTimeout(() => commandId === sentId && showAnswer(answer), NOTICEABLE_MS);
  };

  initPresets(form, {
    // The preset's numbers are not written to the fields; otherwise, the Drive button would resend them.
    onHold: (motion) => {
      const speed = find<HTMLInputElement>('[name="maxSpeed"]', form);
      if (speed?.reportValidity() ?? true) void send({ ...motion, onBusy: 'reject' });
    },
    onEarly: () => showLines(answerBox(), { tone: 'quiet', lines: [TEXTS.holdPreset] }),
  });
  initSignedFields(form);
  initFieldErrors(form);
  initPreview(form, store);

  // The button's text at the time of the press determines whether the operator meant to replace the command.
  let isPressedToReplace = false;
  let isPressedEarly = false;
  const onPress = ({ target }: Event): void => {
    isPressedToReplace = isReplace;
    const isForQueue = target instanceof Node && queue.contains(target);
    isPressedEarly = !isForQueue && (isWaiting || isSettling());
  };
  form.addEventListener('pointerdown', onPress, true);
  form.addEventListener(
    'keydown',
    (event) => {
      // Holding Enter down would press the button repeatedly.
      if (event.key === 'Enter' && event.repeat) event.preventDefault();
      else onPress(event);
    },
    true,
  );
  // Invalid numbers need no hold: the browser reports them when the button is pressed, and nothing is sent.
  const needsHold = (): boolean =>
    form.matches(':valid') && Math.abs(previewDistance(form)) > Number(form.dataset.holdAbove);
  const sendForm = (button: HTMLElement): void => {
    if (isPressedEarly || !form.reportValidity()) return;
    if (isMotionless(form)) {
      showLines(answerBox(), { tone: 'quiet', lines: [TEXTS.enterMotion] });
      find('[name="distanceID"]', form)?.focus();
    } else if (button === queue) void send({ onBusy: 'queue' });
    else void send(isMoving() ? { onBusy: isPressedToReplace ? 'replace' : 'reject' } : {});
  };
  const showHold = (): void => showLines(answerBox(), { tone: 'quiet', lines: [TEXTS.holdPreset] });
  const drawHold = (): void => {
    const isHold = needsHold();
    for (const button of [go, queue]) button.toggleAttribute('data-hold', isHold);
    const drive = isHold ? TEXTS.holdToDrive : TEXTS.drive;
    const replace = isHold ? TEXTS.holdToReplace : TEXTS.replace;
    setText(find('[data-go-text]', go), isReplace ? replace : drive);
    setText(find('[data-queue-text]', queue), isHold ? TEXTS.holdToQueue : TEXTS.queue);
  };
  initHoldButtons({
    buttons: '.send > [data-hold]',
    question: TEXTS.confirmPreset,
    isBlocked: () => isPressedEarly,
    done: sendForm,
    early: showHold,
  });
  queue.addEventListener('click', () => {
    if (!needsHold()) sendForm(queue);
  });
  // Handles Enter in a field. Otherwise, Enter would click the button, which would ask for confirmation instead of a
  // hold.
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement) || !needsHold()) return;
    event.preventDefault();
    showHold();
  });
  form.addEventListener('input', drawHold);
  drawHold();

  // The browser rejected the numbers, so the previous command's outcome no longer applies.
  const onInvalid = (): void => {
    sentId = '';
    clearResult();
  };
  form.addEventListener('invalid', onInvalid, true);
  clearOnSelect(store, form);
  // A hint disappears when the operator follows it; a rejection stays until the next command.
  form.addEventListener('input', () => {
    if (!isWaiting && answerBox()?.dataset.tone === 'quiet') clearAnswer();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (needsHold()) showHold();
    else sendForm(go);
  });
  store.onDraw(() => {
    const why = locked();
    // While the connection is lost, another message explains the lock and needs the space.
    drawLock(store.lostForMs() > 0 ? '' : driveLockNote(store), outdatedReason(store, meaning));
    go.disabled = why !== '' || isWaitShown;
    queue.disabled = go.disabled;
    if (isReplace !== isMoving()) {
      isReplace = isMoving();
      changedAtMs = performance.now();
    }
    drawHold();
    go.toggleAttribute('data-settling', isSettling());
    queue.toggleAttribute('data-shown', isReplace);
    for (const preset of all('[data-preset]', form))
      setAttribute(preset, 'aria-disabled', String(go.disabled || isReplace));
    // The page now shows the command's progress instead of the response.
    if (sentId !== reportedId && isShown()) {
      reportedId = sentId;
      clearAnswer();
    }
  });
}

/**
 * Shows why the form is locked. `note` states why the cart must not move and also locks manual drive; `outdated`
 * locks only the form.
 */
function drawLock(note: string, outdated: string): void {
  const lock = find('[data-live="lock"]');
  lock?.classList.toggle('of-move', note === '');
  showText(lock, note || outdated ? TEXTS.cannotMove(note || outdated) : '');
}

/**
 * Clears the result and the numbers when another cart is selected, because they belong to the previous cart.
 */
function clearOnSelect(store: StateStore, form: HTMLFormElement): void {
  let selectedID = store.selectedID;
  store.onSelect((cartID) => {
    if (cartID === selectedID) return;
    selectedID = cartID;
    clearFields(form);
    clearResult();
  });
}

function clearFields(form: HTMLFormElement): void {
  for (const name of ['distanceID', 'angleID', 'maxSpeed']) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLSelectElement) control.selectedIndex = 0;
    else if (control instanceof HTMLInputElement) {
      control.value = name === 'maxSpeed' ? '' : '0';
      delete control.dataset.negative;
    } else continue;
    control.dispatchEvent(new Event('input', { bubbles: true }));
  }
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
  delete answer?.dataset.code;
}

function valuesOf(form: HTMLFormElement): Record<string, string | number> {
  const values = [...new FormData(form)].filter(([, value]) => value !== '');
  return Object.fromEntries(
    values.map(([name, value]) => [name, name === 'meaning' ? String(value) : Number(value)]),
  );
}
