import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupSchedule, GatewayRestore } from '../../backups/index.js';
import type { FirmwareUpdate } from '../../carts/index.js';
import { conditionActor } from '../../shared/actor.js';
import { packageRoot, packageVersion } from '../../shared/package-root.js';
import type { Clock } from '../../shared/ports/clock.js';
import {
  releaseKeyOf,
  requireUpdatable,
  UpdateMonitor,
  UpdateSpool,
  Updates,
  updateMessage,
} from '../../updates/index.js';
import type { AppContext } from '../context.js';
import type { Drives } from './approach.js';
import type { OwnCart } from './create-cart.js';

/** Time within which the controller must acknowledge the stop before an update. */
const STOP_MS = 1000;

/** Must be opened before the cart, because an update that is under way blocks motion. */
export function openUpdateMonitor({ config, clock, log }: AppContext): Promise<UpdateMonitor> {
  const stateDir = process.env.CARTWRIGHT_UPDATE_STATE || undefined;
  return UpdateMonitor.open({ dir: config.dataDir, stateDir, clock, log });
}

interface UpdateModules {
  updateMonitor: UpdateMonitor;
  ownCart: OwnCart;
  firmwareUpdate: FirmwareUpdate;
  drives: Drives;
  backupSchedule: Pick<BackupSchedule, 'view' | 'makeScheduled'>;
  gatewayRestore: Pick<GatewayRestore, 'requireNone'>;
}

export async function openUpdates(context: AppContext, modules: UpdateModules): Promise<Updates> {
  const { config, clock, log, history, identity } = context;
  const { backupSchedule, updateMonitor: monitor, ownCart } = modules;
  const version = packageVersion();
  const { arch: architecture } = process;
  const releaseDir = packageRoot();
  const publicKey = await readFile(join(releaseDir, 'systemd', 'release.pub'), 'utf8').catch(() => '');
  const base = { dir: config.dataDir, version, architecture, clock };
  const confirmStop = stopConfirmation(clock, ownCart);
  // Sends a stop, because the new version must pass the check for an acknowledged stop if the previous version passed
  // it.
  ownCart.link.onReady(() => {
    if (monitor.isBusy) void confirmStop();
  });
  if (monitor.isBusy) void confirmStop();
  return Updates.open({
    ...base,
    log,
    monitor,
    spool: await UpdateSpool.open({ ...base, key: releaseKeyOf(publicKey), releaseDir }),
    requireParked: () => requireParked(context, modules),
    confirmStop,
    canBackUp: () => backupSchedule.view() !== undefined,
    backUp: async (by) => void (await backupSchedule.makeScheduled('update', by)),
    record: (event) => history.recordConfirmation({ ...event, cartID: identity.cartId }),
  });
}

/** True if the cart is stationary and nothing is about to move it. */
export function isParked({
  ownCart: { cart },
  drives,
  firmwareUpdate,
}: Pick<UpdateModules, 'ownCart' | 'drives' | 'firmwareUpdate'>): boolean {
  return !cart.busy && !drives.approach.isRunning && !firmwareUpdate.isRunning;
}

/** Throws an error with the reason if no release can be installed now. */
function requireParked({ settings, backups }: AppContext, modules: UpdateModules): void {
  const { firmwareUpdate, gatewayRestore, ownCart } = modules;
  requireUpdatable({
    isMoving: ownCart.cart.busy || modules.drives.approach.isRunning,
    isFirmwareUpdating: firmwareUpdate.isRunning,
    isRestoreScheduled: backups.chosen() !== undefined,
    isOnTrial: settings.trial.view() !== undefined,
    batteryMv: ownCart.cart.interlocks.telemetry?.batteryMv,
    minBatteryMv: settings.current.limits.minBatteryMv,
  });
  gatewayRestore.requireNone();
}

/**
 * Returns a function that stops the stationary cart and waits at most 1 s for the controller to acknowledge the stop.
 */
export function stopConfirmation(
  clock: Clock,
  { cart, link }: Pick<OwnCart, 'cart' | 'link'>,
): () => Promise<void> {
  return async () => {
    // A latched stop has already been sent, and its acknowledgement must not be replaced by that of another stop.
    if (!link.ready || cart.busy || cart.interlocks.latched) return;
    cart.stop('halt', conditionActor('schedule', updateMessage('stop-check')));
    await new Promise<void>((resolve) => {
      const cancel = clock.after(STOP_MS, resolve);
      const end = (): void => {
        cancel();
        resolve();
      };
      cart.stopAck.confirmed().then(end, end);
    });
  };
}
