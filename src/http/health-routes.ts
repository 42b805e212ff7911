import { Router } from 'express';
import type { Desk } from '../carts/desk.js';
import type { Store, StoreStatus } from '../ports.js';
import type { FrameData } from './context.js';

export interface Health {
  frame: FrameData;
  /** Red lines: what is wrong, in words. */
  faults: string[];
  settingsFaults: { path: string; message: string }[];
  store: StoreStatus;
  uptimeS: number;
}

export interface HealthDeps {
  health: () => Health;
  gateway: () => FrameData['gateway'];
  desk: Pick<Desk, 'ownCart'>;
  store: Pick<Store, 'status'>;
}

/**
 * `GET /livez` (the process answers), `/readyz` (it serves, and what it acknowledges is kept), `/safez` (the cart may
 * move) and `/health` (every part, in words).
 */
export function healthRoutes({ health, gateway, desk, store }: HealthDeps): Router {
  const router = Router();
  router.get('/livez', (_req, res) => void res.json({ alive: true }));
  router.get('/readyz', (_req, res) => {
    const { simulated, version } = gateway();
    const { healthy, reason } = store.status();
    res.status(healthy ? 200 : 503).json({
      ready: healthy,
      ...(healthy ? {} : { reasons: [{ code: 'STORE_FAILED', text: reason }] }),
      ...(simulated ? { simulated, notice: 'SIMULATED' } : { simulated }),
      version,
    });
  });
  router.get('/safez', (_req, res) => {
    const { cartID, simulated, moving, safety } = desk.ownCart();
    const { mayMove, code, reason: text, emergencyStop } = safety;
    const reasons = mayMove ? [] : [{ code, text }];
    res.status(mayMove ? 200 : 503).json({ cartID, mayMove, reasons, emergencyStop, moving, simulated });
  });
  router.get('/health', (_req, res) => {
    const { frame, faults, ...rest } = health();
    const safety = Object.fromEntries(frame.carts.map(({ cartID, safety }) => [cartID, safety]));
    res.json({
      ...frame.gateway,
      auth: frame.trustedLan ? 'trusted-lan' : 'required',
      status: faults.length === 0 ? 'ok' : 'degraded',
      faults,
      links: frame.links,
      safety,
      clockSynced: frame.clockSynced ?? null,
      ...rest,
    });
  });
  return router;
}
