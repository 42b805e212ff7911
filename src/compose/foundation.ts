import { Access } from '../access/access.js';
import { findSupervisor } from '../adapters/supervisor.js';
import { watchTimeSync } from '../adapters/time-sync.js';
import type { Config } from '../config.js';
import { Commissioning } from '../ops/commissioning.js';
import { History } from '../ops/history.js';
import { LogRing } from '../ops/log-ring.js';
import { VitalsWatch } from '../ops/vitals.js';
import type { Clock, Log, Supervisor } from '../ports.js';
import { SettingsRoom } from '../settings/settings.js';
import { openBackupShelf } from '../store/backup-shelf.js';
import { openStore } from '../store/store.js';
import { systemClock } from '../util/clock.js';
import type { Closers } from '../util/closers.js';
import { type Machine, thisMachine } from './hardware.js';
import { readKeyPair } from './key-pair.js';

/** What the outside world gives a gateway; tests give something else. */
export interface GatewayPorts {
  log: Log;
  clock?: Clock;
  machine?: Machine;
  supervisor?: Supervisor;
}

export type Foundation = Awaited<ReturnType<typeof layFoundation>>;

const WRITER = new URL('../writer.js', import.meta.url);

/** What everything else stands on: the log, the store, who may come in, the settings. */
export async function layFoundation(config: Config, ports: GatewayPorts, closers: Closers) {
  const { clock = systemClock, machine = thisMachine() } = ports;
  const { dataDir: dir } = config;
  const logRing = new LogRing({ clock, level: config.logLevel });
  const log = logRing.around(ports.log);
  const keyPair = await readKeyPair(config);
  const supervisor = ports.supervisor ?? (await findSupervisor(log));
  closers.defer('supervisor', () => supervisor.close());

  const trialMs = config.confirmSeconds * 1000;
  // None of them needs another, and most of the time each of them waits for the disk.
  const [store, settings, timeSync, commissioning] = await Promise.all([
    openStore({ dir, writer: WRITER, clock, log }),
    SettingsRoom.open({ dir, clock, log, initial: config.settings, trialMs }),
    watchTimeSync({ clock }),
    Commissioning.open({ dir, clock, log }),
  ]);
  closers.defer('store', () => store.close());
  closers.defer('settings', () => settings.close());
  closers.defer('time', () => timeSync.close());
  const backups = openBackupShelf({ dir, clock, log });
  const vitals = new VitalsWatch({ clock });
  vitals.start();
  closers.defer('vitals', () => vitals.close());
  const history = new History({ store, clock, log });
  history.start();
  closers.defer('history', () => history.close());

  const { auth: mode } = config;
  const access = await Access.open({ store, clock, log, dataDir: dir, mode, env: process.env });
  closers.defer('access', () => access.close());
  return {
    ...{ config, closers, clock, machine, log, logRing, keyPair, supervisor },
    ...{ store, backups, commissioning, vitals, history, access, timeSync, settings },
  };
}
