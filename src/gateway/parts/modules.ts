import { join } from 'node:path';
import { FloorPlan } from '../../beacons/floor-plan/floor-plan.js';
import { Beacons } from '../../beacons/registry/registry.js';
import { Camera } from '../../camera/capture/camera.js';
import { Sightings } from '../../carts/fleet/sightings.js';
import type { Foundation } from '../core-services.js';
import { openCamera } from './camera.js';
import type { Carts } from './carts.js';
import { openShop, pruneUnpaid } from './shop.js';

export type Rooms = Awaited<ReturnType<typeof openRooms>>;

/** The beacons and who hears them, the shop, the camera. */
export async function openRooms(foundation: Foundation, { identity, bus, peers, cart, link }: Carts) {
  const { config, closers, clock, machine, log, store, settings } = foundation;
  const { dataDir } = config;
  const pathLoss = () => {
    const { pathLossExponent, maxRangeM } = settings.current.beacons;
    return { exponent: pathLossExponent, maxRangeM };
  };
  const beacons = new Beacons({ store, log, pathLoss });
  closers.defer('beacons', () => beacons.close());
  const floorPlan = await FloorPlan.open({ dir: join(dataDir, 'plan'), log });
  const sightings = new Sightings({
    ...{ bus, identity, clock, log },
    locate: (heard) => beacons.observe(heard),
    counts: (cartId) => cartId === identity.cartId || peers.has(cartId),
  });
  sightings.start();
  closers.defer('sightings', () => sightings.close());

  const { shop, sandbox } = await openShop({ config: config.payments ?? {}, store, clock, log });
  closers.defer('shop', () => shop.close());
  const unpaid = pruneUnpaid({ store, clock, log });
  closers.defer('unpaid', () => unpaid.stop());

  const pose = () => (link.simulated ? cart.view().pose : undefined);
  const source = await openCamera({ settings, machine, pose, dataDir, clock, log });
  const camera = await Camera.open({ source, photosDir: join(dataDir, 'photos'), clock, log });
  closers.defer('camera', () => camera.close());
  return { beacons, floorPlan, sightings, shop, sandbox, camera };
}
