import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { Access, replayAccess } from '../access/index.js';
import { findSupervisor } from '../adapters/systemd/supervisor.js';
import { watchTimeSync } from '../adapters/systemd/time-sync.js';
import { readGeneration, resumeRestore } from '../backups/index.js';
import { Commissioning } from '../carts/index.js';
import { safetyWords } from '../console/labels/history-labels.js';
import type { KeyPair } from '../http/server/fast-express.js';
import { isNewDirectory, SettingsService } from '../settings/index.js';
import { systemClock } from '../shared/clock.js';
import { makePrivate } from '../shared/files.js';
import { type LogLevel, LogThreshold } from '../shared/log.js';
import { moduleUrl } from '../shared/package-root.js';
import type { BackupManager } from '../shared/ports/backups.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Log } from '../shared/ports/log.js';
import type { Store } from '../shared/ports/store.js';
import type { Supervisor, TimeSync } from '../shared/ports/supervisor.js';
import { openBackupManager } from '../store/backup/backup-manager.js';
import { lockDataDirectory } from '../store/directory-lock.js';
import { restorableDatabase } from '../store/recovery/gateway-restore.js';
import { openStore } from '../store/store.js';
import { History, type LocalTls, LogRepeats, LogRing, ProcessMonitor } from '../system/index.js';
import { openLocalTls } from './composition/tls.js';
import type { Config } from './config.js';
import { type GatewayIdentity, identityOf } from './identity.js';
import { type Machine, thisMachine } from './pins/hardware.js';
import type { ShutdownStack } from './shutdown-stack.js';
import { readKeyPair, secretOf, siteKeyOf } from './start/secrets.js';
import { checkDataDir, checkPort } from './start/start-checks.js';

export interface GatewayPorts {
  log: Log;
  logThreshold?: LogThreshold;
  clock?: Clock;
  machine?: Machine;
  supervisor?: Supervisor;
  /** Stops the carts, closes the gateway and ends the process, so that the supervisor starts it again. */
  restart?: (why: string) => void;
  /** Number of consecutive crashes that led to stop-only mode; 0 or absent for a normal start. */
  uncleanEnds?: number;
}

/** Used by every module: configuration, time, logs, storage, settings, access and the gateway's identity. */
export interface AppContext {
  config: Config;
  clock: Clock;
  /** Reports whether the operating system has synchronised the clock. */
  timeSync: TimeSync;
  log: Log;
  /** The newest lines of the log, for the System page. */
  logRing: LogRing;
  machine: Machine;
  supervisor: Supervisor;
  /** Restarts the gateway; undefined if no supervisor would start it again. */
  restart: ((why: string) => void) | undefined;
  processMonitor: ProcessMonitor;
  /** True after repeated crashes: carts can be stopped, but not driven. */
  isStopOnly: boolean;
  isNewDataDir: boolean;
  /** True if the restore of a gateway backup, or the return to the previous state, has replaced the data. */
  isRestored: boolean;
  store: Store;
  backups: BackupManager;
  history: History;
  settings: SettingsService;
  /** Read at startup: a changed cart number or fleet takes effect after a restart. */
  identity: GatewayIdentity;
  commissioning: Commissioning;
  access: Access;
  /** The gateway's own CA and certificate. */
  tls: LocalTls;
  /** The key pair from the configuration file; undefined if there is none. */
  keyPair: KeyPair | undefined;
  /** The key that authenticates the site's heartbeat; undefined if none is configured. */
  siteKey: KeyObject | undefined;
}

/** Folders that are made private at startup, because earlier versions used the default umask. */
const FOLDERS = [
  'backups',
  'photos',
  'plan',
  'black-box',
  'broker-passwords',
  'tls',
  'gateway-backups',
  'restore',
  'updates',
];
const WRITER = moduleUrl('app/writer-worker.js');

