import {
  capabilitiesOf,
  type KinematicsSettings,
  type Refusal,
  type SerialSettings,
} from '../../carts/index.js';
import { siteMessage } from '../messages.js';

export interface ZoneCartSettings {
  kinematics: Pick<KinematicsSettings, 'type' | 'footprint'>;
  serial: Pick<SerialSettings, 'driver' | 'legacyJson'>;
}

/** Returns why zones cannot be enforced for a cart with these settings; undefined if they can be. */
export function unsuitability({ kinematics, serial }: ZoneCartSettings): Refusal | undefined {
  const fault = !capabilitiesOf(serial).measuresTravel
    ? 'no-odometry'
    : kinematics.type === 'ackermann'
      ? 'steered'
      : kinematics.footprint.length === 0
        ? 'no-footprint'
        : undefined;
  return fault && { code: 'CONFIG_INVALID', text: siteMessage(fault), hint: siteMessage(`${fault}-hint`) };
}
