import { declarePage } from '../../../http/pages.js';
import type { FoundEntry, FoundPage } from '../../history/search.js';
import type { HistoryFigures } from '../../history/statistics.js';
import type { StoredIncident } from '../../incidents/incident-store.js';

export interface EntriesPage {
  /** The query parameters that are not empty. */
  params: Readonly<Record<string, string>>;
  found: FoundPage;
  people: readonly Pick<FoundEntry, 'person' | 'actor'>[];
  entry: FoundEntry | undefined;
  /** The commands that the stop in `entry` interrupted. */
  interrupted: readonly FoundEntry[];
  /** The recordings of this gateway's cart. */
  recordings: readonly Pick<StoredIncident, 'name' | 'at'>[];
  now: number;
}

export const entriesPage = declarePage<EntriesPage>('History');

export interface StatisticsPage {
  days: number;
  cartID: string;
  figures: HistoryFigures;
}

export const statisticsPage = declarePage<StatisticsPage>('Statistics');
