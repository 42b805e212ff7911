import { type CartView, type CommandView, cartLabel } from '../../carts/index.js';
import { dayText } from '../../i18n/format.js';
import { hasDecimalComma } from '../../i18n/language.js';
import { actorLabel } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import {
  AFTERMATH_MS,
  dateOf,
  type EntriesPage,
  type FoundEntry,
  OUTCOME_FILTERS,
  PERIODS,
  type StatisticsPage,
  type StoredIncident,
  stopReasonOf,
} from '../../system/index.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../layout/layout-context.js';
import { CHART, type StatisticsView, statisticsView } from './charts.js';
import { type HistoryDetails, type HistoryRow, historyDetails, historyRow, outcomeTexts } from './rows.js';

interface Option {
  value: string;
  text: string;
  selected: boolean;
}

interface Tab {
  href: string;
  text: string;
  current: boolean;
}

interface HistoryContext extends LayoutContext {
  tabs: Tab[];
  carts: Option[];
}

interface EntriesContext extends HistoryContext {
  ranges: Tab[];
  people: Option[];
  outcomes: Option[];
  entered: { from: string; to: string; find: string };
  isFiltered: boolean;
  /** True if a filter other than the search text is set. */
  hasMore: boolean;
  hasEntries: boolean;
  /** Consecutive entries from the same day. */
  groups: { day: string; rows: (HistoryRow & { href: string; open: boolean })[] }[];
  olderHref: string;
  newestHref: string;
  csvHref: string;
  details: (HistoryDetails & Recorded & { closeHref: string; aroundHref: string }) | null;
}

interface Recorded {
  /** Name of the recording around the end of the entry; null if this gateway has none. */
  recording: string | null;
  /** The remote cart whose gateway keeps the recording; empty if there is none. */
  recordedBy: string;
}

interface StatisticsContext extends HistoryContext {
  csvHref: '';
  peopleCsvHref: string;
  daysCsvHref: string;
  periods: Tab[];
  period: number;
  statistics: StatisticsView;
  size: typeof CHART;
  /** The period and the cart for printed pages. */
  about: string;
}

const PATH = '/history';
const STATISTICS_PATH = '/history/statistics';
const STATISTICS_CSV = '/history/statistics.csv';
const DAY_MS = 86_400_000;
/** Periods before and after an entry that `Show what happened around this time` covers. */
const BEFORE_MS = 300_000;
const AFTER_MS = 60_000;

type Params = Readonly<Record<string, string>>;

/** Returns the template context for `history/entries.html`. */
export function entriesContext(layout: LayoutData, input: EntriesPage): EntriesContext {
  const { params, found, people, entry, interrupted, recordings, now } = input;
  const { cartID = '', person = '', outcome = '', from = '', to = '', find = '' } = params;
  const name = cartNames(layout);
  const { before: _before, id: _id, ...filter } = params;
  const { next } = found;
  return {
    ...historyContext(layout, { current: PATH, cartID }),
    ranges: rangesOf(filter, now),
    people: [
      { value: '', text: t('All people'), selected: person === '' },
      ...people.map(({ person: value, actor }) => ({
        value,
        text: actorLabel(actor),
        selected: value === person,
      })),
    ],
    outcomes: [
      { value: '', text: t('All results'), selected: outcome === '' },
      ...OUTCOME_FILTERS.map((value) => ({
        value,
        text: outcomeTexts()[value],
        selected: value === outcome,
      })),
    ],
    entered: { from: dayOf(from), to: dayOf(to), find },
    isFiltered: Object.keys(filter).length > 0,
    hasMore: [cartID, person, outcome, from, to].some((value) => value !== ''),
    hasEntries: found.entries.length > 0,
    groups: groupsOf(found.entries, now, (row) => ({
      ...historyRow(row, name),
      href: `${linkTo(PATH, { ...params, id: String(row.id) })}#details`,
      open: row.id === entry?.id,
    })),
    olderHref: next ? linkTo(PATH, { ...filter, before: `${next.at}.${next.id}` }) : '',
    newestHref: params.before ? linkTo(PATH, filter) : '',
    csvHref: linkTo('/history.csv', { ...filter, ...csvFormat() }),
    details: entry
      ? {
          ...historyDetails(entry, name, interrupted),
          recording: recordingOf(entry, layout.gateway.cartID, recordings),
          recordedBy: isRecordedElsewhere(entry, layout) ? name(entry.cartID) : '',
          closeHref: linkTo(PATH, { ...params, id: '' }),
          aroundHref: linkTo(PATH, {
            cartID: String(entry.cartID),
            from: new Date(entry.at - BEFORE_MS).toISOString(),
            to: new Date(entry.at + AFTER_MS).toISOString(),
          }),
        }
      : null,
  };
}

/** Returns the template context for `history/statistics.html`. */
export function statisticsContext(layout: LayoutData, input: StatisticsPage): StatisticsContext {
  const { days, cartID, figures } = input;
  const first = figures.days[0]?.at ?? 0;
  const last = figures.days.at(-1)?.at ?? 0;
  const cart = cartID === '' ? t('All carts') : cartNames(layout)(Number(cartID));
  return {
    ...historyContext(layout, { current: STATISTICS_PATH, cartID }),
    csvHref: '',
    peopleCsvHref: linkTo(STATISTICS_CSV, { by: 'person', days: String(days), cartID, ...csvFormat() }),
    daysCsvHref: linkTo(STATISTICS_CSV, { by: 'day', days: String(days), cartID, ...csvFormat() }),
    periods: PERIODS.map((period) => ({
      href: linkTo(STATISTICS_PATH, { days: String(period), cartID }),
      text: t('{0} days', period),
      current: period === days,
    })),
    period: days,
    statistics: statisticsView(figures),
    size: CHART,
    about: t('{0}, {1} to {2}', cart, dayText(first), dayText(last)),
  };
}

