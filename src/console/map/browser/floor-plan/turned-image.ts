import { isTransposed, type PlanView, turnOf } from '../../../../plan/pure.js';

/**
 * Some browsers ignore the EXIF orientation of WebP and PNG images, so the page applies it itself.
 * @returns the CSS transform from stored to displayed pixels; empty if the image is not turned.
 */
export function setTurned(image: HTMLImageElement, plan: PlanView | null): string {
  const { orientation = 1 } = plan ?? {};
  image.classList.toggle('is-turned', orientation !== 1);
  return orientation === 1 ? '' : turnOf(orientation);
}

/** Displays the image with its orientation in the enclosing box, which takes on the plan's proportions. */
export function showTurned(image: HTMLImageElement, plan: PlanView): void {
  const turn = setTurned(image, plan);
  const { orientation = 1, width, height } = plan;
  const ratio = width / height;
  image.parentElement?.style.setProperty('--plan-ratio', String(ratio));
  image.parentElement?.style.setProperty('--plan-width', `${width}px`);
  const [across, down] = isTransposed(orientation) ? [1 / ratio, ratio] : [1, 1];
  image.style.width = turn === '' ? '' : `${across * 100}%`;
  image.style.height = turn === '' ? '' : `${down * 100}%`;
  image.style.transform = turn;
}
