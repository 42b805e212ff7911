import { type GatewayBackups, GatewayRestore } from '../../backups/index.js';
import type { FirmwareUpdate } from '../../carts/index.js';
import { STORE_LIMITS } from '../../store/limits.js';
import type { UpdateMonitor } from '../../updates/index.js';
import type { AppContext } from '../context.js';
import type { OwnCart } from './create-cart.js';

interface RestoreModules {
  firmwareUpdate: FirmwareUpdate;
  gatewayBackups: GatewayBackups;
  ownCart: OwnCart;
  updateMonitor: UpdateMonitor;
}

export function openGatewayRestore(
  { backups, clock, config, history, identity, log, store }: AppContext,
  { firmwareUpdate, gatewayBackups, ownCart: { cart }, updateMonitor }: RestoreModules,
): Promise<GatewayRestore> {
  return GatewayRestore.open({
    dir: config.dataDir,
    clock,
    log,
    pathOf: (name) => gatewayBackups.pathOf(name),
    schemaVersion: store.status().schemaVersion,
    minFreeBytes: STORE_LIMITS.minFreeBytes,
    isIdle: () => !cart.busy && !firmwareUpdate.isRunning && !updateMonitor.isBusy,
    isReady: () => store.status().healthy,
    isDatabaseChosen: () => backups.chosen() !== undefined,
    backUpDatabase: () => store.backup(),
    record: (kind, backup, by) => history.recordConfirmation({ kind, cartID: identity.cartId, backup, by }),
  });
}
