import type { Clock } from '../../shared/ports/clock.js';
import type { Cart } from '../control/cart.js';
import type { MotorDriver } from '../serial/driver.js';
import type { ControllerLink } from '../serial/link.js';
import { MIN_STATUS_COUNT, type SelfCheck, selfTest } from './self-test.js';

/**
 * Time limit in ms for receiving the STATUS frames. While the cart is stationary, the controller sends one every
 * 500 ms.
 */
const STATUS_MS = 5000;

interface ObserveDeps {
  cart: Pick<Cart, 'arming' | 'view'>;
  link: Pick<ControllerLink, 'driver' | 'hello'>;
  clock: Clock;
}

/**
 * Runs the self-test on a controller that has responded to HELLO. Sends no motion, only a stop.
 * @param expected the version that must be installed; undefined if any version is accepted.
 */
export async function runSelfTest(
  driver: MotorDriver,
  expected: string | undefined,
  { cart, link, clock }: ObserveDeps,
): Promise<SelfCheck[]> {
  const [statusCount, isStopAcknowledged] = await Promise.all([
    countStatus(driver, clock),
    driver.stop(1).then(
      () => true,
      () => false,
    ),
  ]);
  return selfTest({
    expected,
    statusCount,
    isStopAcknowledged,
    isReady: link.driver === driver,
    version: link.hello?.firmware,
    isEstopReadable: cart.view().safety.input !== 'unavailable',
    motorsOn: cart.arming.on,
  });
}

function countStatus(driver: MotorDriver, clock: Clock): Promise<number> {
  return new Promise((resolve) => {
    let count = 0;
    const end = (): void => {
      cancelTimer();
      cancel();
      resolve(count);
    };
    const cancelTimer = clock.after(STATUS_MS, end);
    const cancel = driver.onTelemetry(() => {
      count += 1;
      if (count === MIN_STATUS_COUNT) end();
    });
  });
}
