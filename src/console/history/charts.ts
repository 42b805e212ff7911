import { metres } from '../../i18n/format.js';
import { decimal, locale } from '../../i18n/language.js';
import { actorLabel } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import { type DayFigures, type HistoryFigures, STOP_REASONS, type StopReason } from '../../system/index.js';

interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
  kind: string;
  text: string;
}

interface Chart {
  title: string;
  total: string;
  /** The largest value, shown beside the top line. */
  top: string;
  bars: Bar[];
  /** A `minor` label is hidden if the chart is narrow. */
  labels: { text: string; minor: boolean }[];
  legend: { kind: string; text: string; n: number }[];
}

export interface StatisticsView {
  charts: Chart[];
  people: { name: string; distance: string; commands: number; width: number }[];
  days: { day: string; distance: string; commands: number; stops: { n: number }[] }[];
  stopNames: { text: string }[];
}

/** Size of the coordinate system; the displayed charts have no fixed size. */
export const CHART = { width: 320, height: 96 } as const;
const GAP = 0.25;
const MAX_LABELS = 7;

const stopReasonTexts = (): Record<StopReason, string> => ({
  estop: t('Stop all or E-stop'),
  protective: t('Protective stop'),
  connection: t('Connection lost'),
  controller: t('Motor controller'),
  person: t('Stop button'),
  other: t('Other reason'),
});

export function statisticsView({ days, people }: HistoryFigures): StatisticsView {
  const longest = Math.max(1, ...people.map(({ distanceMm }) => distanceMm));
  return {
    charts: [
      simpleChart(t('Distance'), days, { value: ({ distanceMm }) => distanceMm, text: distance }),
      simpleChart(t('Commands'), days, { value: ({ commands }) => commands, text: String }),
      stopsChart(days),
    ],
    people: people.map(({ actor, distanceMm, commands }) => ({
      name: actorLabel(actor),
      distance: distance(distanceMm),
      commands,
      width: Math.round((distanceMm / longest) * 100),
    })),
    days: days.toReversed().map((day) => ({
      day: dayName(day.at),
      distance: distance(day.distanceMm),
      commands: day.commands,
      stops: STOP_REASONS.map((reason) => ({ n: day.stops[reason] })),
    })),
    stopNames: STOP_REASONS.map((reason) => ({ text: stopReasonTexts()[reason] })),
  };
}

function distance(mm: number): string {
  return mm < 1_000_000 ? metres(mm) : `${decimal(mm / 1_000_000, 2)} km`;
}

function dayName(at: number): string {
  return new Date(at).toLocaleDateString(locale(), { weekday: 'short', day: 'numeric', month: 'short' });
}

function simpleChart(
  title: string,
  days: readonly DayFigures[],
  { value, text }: { value: (day: DayFigures) => number; text: (value: number) => string },
): Chart {
  const highest = Math.max(0, ...days.map(value));
  const bars = days.map((day, nth) => ({
    ...place(nth, days.length, { from: 0, to: value(day) }, highest),
    kind: 'plain',
    text: `${dayName(day.at)}: ${text(value(day))}`,
  }));
  const total = text(days.reduce((sum, day) => sum + value(day), 0));
  return { title, total, top: text(highest), bars, labels: labelsOf(days), legend: [] };
}

function stopsChart(days: readonly DayFigures[]): Chart {
  const totalOf = (day: DayFigures): number =>
    STOP_REASONS.reduce((sum, reason) => sum + day.stops[reason], 0);
  const highest = Math.max(0, ...days.map(totalOf));
  const bars = days.flatMap((day, nth) => {
    let from = 0;
    return STOP_REASONS.filter((reason) => day.stops[reason] > 0).map((kind) => {
      const to = from + day.stops[kind];
      const bar = place(nth, days.length, { from, to }, highest);
      from = to;
      return { ...bar, kind, text: `${dayName(day.at)}: ${stopReasonTexts()[kind]} ${day.stops[kind]}` };
    });
  });
  return {
    title: t('Stops by reason'),
    total: String(days.reduce((sum, day) => sum + totalOf(day), 0)),
    top: String(highest),
    bars,
    labels: labelsOf(days),
    legend: STOP_REASONS.map((kind) => ({
      kind,
      text: stopReasonTexts()[kind],
      n: days.reduce((sum, day) => sum + day.stops[kind], 0),
    })),
  };
}

function place(nth: number, count: number, { from, to }: { from: number; to: number }, highest: number) {
  const step = CHART.width / count;
  const scale = highest === 0 ? 0 : CHART.height / highest;
  const height = (to - from) * scale;
  return {
    x: rounded((nth + GAP / 2) * step),
    y: rounded(CHART.height - from * scale - height),
    width: rounded(step * (1 - GAP)),
    height: rounded(height),
  };
}

/** Returns one label per bar; at most `MAX_LABELS` are not empty. */
function labelsOf(days: readonly DayFigures[]): Chart['labels'] {
  const every = Math.ceil(days.length / MAX_LABELS);
  return days.map(({ at }, nth) => {
    const back = days.length - 1 - nth;
    const text =
      back % every === 0 ? new Date(at).toLocaleDateString(locale(), { day: 'numeric', month: 'short' }) : '';
    return { text, minor: (back / every) % 2 === 1 };
  });
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
