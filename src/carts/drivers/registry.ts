import { GatewayError } from '../../util/errors.js';
import type { DriverDeps, MotorDriver } from '../driver.js';
import { Cgw1Driver } from './cgw1.js';

/**
 * The driver that the settings name. It is never found out by trying: to some controllers any byte is a speed.
 * A controller without a watchdog of its own is refused unless the settings accept it.
 */
export function createDriver(deps: DriverDeps): MotorDriver {
  const { driver } = deps.serial;
  switch (driver) {
    case 'cgw1':
      return new Cgw1Driver(deps);
    default:
      throw new GatewayError('INCOMPATIBLE', `there is no driver called ${driver}`);
  }
}
