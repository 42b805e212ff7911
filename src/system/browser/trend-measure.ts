import { timeOfDay } from '../../i18n/format.js';
import { decimal } from '../../i18n/language.js';
import type { TrendColumns, TrendSample } from '../trends/columns.js';
import { TREND_TEXTS } from './texts.js';

/** How one column is shown. */
export interface Measure {
  key: keyof TrendSample;
  unit: string;
  /** So many of the column's units are one of the shown ones. */
  per: number;
  digits: number;
  /** Of the axis, in the shown unit: never narrower than from `low` to `high`, or than `span` around what was measured. */
  axis: { low: number; high: number } | { span: number };
  /** Only now and then is there something to measure: nothing in between is no gap, and dots are no line. */
  isRare: boolean;
  /** What is of interest: the worst moment, or the lowest and the highest. */
  tells: 'most' | 'between';
}

const TIME = { unit: 'ms', per: 1, digits: 1, axis: { low: 0, high: 20 }, tells: 'most' } as const;

export const MEASURES: readonly Measure[] = [
  { ...TIME, key: 'lagMs', isRare: false },
  { ...TIME, key: 'answerMs', isRare: true },
  {
    ...{ key: 'speedMmps', unit: 'm/s', per: 1000, digits: 2 },
    ...{ axis: { low: 0, high: 0.5 }, isRare: false, tells: 'between' },
  },
  {
    ...{ key: 'batteryMv', unit: 'V', per: 1000, digits: 2 },
    ...{ axis: { span: 1 }, isRare: false, tells: 'between' },
  },
];

/** The lowest and the highest value of the axis for what was measured between `least` and `most`. */
export function axisOf({ axis }: Measure, least: number, most: number): [number, number] {
  if ('low' in axis) return [Math.min(axis.low, least * 1.1), Math.max(axis.high, most * 1.1)];
  const middle = (least + most) / 2;
  const span = Math.max(axis.span, (most - least) * 1.2);
  return [middle - span / 2, middle + span / 2];
}

/** The column in the unit that is shown. */
export function shownColumn({ key, per }: Measure, columns: TrendColumns): (number | null)[] {
  return columns[key].map((value) => (value === null ? null : value / per));
}

/** `2.1 ms`, or that there is none. */
export function valueText(measure: Measure, value: number | null | undefined): string {
  const { unit, digits, isRare } = measure;
  if (value !== null && value !== undefined) return `${decimal(value, digits)} ${unit}`;
  return isRare ? TREND_TEXTS.noCommand : TREND_TEXTS.notMeasured;
}

/** The chart in a sentence: for those who do not see it, and for those who want it told. */
export function summary(measure: Measure, at: readonly number[], values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  const [least, median, most] = [0, known.length >> 1, known.length - 1].map((place) => known[place]);
  if (least === undefined || median === undefined || most === undefined) return TREND_TEXTS.none[measure.key];
  const say = (value: number): string => valueText(measure, value);
  const worst = TREND_TEXTS.most(say(most), timeOfDay(at[values.indexOf(most)] ?? Number.NaN));
  if (measure.isRare) return worst;
  const range = least === most ? TREND_TEXTS.always(say(most)) : TREND_TEXTS.between(say(least), say(most));
  const words = measure.tells === 'most' ? TREND_TEXTS.usually(worst, say(median)) : range;
  const missing = values.length - known.length;
  return missing === 0 ? words : TREND_TEXTS.gaps(words, missing);
}
