import { join } from 'node:path';
import { Sandbox } from '../../adapters/payments/sandbox.js';
import { openStripe } from '../../adapters/payments/stripe.js';
import { Beacons, FloorPlan, type Observation, PlanFrame, siteOriginOf } from '../../beacons/index.js';
import { Camera } from '../../camera/index.js';
import { BeaconReports } from '../../carts/index.js';
import type { Calibration, DetectorService } from '../../navigation/index.js';
import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { PaymentProvider, SandboxCheckouts } from '../../shared/ports/payments.js';
import type { Store } from '../../shared/ports/store.js';
import { type PaymentsConfig, priceBook, Shop, UNPAID_RETENTION_MS } from '../../shop/index.js';
import { type PruneJob, Pruner, type PrunerOptions } from '../../system/index.js';
import type { CoreServices } from '../core-services.js';
import { secretOf } from '../start/secrets.js';
import { openCamera } from './camera.js';
import type { Carts } from './carts.js';
import { openCalibration, openDetector } from './navigation.js';

/** The modules that do not drive a cart. */
export interface Modules {
  beacons: Beacons;
  floorPlan: FloorPlan;
  /** Positions of carts from received beacons. */
  beaconReports: BeaconReports;
  shop: Shop;
  /** Undefined if a real payment provider is configured. */
  sandbox: SandboxCheckouts | undefined;
  camera: Camera;
  /** Finds markers in the camera's images. */
  detector: DetectorService;
  calibration: Calibration;
}

export async function openModules(
  core: CoreServices,
  { identity, bus, peers, markers, localization, scene, cart }: Carts,
): Promise<Modules> {
  const { config, closers, clock, machine, log, store, settings } = core;
  const { dataDir } = config;
  const pathLoss = () => {
    const { pathLossExponent, maxRangeM } = settings.current.beacons;
    return { exponent: pathLossExponent, maxRangeM };
  };
  const beacons = new Beacons({ store, log, pathLoss });
  closers.defer('beacons', () => beacons.close());
  scene.registeredMarkers = () => markers.list().map(({ purpose: _, ...marker }) => marker);
  const floorPlan = await FloorPlan.open({ dir: join(dataDir, 'plan'), log });
  const beaconReports = new BeaconReports({
    bus,
    identity,
    clock,
    log,
    locate: (heard) => beacons.observe(heard),
    includes: (cartId) => cartId === identity.cartId || peers.has(cartId),
  });
  beaconReports.onPosition(({ cartID, observation }) => {
    const { position } = observation as Partial<Observation>;
    if (cartID !== identity.cartId || !position) return;
    const { bottomLeft, rotationDeg } = floorPlan.current?.placement ?? {};
    const frame = new PlanFrame(bottomLeft ?? siteOriginOf(undefined, beacons.southWest()), rotationDeg);
    const covariance = frame.covarianceOf(position.ellipse);
    localization.addBeaconFix({ ...frame.toPlan(position), covariance });
  });
  beaconReports.start();
  closers.defer('sightings', () => beaconReports.close());

  const { shop, sandbox } = await openShop({ config: config.payments ?? {}, store, clock, log });
  closers.defer('shop', () => shop.close());
  const unpaid = pruneUnpaid({ store, clock, log });
  closers.defer('unpaid', () => unpaid.stop());

  const isIdle = () => !cart.busy;
  const source = await openCamera({
    settings,
    machine,
    scene: () => scene.state(),
    isMoving: () => cart.busy,
    dataDir,
    clock,
    log,
  });
  const camera = await Camera.open({ source, photosDir: join(dataDir, 'photos'), clock, log });
  closers.defer('camera', () => camera.close());
  // Closed before the camera, which the detector keeps running.
  const detector = openDetector({ images: source, settings, markers, clock, log });
  closers.defer('detector', () => detector.close());
  localization.useDetector(detector);
  const calibration = openCalibration({
    detector,
    camera: () => source.view(),
    settings,
    isIdle,
    markers,
    clock,
  });
  closers.defer('calibration', () => calibration.close());
  return { beacons, floorPlan, beaconReports, shop, sandbox, camera, detector, calibration };
}

const PRUNING: readonly PruneJob[] = ['shop.pruneLines', 'shop.prunePayments', 'sandbox.prune'].map(
  (operation) => ({ operation, keepMs: UNPAID_RETENTION_MS }),
);

interface ShopDeps {
  config: PaymentsConfig;
  store: Store;
  clock: Clock;
  log: Log;
  env?: NodeJS.ProcessEnv;
}

/** Key for test servers that implement Stripe's protocol; a real key must never be sent to such servers. */
const TEST_KEY = 'sk_test_sandbox';

/** Rejects with `CONFIG_INVALID` if the payment configuration is invalid. */
export async function openShop(parts: ShopDeps): Promise<{ shop: Shop; sandbox?: SandboxCheckouts }> {
  const { config, store, clock, log } = parts;
  const { currency = 'EUR', strictTransitions: isStrict = false } = config;
  const sandbox = config.provider === 'stripe' ? undefined : new Sandbox({ store, clock });
  const provider = sandbox ?? (await openStripeProvider(parts));
  const shop = new Shop({ store, provider, currency, isStrict, clock, log });
  await shop.start();
  return { shop, ...(sandbox ? { sandbox } : {}) };
}

export function pruneUnpaid(parts: Omit<PrunerOptions, 'jobs'>): Pruner {
  const pruner = new Pruner({ ...parts, jobs: PRUNING });
  pruner.start();
  return pruner;
}

async function openStripeProvider({ config, store, env = process.env }: ShopDeps): Promise<PaymentProvider> {
  const { stripeUrl: url } = config;
  const key = secretOf(env, 'STRIPE_API_KEY', 'stripe-api-key');
  const webhookSecret = secretOf(env, 'STRIPE_WEBHOOK_SECRET', 'stripe-webhook-secret');
  if (url !== undefined && key !== undefined) {
    throw invalid('STRIPE_API_KEY and payments.stripeUrl are both set', 'Remove one of them.');
  }
  const apiKey = url === undefined ? key : TEST_KEY;
  if (apiKey === undefined) {
    throw invalid(
      'payments.provider is stripe, but STRIPE_API_KEY is not set',
      'Set STRIPE_API_KEY, or set payments.provider to sandbox.',
    );
  }
  return await openStripe({
    apiKey,
    prices: priceBook(store),
    ...(webhookSecret === undefined ? {} : { webhookSecret }),
    ...(url === undefined ? {} : { url }),
  });
}

function invalid(message: string, hint: string): GatewayError {
  return new GatewayError('CONFIG_INVALID', message, { hint });
}
