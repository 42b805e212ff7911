import type { Fault } from '../util/errors.js';
import type { Settings } from './schema.js';

/** What a schema cannot say about settings that are valid by themselves. */
export function crossFaults({ mqtt, carts }: Settings): Fault[] {
  const faults: Fault[] = [];
  if (mqtt.broker === 'external' && mqtt.port === 0) {
    faults.push({ path: '/mqtt/port', message: 'must be at least 1 for an external broker' });
  }
  if (mqtt.broker === 'embedded' && mqtt.protocol === 'mqtts') {
    faults.push({ path: '/mqtt/protocol', message: 'must be mqtt: the embedded broker has no TLS' });
  }
  const seen = new Set<number>();
  for (const [at, { cartID }] of carts.entries()) {
    if (seen.has(cartID))
      faults.push({ path: `/carts/${at}/cartID`, message: `cart ${cartID} is listed twice` });
    seen.add(cartID);
  }
  return faults;
}
