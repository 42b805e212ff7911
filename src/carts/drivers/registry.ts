import { GatewayError, never } from '../../util/errors.js';
import type { DriverDeps, MotorDriver } from '../driver.js';
import { cgw1, jsonLines } from './dialects.js';
import { FrameDriver } from './frame-driver.js';
import { LegacyJsonDriver } from './legacy-json.js';

/**
 * The driver that the settings name. It is never found out by trying: to some controllers any byte is a speed. One
 * without a watchdog of its own is refused unless the settings accept that. RoboClaw and Sabertooth belong here too.
 */
export function createDriver(deps: DriverDeps): MotorDriver {
  const driver = build(deps);
  if (driver.traits.watchdogMs === null && !deps.safety.allowNoWatchdog) {
    driver.close();
    const text = `a controller on ${deps.serial.driver} in this mode does not stop by itself when the gateway dies`;
    throw new GatewayError('INCOMPATIBLE', text, {
      hint: 'Accept it with safety.allowNoWatchdog, or use CGW1.',
    });
  }
  return driver;
}

function build(deps: DriverDeps): MotorDriver {
  const { driver, legacyJson, requireChecksum } = deps.serial;
  switch (driver) {
    case 'cgw1':
      return new FrameDriver(deps, cgw1);
    case 'json-lines':
      return legacyJson ? new LegacyJsonDriver(deps) : new FrameDriver(deps, jsonLines({ requireChecksum }));
    default:
      return never(driver);
  }
}
