import { Router } from 'express';
import type { CommandDispatcher } from '../../carts/command/dispatcher.js';
import { STOP_ONLY } from '../../carts/safety/safety.js';
import type { Store } from '../../shared/ports/ports.js';
import { principalOf } from '../../web/guard/principal.js';
import type { FrameData } from '../../web/layout/context.js';
import { type Health, publicHealth, seesDetails } from './health-public.js';

export interface HealthDeps {
  health: () => Health;
  gateway: () => FrameData['gateway'];
  dispatcher: Pick<CommandDispatcher, 'ownCart'>;
  store: Pick<Store, 'status'>;
  isStopOnly: boolean;
}

/**
 * `GET /livez` (the process answers), `/readyz` (it serves, and what it acknowledges is kept), `/safez` (the cart may
 * move) and `/health` (every part, in words). Sentences are for operators: they hold names, addresses and paths.
 */
export function healthRoutes({ health, gateway, dispatcher, store, isStopOnly }: HealthDeps): Router {
  const router = Router();
  const notReady = (): { code: string; text: string } | undefined => {
    const { healthy, reason } = store.status();
    if (isStopOnly) return STOP_ONLY;
    return healthy ? undefined : { code: 'STORE_FAILED', text: reason };
  };
  router.get('/livez', (_req, res) => void res.json({ alive: true }));
  router.get('/readyz', (req, res) => {
    const { simulated, version } = gateway();
    const fault = notReady();
    const text = seesDetails(principalOf(req)) ? fault?.text : '';
    res.status(fault ? 503 : 200).json({
      ready: fault === undefined,
      ...(fault ? { reasons: [{ code: fault.code, text }] } : {}),
      ...(simulated ? { simulated, notice: 'SIMULATED' } : { simulated }),
      version,
    });
  });
  router.get('/safez', (req, res) => {
    const { cartID, simulated, moving, safety } = dispatcher.ownCart();
    const { mayMove, code, reason, emergencyStop } = safety;
    const text = seesDetails(principalOf(req)) ? reason : '';
    const reasons = mayMove ? [] : [{ code, text }];
    res.status(mayMove ? 200 : 503).json({ cartID, mayMove, reasons, emergencyStop, moving, simulated });
  });
  router.get('/health', (req, res) => {
    const { frame, faulty, ...rest } = seesDetails(principalOf(req)) ? health() : publicHealth(health());
    const safety = Object.fromEntries(frame.carts.map(({ cartID, safety }) => [cartID, safety]));
    res.json({
      ...frame.gateway,
      auth: frame.trustedLan ? 'trusted-lan' : 'required',
      status: faulty.length === 0 ? 'ok' : 'degraded',
      faults: faulty.map(({ text }) => text),
      links: frame.links,
      safety,
      clockSynced: frame.clockSynced ?? null,
      ...rest,
    });
  });
  return router;
}
