import { join } from 'node:path';
import { BlackBox } from '../system/incidents/black-box.js';
import { Trend } from '../system/trends/trend.js';
import type { Foundation } from './core-services.js';
import { startBlackBox } from './parts/black-box.js';
import { openCarts } from './parts/carts.js';
import { openDiscovery } from './parts/discovery.js';
import { openModules } from './parts/modules.js';
import { reportToSupervisor } from './parts/supervision.js';
import { startTrend } from './parts/trend.js';
import type { StartFacts } from './start/banner.js';
import { aboutGateway, serve, startFacts } from './web/web.js';

export interface Building {
  facts: StartFacts;
  /** Nothing moves any more, and nobody expects it to; returns at once. */
  shutDown(): void;
}

/** Builds the carts and the rooms upon the foundation, wires them and serves. */
export async function build(foundation: Foundation): Promise<Building> {
  const { config, closers, clock, log, supervisor } = foundation;
  const blackBox = new BlackBox({ dir: join(config.dataDir, 'black-box'), clock, log });
  const carts = await openCarts(foundation, blackBox);
  const rooms = await openModules(foundation, carts);
  const { source } = rooms.camera;
  startBlackBox(blackBox, {
    ...{ ...foundation, ...carts, source },
    about: () => aboutGateway({ foundation, carts }),
  });
  closers.defer('black box', () => blackBox.close());
  const trend = new Trend({ clock });
  startTrend(trend, { ...foundation, ...carts });
  closers.defer('trend', () => trend.close());
  const url = await serve({ foundation, carts, rooms, blackBox, trend });
  reportToSupervisor({ ...foundation, ...carts }, url);
  // The operator beside the cart waits for the pages and the line, not for the library of the broker.
  void carts.broker.open();
  openDiscovery(foundation, () => aboutGateway({ foundation, carts }), url);
  return {
    facts: startFacts(foundation, carts, url),
    shutDown() {
      carts.shutDown();
      supervisor.stopping();
    },
  };
}
