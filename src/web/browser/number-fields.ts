const NUMBER = 'input:is(.num, [type="number"], [inputmode="decimal"])';

/**
 * Selects the content of a number field that receives the focus. Otherwise, a tap on the right-aligned 0 places the
 * caret before it, and 300 becomes 3000.
 */
export function selectNumbers(): void {
  let pressed: EventTarget | null;
  const select = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement && target.matches(NUMBER)) target.select();
  };
  addEventListener('focusin', select);
  addEventListener(
    'pointerdown',
    ({ target }) => (pressed = target === document.activeElement ? null : target),
    true,
  );
  // The press that moves the focus to a field also places the caret.
  addEventListener('click', (event) => {
    if (event.target === pressed) select(event);
  });
}
