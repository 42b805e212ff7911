import { type Exposition, expositionOf } from '../../adapters/prometheus.js';
import type { Alarms } from '../../alarms/index.js';
import type { Camera } from '../../camera/index.js';
import { type CartView, CommandTimes, fleetCounts, fleetState, type ManualDrive } from '../../carts/index.js';
import {
  bit,
  counter,
  gauge,
  histogram,
  type Labels,
  type MetricFamily,
  Tally,
} from '../../shared/metric.js';
import { packageVersion } from '../../shared/package-root.js';
import type { UpdateMonitor } from '../../updates/index.js';
import type { Mqtt } from '../composition/broker.js';
import type { OwnCart } from '../composition/create-cart.js';
import type { AboutGateway, GatewayFacts } from '../composition/facts.js';
import type { AppContext } from '../context.js';
import { cameraFamilies, mqttFamilies, processFamilies, storeFamilies } from './metric-families.js';

export type Scrape = (more: readonly MetricFamily[]) => Promise<Exposition>;

interface MetricsModules {
  ownCart: OwnCart;
  drive: ManualDrive;
  mqtt: Mqtt;
  camera: Camera;
  alarms: Pick<Alarms, 'results'>;
  facts: Pick<GatewayFacts, 'about'>;
  updateMonitor: UpdateMonitor;
}

/** Starts the counters for commands and safety events. All other metrics are read on each scrape. */
export function openMetrics(
  { store, history, processMonitor }: AppContext,
  { ownCart, drive, mqtt, camera, alarms, facts, updateMonitor }: MetricsModules,
): Scrape {
  const times = new CommandTimes();
  const stops = new Tally();
  ownCart.dispatcher.onCommand((command) => times.take(command));
  ownCart.cart.onSafety(({ kind }) => stops.add(kind));
  return (more) =>
    expositionOf([
      buildInfo(facts.about()),
      ...cartFamilies(ownCart, drive, { times, stops }),
      ...storeFamilies(store),
      gauge(
        'cartwright_history_waiting_entries',
        'History entries waiting to be stored.',
        history.counts.waiting,
      ),
      counter(
        'cartwright_alarm_deliveries_total',
        'Alarm deliveries, by outcome and channel; `retried` counts failed attempts.',
        alarms.results.rows('outcome', 'channel'),
      ),
      gauge(
        'cartwright_update_active',
        "1 while an update of the gateway's software is requested or running.",
        bit(updateMonitor.isBusy),
      ),
      gauge(
        'cartwright_release_changed',
        '1 if files of the installed release were changed.',
        bit(updateMonitor.problemOf(packageVersion()) !== ''),
      ),
      ...mqttFamilies(mqtt),
      ...cameraFamilies(camera),
      ...processFamilies(processMonitor),
      ...more,
    ]);
}

function buildInfo({ version, fleet, cartID, simulated }: AboutGateway): MetricFamily {
  const labels = { version, fleet, cart: String(cartID), simulated: String(simulated) };
  return gauge('cartwright_build_info', 'Always 1; the labels describe this gateway.', [[labels, 1]]);
}

/** No metric has a series for each cart, because a fleet can have a thousand carts. */
function cartFamilies(
  { cart, dispatcher }: OwnCart,
  drive: ManualDrive,
  { times, stops }: { times: CommandTimes; stops: Tally },
): MetricFamily[] {
  const own = cart.view();
  const label = { cart: String(own.cartID) };
  const { joined, held } = drive.clients;
  return [
    ...safetyFamilies(own, label),
    counter(
      'cartwright_safety_events_total',
      'Latched stops (Stop all or E-stop), protective stops and resets.',
      stops.rows('kind'),
    ),
    histogram(
      'cartwright_command_stage_seconds',
      'Time from the acceptance of a command to each later stage: sent, acknowledged and finished.',
      times.stages,
    ),
    counter(
      'cartwright_commands_ended_total',
      'Commands that have ended, by destination, state and reason.',
      times.ends,
    ),
    histogram('cartwright_heartbeat_gap_seconds', 'Time between heartbeats to the controller.', [
      [label, cart.arming.heartbeatGaps],
    ]),
    ...linkFamilies(own, label),
    gauge('cartwright_drive_lease_held', '1 if an operator holds the control lease.', bit(held)),
    gauge('cartwright_drive_seats', 'Connections to the drive socket.', joined),
    gauge(
      'cartwright_fleet_carts',
      'Carts in the fleet, including this cart, by state.',
      fleetOf(dispatcher.carts()),
    ),
  ];
}

function safetyFamilies(own: CartView, label: Labels): MetricFamily[] {
  const { safety, telemetry, moving } = own;
  const { soc, batteryMv } = telemetry ?? { soc: null, batteryMv: null };
  const known = (value: number | null): [Labels, number][] => (value === null ? [] : [[label, value]]);
  return [
    gauge('cartwright_may_move', '1 if the cart may move; /safez returns the reason if not.', [
      [label, bit(safety.mayMove)],
    ]),
    gauge('cartwright_moving', '1 if the cart is moving.', [[label, bit(moving)]]),
    gauge('cartwright_estop_latched', '1 if a stop is latched.', [
      [label, bit(safety.emergencyStop !== 'NONE')],
    ]),
    gauge(
      'cartwright_battery_charge_ratio',
      'Battery charge, 0 to 1; absent if unknown.',
      known(soc === null ? null : soc / 100),
    ),
    gauge(
      'cartwright_battery_volts',
      'Battery voltage; absent if unknown.',
      known(batteryMv === null ? null : batteryMv / 1000),
    ),
  ];
}

function linkFamilies({ link, online, ageMs }: CartView, label: Labels): MetricFamily[] {
  if (!link) return [];
  const { sent, received, dropped, retried, reconnects } = link.counters;
  const silenceS: [Labels, number][] = ageMs === null ? [] : [[label, ageMs / 1000]];
  return [
    gauge('cartwright_link_up', '1 if the controller responds on the serial line.', [[label, bit(online)]]),
    gauge('cartwright_link_silence_seconds', 'Time since the last frame from the controller.', silenceS),
    counter('cartwright_link_sent_frames_total', 'Frames sent to the controller.', [[label, sent]]),
    counter('cartwright_link_received_frames_total', 'Valid frames from the controller.', [
      [label, received],
    ]),
    counter(
      'cartwright_link_bad_frames_total',
      'Frames dropped because they were corrupt or of an unknown type.',
      [[label, dropped]],
    ),
    counter('cartwright_link_retries_total', 'Frames resent because the acknowledgement was missing.', [
      [label, retried],
    ]),
    counter('cartwright_link_reconnects_total', 'Reconnections to the controller after a loss.', [
      [label, reconnects],
    ]),
  ];
}

function fleetOf(carts: readonly CartView[]): [Labels, number][] {
  return Object.entries(fleetCounts(carts.map(fleetState))).map(([state, count]) => [{ state }, count]);
}
