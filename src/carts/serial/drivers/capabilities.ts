import type { SerialSettings } from '../settings-schema.js';

export interface DriverCapabilities {
  /** True if the controller can measure the wheels' travel. A connected controller may still not measure it. */
  measuresTravel: boolean;
  /** True if the speed limits of a running motion can be changed; see `MotorDriver.limitSpeed`. */
  hasLiveLimits: boolean;
}

/** What zones require of a driver. The documentation contains this table. */
export const DRIVER_CAPABILITIES = {
  cgw1: { measuresTravel: true, hasLiveLimits: true },
  'json-lines': { measuresTravel: true, hasLiveLimits: true },
  legacyJson: { measuresTravel: false, hasLiveLimits: false },
  roboclaw: { measuresTravel: false, hasLiveLimits: false },
  sabertooth: { measuresTravel: false, hasLiveLimits: false },
} as const satisfies Record<SerialSettings['driver'] | 'legacyJson', DriverCapabilities>;

export function capabilitiesOf({
  driver,
  legacyJson,
}: Pick<SerialSettings, 'driver' | 'legacyJson'>): DriverCapabilities {
  return DRIVER_CAPABILITIES[driver === 'json-lines' && legacyJson ? 'legacyJson' : driver];
}
