import { all } from './dom.js';

const HOLD_MS = 800;

interface HoldOptions {
  /** CSS selector; matching buttons may be added and removed at any time. */
  buttons: string;
  /** Confirmation prompt for assistive software, which clicks buttons instead of holding them. */
  question: string;
  /** A press does not begin a hold while this returns true. */
  isBlocked?(): boolean;
  /** `fields` contains the form's values at the beginning of the hold. */
  done(button: HTMLElement, fields: URLSearchParams): void;
  /** Called if the button is released too early. */
  early(button: HTMLElement): void;
}

/** Requires a hold of 800 ms, so that an accidental touch does nothing. */
export function initHoldButtons({ buttons, question, isBlocked, done, early }: HoldOptions): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let held: HTMLElement | undefined;
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
    if (held || isBlocked?.()) return;
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
    // A second press, for example with another finger on Stop, ends the hold.
    if (held) return release();
    const button = buttonAt(event.target);
    if (button && event.button === 0) hold(button, event.pointerType);
  });
  for (const end of ['pointerup', 'pointercancel', 'keyup']) addEventListener(end, release, true);
  // Not a capturing listener, because an element's blur event must not end the hold.
  addEventListener('blur', release);
  document.addEventListener('pointermove', (event) => {
    if (!held) return;
    // While a second mouse button is pressed, browsers report the first button's release as a move event.
    const isPressed = by === 'key' || event.buttons === 1;
    const { clientX, clientY } = event;
    if (!isPressed || buttonAt(document.elementFromPoint(clientX, clientY)) !== held) release();
  });
  // A long press opens a context menu, which suppresses the release event.
  const preventMenu = (event: Event): void => {
    if (held) event.preventDefault();
    if (by === 'mouse') release();
  };
  addEventListener('contextmenu', preventMenu, true);
  const isEnter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
    key === 'Enter' && !ctrlKey && !metaKey && !altKey;
  // Any other key ends the hold, because Enter has no keyup event while Cmd is pressed or a menu is open.
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
    // Only clicks by assistive technology, whose `detail` is 0, open a confirmation dialog instead of a hold.
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
