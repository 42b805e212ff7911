import { isDeepStrictEqual } from 'node:util';
import { GatewayError } from '../../shared/errors.js';
import { settingsMessage } from '../messages.js';
import { applyOf, READ_AT_START, SECTIONS, type Section, type Settings } from '../schema/schema.js';

export interface SettingsChange {
  settings: Settings;
  previous: Settings;
  /** Top-level sections that differ from `previous`. */
  changed: Section[];
  /** Changed sections (`gateway`) and values (`mqtt.root`) that take effect only after a restart. */
  restartNeeded: string[];
}

export interface SettingsUpdate extends SettingsChange {
  /** The trial that the update started, or that contains values of an update with `onTrial`. */
  trialId?: string;
}

export function compareSettings(started: Settings, previous: Settings, settings: Settings): SettingsChange {
  const differing = (other: Settings) =>
    SECTIONS.filter((section) => !isDeepStrictEqual(settings[section], other[section]));
  return {
    settings,
    previous,
    changed: differing(previous),
    restartNeeded: READ_AT_START.filter(
      (pointer) => !isDeepStrictEqual(valueAt(settings, pointer), valueAt(started, pointer)),
    ).map((pointer) => pointer.slice(1).replaceAll('/', '.')),
  };
}

function valueAt(settings: Settings, pointer: string): unknown {
  const keys = pointer.slice(1).split('/');
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], settings);
}

/** Throws `NOT_IDLE` if the cart is moving and the change includes a section with `apply: 'idle'`. */
export function refuseWhileMoving({ changed }: SettingsChange, isIdle: () => boolean): void {
  const held = changed.filter((section) => applyOf(section) === 'idle');
  if (held.length === 0 || isIdle()) return;
  throw new GatewayError('NOT_IDLE', settingsMessage('needs-idle', { sections: held.join(', ') }), {
    hint: settingsMessage('needs-idle-hint'),
  });
}

/** Throws `ETAG_MISMATCH` if an `If-Match` header does not match the current ETag. */
export function refuseStale(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined) return;
  const named = ifMatch.split(',').map((tag) => tag.trim());
  if (named.includes(etag) || named.includes('*')) return;
  throw new GatewayError('ETAG_MISMATCH', settingsMessage('changed-meanwhile'), {
    hint: settingsMessage('changed-meanwhile-hint'),
  });
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
