import type { PlanPoint, Zone } from '../../../../site/pure.js';

export interface ZoneDraft extends Zone {
  /** False while the operator adds the first corners by tapping the map. */
  isClosed: boolean;
}

/** The versions of an item that is being edited. */
export class Draft<Item> {
  readonly #versions: Item[];
  #typing = '';

  constructor(item: Item) {
    this.#versions = [item];
  }

  get item(): Item {
    return this.#versions.at(-1) as Item;
  }

  get isChanged(): boolean {
    return this.#versions.length > 1;
  }

  /**
   * A change without an effect adds no version.
   * @param typing identifies the field that the user is typing in, because all changes to it are one version
   */
  change(changes: Partial<Item>, typing = ''): void {
    const item = { ...this.item, ...changes };
    if (JSON.stringify(item) === JSON.stringify(this.item)) return;
    if (typing !== '' && typing === this.#typing) this.#versions.pop();
    this.#typing = typing;
    this.#versions.push(item);
  }

  /** The next change is a new version, even in the same field. */
  endTyping(): void {
    this.#typing = '';
  }

  undo(): void {
    this.#typing = '';
    if (this.isChanged) this.#versions.pop();
  }
}

export function withCorner(polygon: readonly PlanPoint[], at: number, corner: PlanPoint): PlanPoint[] {
  return [...polygon.slice(0, at), corner, ...polygon.slice(at)];
}

export function withMovedCorner(polygon: readonly PlanPoint[], at: number, corner: PlanPoint): PlanPoint[] {
  return polygon.map((old, nth) => (nth === at ? corner : old));
}

export function withoutCorner(polygon: readonly PlanPoint[], at: number): PlanPoint[] {
  return polygon.filter((_, nth) => nth !== at);
}

/** Returns the middle of the edge that begins at a corner. */
export function middleAfter(polygon: readonly PlanPoint[], at: number): PlanPoint {
  const [x1, y1] = polygon[at] ?? [0, 0];
  const [x2, y2] = polygon[(at + 1) % polygon.length] ?? [x1, y1];
  return [Math.round((x1 + x2) / 2), Math.round((y1 + y2) / 2)];
}

/** Returns the first unused ID such as `zone-3`. */
export function freeId(prefix: string, items: readonly { id: string }[]): string {
  const used = new Set(items.map(({ id }) => id));
  let number = 1;
  while (used.has(`${prefix}-${number}`)) number += 1;
  return `${prefix}-${number}`;
}
