import { assumedDecelMmps2, type MqttAgent } from '../../carts/index.js';
import type { FloorPlan } from '../../plan/index.js';
import type { Cancel } from '../../shared/ports/clock.js';
import { LastSaved, PlanSharing, SitePlan, unsuitability, ZoneFrame, ZoneGate } from '../../site/index.js';
import { type AppContext, isDataIncomplete } from '../context.js';
import type { Mqtt } from './broker.js';
import type { OwnCart } from './create-cart.js';
import type { GatewayFacts } from './facts.js';
import type { Positioning } from './navigation.js';
import type { Peers } from './peers.js';

interface ZoneFrameModules {
  floorPlan: FloorPlan;
  sitePlan: SitePlan;
  positioning: Positioning;
  ownCart: Pick<OwnCart, 'cart'>;
}

/** Opened before the cart, which asks the gate about every motion. */
export function openZoneGate(
  { settings, commissioning, history, identity, clock, log }: AppContext,
  { positioning: { localization } }: { positioning: Pick<Positioning, 'localization'> },
): ZoneGate {
  return new ZoneGate({
    settings: () => settings.current,
    brakingMmps2: () => assumedDecelMmps2(Number.POSITIVE_INFINITY, commissioning.brakeTests),
    location: () => localization.location(),
    record: ({ by, version, reason, seconds }) =>
      history.recordConfirmation({
        kind: 'site.overridden',
        cartID: identity.cartId,
        by,
        change: {
          version: String(version),
          sha256: '',
          values: [{ path: '/override', to: { reason, seconds } }],
        },
      }),
    clock,
    log,
  });
}

/** Opened before the cart, which reports its site plan. */
export function openPlanSharing(
  { settings, identity, siteKey, clock, log }: AppContext,
  { mqtt: { bus } }: { mqtt: Pick<Mqtt, 'bus'> },
): PlanSharing {
  return new PlanSharing({ bus, identity, siteKey, settings: () => settings.current.site, clock, log });
}

export async function openSitePlan(
  context: AppContext,
  { floorPlan, planSharing }: { floorPlan: FloorPlan; planSharing: PlanSharing },
): Promise<SitePlan> {
  const { config, store, log, settings, history, identity } = context;
  const lastSaved = await LastSaved.open({ dir: config.dataDir, isIncomplete: isDataIncomplete(context) });
  return new SitePlan({
    lastSaved,
    store,
    log,
    floorPlan,
    unsuitability: () => unsuitability(settings.current),
    ownership: planSharing,
    record: ({ by, version, ...change }) =>
      history.recordConfirmation({
        kind: 'site.changed',
        cartID: identity.cartId,
        by,
        change: { ...change, version: String(version) },
      }),
  });
}

export function openZoneFrame(
  { history, identity, log }: AppContext,
  { floorPlan, sitePlan, positioning: { markers, localization }, ownCart: { cart } }: ZoneFrameModules,
): ZoneFrame {
  return new ZoneFrame({
    sitePlan,
    floorPlan,
    markers,
    location: () => localization.location(),
    isCartBusy: () => cart.busy,
    record: ({ by, version, ...value }) =>
      history.recordConfirmation({
        kind: 'site.frame_changed',
        cartID: identity.cartId,
        by,
        change: { version: String(version), sha256: '', values: [value] },
      }),
    log,
  });
}

/** From now on, the gate enforces the zones. */
export function enforceZones(
  _context: AppContext,
  {
    floorPlan,
    sitePlan,
    zoneGate,
    ownCart: { cart },
  }: { floorPlan: FloorPlan; sitePlan: SitePlan; zoneGate: ZoneGate; ownCart: Pick<OwnCart, 'cart'> },
): Cancel {
  return zoneGate.use({ floorPlan, sitePlan, emergencyStops: () => cart.interlocks.emergencyStops });
}

/** From now on, the site plan is published or received. */
export function sharePlan(
  { settings }: AppContext,
  {
    planSharing,
    sitePlan,
    agent,
    facts,
    peers,
  }: {
    planSharing: PlanSharing;
    sitePlan: SitePlan;
    agent: MqttAgent;
    facts: GatewayFacts;
    peers: Pick<Peers, 'registry'>;
  },
): Cancel {
  return planSharing.start({
    sitePlan,
    onSettings: (listener) => settings.onChange(listener),
    url: () => facts.urlForOthers,
    carts: () => peers.registry.carts(),
    reject: (...refused) => agent.reject(...refused),
  });
}
