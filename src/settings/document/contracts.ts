import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Why } from '../history/history.js';
import type { SettingsChange } from './change.js';
import type { ValueChange } from './diff.js';

export interface SettingsOptions {
  /** The data directory; made when it is not there. */
  dir: string;
  clock: Clock;
  log: Log;
  /** A partial document for the first variables.json of a machine. */
  initial?: unknown;
  /** Where MQTT_PASSWORD and CREDENTIALS_DIRECTORY are looked up; the process's own when left out. */
  env?: NodeJS.ProcessEnv;
  /** How long a change on trial waits to be confirmed; 60 s when left out. */
  trialMs?: number;
}

export interface UpdateOptions {
  isIdle: () => boolean;
  ifMatch?: string;
  /** Who changes them, for the history. */
  by?: string;
  why?: Why;
  /** A change that could cut off whoever makes it is undone unless it is confirmed in time. */
  onTrial?: boolean;
}

/** An update as it is carried out. */
export type Replacement = Omit<UpdateOptions, 'ifMatch'> & { by: string; why: Why };

/** What an update would do. */
export interface Preview {
  /** Secrets as `***`. */
  changes: ValueChange[];
  change: SettingsChange;
  /** Whether it should be confirmed, because it could cut off whoever makes it. */
  isRisky: boolean;
}
