import { all } from './dom.js';

const HOLD_MS = 800;

interface HoldOptions {
  /** CSS selector of the buttons; they may be added and removed. */
  buttons: string;
  /** Confirmation for assistive software, which clicks without holding. */
  question: string;
  /** `fields`: the fields of the button's form when the hold began, as the operator saw them. */
  done(button: HTMLElement, fields: URLSearchParams): void;
  /** The button was released too early. */
  early(button: HTMLElement): void;
}

/** Initialises buttons that must be held for 800 ms, so that an accidental touch does nothing. */
export function initHoldButtons({ buttons, question, done, early }: HoldOptions): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let held: HTMLElement | undefined;
  /** The pointer type, or `key`. */
  let by = '';

  const buttonAt = (target: EventTarget | null): HTMLElement | undefined => {
    const button = target instanceof Element ? target.closest(buttons) : null;
    return button instanceof HTMLElement ? button : undefined;
  };
  const release = (): void => {
    if (!held) return;
    const button = held;
    clearTimeout(timer);
    held = undefined;
    button.classList.remove('holding');
    early(button);
  };
  const hold = (button: HTMLElement, how: string): void => {
    if (held) return;
    held = button;
    by = how;
    button.classList.add('holding');
    const fields = fieldsOf(button);
    timer = setTimeout(() => {
      held = undefined;
      button.classList.remove('holding');
      done(button, fields);
    }, HOLD_MS);
  };

  document.addEventListener('pointerdown', (event) => {
    const button = buttonAt(event.target);
    if (button && event.button === 0) hold(button, event.pointerType);
  });
  for (const end of ['pointerup', 'pointercancel', 'keyup']) addEventListener(end, release, true);
  // Not in the capture phase: only the window's own blur counts, not that of the previously focused element.
  addEventListener('blur', release);
  document.addEventListener('pointermove', (event) => {
    if (!held) return;
    // While a second mouse button is down, releasing the first is reported as a move.
    const isPressed = by === 'key' || event.buttons === 1;
    const { clientX, clientY } = event;
    if (!isPressed || buttonAt(document.elementFromPoint(clientX, clientY)) !== held) release();
  });
  // A context menu suppresses the release event. On touch screens, holding opens one, so it is prevented.
  const preventMenu = (event: Event): void => {
    if (held) event.preventDefault();
    if (by === 'mouse') release();
  };
  addEventListener('contextmenu', preventMenu, true);
  const isEnter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
    key === 'Enter' && !ctrlKey && !metaKey && !altKey;
  // Any other key ends the hold: with Cmd pressed, or in a menu, no keyup of Enter follows.
  addEventListener('keydown', (event) => isEnter(event) || release(), true);
  document.addEventListener('keydown', (event) => {
    const button = buttonAt(event.target);
    if (!button || event.key !== 'Enter') return;
    event.preventDefault();
    if (isEnter(event) && !event.repeat) hold(button, 'key');
  });
  document.addEventListener('click', (event) => {
    const button = buttonAt(event.target);
    if (!button) return;
    event.preventDefault();
    // detail 0: a click by assistive software.
    if (event.detail !== 0) return;
    const fields = fieldsOf(button);
    if (confirm(question)) done(button, fields);
  });
}

function fieldsOf(button: HTMLElement): URLSearchParams {
  const fields = new URLSearchParams();
  for (const { name, value } of all<HTMLInputElement>('input[name]', button.closest('form') ?? button)) {
    fields.set(name, value);
  }
  return fields;
}
