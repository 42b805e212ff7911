import { timeOfDay } from '../../../i18n/format.js';
import { decimal } from '../../../i18n/language.js';
import type { TrendColumns, TrendSample } from '../../../system/pure.js';
import { TREND_TEXTS } from './texts.js';

export interface Measure {
  key: keyof TrendSample;
  unit: string;
  /** Number of stored units per displayed unit, for example 1000 mV per V. */
  per: number;
  digits: number;
  /** The range that the axis always includes, or the axis's minimum `span`, in the displayed unit. */
  axis: { low: number; high: number } | { span: number };
  /** True for infrequent values: the chart shows dots, and missing values do not count as gaps. */
  isSparse: boolean;
  summary: 'maximum' | 'range';
}

const TIME = { unit: 'ms', per: 1, digits: 1, axis: { low: 0, high: 20 }, summary: 'maximum' } as const;

export const MEASURES: readonly Measure[] = [
  { ...TIME, key: 'lagMs', isSparse: false },
  { ...TIME, key: 'answerMs', isSparse: true },
  {
    key: 'speedMmps',
    unit: 'm/s',
    per: 1000,
    digits: 2,
    axis: { low: 0, high: 0.5 },
    isSparse: false,
    summary: 'range',
  },
  {
    key: 'batteryMv',
    unit: 'V',
    per: 1000,
    digits: 2,
    axis: { span: 1 },
    isSparse: false,
    summary: 'range',
  },
];

export function axisOf({ axis }: Measure, min: number, max: number): [number, number] {
  if ('low' in axis) return [Math.min(axis.low, min * 1.1), Math.max(axis.high, max * 1.1)];
  const middle = (min + max) / 2;
  const span = Math.max(axis.span, (max - min) * 1.2);
  return [middle - span / 2, middle + span / 2];
}

export function shownColumn({ key, per }: Measure, columns: TrendColumns): (number | null)[] {
  return columns[key].map((value) => (value === null ? null : value / per));
}

export function measureText(measure: Measure, value: number | null | undefined): string {
  const { unit, digits, isSparse } = measure;
  if (value !== null && value !== undefined) return `${decimal(value, digits)} ${unit}`;
  return isSparse ? TREND_TEXTS.noCommand : TREND_TEXTS.notMeasured;
}

/** Describes the chart in words, for screen readers and for the caption. */
export function summary(measure: Measure, at: readonly number[], values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  const [min, median, max] = [0, known.length >> 1, known.length - 1].map((index) => known[index]);
  if (min === undefined || median === undefined || max === undefined) return TREND_TEXTS.empty[measure.key];
  const text = (value: number): string => measureText(measure, value);
  const maximum = TREND_TEXTS.maximum(text(max), timeOfDay(at[values.indexOf(max)] ?? Number.NaN));
  if (measure.isSparse) return maximum;
  const range = min === max ? TREND_TEXTS.constant(text(max)) : TREND_TEXTS.between(text(min), text(max));
  const main = measure.summary === 'maximum' ? TREND_TEXTS.median(maximum, text(median)) : range;
  const missing = values.length - known.length;
  return missing === 0 ? main : TREND_TEXTS.gaps(main, missing);
}
