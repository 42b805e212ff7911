import { once } from 'node:events';
import { GatewayProcess } from '../test/helpers/gateway.js';
import '../test/helpers/no-validation.js';
import { hasMosquitto, startMosquitto } from '../test/e2e/mqtt/mosquitto.js';
import { commandsTo, hangUp } from './fleet-commands.js';
import { listOf, startFleet } from './light-fleet.js';
import { pause, processorOf, quantile, residentMb } from './process-figures.js';
import { median } from './verdict.js';

/**
 * What a gateway costs as its fleet grows: 1, 10, 100, 1,000 carts that tell their state once a second, through mosquitto,
 * and as many commands a second whatever their number. Each has a gateway of its own, all sizes in turns.
 */
const SIZES = [1, 10, 100, 1000];
const ROUNDS = 3;
const FIRST = 101;
const SETTLE_MS = 3000;
const LOAD = { first: FIRST, perS: 10, seconds: 6 };

interface Seen {
  restingCpu: number;
  busyCpu: number;
  rssMb: number;
  ms: number[];
  refused: number;
}

async function look(gateway: GatewayProcess, brokerPort: number, carts: number): Promise<Seen> {
  const { pid, url } = gateway;
  const fleet = await startFleet(brokerPort, FIRST, carts);
  for (const cartID of [FIRST, FIRST + carts - 1]) await gateway.untilCart(cartID, ({ online }) => online);
  await pause(SETTLE_MS);
  const { cpu: restingCpu } = await processorOf(pid, pause(SETTLE_MS));
  const { result, cpu: busyCpu } = await processorOf(pid, commandsTo(url, { ...LOAD, carts }));
  const rssMb = residentMb(pid);
  fleet.kill();
  await once(fleet, 'exit');
  return { restingCpu, busyCpu, rssMb, ...result };
}

async function round(carts: number): Promise<Seen> {
  const mosquitto = await startMosquitto(['allow_anonymous true', 'set_tcp_nodelay true']);
  const gateway = await GatewayProcess.start({
    carts: listOf(FIRST, carts),
    simulation: { carts: [] },
    safety: { allowUnknownCarts: true },
    mqtt: { broker: 'external', host: '127.0.0.1', port: mosquitto.port },
  });
  try {
    return await look(gateway, mosquitto.port, carts);
  } finally {
    await gateway.close();
    await mosquitto.close();
  }
}

function tell(carts: number, seen: readonly Seen[]): void {
  const of = (figure: (one: Seen) => number): number => median(seen.map(figure));
  const ms = seen.flatMap((one) => one.ms);
  const refused = seen.reduce((sum, one) => sum + one.refused, 0);
  const figures = [
    `${of(({ restingCpu }) => restingCpu).toFixed(1)} % of a core`,
    `${of(({ busyCpu }) => busyCpu).toFixed(1)} % with ${LOAD.perS} commands/s`,
    `${of(({ rssMb }) => rssMb).toFixed(0)} MB`,
    `acknowledged after p50 ${quantile(ms, 0.5).toFixed(1)} ms, p99 ${quantile(ms, 0.99).toFixed(1)} ms of ${ms.length}`,
    `${refused} refused`,
  ];
  process.stdout.write(`${carts} carts: ${figures.join(', ')}\n`);
}

if (hasMosquitto) {
  const seen = new Map(SIZES.map((carts) => [carts, [] as Seen[]]));
  for (let nth = 0; nth < ROUNDS; nth += 1) for (const [carts, found] of seen) found.push(await round(carts));
  for (const [carts, found] of seen) tell(carts, found);
  hangUp();
} else process.stdout.write('left out: mosquitto is not installed\n');
