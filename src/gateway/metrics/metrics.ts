import { type Exposition, expositionOf } from '../../adapters/prometheus.js';
import { CommandTimes } from '../../carts/command/command-times.js';
import type { CartView } from '../../carts/command/model.js';
import { fleetCounts, fleetState } from '../../carts/labels/fleet-rows.js';
import {
  bit,
  counter,
  gauge,
  histogram,
  type Labels,
  type MetricFamily,
  Tally,
} from '../../shared/metric.js';
import type { Carts } from '../composition/carts.js';
import type { Modules } from '../composition/modules.js';
import type { CoreServices } from '../core-services.js';
import { cameraFamilies, mqttFamilies, processFamilies, storeFamilies } from './metric-families.js';

/** Answers a scrape; whoever asks may know more families. */
type Scrape = (more: readonly MetricFamily[]) => Promise<Exposition>;

interface Measured {
  core: Pick<CoreServices, 'store' | 'history' | 'processMonitor'>;
  carts: Carts;
  modules: Pick<Modules, 'camera'>;
  about: () => { version: string; fleet: string; cartID: number; simulated: boolean };
}

/**
 * Begins to count what nobody else counts. Everything else is read from where it is counted already, at the moment of
 * the scrape: a gateway that is not watched pays nothing.
 */
export function openMetrics({ core, carts, modules, about }: Measured): Scrape {
  const { store, history, processMonitor } = core;
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
      ...cameraFamilies(modules.camera),
      ...processFamilies(processMonitor),
      ...more,
    ]);
}

function buildInfo({ version, fleet, cartID, simulated }: ReturnType<Measured['about']>): MetricFamily {
  const labels = { version, fleet, cart: String(cartID), simulated: String(simulated) };
  return gauge('cartwright_build_info', 'Which gateway this is; always 1.', [[labels, 1]]);
}

/** The own cart, its line, the commands, and the fleet in numbers: one series a cart would be a thousand. */
function cartFamilies(
  { cart, dispatcher, drive }: Pick<Carts, 'cart' | 'dispatcher' | 'drive'>,
  { times, stops }: { times: CommandTimes; stops: Tally },
): MetricFamily[] {
  const own = cart.view();
  const label = { cart: String(own.cartID) };
  const { joined, held } = drive.clients;
  return [
    ...safetyFamilies(own, label),
    counter(
      'cartwright_safety_events_total',
      'Stops that were latched or protective, and resets.',
      stops.rows('kind'),
    ),
    histogram(
      'cartwright_command_stage_seconds',
      'From the acceptance of a command until it was sent, acknowledged and finished.',
      times.stages,
    ),
    counter('cartwright_commands_ended_total', 'Commands that have ended.', times.ends),
    histogram('cartwright_heartbeat_gap_seconds', 'Between two heartbeats to the controller.', [
      [label, cart.heartbeatGaps],
    ]),
    ...linkFamilies(own, label),
    gauge('cartwright_drive_lease_held', 'Whether somebody holds the lease to drive by hand.', bit(held)),
    gauge('cartwright_drive_seats', 'Connections to the drive socket.', joined),
    gauge(
      'cartwright_fleet_carts',
      'Carts of the fleet, this one included, by state.',
      fleetOf(dispatcher.carts()),
    ),
  ];
}

function safetyFamilies(own: CartView, label: Labels): MetricFamily[] {
  const { safety, telemetry, moving } = own;
  const { soc, batteryMv } = telemetry ?? { soc: null, batteryMv: null };
  const known = (value: number | null): [Labels, number][] => (value === null ? [] : [[label, value]]);
  return [
    gauge('cartwright_may_move', 'Whether the cart of this gateway may move; /safez says why not.', [
      [label, bit(safety.mayMove)],
    ]),
    gauge('cartwright_moving', 'Whether it moves.', [[label, bit(moving)]]),
    gauge('cartwright_estop_latched', 'Whether its emergency stop is latched.', [
      [label, bit(safety.emergencyStop !== 'NONE')],
    ]),
    gauge(
      'cartwright_battery_charge_ratio',
      'Charge of its battery, 0 to 1, if it is known.',
      known(soc === null ? null : soc / 100),
    ),
    gauge(
      'cartwright_battery_volts',
      'Voltage of its battery, if it is known.',
      known(batteryMv === null ? null : batteryMv / 1000),
    ),
  ];
}

function linkFamilies({ link, online, ageMs }: CartView, label: Labels): MetricFamily[] {
  if (!link) return [];
  const { sent, received, dropped, retried, reconnects } = link.counters;
  const heardS: [Labels, number][] = ageMs === null ? [] : [[label, ageMs / 1000]];
  return [
    gauge('cartwright_link_up', 'Whether the controller answers on the serial line.', [[label, bit(online)]]),
    gauge('cartwright_link_silence_seconds', 'Since the last word of the controller.', heardS),
    counter('cartwright_link_sent_frames_total', 'Frames sent to the controller.', [[label, sent]]),
    counter('cartwright_link_received_frames_total', 'Good frames from the controller.', [[label, received]]),
    counter('cartwright_link_bad_frames_total', 'Frames dropped as damaged or not understood.', [
      [label, dropped],
    ]),
    counter('cartwright_link_retries_total', 'Frames sent again because no answer came.', [[label, retried]]),
    counter('cartwright_link_reconnects_total', 'Sessions with the controller after the first.', [
      [label, reconnects],
    ]),
  ];
}

function fleetOf(carts: readonly CartView[]): [Labels, number][] {
  return Object.entries(fleetCounts(carts.map(fleetState))).map(([state, count]) => [{ state }, count]);
}
