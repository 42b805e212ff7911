import { parseArgs } from 'node:util';
import { type LightFleetOptions, openLightFleet, type SimulatedFleet } from '../app/simulation/fleet.js';
import { systemClock } from '../shared/clock.js';
import { messageOf } from '../shared/errors.js';
import { createLog, LogThreshold } from '../shared/log.js';

const USAGE = `usage: npm run simulate:fleet -- --carts <N> [--first 101] [--broker mqtt://127.0.0.1:1883]
         [--fleet site1] [--root cart/v1] [--username <name>]

Runs N simulated carts over MQTT, each with its own connection. They publish their state once a second, and execute
moves and stops. Cart numbers begin at --first. The password is read from MQTT_PASSWORD.
A gateway shows carts that are in its list of carts, or any cart with safety.allowUnknownCarts.
`;
const LAST_CART = 65_535;

function readOptions(args: string[]): Omit<LightFleetOptions, 'clock' | 'log'> {
  const text = (fallback: string) => ({ type: 'string', default: fallback }) as const;
  const { values } = parseArgs({
    args,
    options: {
      carts: text('10'),
      first: text('101'),
      broker: text('mqtt://127.0.0.1:1883'),
      fleet: text('site1'),
      root: text('cart/v1'),
      username: text(''),
    },
  });
  const { fleet, root, username } = values;
  const count = wholeNumber('--carts', values.carts, 5000);
  const first = wholeNumber('--first', values.first, LAST_CART + 1 - count);
  const { protocol, hostname: host, port } = new URL(values.broker);
  if (protocol !== 'mqtt:' && protocol !== 'mqtts:') {
    throw new Error('--broker must be a URL such as mqtt://127.0.0.1:1883');
  }
  const isTls = protocol === 'mqtts:';
  const password = process.env.MQTT_PASSWORD ?? '';
  const broker = {
    host,
    username,
    password,
    protocol: isTls ? ('mqtts' as const) : ('mqtt' as const),
    port: Number(port) || (isTls ? 8883 : 1883),
  };
  return { count, first, broker, fleet, root };
}

function wholeNumber(name: string, text: string, max: number): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > max)
    throw new Error(`${name} must be a whole number from 1 to ${max}, not "${text}"`);
  return number;
}

async function run(options: Omit<LightFleetOptions, 'clock' | 'log'>): Promise<void> {
  const log = createLog(new LogThreshold('info'));
  const { count, first } = options;
  let fleet: SimulatedFleet | undefined;
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void fleet?.close().then(() => process.exit(0));
    if (!fleet) process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Logs only errors, because a thousand connections would log each event a thousand times.
  fleet = await openLightFleet({ ...options, clock: systemClock, log: createLog(new LogThreshold('error')) });
  let logged = -1;
  const logCount = (): void => {
    const connected = fleet?.connected() ?? 0;
    if (connected !== logged) log.info('fleet.connected', { connected, of: count, first });
    logged = connected;
  };
  logCount();
  systemClock.every(1000, logCount);
}

try {
  await run(readOptions(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n\n${USAGE}`);
  process.exitCode = 2;
}
