import type { Actor } from '../../shared/actor.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Why } from '../history/history.js';
import type { Section, Settings } from '../schema/schema.js';
import type { SettingsChange } from './change.js';
import type { ValueChange } from './diff.js';

export interface SettingsOptions {
  dir: string;
  clock: Clock;
  log: Log;
  initial?: unknown;
  /** Source of MQTT_PASSWORD and CREDENTIALS_DIRECTORY. Default: `process.env`. */
  env?: NodeJS.ProcessEnv;
  /** Time limit for confirming a change on trial. Default: 60 s. */
  trialMs?: number;
}

export interface UpdateOptions {
  isIdle: () => boolean;
  /** Throws if the caller is not permitted to change one of the sections. */
  authorise?: (changed: readonly Section[]) => void;
  ifMatch?: string;
  by?: Actor;
  why?: Why;
  /** If true, a risky change is rolled back unless it is confirmed in time. */
  onTrial?: boolean;
}

export type Replacement = Omit<UpdateOptions, 'ifMatch'> & { by: Actor; why: Why };

export interface Preview {
  /** Secrets are replaced by `***`. */
  changes: ValueChange[];
  change: SettingsChange;
  isRisky: boolean;
}

/** The settings of an earlier ETag and what has changed since. */
export interface Since {
  /** The earlier settings, with secrets masked. */
  shown: Settings;
  /** `from` is the earlier value, `to` the current one. Secrets are masked, but their changes are listed. */
  changes: ValueChange[];
}
