import { all, find, svg } from '../../browser/dom.js';

/** Draws the rectangle that the fields of the form describe, with the drive axle; forward is up. */
export function initFootprint(form: HTMLFormElement): void {
  const drawing = form.querySelector('[data-footprint]');
  if (!drawing) return;
  const draw = (): void => {
    const [front = 0, rear = 0, left = 0, right = 0] = ['frontMm', 'rearMm', 'leftMm', 'rightMm'].map(
      (name) => Number(find<HTMLInputElement>(`[name="${name}"]`, form)?.value) || 0,
    );
    const [width, length] = [left + right, front + rear];
    const margin = 0.1 * Math.max(width, length, 1);
    const box = [-left - margin, -front - margin, width + 2 * margin, length + 2 * margin];
    drawing.setAttribute('viewBox', box.join(' '));
    drawing.toggleAttribute('hidden', !(width > 0 && length > 0));
    const [tip, wing] = [margin / 2 - front, margin / 2];
    drawing.replaceChildren(
      svg('rect', { x: -left, y: -front, width, height: length }),
      svg('path', {
        d: `M${-left / 2} 0 H${right / 2} M0 0 V${tip} L${-wing} ${tip + wing} M0 ${tip} L${wing} ${tip + wing}`,
      }),
    );
  };
  for (const input of all<HTMLInputElement>('input', form)) input.addEventListener('input', draw);
  draw();
}
