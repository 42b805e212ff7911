import { sentence } from '../../../../i18n/format.js';
import { translated } from '../../../../i18n/messages.js';
import type { PlanView } from '../../../../plan/pure.js';
import type { Place, Zone } from '../../../../site/pure.js';
import { all, cloneTemplate, fill, find, setHidden, setText, showText } from '../../../browser/dom.js';
import { initHoldButtons } from '../../../browser/hold.js';
import type { StateStore } from '../../../browser/live/state-store.js';
import type { Reply } from '../../../browser/post.js';
import type { BeaconMap } from '../map.js';
import { freeId } from './draft.js';
import type { ItemFault } from './fields.js';
import { SitePlanLayer } from './layer.js';
import { PlaceEditor } from './place-editor.js';
import { PlanArea } from './plan-area.js';
import { type List, type SitePlanData, SitePlanStore } from './store.js';
import { SITE_TEXTS } from './texts.js';
import { ZoneEditor } from './zone-editor.js';

interface Editing {
  list: List;
  /** Empty for an item that has not been stored. */
  id: string;
  /** The stored item as JSON when the editing began; empty for a new item. */
  stored: string;
  /** The `etag` of the version that the user has seen. */
  basis: string;
}

/** Shows the zones and places on the map and in lists. Administrators edit one of them at a time. */
export class SitePlanPanel {
  readonly #box: HTMLElement;
  readonly #map: BeaconMap;
  readonly #state: StateStore;
  readonly #store: SitePlanStore;
  readonly #layer: SitePlanLayer;
  readonly #zones: ZoneEditor;
  readonly #places: PlaceEditor;
  readonly #onBegin: () => void;
  readonly #mayEdit: boolean;
  #area: PlanArea | undefined;
  #editing: Editing | undefined;
  #isSaving = false;
  /** What each list shows. */
  readonly #drawn = { zones: '', places: '' };
  #lastEvent: object | undefined;
  #lastConnectedAt = Number.NEGATIVE_INFINITY;

