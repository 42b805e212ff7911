import { join } from 'node:path';
import { startBlackBox } from './compose/black-box.js';
import { openCarts } from './compose/carts.js';
import { type GatewayPorts, layFoundation } from './compose/foundation.js';
import { openRooms } from './compose/rooms.js';
import { reportToSupervisor } from './compose/supervision.js';
import { aboutGateway, serve } from './compose/web.js';
import type { Config } from './config.js';
import { BlackBox } from './ops/black-box.js';
import { Closers } from './util/closers.js';
import { messageOf } from './util/errors.js';

export type { GatewayPorts } from './compose/foundation.js';

export interface Gateway {
  url: string;
  simulated: boolean;
  /** Makes the world safe first (cart stopped, OFFLINE published), then closes what was opened, last first. */
  close(): Promise<void>;
}

/** Opens the ports, builds the rooms, wires them and serves. */
export async function openGateway(config: Config, ports: GatewayPorts): Promise<Gateway> {
  const closers = new Closers();
  const foundation = await layFoundation(config, ports, closers);
  const { clock, log } = foundation;
  const blackBox = new BlackBox({ dir: join(config.dataDir, 'black-box'), clock, log });
  const carts = await openCarts(foundation, blackBox);
  const rooms = await openRooms(foundation, carts);
  const { source } = rooms.camera;
  startBlackBox(blackBox, {
    ...{ ...foundation, ...carts, source },
    about: () => aboutGateway({ foundation, carts }),
  });
  closers.defer('black box', () => blackBox.close());
  const url = await serve({ foundation, carts, rooms, blackBox });
  reportToSupervisor({ foundation, carts }, url);
  return {
    url,
    simulated: carts.link.simulated,
    async close() {
      // First the world is made safe: whatever hangs later, the cart has been told to stop.
      carts.shutDown();
      foundation.supervisor.stopping();
      await closers.closeAll((part, error) =>
        log.error('gateway.close_failed', { part, reason: messageOf(error) }),
      );
    },
  };
}