export async function openContext(
  config: Config,
  ports: GatewayPorts,
  closers: ShutdownStack,
): Promise<AppContext> {
  const { clock = systemClock, machine = thisMachine() } = ports;
  const { logThreshold = new LogThreshold(config.logLevel) } = ports;
  const { dataDir: dir } = config;
  const logRing = new LogRing({ clock, threshold: logThreshold });
  const repeats = new LogRepeats({ log: logRing.wrap(ports.log), clock });
  closers.defer('log', () => repeats.close());
  const { log } = repeats;
  await checkDataDir(dir);
  const lock = lockDataDirectory(dir, { log });
  closers.defer('data directory', () => lock.release());
  const isRestored = resumeRestore({ dir, database: restorableDatabase, log });
  const keyPair = await readKeyPair(config);
  const siteKey = siteKeyOf(process.env);
  await checkPort(config);
  const readable = await makePrivate([dir, ...FOLDERS.map((name) => join(dir, name))]);
  if (readable.length > 0) log.warn('data.chmod_failed', { folders: readable });
  const supervisor = ports.supervisor ?? (await findSupervisor(log));
  closers.defer('supervisor', () => supervisor.close());

  const isNewDataDir = isNewDirectory(dir);
  const trialMs = config.confirmSeconds * 1000;
  // Opened in parallel: these services are independent of each other and mostly wait for the disk.
  // The settings are opened first, because they check whether the data directory is new before the store writes to it.
  const [settings, store, timeSync, commissioning] = await Promise.all([
    SettingsService.open({ dir, clock, log, initial: config.settings, trialMs }),
    openStore({ dir, writer: WRITER, clock, log, replay: replayAccess }),
    watchTimeSync({ clock }),
    Commissioning.open({ dir, clock, log }),
  ]);
  closers.defer('store', () => store.close());
  closers.defer('settings', () => settings.close());
  followLogLevel(settings, { threshold: logThreshold, configured: config.logLevel });
  closers.defer('time', () => timeSync.close());
  const backups = openBackupManager({ dir, clock, log });
  closers.defer('backups', () => backups.close());
  const processMonitor = new ProcessMonitor({ clock });
  processMonitor.start();
  closers.defer('processMonitor', () => processMonitor.close());
  const history = new History({ store, clock, log, safetyWords });
  history.start();
  closers.defer('history', () => history.close());

  const tls = await openLocalTls({ config, name: () => settings.current.gateway.name, clock, log });

  const { cartID: cartId, name } = settings.current.gateway;
  const identity = identityOf(settings.current, { cartId, name, generation: readGeneration(dir) });
  const { auth: mode } = config;
  const setupCode = secretOf(process.env, 'CARTWRIGHT_SETUP_CODE', 'setup-code');
  const access = await Access.open({ store, clock, log, dataDir: dir, mode, env: process.env, setupCode });
  closers.defer('access', () => access.close());
  return {
    config,
    clock,
    timeSync,
    log,
    logRing,
    machine,
    supervisor,
    restart: supervisor.restartCommand === '' ? undefined : ports.restart,
    processMonitor,
    isStopOnly: (ports.uncleanEnds ?? 0) > 0,
    isNewDataDir,
    isRestored,
    store,
    backups,
    history,
    settings,
    identity,
    commissioning,
    access,
    tls,
    keyPair,
    siteKey,
  };
}

/** Returns true if the database may lack the latest changes. */
export function isDataIncomplete({ store, isNewDataDir, isRestored }: AppContext): boolean {
  const { lostWrites, restored } = store.status();
  const isIncomplete = store.wasReplaced || lostWrites !== undefined || restored !== undefined || isRestored;
  return isIncomplete && !isNewDataDir;
}

/** Applies `logging.level` immediately; the default, `info`, selects the configuration file's level. */
export function followLogLevel(
  settings: Pick<SettingsService, 'current' | 'onChange'>,
  { threshold, configured }: { threshold: LogThreshold; configured: LogLevel },
): void {
  const apply = ({ logging }: { logging: { level: LogLevel } }): void => {
    threshold.level = logging.level === 'info' ? configured : logging.level;
  };
  apply(settings.current);
  settings.onChange(({ settings: next }) => apply(next));
}
