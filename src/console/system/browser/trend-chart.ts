import type uPlot from 'uplot';
import { timeOfDay } from '../../../i18n/format.js';
import { decimal } from '../../../i18n/language.js';
import type { TrendColumns } from '../../../system/pure.js';
import { find, showText } from '../../browser/dom.js';
import { axisOf, type Measure, measureText, shownColumn, summary } from './trend-measure.js';

/** uPlot is a separate script, so that it is not bundled with this one. */
const Plot: typeof uPlot = Reflect.get(globalThis, 'uPlot');
const HEIGHT_PX = 120;
const WINDOW_S = 600;
/** Minimum range of the chart just after startup, when there is less data than `WINDOW_S`. */
const MIN_RANGE_S = 180;
const FONT = '14px system-ui, sans-serif';
const MINUTES_S = [60, 120, 300];

export class TrendChart {
  readonly #figure: HTMLElement;
  readonly #measure: Measure;
  readonly #box: HTMLElement;
  readonly #plot: uPlot;
  #values: readonly (number | null)[] = [];

  /** @param onPoint called with the row under the pointer, or undefined when the pointer leaves the chart. */
  constructor(figure: HTMLElement, measure: Measure, onPoint: (row: number | undefined) => void) {
    this.#figure = figure;
    this.#measure = measure;
    this.#box = find('[data-trend-plot]', figure) ?? figure;
    this.#plot = new Plot(this.#options(onPoint), [[], []], this.#box);
    new ResizeObserver(() => this.#fit()).observe(this.#box);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#plot.redraw());
  }

  show(columns: TrendColumns): void {
    this.#values = shownColumn(this.#measure, columns);
    this.#box.hidden = this.#values.every((value) => value === null);
    showText(find('[data-trend-words]', this.#figure), summary(this.#measure, columns.at, this.#values));
    this.#plot.setData([columns.at.map((ms) => ms / 1000), [...this.#values]]);
  }

  /** Shows a row's value and marks the row unless it is the latest. */
  mark(row: number): void {
    const text = this.#box.hidden ? '' : measureText(this.#measure, this.#values[row]);
    showText(find('[data-trend-value]', this.#figure), text);
    const atS = this.#plot.data[0][row];
    const isNewest = row === this.#values.length - 1;
    const left = isNewest || atS === undefined ? -10 : this.#plot.valToPos(atS, 'x');
    this.#plot.setCursor({ left, top: 0 }, false);
  }

  #fit(): void {
    const { clientWidth: width } = this.#box;
    if (width > 0) this.#plot.setSize({ width, height: HEIGHT_PX });
  }

  #options(onPoint: (row: number | undefined) => void): uPlot.Options {
    const { isSparse, unit } = this.#measure;
    return {
      width: 320,
      height: HEIGHT_PX,
      padding: [8, 8, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: {
        x: {
          range: (_plot, oldest, newest) => [
            Math.max(newest - WINDOW_S, Math.min(oldest, newest - MIN_RANGE_S)),
            newest,
          ],
        },
        y: { range: (_plot, min, max) => axisOf(this.#measure, min ?? 0, max ?? 0) },
      },
      axes: [
        {
          ...this.#axis(),
          incrs: MINUTES_S,
          space: 64,
          size: 32,
          values: (_plot, seconds) => seconds.map((s) => timeOfDay(s * 1000).slice(0, 5)),
        },
        {
          ...this.#axis(),
          label: unit,
          labelFont: FONT,
          labelSize: 20,
          size: 48,
          space: 32,
          values: (_plot, values, _axis, _space, step) => values.map((v) => decimal(v, digitsFor(step))),
        },
      ],
      series: [{}, this.#series(isSparse)],
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
    };
  }

  #axis(): uPlot.Axis {
    const line = { stroke: () => this.#colour('--line'), width: 1 };
    return { stroke: () => this.#colour('--text-2'), font: FONT, grid: line, ticks: line };
  }

  #series(isSparse: boolean): uPlot.Series {
    const stroke = (): string => this.#colour('--text-1');
    // For sparse values, a line would suggest values between the measurements.
    return isSparse
      ? { stroke, paths: () => null, points: { show: true, size: 6, fill: stroke, stroke } }
      : { stroke, width: 1.5, points: { show: false } };
  }

  /** Returns the value of a CSS variable, because a canvas cannot use CSS variables. */
  #colour(name: string): string {
    return getComputedStyle(this.#figure).getPropertyValue(name).trim();
  }
}

/** Returns the number of decimal places for a step size: 0 for 50, 2 for 0.25. */
function digitsFor(step: number): number {
  const all = [0, 1, 2, 3];
  return all.find((digits) => Number.isInteger(Number((step * 10 ** digits).toFixed(6)))) ?? all.length;
}
