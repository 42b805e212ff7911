import { createHash } from 'node:crypto';
import { GatewayError } from '../../shared/errors.js';
import type { LimitsSettings } from '../control/settings-schema.js';
import { cartMessage } from '../messages.js';
import type { KinematicsSettings } from '../serial/settings-schema.js';
import type { CommandRequest, PresetsSettings, UnitsSettings } from './settings-schema.js';

interface UnitsRules {
  units: UnitsSettings;
  presets: PresetsSettings;
  /** The drive type determines whether an angle is a turn or a steering angle. */
  kinematics: Pick<KinematicsSettings, 'type'>;
  /** One commissioning step deliberately exceeds `maxDistanceMm`. */
  limits: Pick<LimitsSettings, 'maxDistanceMm' | 'maxSpeedMmps' | 'defaultSpeedMmps'>;
}

/**
 * 12 hex digits that identify the meaning of a command's numbers: a page that was loaded before the units
 * changed must not move a cart ten times too far.
 */
export function unitsFingerprint({ units, presets, kinematics, limits }: UnitsRules): string {
  const { maxDistanceMm, maxSpeedMmps, defaultSpeedMmps } = limits;
  const rules = [units, presets, kinematics.type, maxDistanceMm, Math.min(maxSpeedMmps, defaultSpeedMmps)];
  return createHash('sha256').update(JSON.stringify(rules)).digest('hex').slice(0, 12);
}

/** Throws SETTINGS_CHANGED if the fingerprint is outdated; stops are exempt. */
export function checkUnitsFingerprint(request: CommandRequest, rules: UnitsRules): void {
  const { meaning } = request;
  if (meaning === undefined || meaning === unitsFingerprint(rules) || isStop(request, rules)) return;
  const hint = cartMessage('reload-hint');
  throw new GatewayError('SETTINGS_CHANGED', cartMessage('settings-changed'), { field: 'meaning', hint });
}

export function isStop(
  { distanceID, angleID }: Pick<CommandRequest, 'distanceID' | 'angleID'>,
  { units, presets }: Pick<UnitsRules, 'units' | 'presets'>,
): boolean {
  const amounts =
    units.mode === 'table' ? [presets.distance[distanceID], presets.angle[angleID]] : [distanceID, angleID];
  return amounts.every((amount) => amount === 0);
}
