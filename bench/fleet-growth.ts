import { once } from 'node:events';
import { GatewayProcess } from '../test/helpers/gateway.js';
import '../test/helpers/no-validation.js';
import { hasMosquitto, startMosquitto } from '../test/e2e/mqtt/mosquitto.js';
import { closeConnections, commandsTo } from './fleet-commands.js';
import { listOf, startFleet } from './light-fleet.js';
import { pause, processorOf, quantile, residentMb } from './process-figures.js';
import { median } from './verdict.js';

/**
 * Measures, at the same command rate, the cost of fleets of 1, 10, 100 and 1,000 carts that publish their
 * state every second through mosquitto. Each fleet size has its own gateway; measurements alternate between
 * the sizes.
 */
const SIZES = [1, 10, 100, 1000];
const ROUNDS = 3;
const FIRST = 101;
const SETTLE_MS = 3000;
const LOAD = { first: FIRST, perS: 10, seconds: 6 };

interface Figures {
  restingCpu: number;
  busyCpu: number;
  rssMb: number;
  ms: number[];
  rejected: number;
}

async function measure(gateway: GatewayProcess, brokerPort: number, carts: number): Promise<Figures> {
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

async function round(carts: number): Promise<Figures> {
  const mosquitto = await startMosquitto(['allow_anonymous true', 'set_tcp_nodelay true']);
  const gateway = await GatewayProcess.start({
    carts: listOf(FIRST, carts),
    simulation: { carts: [] },
    safety: { allowUnknownCarts: true },
    mqtt: { broker: 'external', host: '127.0.0.1', port: mosquitto.port },
  });
  try {
    return await measure(gateway, mosquitto.port, carts);
  } finally {
    await gateway.close();
    await mosquitto.close();
  }
}

function report(carts: number, figures: readonly Figures[]): void {
  const of = (figure: (one: Figures) => number): number => median(figures.map(figure));
  const ms = figures.flatMap((one) => one.ms);
  const rejected = figures.reduce((sum, one) => sum + one.rejected, 0);
  const parts = [
    `${of(({ restingCpu }) => restingCpu).toFixed(1)} % of a core`,
    `${of(({ busyCpu }) => busyCpu).toFixed(1)} % with ${LOAD.perS} commands/s`,
    `${of(({ rssMb }) => rssMb).toFixed(0)} MB`,
    `acknowledged after p50 ${quantile(ms, 0.5).toFixed(1)} ms, p99 ${quantile(ms, 0.99).toFixed(1)} ms of ${ms.length}`,
    `${rejected} rejected`,
  ];
  process.stdout.write(`${carts} carts: ${parts.join(', ')}\n`);
}

if (hasMosquitto) {
  const figures = new Map(SIZES.map((carts) => [carts, [] as Figures[]]));
  for (let nth = 0; nth < ROUNDS; nth += 1)
    for (const [carts, found] of figures) found.push(await round(carts));
  for (const [carts, found] of figures) report(carts, found);
  closeConnections();
} else process.stdout.write('SKIPPED: mosquitto is not installed\n');
