import { Router } from 'express';
import type { StoreStatus } from '../ports.js';
import type { FrameData } from './context.js';

export interface Health {
  frame: FrameData;
  /** Red lines: what is wrong, in words. */
  faults: string[];
  settingsFaults: { path: string; message: string }[];
  store: StoreStatus;
  uptimeS: number;
}

/** `GET /livez` (the process answers), `/readyz` (it serves) and `/health` (every part, in words). */
export function healthRoutes(health: () => Health, gateway: () => FrameData['gateway']): Router {
  const router = Router();
  router.get('/livez', (_req, res) => void res.json({ alive: true }));
  router.get('/readyz', (_req, res) => {
    const { simulated, version } = gateway();
    res.json({ ready: true, simulated, ...(simulated ? { notice: 'SIMULATED' } : {}), version });
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
