import { upperFirst } from '../../../i18n/format.js';
import type { ApproachView, SightingsView } from '../../../navigation/pure.js';
import { all, find, setText, showText, svg } from '../../browser/dom.js';
import { initHoldButtons } from '../../browser/hold.js';
import { markAge, poll } from '../../browser/live/age.js';
import { post } from '../../browser/post.js';
import { MARKER_TEXTS } from './texts.js';

const POLL_MS = 250;
const TIMEOUT_MS = 2000;
const STALE_MS = 1000;
const ANSWER_WITHIN_MS = 12_000;
/** Width of a label in units of its font size. */
const LABEL_WIDTH = 9;
const STANDOFF_M = { min: 0.2, max: 3 };

/** Outlines the markers in the camera's image. Tapping one opens the form for driving to it. */
class MarkerView {
  readonly #layer: HTMLElement;
  readonly #form: HTMLFormElement;
  #isOn = false;
  #selected: number | undefined;
  #run: ApproachView | undefined;
  #followedRunId: string | undefined;

  constructor(layer: HTMLElement, form: HTMLFormElement) {
    this.#layer = layer;
    this.#form = form;
    const refresh = poll({
      address: '/navigation/sightings',
      everyMs: POLL_MS,
      timeoutMs: TIMEOUT_MS,
      isOn: () => this.#isOn,
      show: (body) => this.#show(body as SightingsView),
      drawStale: (isStale, ageMs) => {
        if (isStale) this.#showStale();
        this.#drawRun(isStale ? ageMs : 0);
      },
    });
    const toggle = find('[data-marker-toggle]');
    toggle?.addEventListener('click', () => {
      this.#isOn = !this.#isOn;
      toggle.setAttribute('aria-pressed', String(this.#isOn));
      this.#form.hidden = !this.#isOn;
      this.#layer.replaceChildren();
      // The view may have been closed for a long time, so it stays empty until the next response.
      find('[data-marker-list]', this.#form)?.replaceChildren();
      this.#text('');
      this.#run = undefined;
      this.#drawRun(0);
      void refresh();
    });
    // The styles use the form's height to leave room for the form below the scene.
    new ResizeObserver(() => {
      form.parentElement?.style.setProperty('--marker-form', `${form.offsetHeight}px`);
    }).observe(form);
    find('[data-marker-close]', form)?.addEventListener('click', () => this.#select(undefined));
    form.addEventListener('submit', (event) => event.preventDefault());
    initHoldButtons({
      buttons: '[data-marker-go]',
      question: MARKER_TEXTS.confirm,
      done: () => void this.#drive(),
      early: () => this.#answer(MARKER_TEXTS.hold),
    });
  }

  #show({ ageMs, width, height, sightings, approach }: SightingsView): void {
    this.#followRun(approach);
    if (ageMs === null || ageMs > STALE_MS) return this.#showStale();
    this.#layer.setAttribute('viewBox', `0 0 ${width} ${height}`);
    for (const shown of all('[data-marker], [data-choose]'))
      if (!sightings.some(({ id }) => String(id) === (shown.dataset.marker ?? shown.dataset.choose)))
        shown.remove();
    for (const sighting of sightings) {
      this.#draw(sighting, width);
      this.#list(sighting);
    }
    const selected = sightings.find(({ id }) => id === this.#selected);
    if (selected) this.#text(MARKER_TEXTS.marker(selected.id, selected.rangeMm));
    else this.#text(sightings.length > 0 ? MARKER_TEXTS.choose : MARKER_TEXTS.none);
  }

  #showStale(): void {
    this.#layer.replaceChildren();
    find('[data-marker-list]', this.#form)?.replaceChildren();
    this.#text(MARKER_TEXTS.stale);
  }

  /** Reuses the marker's elements, because replacing them between a press and its release would lose the tap. */
  #draw({ id, rangeMm, corners }: SightingsView['sightings'][number], width: number): void {
    const outline = find(`[data-marker="${id}"]`, this.#layer) ?? this.#outline(id);
    const label = MARKER_TEXTS.marker(id, rangeMm);
    const [xs, ys] = [corners.map((at) => at.x), corners.map((at) => at.y)];
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    const size = width / 32;
    outline.setAttribute('aria-label', label);
    outline.toggleAttribute('data-selected', id === this.#selected);
    const [target, square, text] = outline.children;
    square?.setAttribute('points', corners.map((at) => `${at.x},${at.y}`).join(' '));
    setAttributes(text, { x, y: Math.max(size, y - size / 2), 'font-size': size });
    // The whole label can be tapped, because a distant marker is smaller than a finger.
    setAttributes(target, {
      x: x - size,
      y: y - 2 * size,
      width: Math.max(Math.max(...xs) - x, LABEL_WIDTH * size) + 2 * size,
      height: Math.max(...ys) - y + 3 * size,
    });
    setText(text, label);
  }

  /** Lists the marker as a button, which is easier to tap than the marker in a small image. */
  #list({ id, rangeMm }: SightingsView['sightings'][number]): void {
    const button = find(`[data-choose="${id}"]`, this.#form) ?? this.#choice(id);
    showText(button, MARKER_TEXTS.marker(id, rangeMm));
  }

  #choice(id: number): HTMLElement {
    const button = Object.assign(document.createElement('button'), {
      type: 'button',
      className: 'secondary',
    });
    button.dataset.choose = String(id);
    button.addEventListener('click', () => this.#select(id));
    find('[data-marker-list]', this.#form)?.append(button);
    return button;
  }

  #outline(id: number): Element {
    const attributes = { role: 'button', tabindex: 0, 'data-marker': id };
    const outline = svg('g', attributes, svg('rect', {}), svg('polygon', {}), svg('text', {}));
    outline.addEventListener('click', () => this.#select(id));
    outline.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      this.#select(id);
    });
    this.#layer.append(outline);
    return outline;
  }

  #select(id: number | undefined): void {
    this.#selected = id;
    this.#answer('');
    const controls = find('[data-marker-controls]', this.#form);
    if (controls) controls.hidden = id === undefined;
    const list = find('[data-marker-list]', this.#form);
    if (list) list.hidden = id !== undefined;
  }

  async #drive(): Promise<void> {
    const metres = Number(find<HTMLInputElement>('[name="standoff"]', this.#form)?.value.replace(',', '.'));
    if (!(metres >= STANDOFF_M.min && metres <= STANDOFF_M.max))
      return this.#answer(MARKER_TEXTS.invalidDistance);
    const request = { markerId: this.#selected, standoffMm: Math.round(metres * 1000) };
    const { ok, status, message, hint } = await post('/navigation/approach', request, {
      timeoutMs: ANSWER_WITHIN_MS,
    });
    if (ok) return this.#select(undefined);
    const lines = [upperFirst(message), hint].filter(Boolean).join('. ');
    this.#answer(status === 0 ? MARKER_TEXTS.noAnswer : lines);
  }

  /**
   * Ignores a drive that ended before this page was opened.
   * @param run null if there has been no drive since the gateway started.
   */
  #followRun(run: ApproachView | null): void {
    if (run && isEnded(run) && run.runId !== this.#followedRunId) return;
    this.#run = run ?? undefined;
    this.#followedRunId = run?.runId;
  }

  /** @param ageMs age of the latest response; 0 if it is not late. */
  #drawRun(ageMs: number): void {
    const run = this.#run;
    const line = find('[data-marker-run]', this.#form);
    const isOld = run !== undefined && !isEnded(run) && ageMs > 0;
    markAge(this.#form, isOld ? ageMs : 0, 0);
    const text = run ? MARKER_TEXTS.run(run) : '';
    showText(line, isOld ? `${text}. ${MARKER_TEXTS.lastKnown(ageMs)}` : text);
  }

  #text(text: string): void {
    showText(find('[data-marker-text]', this.#form), text);
  }

  #answer(text: string): void {
    showText(find('[data-marker-answer]', this.#form), text);
  }
}

function isEnded({ phase }: ApproachView): boolean {
  return phase === 'FINISHED' || phase === 'FAILED';
}

function setAttributes(element: Element | undefined, values: Record<string, number>): void {
  for (const [name, value] of Object.entries(values)) element?.setAttribute(name, String(value));
}

const layer = find('[data-marker-layer]');
const form = find<HTMLFormElement>('[data-marker-form]');
if (layer && form) new MarkerView(layer, form);
