import { type FieldView, fieldArcs } from '../../../carts/pure.js';
import { svg } from '../../browser/dom.js';

/**
 * Draws the obstacles as arcs around a cart, in metres. The cart is at the origin and points up.
 * @param radius radius of the cart's symbol; distances are measured from the edge of the symbol
 */
export function fieldShapes(field: FieldView | undefined, radius: number): SVGElement[] {
  if (!field) return [];
  const group = svg('g', { class: 'field-arcs', ...(field.ageS > 0 ? { 'data-stale': '' } : {}) });
  for (const { angleDeg, widthDeg, rangeMm, isBlocked } of fieldArcs(field)) {
    const outer = radius + rangeMm / 1000;
    if (rangeMm > 0)
      group.append(svg('path', { d: sector(angleDeg, widthDeg, radius, outer), class: 'field-sector' }));
    const mark = isBlocked ? { 'data-blocked': '' } : {};
    group.append(svg('path', { d: arc(angleDeg, widthDeg, outer), class: 'field-arc', ...mark }));
  }
  return [group];
}

/** Returns a key that changes whenever the drawn shapes change. */
export function fieldKey(field: FieldView | undefined): string {
  return JSON.stringify(field ?? null);
}

function point(deg: number, radius: number): string {
  const angle = (deg * Math.PI) / 180;
  return `${-Math.sin(angle) * radius} ${-Math.cos(angle) * radius}`;
}

function arc(deg: number, widthDeg: number, radius: number): string {
  const [left, right] = [deg + widthDeg / 2, deg - widthDeg / 2];
  return `M${point(left, radius)} A${radius} ${radius} 0 0 1 ${point(right, radius)}`;
}

function sector(deg: number, widthDeg: number, inner: number, outer: number): string {
  const [left, right] = [deg + widthDeg / 2, deg - widthDeg / 2];
  return `${arc(deg, widthDeg, outer)} L${point(right, inner)} A${inner} ${inner} 0 0 0 ${point(left, inner)} Z`;
}
