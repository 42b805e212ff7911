import { type Exposition, expositionOf } from '../../adapters/prometheus.js';
import { CommandTimes } from '../../carts/command/command-times.js';
import { gauge, type MetricFamily, Tally } from '../../shared/metric.js';
import type { Foundation } from '../core-services.js';
import type { Carts } from '../parts/carts.js';
import type { Rooms } from '../parts/modules.js';
import { cartFamilies } from './carts.js';
import { cameraFamilies, mqttFamilies, processFamilies, storeFamilies } from './parts.js';

/** Answers a scrape; whoever asks may know more families. */
type Scrape = (more: readonly MetricFamily[]) => Promise<Exposition>;

interface Measured {
  foundation: Pick<Foundation, 'store' | 'history' | 'vitals'>;
  carts: Carts;
  rooms: Pick<Rooms, 'camera'>;
  about: () => { version: string; fleet: string; cartID: number; simulated: boolean };
}

/**
 * Begins to count what nobody else counts. Everything else is read from where it is counted already, at the moment of
 * the scrape: a gateway that is not watched pays nothing.
 */
export function openMetrics({ foundation, carts, rooms, about }: Measured): Scrape {
  const { store, history, vitals } = foundation;
  const times = new CommandTimes();
  const stops = new Tally();
  carts.dispatcher.onCommand((command) => times.take(command));
  carts.cart.onSafety(({ kind }) => stops.add(kind));
  return (more) =>
    expositionOf([
      buildInfo(about()),
      ...cartFamilies(carts, { times, stops }),
      ...storeFamilies(store),
      gauge(
        'cartwright_history_waiting_entries',
        'Entries of the history that wait for the database.',
        history.counts.waiting,
      ),
      ...mqttFamilies(carts),
      ...cameraFamilies(rooms.camera),
      ...processFamilies(vitals),
      ...more,
    ]);
}

function buildInfo({ version, fleet, cartID, simulated }: ReturnType<Measured['about']>): MetricFamily {
  const labels = { version, fleet, cart: String(cartID), simulated: String(simulated) };
  return gauge('cartwright_build_info', 'Which gateway this is; always 1.', [[labels, 1]]);
}