  /** @param onBegin called when the map no longer takes other taps */
  constructor(
    box: HTMLElement,
    { map, state, onBegin }: { map: BeaconMap; state: StateStore; onBegin: () => void },
  ) {
    this.#box = box;
    this.#map = map;
    this.#state = state;
    this.#onBegin = onBegin;
    this.#mayEdit = box.dataset.mayEdit === 'yes';
    this.#store = new SitePlanStore(JSON.parse(box.dataset.sitePlan ?? '') as SitePlanData, () =>
      this.#changed(),
    );
    this.#layer = new SitePlanLayer(map.map);
    const options = { area: () => this.#area, onChange: () => this.#drawTools() };
    this.#zones = new ZoneEditor(this.#form('zones'), map, options);
    this.#places = new PlaceEditor(this.#form('places'), map, options);
    box.addEventListener('click', ({ target }) => this.#pressed(target));
    const tools = find('[data-site-tools]');
    tools?.addEventListener('click', ({ target }) => this.#pressed(target));
    for (const form of [this.#zones.form, this.#places.form]) {
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        void this.#save();
      });
    }
    initHoldButtons({
      buttons: '[data-site-delete]',
      question: SITE_TEXTS.confirmDelete,
      isBlocked: () => this.#isSaving,
      done: () => void this.#delete(),
      early: () => this.#report(SITE_TEXTS.holdDelete),
    });
    initHoldButtons({
      buttons: '[data-site-import]',
      question: SITE_TEXTS.confirmImport,
      isBlocked: () => this.#isSaving,
      done: ({ dataset }) => void this.#import(dataset.siteImport as List),
      early: () => this.#report(SITE_TEXTS.holdImport),
    });
    addEventListener('beforeunload', (event) => {
      if (this.#editing && this.#editor.isChanged) event.preventDefault();
    });
    state.onDraw(() => this.#follow());
    this.#draw();
  }

  /** Must be called when the page loads and whenever the floor plan has changed. */
  showPlan(plan: PlanView | null): void {
    this.#area = PlanArea.of(plan);
    if (!this.#area) this.#end();
    this.#draw();
  }

  get #editor(): ZoneEditor | PlaceEditor {
    return this.#editing?.list === 'places' ? this.#places : this.#zones;
  }

  #form(list: List): HTMLFormElement {
    return find<HTMLFormElement>(`[data-site-form="${list}"]`, this.#box) ?? document.createElement('form');
  }

  /** Loads the plan after each change and each reconnection, because changes may have been missed. */
  #follow(): void {
    const { connectedAt, sitePlan } = this.#state;
    const isNew = connectedAt !== this.#lastConnectedAt || sitePlan !== this.#lastEvent;
    this.#lastConnectedAt = connectedAt;
    this.#lastEvent = sitePlan;
    if (isNew) void this.#store.load();
    this.#drawAge();
  }

  #changed(): void {
    const { etag } = this.#store.current;
    if (this.#editing && !this.#isSaving && etag !== this.#editing.basis) this.#reportConflict();
    this.#draw();
  }

  #pressed(target: EventTarget | null): void {
    const button = target instanceof Element ? target.closest('button') : null;
    if (!button) return;
    const { siteAdd, siteEdit } = button.dataset;
    if (siteAdd) this.#begin(siteAdd as List, undefined);
    if (siteEdit) {
      const list = button.closest<HTMLElement>('[data-site-list]')?.dataset.siteList as List;
      this.#begin(list, siteEdit);
    }
    if (button.matches('[data-site-confirm]')) void this.#confirm();
    if (button.dataset.siteExport) void this.#export(button.dataset.siteExport as List);
    if (!this.#editing) return;
    if (button.matches('[data-site-save]')) void this.#save();
    if (button.matches('[data-site-cancel]')) this.#end();
    if (button.matches('[data-site-undo]')) this.#editor.undo();
    if (button.matches('[data-site-close-shape]')) this.#zones.close();
    if (button.matches('[data-site-delete-corner]')) this.#zones.deleteSelected();
  }

  #begin(list: List, id: string | undefined): void {
    if (!this.#area || this.#editing) return;
    const { etag, zones, places } = this.#store.current;
    const [zone, place] = [zones.find((one) => one.id === id), places.find((one) => one.id === id)];
    const stored = list === 'zones' ? zone : place;
    if (id !== undefined && !stored) return;
    this.#report('');
    this.#onBegin();
    this.#editing = { list, id: id ?? '', stored: JSON.stringify(stored) ?? '', basis: etag };
    if (list === 'zones') this.#zones.begin(zone, SITE_TEXTS.newZone(zones.length + 1));
    else this.#places.begin(place, SITE_TEXTS.newPlace(places.length + 1));
    this.#map.capture((at) => this.#editor.tapped(at));
    this.#draw();
    find('.area-beacon-map')?.scrollIntoView({ block: 'start' });
    // On a touchscreen, the focus would open the keyboard over the map.
    if (!matchMedia('(pointer: coarse)').matches)
      find('[name="name"]', this.#editor.form)?.focus({ preventScroll: true });
  }

  #end(): void {
    const { list, id } = this.#editing ?? {};
    if (!list) return;
    this.#editor.end();
    this.#editing = undefined;
    this.#map.capture(undefined);
    this.#report('');
    this.#draw();
    const button = find(`[data-site-list="${list}"] [data-site-edit="${id}"]`, this.#box);
    (button ?? find(`[data-site-add="${list}"]`, this.#box))?.focus({ preventScroll: true });
  }

  async #save(): Promise<void> {
    const { list, id } = this.#editing ?? {};
    if (!list || this.#isSaving) return;
    const item = this.#editor.result();
    if (!item) return this.#report(SITE_TEXTS.invalidFields, true);
    const items: readonly (Zone | Place)[] = this.#store.current[list];
    const stored = { ...item, id: id || freeId(list === 'zones' ? 'zone' : 'place', items) };
    const at = items.findIndex((one) => one.id === stored.id);
    const index = at === -1 ? items.length : at;
    const changed = [...items.slice(0, index), stored, ...items.slice(index + 1)];
    await this.#put(changed, index, (version) => SITE_TEXTS.saved(stored.name, version));
  }

  async #delete(): Promise<void> {
    const { list, id } = this.#editing ?? {};
    if (!list || this.#isSaving) return;
    const items: readonly (Zone | Place)[] = this.#store.current[list];
    const name = items.find((one) => one.id === id)?.name ?? '';
    const others = items.filter((one) => one.id !== id);
    await this.#put(others, -1, (version) => SITE_TEXTS.deleted(name, version));
  }

  /** @param own index of the item that is being edited; -1 if it was removed */
  async #put(
    items: readonly (Zone | Place)[],
    own: number,
    done: (version: number) => string,
  ): Promise<void> {
    if (!this.#editing) return;
    const { list, basis } = this.#editing;
    const reply = await this.#during(() => this.#store.put(list, items, basis));
    if (reply.ok) {
      this.#end();
      return this.#report(done(this.#store.current.version));
    }
    if (reply.status === 412) {
      await this.#store.load();
      return this.#store.isLoaded
        ? this.#reportConflict()
        : this.#report(SITE_TEXTS.notSaved(SITE_TEXTS.noAnswer), true);
    }
    const faults = reply.faults.map(({ path, message }): ItemFault => {
      const prefix = `/${list}/${own}/`;
      return { path: path.startsWith(prefix) ? path.slice(prefix.length) : '', message };
    });
    const others = this.#editor.showFaults(faults);
    const reasons = faults.length > 0 ? others.map(({ message }) => translated(message)) : [reasonOf(reply)];
    this.#report(
      reasons.length > 0 ? SITE_TEXTS.notSaved(reasons.map(sentence).join(' ')) : SITE_TEXTS.invalidFields,
      true,
    );
  }

  async #confirm(): Promise<void> {
    if (this.#isSaving) return;
    const reply = await this.#during(() => this.#store.confirm());
    if (reply.ok) this.#report(SITE_TEXTS.confirmed(this.#store.current.version));
    else await this.#reportFailure(reply);
  }

  async #import(list: List): Promise<void> {
    const input = find<HTMLInputElement>('#site-file', this.#box);
    const file = input?.files?.[0];
    if (!file) return this.#report(SITE_TEXTS.noFile, true);
    const { etag } = this.#store.current;
    const reply = await this.#during(() => this.#store.put(list, file, etag));
    if (!reply.ok) return this.#reportFailure(reply);
    input.value = '';
    this.#report(SITE_TEXTS.saved(file.name, this.#store.current.version));
  }

  async #export(list: List): Promise<void> {
    const file = await this.#store.exportFile(list);
    if (!file) return this.#report(SITE_TEXTS.noExport, true);
    const href = URL.createObjectURL(file);
    Object.assign(document.createElement('a'), { href, download: `${list}.geojson` }).click();
    URL.revokeObjectURL(href);
  }

  /** Reports why a change that does not concern a draft was rejected. */
  async #reportFailure(reply: Reply): Promise<void> {
    if (reply.status === 412) {
      await this.#store.load();
      return this.#report(SITE_TEXTS.changedBefore, true);
    }
    const faults = reply.faults.map(({ message }) => sentence(translated(message)));
    this.#report(SITE_TEXTS.notSaved(faults.length > 0 ? faults.join(' ') : reasonOf(reply)), true);
  }

  async #during(work: () => Promise<Reply>): Promise<Reply> {
    this.#isSaving = true;
    this.#report(SITE_TEXTS.saving);
    this.#drawTools();
    const reply = await work();
    this.#isSaving = false;
    this.#drawTools();
    return reply;
  }

  /** From now on, Save is based on the version that the page shows. */
  #reportConflict(): void {
    if (!this.#editing) return;
    const { list, id, stored } = this.#editing;
    const { etag, ...current } = this.#store.current;
    const now = JSON.stringify(current[list].find((item) => item.id === id)) ?? '';
    const isSame = now === stored;
    const own = isSame
      ? SITE_TEXTS.conflictOther
      : now === ''
        ? SITE_TEXTS.conflictDeleted
        : SITE_TEXTS.conflictSame;
    this.#editing = { ...this.#editing, basis: etag };
    this.#report(`${SITE_TEXTS.conflict} ${own}`, true);
  }

  #report(text: string, isFault = false): void {
    for (const box of all('[data-site-report]')) {
      const isShown = box.closest('[data-site-tools]')
        ? this.#editing !== undefined
        : this.#editing === undefined;
      const isAlert = box.getAttribute('role') === 'alert';
      showText(box, isShown && isAlert === isFault ? text : '');
    }
  }

