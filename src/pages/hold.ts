const HOLD_MS = 800;

export interface HoldOptions {
  /** CSS selector of the buttons; they may come and go. */
  buttons: string;
  /** What a screen reader is asked, which clicks without holding. */
  question: string;
  done(button: HTMLElement): void;
  /** The press was too short. */
  early(button: HTMLElement): void;
}

/** Buttons that ask by hold, so that a stray touch does nothing: 800 ms, while a ring fills. */
export function armHold({ buttons, question, done, early }: HoldOptions): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let held: HTMLElement | undefined;

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
  const hold = (button: HTMLElement): void => {
    if (held) return;
    held = button;
    button.classList.add('holding');
    timer = setTimeout(() => {
      held = undefined;
      button.classList.remove('holding');
      done(button);
    }, HOLD_MS);
  };

  document.addEventListener('pointerdown', (event) => {
    const button = buttonAt(event.target);
    if (button && event.button === 0) hold(button);
  });
  for (const end of ['pointerup', 'pointercancel', 'keyup']) addEventListener(end, release, true);
  // Not captured: the press itself takes the focus from another element, and only the window's own blur counts.
  addEventListener('blur', release);
  document.addEventListener('pointermove', ({ clientX, clientY }) => {
    if (held && buttonAt(document.elementFromPoint(clientX, clientY)) !== held) release();
  });
  document.addEventListener('keydown', (event) => {
    const button = buttonAt(event.target);
    if (!button || event.key !== 'Enter') return;
    event.preventDefault();
    hold(button);
  });
  document.addEventListener('click', (event) => {
    const button = buttonAt(event.target);
    if (!button) return;
    event.preventDefault();
    // detail 0: nobody pressed anything, assistive software asked for the click.
    if (event.detail === 0 && confirm(question)) done(button);
  });
}
