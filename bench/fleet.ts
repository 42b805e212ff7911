import { once } from 'node:events';
import { GatewayProcess } from '../test/helpers/gateway.js';
import '../test/helpers/no-validation.js';
import { hasMosquitto, startMosquitto } from '../test/e2e/mqtt/mosquitto.js';
import { closeConnections, commandsTo } from './fleet-commands.js';
import { listOf, startFleet } from './light-fleet.js';
import { pause, processorOf, quantile, residentMb } from './process-figures.js';
import { verdict } from './verdict.js';

/**
 * Measures one gateway's processor time and its latency at 50 commands per second, while a fleet publishes
 * its state every second through mosquitto or the embedded broker. Run `node dist/bench/fleet.js [carts]`.
 */

const CARTS = Number(process.argv[2] ?? 1000);
const FIRST = 101;
const COMMANDS_PER_S = 50;
const SECONDS = 20;

/** Sends the requests that one fleet page sends in ten seconds. */
async function fleetPage(url: string): Promise<void> {
  for (let n = 0; n < 10; n += 1) {
    await (await fetch(`${url}/fleet`, { headers: { accept: 'application/json' } })).arrayBuffer();
    await pause(1000);
  }
}

async function measure(how: string, gateway: GatewayProcess, brokerPort: number): Promise<void> {
  const fleet = await startFleet(brokerPort, FIRST, CARTS);
  for (const cartID of [FIRST, FIRST + CARTS - 1]) await gateway.untilCart(cartID, ({ online }) => online);
  await pause(3000);
  const { pid, url } = gateway;
  const { cpu: idle } = await processorOf(pid, pause(5000));
  const { result, cpu } = await processorOf(
    pid,
    commandsTo(url, { first: FIRST, carts: CARTS, perS: COMMANDS_PER_S, seconds: SECONDS }),
  );
  const { ms, rejected } = result;
  const p99 = quantile(ms, 0.99);
  const what = `${how}, ${CARTS} carts at 1 Hz`;
  const figures = `${idle.toFixed(1)} % of a core, ${residentMb(pid).toFixed(0)} MB`;
  process.stdout.write(`${what}, no commands: ${figures}\n`);
  verdict(
    `${what} + ${COMMANDS_PER_S} commands/s: processor`,
    `${cpu.toFixed(1)} % of a core`,
    '35 %',
    cpu <= 35,
  );
  const figure = `p50 ${quantile(ms, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${ms.length}, ${rejected} rejected`;
  verdict(`${what}: acknowledged after`, figure, 'p99 100 ms, none rejected', p99 <= 100 && rejected === 0);
  const { cpu: page } = await processorOf(pid, fleetPage(url));
  process.stdout.write(`${what}, one fleet page open: ${page.toFixed(1)} % of a core\n`);
  fleet.kill();
  await once(fleet, 'exit');
}

const settings = {
  carts: listOf(FIRST, Math.min(CARTS, 1000)),
  simulation: { carts: [] },
  safety: { allowUnknownCarts: true },
};
if (hasMosquitto) {
  const mosquitto = await startMosquitto(['allow_anonymous true', 'set_tcp_nodelay true']);
  const mqtt = { broker: 'external', host: '127.0.0.1', port: mosquitto.port };
  const gateway = await GatewayProcess.start({ ...settings, mqtt });
  await measure('mosquitto', gateway, mosquitto.port);
  await gateway.close();
  await mosquitto.close();
} else process.stdout.write('SKIPPED: mosquitto is not installed\n');

const gateway = await GatewayProcess.start({ ...settings, mqtt: { broker: 'embedded', port: 0 } });
await measure('the broker in the gateway', gateway, Number(new URL(await gateway.untilBroker()).port));
await gateway.close();
closeConnections();
