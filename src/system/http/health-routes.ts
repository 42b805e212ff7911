import {
  type CommandDispatcher,
  type EventFeed,
  type Overview,
  type SafetyView,
  STOP_ONLY,
} from '../../carts/index.js';
import { principalOf, seesDetails } from '../../http/guard/principal.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import type { Fault } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { counter, gauge, type MetricFamily, type Tally } from '../../shared/metric.js';
import type { LostWrites, Store, StoreStatus } from '../../shared/ports/store.js';
import type { ReadyChecks } from '../health/ready-checks.js';
import { healthApi } from './openapi.js';

export interface HealthDeps {
  health: () => Health;
  gateway: () => Overview['gateway'];
  dispatcher: Pick<CommandDispatcher, 'ownCart'>;
  store: Pick<Store, 'status'>;
  isStopOnly: boolean;
  /** Absent in stop-only mode. */
  checks?: () => ReadyChecks;
  /** Absent in stop-only mode. */
  isParked?: () => boolean;
}

/**
 * Serves `GET /livez` (the process responds), `/readyz` (acknowledged data is stored), `/safez` (the cart may move) and
 * `/health` (all components). The messages contain names and addresses, so only operators receive them.
 */
export function healthRoutes(deps: HealthDeps): DeclaredRouter {
  const { health, gateway, dispatcher, store, isStopOnly } = deps;
  const router = routerOf(healthApi);
  const notReady = (): { code: string; text: Text } | undefined => {
    const { healthy, reason } = store.status();
    if (isStopOnly) return STOP_ONLY;
    return healthy ? undefined : { code: 'STORE_FAILED', text: reason };
  };
  router.on('GET /livez', (_req, res) => void res.json({ alive: true }));
  router.on('GET /readyz', (req, res) => {
    const { simulated, version } = gateway();
    const fault = notReady();
    const text = seesDetails(principalOf(req)) ? fault?.text : '';
    res.status(fault ? 503 : 200).json({
      ready: fault === undefined,
      ...(fault ? { reasons: [{ code: fault.code, text }] } : {}),
      ...(simulated ? { simulated, notice: 'SIMULATED' } : { simulated }),
      version,
      ...(deps.checks ? { checks: deps.checks() } : {}),
      ...(deps.isParked ? { parked: deps.isParked() } : {}),
    });
  });
  router.on('GET /safez', (req, res) => {
    const { cartID, simulated, moving, safety } = dispatcher.ownCart();
    const { mayMove, code, reason, emergencyStop } = safety;
    const text = seesDetails(principalOf(req)) ? reason : '';
    const reasons = mayMove ? [] : [{ code, text }];
    res.status(mayMove ? 200 : 503).json({ cartID, mayMove, reasons, emergencyStop, moving, simulated });
  });
  router.on('GET /health', (req, res) => {
    const { overview, faulty, ...rest } = seesDetails(principalOf(req)) ? health() : publicHealth(health());
    const safety = Object.fromEntries(overview.carts.map(({ cartID, safety }) => [cartID, safety]));
    res.json({
      ...overview.gateway,
      auth: overview.trustedLan ? 'trusted-lan' : 'required',
      status: faulty.length === 0 ? 'ok' : 'degraded',
      faults: faulty.map(({ text }) => text),
      links: overview.links,
      safety,
      clockSynced: overview.clockSynced ?? null,
      ...rest,
    });
  });
  return router;
}

export interface Health {
  /** `stop-only` after three consecutive crashes. */
  mode: 'full' | 'stop-only';
  overview: Overview;
  faulty: { part: string; text: Text }[];
  settingsFaults: Fault[];
  store: StoreStatus;
  uptimeS: number;
}

/** Removes names, addresses and paths, and replaces each fault with the name of the affected component. */
export function publicHealth({ overview, faulty, settingsFaults, store, ...rest }: Health): Health {
  const { broker, camera } = overview.links;
  const parts = new Set([
    ...faulty.map(({ part }) => part),
    ...(settingsFaults.length > 0 ? ['settings'] : []),
  ]);
  return {
    ...rest,
    overview: {
      ...overview,
      gateway: { ...overview.gateway, name: '', fleet: '' },
      links: { broker: { ...broker, reason: '', url: '' }, camera: { ...camera, reason: '' } },
      carts: overview.carts.map((cart) => ({ ...cart, safety: publicSafety(cart.safety) })),
    },
    faulty: [...parts].map((part) => ({ part, text: part })),
    settingsFaults: [],
    store: publicStore(store),
  };
}

function publicSafety({ stoppedBy: _name, ...safety }: SafetyView): SafetyView {
  return { ...safety, reason: '', resetNeeds: '' };
}

function publicStore({ restoredFrom, restored, lastBackup, lostWrites, ...store }: StoreStatus): StoreStatus {
  return {
    ...store,
    reason: '',
    notices: [],
    information: [],
    ...(lostWrites ? { lostWrites: publicLoss(lostWrites) } : {}),
    ...(restoredFrom === undefined ? {} : { restoredFrom: '' }),
    ...(restored ? { restored: { name: '', at: restored.at, by: '', kept: '' } } : {}),
    ...(lastBackup ? { lastBackup: { ...lastBackup, path: '' } } : {}),
  };
}

/** Removes the names of files. */
function publicLoss({ code, at, count }: LostWrites): LostWrites {
  return { code, at, count, kept: '' };
}

export interface MetricsRoutesDeps {
  scrape: (more: readonly MetricFamily[]) => Promise<{ contentType: string; text: string }>;
  requests: Tally;
  feed: Pick<EventFeed, 'clients'>;
}

export function metricsRoutes({ scrape, requests, feed }: MetricsRoutesDeps): DeclaredRouter {
  const router = routerOf(healthApi);
  router.on('GET /metrics', async (_req, res) => {
    const { contentType, text } = await scrape([
      counter(
        'cartwright_http_requests_total',
        'HTTP responses; the label `route` is `none` for unknown paths.',
        requests.rows('method', 'route', 'status'),
      ),
      gauge('cartwright_event_streams', 'Clients connected to the event stream.', feed.clients),
    ]);
    res.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
  });
  return router;
}