  #draw(): void {
    const { current } = this.#store;
    this.#layer.draw(current, this.#area, this.#editing?.id ?? '');
    setText(find('[data-site-version]', this.#box), SITE_TEXTS.version(current.version));
    showText(find('[data-site-no-plan]', this.#box), this.#area ? '' : SITE_TEXTS.noPlan);
    setHidden(find('[data-site-review]', this.#box), !current.needsReview);
    for (const reason of all('[data-site-reason]', this.#box))
      reason.hidden = reason.dataset.siteReason !== current.reviewReason;
    for (const part of all('[data-site-confirms]', this.#box))
      part.hidden = current.reviewReason === 'OTHER_FLOOR_PLAN' || current.reviewReason === 'NOT_RECEIVED';
    this.#drawList('zones', current.zones, SITE_TEXTS.noZones, (zone) => [zone.kind, SITE_TEXTS.zone(zone)]);
    this.#drawList('places', current.places, SITE_TEXTS.noPlaces, (place) => [
      place.purpose,
      SITE_TEXTS.place(place),
    ]);
    const { list } = this.#editing ?? {};
    setHidden(find('[data-site-lists]', this.#box), list !== undefined);
    for (const { form } of [this.#zones, this.#places]) setHidden(form, form.dataset.siteForm !== list);
    for (const button of all('[data-site-delete]', this.#box)) button.hidden = !this.#editing?.id;
    for (const button of all<HTMLButtonElement>('[data-site-add]', this.#box)) button.disabled = !this.#area;
    this.#drawTools();
    this.#drawAge();
  }

  #drawList<Item extends Zone | Place>(
    list: List,
    items: readonly Item[],
    none: string,
    text: (item: Item) => [kind: string, details: string],
  ): void {
    const box = find(`[data-site-list="${list}"]`, this.#box);
    if (!box) return;
    // New rows would take the focus from their buttons.
    const key = JSON.stringify([items, this.#area !== undefined]);
    if (this.#drawn[list] === key) return;
    this.#drawn[list] = key;
    const rows = items.map((item) => {
      const row = cloneTemplate('site-item') ?? document.createElement('li');
      const [kind, details] = text(item);
      fill(row, { name: item.name, details, id: item.id });
      const swatch = find(`.swatch-${kind}`, this.#box)?.cloneNode(true);
      if (swatch) row.prepend(swatch);
      const button = find<HTMLButtonElement>('[data-site-edit]', row);
      if (button) {
        button.dataset.siteEdit = item.id;
        button.disabled = !this.#area;
        button.hidden = !this.#mayEdit;
        button.setAttribute('aria-label', SITE_TEXTS.edit(item.name));
      }
      return row;
    });
    box.replaceChildren(...rows);
    showText(find(`[data-site-none="${list}"]`, this.#box), items.length === 0 ? none : '');
  }

  #drawTools(): void {
    const tools = find('[data-site-tools]');
    setHidden(tools, !this.#editing);
    if (!tools || !this.#editing) return;
    const { selected, mayClose } =
      this.#editing.list === 'zones' ? this.#zones : { selected: undefined, mayClose: false };
    setText(find('[data-site-hint]', tools), this.#editor.hint);
    setHidden(find('[data-site-close-shape]', tools), !mayClose);
    const remove = find('[data-site-delete-corner]', tools);
    setHidden(remove, selected === undefined);
    if (selected !== undefined) setText(remove, SITE_TEXTS.deleteCorner(selected + 1));
    for (const button of all<HTMLButtonElement>('button', tools)) button.disabled = this.#isSaving;
    const undo = find<HTMLButtonElement>('[data-site-undo]', tools);
    if (undo) undo.disabled = this.#isSaving || !this.#editor.isChanged;
  }

  #drawAge(): void {
    const isOutdated = !this.#store.isLoaded || this.#state.lostForMs() > 0;
    showText(find('[data-site-outdated]', this.#box), isOutdated ? SITE_TEXTS.outdated : '');
    this.#layer.markOutdated(isOutdated);
  }
}

function reasonOf({ status, message, hint }: Reply): string {
  return status === 0 ? SITE_TEXTS.noAnswer : [sentence(message), hint].filter(Boolean).join(' ');
}
