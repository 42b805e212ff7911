import { createHash } from 'node:crypto';
import { GatewayError } from '../../shared/errors.js';
import type { LimitsSettings } from '../control/settings-schema.js';
import { cartMessage } from '../messages.js';
import type { KinematicsSettings } from '../serial/settings-schema.js';
import type { CommandRequest, PresetsSettings, UnitsSettings } from './settings-schema.js';

/** The settings that say what the numbers of a command mean. */
interface UnitsRules {
  units: UnitsSettings;
  presets: PresetsSettings;
  /** Whether an angle is a turn or how the wheels are steered. */
  kinematics: Pick<KinematicsSettings, 'type'>;
  /** How fast is meant when no speed is named, and what the commissioning asks for to see it refused. */
  limits: Pick<LimitsSettings, 'maxDistanceMm' | 'maxSpeedMmps' | 'defaultSpeedMmps'>;
}

/**
 * Twelve hex digits that are others when the same numbers mean something else. A page that was made before a change of
 * the units would send a cart ten times as far as it shows: so it says with its numbers what it took them for.
 */
export function unitsFingerprint({ units, presets, kinematics, limits }: UnitsRules): string {
  const { maxDistanceMm, maxSpeedMmps, defaultSpeedMmps } = limits;
  const said = [units, presets, kinematics.type, maxDistanceMm, Math.min(maxSpeedMmps, defaultSpeedMmps)];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 12);
}

/** Throws SETTINGS_CHANGED when a command was meant in other settings than these. A stop is one in any settings. */
export function checkUnitsFingerprint(request: CommandRequest, rules: UnitsRules): void {
  const { meaning } = request;
  if (meaning === undefined || meaning === unitsFingerprint(rules) || isStop(request, rules)) return;
  const hint = cartMessage('reload-hint');
  throw new GatewayError('SETTINGS_CHANGED', cartMessage('settings-changed'), { field: 'meaning', hint });
}

function isStop({ distanceID, angleID }: CommandRequest, { units, presets }: UnitsRules): boolean {
  const amounts =
    units.mode === 'table' ? [presets.distance[distanceID], presets.angle[angleID]] : [distanceID, angleID];
  return amounts.every((amount) => amount === 0);
}
