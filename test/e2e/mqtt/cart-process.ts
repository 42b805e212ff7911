import { connectBus } from '../../../src/adapters/mqtt/mqtt.js';
import { lastWill, MqttAgent } from '../../../src/carts/mqtt/agent.js';
import { systemClock } from '../../../src/shared/clock.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { FakeDispatcher } from '../../unit/carts/mqtt/fake-dispatcher.js';
import { busOptions } from '../../unit/carts/mqtt/test-bus.js';
import { identityOf, KINEMATICS, LIMITS } from '../../unit/carts/mqtt/test-fleet.js';

/** Runs cart 2 as a separate process, so that a test can kill it: `node cart-process.js PORT`. */
const identity = identityOf(2);
const clock = systemClock;
const bus = connectBus(
  busOptions(Number(process.argv[2]), { will: () => lastWill(identity, clock), clientId: 'cart-site1-2' }),
);
const rules = () => ({ limits: LIMITS, kinematics: KINEMATICS });
new MqttAgent({
  bus,
  dispatcher: new FakeDispatcher(clock),
  identity,
  clock,
  log: new RecordingLog(),
  factsheet: () => ({}),
  rules,
}).start();
