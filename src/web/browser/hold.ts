import { all } from './dom.js';

const HOLD_MS = 800;

interface HoldOptions {
  /** CSS selector of the buttons; they may come and go. */
  buttons: string;
  /** What a screen reader is asked, which clicks without holding. */
  question: string;
  /** `fields` are those of the button's form as the hold began: what was shown then is what is meant. */
  done(button: HTMLElement, fields: URLSearchParams): void;
  /** The press was too short. */
  early(button: HTMLElement): void;
}

/** Buttons that ask by hold, so that a stray touch does nothing: 800 ms, while a ring fills. */
export function initHoldButtons({ buttons, question, done, early }: HoldOptions): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let held: HTMLElement | undefined;
  /** What holds it: the kind of pointer, or a key. */
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
  // Not captured: the press itself takes the focus from another element, and only the window's own blur counts.
  addEventListener('blur', release);
  document.addEventListener('pointermove', (event) => {
    if (!held) return;
    // While another button is down, the release of the first is only a move.
    const isPressed = by === 'key' || event.buttons === 1;
    const { clientX, clientY } = event;
    if (!isPressed || buttonAt(document.elementFromPoint(clientX, clientY)) !== held) release();
  });
  // A menu swallows the release. A finger asks for one by holding still, and that is what it is meant to do here.
  const refuseMenu = (event: Event): void => {
    if (held) event.preventDefault();
    if (by === 'mouse') release();
  };
  addEventListener('contextmenu', refuseMenu, true);
  const isEnter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
    key === 'Enter' && !ctrlKey && !metaKey && !altKey;
  // Any other key ends it: with Cmd down, or under a menu, nobody hears Enter come up.
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
    // detail 0: nobody pressed anything, assistive software asked for the click.
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
