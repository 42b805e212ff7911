import { join } from 'node:path';
import { Beacons, type Observation } from '../../beacons/index.js';
import { BeaconReports } from '../../carts/index.js';
import { FloorPlan, PlanFrame, siteOriginOf } from '../../plan/index.js';
import type { AppContext } from '../context.js';
import type { Mqtt } from './broker.js';
import type { Positioning } from './navigation.js';
import type { Peers } from './peers.js';

export function openBeacons({ store, log, settings }: AppContext): Beacons {
  const pathLoss = () => {
    const { pathLossExponent, maxRangeM } = settings.current.beacons;
    return { exponent: pathLossExponent, maxRangeM };
  };
  return new Beacons({ store, log, pathLoss });
}

export function openFloorPlan({ config, log }: AppContext): Promise<FloorPlan> {
  return FloorPlan.open({ dir: join(config.dataDir, 'plan'), log });
}

interface BeaconReportModules {
  mqtt: Pick<Mqtt, 'bus'>;
  peers: Pick<Peers, 'registry'>;
  positioning: Pick<Positioning, 'localization'>;
  beacons: Beacons;
  floorPlan: FloorPlan;
}

/** Locates carts by the beacons that they receive. This gateway's cart also uses these positions to navigate. */
export function openBeaconReports(
  { identity, clock, log }: AppContext,
  { mqtt, peers, positioning, beacons, floorPlan }: BeaconReportModules,
): BeaconReports {
  const reports = new BeaconReports({
    bus: mqtt.bus,
    identity,
    clock,
    log,
    locate: (heard) => beacons.observe(heard),
    includes: (cartId) => cartId === identity.cartId || peers.registry.has(cartId),
  });
  reports.onPosition(({ cartID, observation }) => {
    const { position } = observation as Partial<Observation>;
    if (cartID !== identity.cartId || !position) return;
    const { bottomLeft, rotationDeg } = floorPlan.current?.placement ?? {};
    const frame = new PlanFrame(bottomLeft ?? siteOriginOf(undefined, beacons.southWest()), rotationDeg);
    const covariance = frame.covarianceOf(position.ellipse);
    positioning.localization.addBeaconFix({ ...frame.toPlan(position), covariance });
  });
  reports.start();
  return reports;
}
