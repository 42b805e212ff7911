import { GatewayError, never } from '../../../shared/errors.js';
import type { DriverDeps, MotorDriver } from '../driver.js';
import { serialMessage } from '../messages.js';
import { OpenLoopDriver } from '../open-loop/driver.js';
import { cgw1, jsonLines } from './dialects.js';
import { FrameDriver } from './frame-driver.js';
import { LegacyJsonDriver } from './legacy-json.js';
import { Roboclaw } from './roboclaw.js';
import { Sabertooth } from './sabertooth.js';

/** Throws INCOMPATIBLE if there is no verifiable watchdog, unless `safety.allowNoWatchdog` is set. */
export function createDriver(deps: DriverDeps): MotorDriver {
  const driver = build(deps);
  const { watchdogMs, warning } = driver.traits;
  if (watchdogMs === null && !deps.safety.allowNoWatchdog) {
    driver.close();
    throw new GatewayError('INCOMPATIBLE', warning, { hint: serialMessage('watchdog-hint') });
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
    case 'roboclaw':
      return new OpenLoopDriver(deps, new Roboclaw(deps));
    case 'sabertooth':
      return new OpenLoopDriver(deps, new Sabertooth(deps));
    default:
      return never(driver);
  }
}
