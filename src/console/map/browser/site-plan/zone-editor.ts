import { translated } from '../../../../i18n/messages.js';
import type { Zone } from '../../../../site/pure.js';
import { all, cloneTemplate, fill, find, setHidden, setText } from '../../../browser/dom.js';
import type { BeaconMap } from '../map.js';
import { Draft, middleAfter, withCorner, withMovedCorner, withoutCorner, type ZoneDraft } from './draft.js';
import {
  areNumbers,
  clearFaults,
  type ItemFault,
  mark,
  metresText,
  numberIn,
  onFieldChange,
  put,
} from './fields.js';
import type { PlanArea } from './plan-area.js';
import { SITE_TEXTS } from './texts.js';
import { ZoneHandles } from './zone-handles.js';

const MIN_CORNERS = 3;
const DEFAULT_SPEED_MMPS = 300;

/** The form and the handles of one zone. */
export class ZoneEditor {
  readonly form: HTMLFormElement;
  readonly #map: BeaconMap;
  readonly #area: () => PlanArea | undefined;
  readonly #handles: ZoneHandles;
  readonly #onChange: () => void;
  #draft: Draft<ZoneDraft> | undefined;
  #selected: number | undefined;
  #faulty = new Set<number>();

  /** @param onChange called after each change of the draft */
  constructor(
    form: HTMLFormElement,
    map: BeaconMap,
    { area, onChange }: { area: () => PlanArea | undefined; onChange: () => void },
  ) {
    this.form = form;
    this.#map = map;
    this.#area = area;
    this.#onChange = onChange;
    this.#handles = new ZoneHandles(map.map, area, {
      onCorner: (at) => this.#tappedCorner(at),
      onMove: (at, to) => this.#changeCorners(withMovedCorner(this.#polygon, at, to), at),
      onInsert: (at, corner) => this.#changeCorners(withCorner(this.#polygon, at, corner), at),
    });
    onFieldChange(
      form,
      (field, typing) => this.#edited(field, typing),
      () => this.#draft?.endTyping(),
    );
    form.addEventListener('click', ({ target }) => this.#pressed(target));
  }

  begin(zone: Zone | undefined, name: string): void {
    const created: Zone = { id: '', kind: 'BLOCKED', name, polygon: [] };
    this.#draft = new Draft({ ...(zone ?? created), isClosed: zone !== undefined });
    this.#select(undefined);
    this.#reset();
  }

  end(): void {
    this.#draft = undefined;
    this.#handles.clear();
  }

  get isChanged(): boolean {
    return this.#draft?.isChanged ?? false;
  }

  undo(): void {
    this.#draft?.undo();
    this.#select(undefined);
    this.#reset();
  }

  tapped(at: { lat: number; lng: number }): void {
    const area = this.#area();
    if (!area || !this.#draft) return;
    if (this.#draft.item.isClosed) return this.#select(undefined);
    this.#changeCorners([...this.#polygon, area.pointAt(at)], undefined);
  }

  get hint(): string {
    if (!this.#draft) return '';
    const { isClosed, polygon } = this.#draft.item;
    if (this.#selected !== undefined) return SITE_TEXTS.selectedCorner(this.#selected + 1);
    if (isClosed) return SITE_TEXTS.moveCorners;
    return polygon.length < MIN_CORNERS ? SITE_TEXTS.drawCorners : SITE_TEXTS.closeShape;
  }

  get mayClose(): boolean {
    return this.#draft?.item.isClosed === false && this.#polygon.length >= MIN_CORNERS;
  }

  close(): void {
    this.#change({ isClosed: true });
  }

  /** The corner that the operator has tapped. */
  get selected(): number | undefined {
    return this.#selected;
  }

  deleteSelected(): void {
    if (this.#selected !== undefined) this.#delete(this.#selected);
  }

  /** Returns undefined if a field contains no number. */
  result(): Zone | undefined {
    if (!areNumbers(this.form) || !this.#draft) return undefined;
    const { isClosed: _isClosed, maxSpeedMmps, ...zone } = this.#draft.item;
    return zone.kind === 'SPEED_LIMIT' && maxSpeedMmps !== undefined ? { ...zone, maxSpeedMmps } : zone;
  }

  /** Returns the faults that belong to no field. */
  showFaults(faults: readonly ItemFault[]): ItemFault[] {
    clearFaults(this.form);
    this.#faulty = new Set();
    const others = faults.filter(({ path, message }) => {
      const [member = '', corner] = path.split('/');
      if (member === 'polygon' && corner !== undefined) this.#faulty.add(Number(corner));
      const input =
        member === 'polygon' ? find(`[data-corner="${corner}"] input`, this.form) : this.#field(member);
      mark(input, translated(message));
      return input === undefined;
    });
    find('[aria-invalid]', this.form)?.focus();
    this.#drawHandles();
    return others;
  }

  get #polygon(): Zone['polygon'] {
    return this.#draft?.item.polygon ?? [];
  }

  #field(name: string): HTMLInputElement | HTMLSelectElement | undefined {
    return find<HTMLInputElement>(`[name="${name}"]`, this.form);
  }

  #tappedCorner(at: number): void {
    if (this.mayClose && at === 0) return this.close();
    this.#select(this.#selected === at ? undefined : at);
  }

  #select(corner: number | undefined): void {
    this.#selected = corner;
    this.#drawHandles();
    this.#onChange();
  }

  #change(changes: Partial<ZoneDraft>): void {
    this.#draft?.change(changes);
    this.#draw();
  }

  #changeCorners(polygon: Zone['polygon'], selected: number | undefined): void {
    this.#selected = selected;
    this.#draft?.change({ polygon });
    // The marked fields may belong to other corners now.
    this.#reset();
  }

  #delete(corner: number): void {
    this.#changeCorners(withoutCorner(this.#polygon, corner), undefined);
  }

  #edited(field: HTMLInputElement | HTMLSelectElement, typing: string): void {
    this.#draft?.change(this.#changesIn(field), typing);
    this.#draw(field);
  }

  #changesIn(field: HTMLInputElement | HTMLSelectElement): Partial<ZoneDraft> {
    const { name, value } = field;
    const { maxSpeedMmps = DEFAULT_SPEED_MMPS } = this.#draft?.item ?? {};
    if (name === 'name') return { name: value.trim() };
    if (name === 'kind')
      return { kind: value as Zone['kind'], ...(value === 'SPEED_LIMIT' ? { maxSpeedMmps } : {}) };
    const number = numberIn(field) ?? 0;
    if (name === 'maxSpeedMmps') return { maxSpeedMmps: Math.round(number) };
    const at = Number(field.closest<HTMLElement>('[data-corner]')?.dataset.corner);
    const [x, y] = this.#polygon[at] ?? [0, 0];
    const mm = Math.round(number * 1000);
    this.#faulty.delete(at);
    return { polygon: withMovedCorner(this.#polygon, at, field.dataset.axis === '0' ? [mm, y] : [x, mm]) };
  }

  #pressed(target: EventTarget | null): void {
    const button = target instanceof Element ? target.closest('button') : null;
    if (!button) return;
    const row = button.closest<HTMLElement>('[data-corner]');
    const corner = Number(row?.dataset.corner);
    if (button.matches('[data-corner-add]')) this.#insert(this.#polygon.length);
    if (button.matches('[data-corner-insert]')) this.#insert(corner + 1);
    if (button.matches('[data-corner-delete]')) {
      this.#delete(corner);
      const next = find(`[data-corner="${Math.min(corner, this.#polygon.length - 1)}"] input`, this.form);
      (next ?? find('[data-corner-add]', this.form))?.focus();
    }
  }

  /** Adds a corner in the middle of an edge or, if there is no edge, in the middle of the map. */
  #insert(at: number): void {
    const area = this.#area();
    if (!area) return;
    const corner =
      this.#polygon.length >= 2
        ? middleAfter(this.#polygon, at - 1)
        : area.pointAt(this.#map.map.getCenter());
    this.#changeCorners(withCorner(this.#polygon, at, corner), undefined);
    find(`[data-corner="${at}"] input`, this.form)?.focus();
  }

  #reset(): void {
    clearFaults(this.form);
    this.#faulty = new Set();
    this.#draw();
  }

  /** @param typedIn the field that the user is typing in */
  #draw(typedIn?: EventTarget): void {
    if (!this.#draft) return;
    const { name, kind, maxSpeedMmps, polygon } = this.#draft.item;
    put(this.#field('name'), name, typedIn);
    put(this.#field('kind'), kind);
    put(this.#field('maxSpeedMmps'), String(maxSpeedMmps ?? DEFAULT_SPEED_MMPS), typedIn);
    setHidden(find('[data-speed]', this.form), kind !== 'SPEED_LIMIT');
    const list = find('[data-corners]', this.form);
    while (list && list.children.length > polygon.length) list.lastElementChild?.remove();
    while (list && list.children.length < polygon.length) list.append(newCorner(list.children.length));
    for (const row of all('[data-corner]', this.form)) {
      const corner = polygon[Number(row.dataset.corner)];
      for (const input of all<HTMLInputElement>('input', row))
        put(input, metresText(corner?.[Number(input.dataset.axis) as 0 | 1] ?? 0), typedIn);
    }
    this.#drawHandles();
    this.#onChange();
  }

  #drawHandles(): void {
    if (this.#draft) this.#handles.draw(this.#draft.item, { selected: this.#selected, faulty: this.#faulty });
    for (const row of all('[data-corner]', this.form)) {
      row.toggleAttribute('data-selected', Number(row.dataset.corner) === this.#selected);
    }
  }
}

function newCorner(at: number): HTMLElement {
  const row = cloneTemplate('site-corner') ?? document.createElement('li');
  row.dataset.corner = String(at);
  fill(row, { number: String(at + 1) });
  for (const input of all('input', row)) {
    input.setAttribute('aria-label', SITE_TEXTS.cornerAxis(input.dataset.axis === '0' ? 'x' : 'y', at + 1));
  }
  find('[data-corner-insert]', row)?.setAttribute('aria-label', SITE_TEXTS.insertAfter(at + 1));
  find('[data-corner-delete]', row)?.setAttribute('aria-label', SITE_TEXTS.deleteCorner(at + 1));
  setText(find('.error', row), '');
  return row;
}
