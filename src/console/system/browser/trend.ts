import { timeOfDay } from '../../../i18n/format.js';
import type { TrendColumns } from '../../../system/pure.js';
import { find, showText } from '../../browser/dom.js';
import { send } from '../../browser/post.js';
import { TREND_TEXTS } from './texts.js';
import { TrendChart } from './trend-chart.js';
import { MEASURES } from './trend-measure.js';

const POLL_MS = 5000;

/** Charts of the last ten minutes with a shared slider. */
export class TrendView {
  readonly #slider: HTMLInputElement;
  readonly #charts: readonly TrendChart[];
  readonly #isVisible: () => boolean;
  #at: readonly number[] = [];
  /** Time of the selected sample as Unix time in ms; undefined if the latest sample is selected. */
  #chosenMs: number | undefined;

  constructor(section: HTMLElement, slider: HTMLInputElement, isVisible: () => boolean) {
    this.#slider = slider;
    this.#isVisible = isVisible;
    this.#charts = MEASURES.flatMap((measure) => {
      const figure = find(`[data-trend-of="${measure.key}"]`, section);
      return figure ? [new TrendChart(figure, measure, (row) => this.#choose(row))] : [];
    });
    slider.addEventListener('input', () => this.#choose(slider.valueAsNumber));
  }

  start(): void {
    setInterval(() => this.update(), POLL_MS);
    this.update();
  }

  /** If the charts are visible, shows the latest values immediately. */
  update(): void {
    if (this.#isVisible()) void this.#refresh();
  }

  async #refresh(): Promise<void> {
    const { ok, body } = await send('GET', '/system/trend', { timeoutMs: POLL_MS });
    showText(find('[data-trend-seen]'), ok ? TREND_TEXTS.seen : TREND_TEXTS.unseen);
    if (!ok) return;
    const columns = body as TrendColumns;
    this.#at = columns.at;
    for (const chart of this.#charts) chart.show(columns);
    this.#slider.max = String(Math.max(0, columns.at.length - 1));
    this.#mark();
  }

  #choose(row: number | undefined): void {
    const isNewest = row === undefined || row === this.#at.length - 1;
    this.#chosenMs = isNewest ? undefined : this.#at[row];
    this.#mark();
  }

  #mark(): void {
    const chosenMs = this.#chosenMs;
    const found = chosenMs === undefined ? -1 : this.#at.findIndex((ms) => ms >= chosenMs);
    const row = found < 0 ? this.#at.length - 1 : found;
    const time = timeOfDay(this.#at[row] ?? Number.NaN);
    const label = found < 0 && time !== '' ? TREND_TEXTS.now(time) : time;
    this.#slider.value = String(row);
    this.#slider.setAttribute('aria-valuetext', label);
    showText(find('[data-trend-when]'), label);
    for (const chart of this.#charts) chart.mark(row);
  }
}
