import { BackupSchedule, GatewayBackups, UsbStick } from '../../backups/index.js';
import { packageVersion } from '../../shared/package-root.js';
import type { AppContext } from '../context.js';

export function openGatewayBackups(context: AppContext): Promise<GatewayBackups> {
  const { config, clock, log, backups, settings, identity, store } = context;
  const facts = () => ({
    gateway: settings.current.gateway.name,
    cartId: identity.cartId,
    version: packageVersion(),
    schemaVersion: store.status().schemaVersion,
  });
  const folder = process.env.CARTWRIGHT_USB || undefined;
  const usb = folder === undefined ? undefined : new UsbStick(folder, clock);
  return GatewayBackups.open({ dir: config.dataDir, clock, log, database: backups, usb, facts });
}

export function openBackupSchedule(
  { config, clock, history, identity, log }: AppContext,
  { gatewayBackups }: { gatewayBackups: GatewayBackups },
): Promise<BackupSchedule> {
  return BackupSchedule.open({
    dir: config.dataDir,
    clock,
    log,
    backups: gatewayBackups,
    record: (kind, by, backup) =>
      history.recordSafety({ kind, cartID: identity.cartId, by, ...(backup ? { backup } : {}) }),
  });
}
