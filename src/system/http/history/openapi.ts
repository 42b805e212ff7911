import * as t from '../../../http/openapi/schema-helpers.js';
import { CSV_FORMAT } from '../../../http/server/csv-format.js';
import { OUTCOMES, STOP_REASONS, type StopReason } from '../../history/entries.js';
import type { HistoryEntry } from '../../history/history.js';
import type { FoundEntry } from '../../history/search.js';
import type { DayFigures, HistoryFigures, PersonFigures } from '../../history/statistics.js';
import { MAX_FIND, OUTCOME_FILTERS } from './query.js';

const historyOf = (summary: string, view: object) =>
  t.operator(summary, {
    query: {
      limit: { ...t.between(1, 200), description: 'Default: 50' },
      before: { ...t.between(1), description: '`id` of the last entry on the previous page' },
    },
    ok: t.json(t.listOf(t.record<HistoryEntry>({ id: t.whole, at: t.since1970, view }))),
    fails: [400],
  });

const cartID = { ...t.whole, description: 'Returns only entries for this cart' };
const filters = {
  cartID,
  person: { ...t.text, description: 'Returns only entries for this user, API key or gateway' },
  outcome: {
    ...t.oneOf(OUTCOME_FILTERS),
    description: '`stops` includes latched stops, protective stops, and failed and cancelled commands',
  },
  from: {
    ...t.text,
    description: "First date, in the gateway's time zone (`2026-05-04`), or an ISO 8601 date and time",
  },
  to: { ...t.text, description: 'Last date or time, inclusive' },
  find: {
    ...t.text,
    maxLength: MAX_FIND,
    description: 'Words that the entry must contain, in any order; only the first five words are used',
  },
};

const entry = t.record<Omit<FoundEntry, 'actor'>>({
  id: t.whole,
  at: t.since1970,
  cartID: t.whole,
  person: {
    ...t.text,
    description: 'User, API key or gateway that caused the entry; empty for any other cause',
  },
  kind: {
    ...t.text,
    description:
      'Kind of command, or `estop.latched`, `estop.reset`, `protective_stop`, `payments.confirmed`, `loss.acknowledged`, `backup.made`, `backup.uploaded`, `backup.deleted`, `backup.scheduled`, `backup.unscheduled`, `restore.started`, `restore.confirmed`, `restore.undone`, `settings.changed`, `firmware.changed`, `site.changed`, `site.overridden`, `site.frame_changed`, `software.update_requested`, `software.installed`, `software.returned`, `software.update_failed`',
  },
  outcome: t.oneOf(OUTCOMES),
  reason: { ...t.text, description: 'Reason code of an unfinished command; otherwise empty' },
  distanceMm: t.mm,
  pressedCarts: {
    ...t.listOf(t.whole),
    description: 'All carts stopped by the same press of Stop all; empty if the press is unknown',
  },
  view: { ...t.object, description: 'The command with its timeline, or the safety event' },
});
const person = t.record<Omit<PersonFigures, 'actor'>>({
  person: t.text,
  commands: t.whole,
  distanceMm: t.mm,
});
const day = t.record<DayFigures>({
  at: { ...t.since1970, description: 'Start of the day' },
  commands: t.whole,
  distanceMm: t.mm,
  stops: t.record<Record<StopReason, number>>(t.each(t.whole, ...STOP_REASONS)),
});

const period = {
  cartID,
  days: { ...t.between(1, 31), description: 'Number of days, including today. Default: 7' },
};

const historyChapter = {
  name: 'History',
  description:
    'Commands from the last 30 days, safety events from the last year and changes from the last five years.',
  schemas: { HistoryEntry: entry },
};
export const historyApi = t.api(historyChapter, {
  'GET /history': t.operator('Searches commands and safety events, newest first', {
    description:
      'A press of Stop all that stopped several carts is listed as one entry, unless `cartID` or `find` is given.',
    query: {
      ...filters,
      limit: { ...t.between(1, 200), description: 'Default: 50' },
      before: { ...t.text, description: '`next` from the previous page' },
    },
    ok: t.jsonOrPage(t.exact({ entries: t.refs('HistoryEntry'), next: t.orNull(t.text) })),
    fails: [400],
  }),
  'GET /history/statistics': t.operator('Returns statistics by day and by person', {
    query: period,
    ok: t.jsonOrPage(t.record<HistoryFigures>({ days: t.listOf(day), people: t.listOf(person) })),
    fails: [400],
  }),
  'GET /history/statistics.csv': t.operator('Exports the statistics by day or by person', {
    query: { ...period, by: t.oneOf(['person', 'day']), ...CSV_FORMAT },
    ok: { content: t.contentOf(['text/csv'], t.text) },
    fails: [400],
  }),
  'GET /history.csv': t.operator('Exports commands and safety events, newest first', {
    query: { ...filters, ...CSV_FORMAT },
    ok: { content: t.contentOf(['text/csv'], t.text) },
    fails: [400],
  }),
  'GET /history/commands': historyOf('Lists command states, newest first', t.object),
  'GET /history/safety': historyOf(
    'Lists safety events, newest first',
    t.open(['cartID', 'kind'], { cartID: t.whole, kind: t.text }),
  ),
});
