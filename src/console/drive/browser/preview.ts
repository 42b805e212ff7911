import type { FieldView } from '../../../carts/pure.js';
import { metres } from '../../../i18n/format.js';
import { t } from '../../../i18n/shared-text.js';
import { all, find, setAttribute, svg } from '../../browser/dom.js';
import type { StateStore } from '../../browser/live/state-store.js';
import { TEXTS } from '../../browser/texts.js';
import { turn } from '../../labels/labels.js';
import { fieldKey, fieldShapes } from './field.js';
import { signedValue } from './signed-fields.js';

/** End of a motion, relative to its start: metres ahead, metres to the left, and degrees turned to the left. */
interface End {
  ahead: number;
  left: number;
  deg: number;
}

export function initPreview(form: HTMLFormElement, store: StateStore): void {
  let drawn = '';
  const draw = (): void => {
    drawn = fieldKey(store.selected?.field);
    drawPreview(form, store.selected?.field);
  };
  form.addEventListener('input', draw);
  store.onDraw(() => {
    if (fieldKey(store.selected?.field) !== drawn) draw();
  });
  draw();
}

function drawPreview(form: HTMLFormElement, field: FieldView | undefined): void {
  const preview = form.querySelector('[data-preview]');
  const caption = find('[data-preview-caption]', form);
  if (!preview || !caption) return;
  // A motion that would be rejected is not previewed.
  const isRefused = ['distanceID', 'angleID'].some((name) => {
    const field = form.elements.namedItem(name);
    return field instanceof HTMLInputElement && !field.validity.valid;
  });
  preview.toggleAttribute('hidden', isRefused);
  const isEmpty = !isRefused && isMotionless(form);
  // The buttons remain enabled, so that pressing one shows what is missing.
  for (const button of all('.send > button', form)) setAttribute(button, 'aria-disabled', String(isEmpty));
  if (isRefused) {
    caption.textContent = '';
    return;
  }
  const mm = amountOf(form, 'distanceID');
  const deg = amountOf(form, 'angleID');
  const steers = form.dataset.drive === 'ackermann';
  const end = steers ? steeredEnd(mm, deg) : turnedEnd(mm, deg);
  const reach = Math.max(0.3, Math.abs(end.ahead), Math.abs(end.left));
  const cart = reach * 0.2;
  const side = (reach + cart * 1.6) * 2;
  preview.setAttribute('viewBox', `${-side / 2} ${-side / 2} ${side} ${side}`);
  const path = steers ? curve(mm, deg) : `M0 0 L${-end.left} ${-end.ahead}`;
  preview.replaceChildren(
    svg('path', { d: `M0 ${-side / 2} V${side / 2} M${-side / 2} 0 H${side / 2}`, class: 'axis' }),
    svg('path', { d: path, class: 'way' }),
    ...(steers || deg === 0 ? [] : [svg('path', { d: arc(deg, cart * 1.5), class: 'way' })]),
    ...fieldShapes(field, cart),
    outline({ ahead: 0, left: 0, deg: 0 }, cart, 'cart-before'),
    outline(end, cart, 'cart-after'),
  );
  caption.textContent = isEmpty ? '' : steers ? TEXTS.sketch : TEXTS.ends(partsOf(end));
}

/** Returns true if distance and angle are 0. */
export function isMotionless(form: HTMLFormElement): boolean {
  return amountOf(form, 'distanceID') === 0 && amountOf(form, 'angleID') === 0;
}

/** Returns the form's distance in mm, negative for backward. */
export function previewDistance(form: HTMLFormElement): number {
  return amountOf(form, 'distanceID');
}

/** Returns the amount in mm or degrees, from a number field or the selected preset. */
function amountOf(form: HTMLFormElement, name: string): number {
  const control = form.elements.namedItem(name);
  if (control instanceof HTMLSelectElement) {
    return Number(control.selectedOptions[0]?.dataset.amount ?? 0);
  }
  return control instanceof HTMLInputElement ? signedValue(control) * Number(control.dataset.per) : 0;
}

/** Returns where a motion with differential drive ends: the cart first turns in place. */
function turnedEnd(mm: number, deg: number): End {
  const angle = (deg * Math.PI) / 180;
  return { ahead: (Math.cos(angle) * mm) / 1000, left: (Math.sin(angle) * mm) / 1000, deg };
}

/**
 * Returns where the motion of a steered cart ends; the motion is an arc. The assumed wheelbase is 1 m, so the caption
 * calls the drawing a sketch.
 */
function steeredEnd(mm: number, steerDeg: number): End {
  const bend = Math.tan((steerDeg * Math.PI) / 180);
  const way = mm / 1000;
  if (Math.abs(bend) < 0.001) return { ahead: way, left: 0, deg: 0 };
  const angle = way * bend;
  return { ahead: Math.sin(angle) / bend, left: (1 - Math.cos(angle)) / bend, deg: (angle * 180) / Math.PI };
}

function curve(mm: number, steerDeg: number): string {
  const points = Array.from({ length: 25 }, (_none, step) => steeredEnd((mm * step) / 24, steerDeg));
  return `M${points.map(({ ahead, left }) => `${-left} ${-ahead}`).join(' L')}`;
}

function arc(deg: number, radius: number): string {
  const points = Array.from({ length: 25 }, (_none, step) => {
    const angle = (((deg * step) / 24) * Math.PI) / 180;
    return `${-Math.sin(angle) * radius} ${-Math.cos(angle) * radius}`;
  });
  return `M${points.join(' L')}`;
}

/** Returns the outline of a cart seen from above; the pointed end is the front. */
function outline({ ahead, left, deg }: End, size: number, name: string): SVGElement {
  const d = `M0 ${-size} L${size * 0.62} ${-size * 0.35} V${size * 0.8} H${-size * 0.62} V${-size * 0.35} Z`;
  return svg('path', { d, class: name, transform: `translate(${-left} ${-ahead}) rotate(${-deg})` });
}

function partsOf({ ahead, left, deg }: End): string {
  const parts: string[] = [];
  const along = metres(Math.abs(ahead) * 1000);
  const aside = metres(Math.abs(left) * 1000);
  if (Math.abs(ahead) >= 0.005) parts.push(ahead > 0 ? t('{0} ahead', along) : t('{0} behind', along));
  if (Math.abs(left) >= 0.005)
    parts.push(left > 0 ? t('{0} to the left', aside) : t('{0} to the right', aside));
  parts.push(deg === 0 ? t('same heading') : t('turned {0}', turn(deg)));
  return parts.join(', ');
}
