import * as L from 'leaflet';
import { localNumber } from '../../../../i18n/language.js';
import { translated } from '../../../../i18n/messages.js';
import { bearingDeg } from '../../../../plan/pure.js';
import type { Place } from '../../../../site/pure.js';
import { find } from '../../../browser/dom.js';
import type { BeaconMap } from '../map.js';
import { Draft } from './draft.js';
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
import { placeIcon } from './layer.js';
import type { PlanArea } from './plan-area.js';
import { SITE_TEXTS } from './texts.js';

/** Distance of the handle for the heading from the place. */
const ARM_PX = 56;

/** The form and the handles of one place. */
export class PlaceEditor {
  readonly form: HTMLFormElement;
  readonly #map: BeaconMap;
  readonly #area: () => PlanArea | undefined;
  readonly #onChange: () => void;
  readonly #handles = L.layerGroup();
  readonly #renderer = L.svg();
  #draft: Draft<Place> | undefined;

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
    this.#handles.addTo(map.map);
    map.map.on('zoomend', () => this.#drawHandles());
    onFieldChange(
      form,
      (field, typing) => this.#edited(field, typing),
      () => this.#draft?.endTyping(),
    );
  }

  /** A new place begins in the middle of the map. */
  begin(place: Place | undefined, name: string): void {
    const [xMm, yMm] = this.#area()?.pointAt(this.#map.map.getCenter()) ?? [0, 0];
    this.#draft = new Draft(place ?? { id: '', name, purpose: 'PARK', xMm, yMm, headingDeg: 0 });
    this.#reset();
  }

  end(): void {
    this.#draft = undefined;
    this.#handles.clearLayers();
  }

  get isChanged(): boolean {
    return this.#draft?.isChanged ?? false;
  }

  get hint(): string {
    return SITE_TEXTS.movePlace;
  }

  undo(): void {
    this.#draft?.undo();
    this.#reset();
  }

  tapped(at: { lat: number; lng: number }): void {
    const [xMm, yMm] = this.#area()?.pointAt(at) ?? [];
    if (xMm === undefined || yMm === undefined) return;
    this.#draft?.change({ xMm, yMm });
    this.#reset();
  }

  /** Returns undefined if a field contains no number. */
  result(): Place | undefined {
    return areNumbers(this.form) ? this.#draft?.item : undefined;
  }

  /** Returns the faults that belong to no field. */
  showFaults(faults: readonly ItemFault[]): ItemFault[] {
    clearFaults(this.form);
    const others = faults.filter(({ path, message }) => {
      mark(this.#field(path), translated(message));
      return this.#field(path) === undefined;
    });
    find('[aria-invalid]', this.form)?.focus();
    return others;
  }

  #field(name: string): HTMLInputElement | HTMLSelectElement | undefined {
    return find<HTMLInputElement>(`[name="${name}"]`, this.form);
  }

  #edited(field: HTMLInputElement | HTMLSelectElement, typing: string): void {
    const { name, value } = field;
    const number = numberIn(field) ?? 0;
    if (name === 'name') this.#draft?.change({ name: value.trim() }, typing);
    else if (name === 'purpose') this.#draft?.change({ purpose: value as Place['purpose'] });
    else if (name === 'markerId' || name === 'cartID')
      this.#draft?.change({ [name]: value === '' ? undefined : number });
    else if (name === 'headingDeg') this.#draft?.change({ headingDeg: number }, typing);
    else this.#draft?.change({ [name]: Math.round(number * 1000) }, typing);
    this.#draw(field);
  }

  #reset(): void {
    clearFaults(this.form);
    this.#draw();
  }

  /** @param typedIn the field that the user is typing in */
  #draw(typedIn?: EventTarget): void {
    if (!this.#draft) return;
    const { name, purpose, xMm, yMm, headingDeg, markerId, cartID } = this.#draft.item;
    put(this.#field('name'), name, typedIn);
    put(this.#field('purpose'), purpose);
    put(this.#field('xMm'), metresText(xMm), typedIn);
    put(this.#field('yMm'), metresText(yMm), typedIn);
    put(this.#field('headingDeg'), localNumber(headingDeg), typedIn);
    choose(this.#field('markerId'), markerId);
    choose(this.#field('cartID'), cartID);
    this.#drawHandles();
    this.#onChange();
  }

  #drawHandles(): void {
    this.#handles.clearLayers();
    const area = this.#area();
    if (!area || !this.#draft) return;
    const { map } = this.#map;
    const { item } = this.#draft;
    const at = L.latLng(area.toGlobe([item.xMm, item.yMm]));
    const bearing = area.frame.turned(item.headingDeg);
    const angle = (bearing * Math.PI) / 180;
    const offset = L.point(Math.sin(angle) * ARM_PX, -Math.cos(angle) * ARM_PX);
    const end = map.layerPointToLatLng(map.latLngToLayerPoint(at).add(offset));
    const line = { renderer: this.#renderer, className: 'heading-arm', interactive: false };
    const arm = L.polyline([at, end], line).addTo(this.#handles);
    // The fields in the form are the alternative for keyboards.
    const shared = { draggable: true, keyboard: false };
    const place = L.marker(at, { ...shared, icon: placeIcon(item, bearing) }).addTo(this.#handles);
    place.on('drag', () => arm.setLatLngs([place.getLatLng(), end]));
    place.on('dragend', () => this.tapped(place.getLatLng()));
    const icon = L.divIcon({ className: 'corner-handle heading-handle', iconSize: [44, 44] });
    const handle = L.marker(end, { ...shared, icon }).addTo(this.#handles);
    handle.on('drag', () => arm.setLatLngs([at, handle.getLatLng()]));
    handle.on('dragend', () => {
      const { lat, lng } = handle.getLatLng();
      const to = bearingDeg({ lat: at.lat, long: at.lng }, { lat, long: lng });
      this.#draft?.change({ headingDeg: Math.round(area.frame.turned(to)) % 360 });
      this.#reset();
    });
  }
}

/** Selects a marker or cart, even if it is not listed, for example because the marker was deleted. */
function choose(field: HTMLInputElement | HTMLSelectElement | undefined, id: number | undefined): void {
  const value = String(id ?? '');
  if (!(field instanceof HTMLSelectElement)) return;
  if (![...field.options].some((option) => option.value === value)) field.add(new Option(value, value));
  put(field, value);
}