/**
 * Returns the name of the recording around the end of an entry, or null. A recording covers the 2 s after its first stop,
 * and its name contains the time of that stop in whole seconds.
 */
export function recordingOf(
  entry: Pick<FoundEntry, 'cartID' | 'at' | 'view'>,
  ownID: number,
  recordings: readonly Pick<StoredIncident, 'name' | 'at'>[],
): string | null {
  if (entry.cartID !== ownID) return null;
  const { timeline = [] } = entry.view as Partial<CommandView>;
  const endAt = entry.at + (timeline.at(-1)?.ms ?? 0);
  const found = recordings.find(({ at }) => at >= endAt - AFTERMATH_MS - 1000 && at <= endAt + 1000);
  return found?.name ?? null;
}

/** States of a command that has moved its cart. */
const MOVED: readonly string[] = ['ACKNOWLEDGED', 'RUNNING'];

/** Returns true for a stop of a remote cart that the cart's own gateway records. Simulated carts have no gateway. */
export function isRecordedElsewhere(
  entry: Pick<FoundEntry, 'cartID' | 'outcome' | 'reason' | 'view'>,
  {
    gateway,
    carts,
  }: { gateway: { cartID: number }; carts: readonly Pick<CartView, 'cartID' | 'simulated'>[] },
): boolean {
  if (entry.cartID === gateway.cartID) return false;
  if (carts.some(({ cartID, simulated }) => cartID === entry.cartID && simulated)) return false;
  if (entry.outcome === 'estop' || entry.outcome === 'protective') return true;
  const { timeline = [] } = entry.view as Partial<CommandView>;
  return stopReasonOf(entry) === 'protective' && timeline.some(({ state }) => MOVED.includes(state));
}

function historyContext(
  layout: LayoutData,
  { current, cartID }: { current: string; cartID: string },
): HistoryContext {
  const context = layoutContext(layout, { page: current === PATH ? 'history' : 'statistics' });
  const tabs = [
    { href: PATH, text: t('Events') },
    { href: STATISTICS_PATH, text: t('Statistics') },
  ];
  return {
    ...context,
    tabs: tabs.map((tab) => ({ ...tab, current: tab.href === current })),
    carts: [
      { value: '', text: t('All carts'), selected: cartID === '' },
      ...layout.carts.map((cart) => ({
        value: String(cart.cartID),
        text: cartLabel(cart),
        selected: String(cart.cartID) === cartID,
      })),
    ],
  };
}

/** Returns a function that returns a cart's current name, or the number of a cart that is no longer listed. */
export function cartNames({ carts }: Pick<LayoutData, 'carts'>): (cartID: number) => string {
  const names = new Map(carts.map((cart) => [cart.cartID, cartLabel(cart)]));
  return (cartID) => names.get(cartID) ?? t('Cart {0}', cartID);
}

/** CSV links return files for the spreadsheet programs of users of the page's language. */
function csvFormat(): Params {
  return hasDecimalComma() ? { format: 'excel' } : {};
}

function rangesOf(filter: Params, now: number): Tab[] {
  const today = dayOf(now);
  const yesterday = dayOf(now - DAY_MS);
  return [
    { text: t('All'), from: '', to: '' },
    { text: t('Today'), from: today, to: today },
    { text: t('Yesterday'), from: yesterday, to: yesterday },
    { text: t('7 days'), from: dayOf(now - 6 * DAY_MS), to: today },
  ].map(({ text, from, to }) => ({
    text,
    href: linkTo(PATH, { ...filter, from, to }),
    current: dayOf(filter.from ?? '') === from && dayOf(filter.to ?? '') === to,
  }));
}

/** Returns a date as `YYYY-MM-DD` in the gateway's time zone, or an empty string for an invalid time. */
function dayOf(time: string | number): string {
  if (time === '' || /^\d{4}-\d{2}-\d{2}$/.test(String(time))) return String(time);
  return dateOf(new Date(time).getTime());
}

function groupsOf<Row>(
  entries: readonly FoundEntry[],
  now: number,
  rowOf: (entry: FoundEntry) => Row,
): { day: string; rows: Row[] }[] {
  const groups: { day: string; rows: Row[] }[] = [];
  for (const entry of entries) {
    const day = dayTitle(entry.at, now);
    if (groups.at(-1)?.day !== day) groups.push({ day, rows: [] });
    groups.at(-1)?.rows.push(rowOf(entry));
  }
  return groups;
}

function dayTitle(at: number, now: number): string {
  const day = dayOf(at);
  if (day === dayOf(now)) return t('Today, {0}', dayText(at));
  return day === dayOf(now - DAY_MS) ? t('Yesterday, {0}', dayText(at)) : dayText(at);
}

function linkTo(path: string, params: Params): string {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== ''));
  return query.size === 0 ? path : `${path}?${query}`;
}
