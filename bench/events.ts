import { once } from 'node:events';
import { get } from 'node:http';
import { GatewayProcess } from '../test/helpers/gateway.js';
import '../test/helpers/no-validation.js';
import { listOf, startFleet } from './light-fleet.js';
import { pause, processorOf, residentMb } from './process-figures.js';
import { verdict } from './verdict.js';

/**
 * Measures the cost of open pages: 20 moving carts each send up to ten events per second to each of up to 100
 * pages. Pages that do not read their event stream must not increase memory use.
 */
const FIRST = 101;
const CARTS = 19;
const SECONDS = 8;
const TARGET_PAGES = 50;
const TARGET_CPU = 15;

interface Page {
  events: number;
  close(): void;
}

function follow(url: string, takes = true): Page {
  const page: Page = { events: 0, close: () => request.destroy() };
  const request = get(`${url}/events`, (res) => {
    if (takes)
      res.on('data', (chunk: Buffer) => (page.events += chunk.toString().split('\ndata:').length - 1));
    res.on('error', () => undefined);
  });
  request.on('error', () => undefined);
  return page;
}

function keepDriving(gateway: GatewayProcess): () => void {
  let driving = true;
  const drive = async (cartID: number): Promise<void> => {
    for (let n = 0; driving; n += 1) {
      await gateway
        .move(cartID, 1000, { angleID: n % 2 ? 170 : -170, onBusy: 'replace' })
        .catch(() => undefined);
      await pause(2000);
    }
  };
  for (const { cartID } of [{ cartID: 1 }, ...listOf(FIRST, CARTS)]) void drive(cartID);
  return () => (driving = false);
}

const settings = {
  carts: listOf(FIRST, CARTS),
  simulation: { carts: [] },
  mqtt: { broker: 'embedded', port: 0 },
};
const gateway = await GatewayProcess.start(settings);
const fleet = await startFleet(Number(new URL(await gateway.untilBroker()).port), FIRST, CARTS);
const stopDriving = keepDriving(gateway);
try {
  for (const { cartID } of listOf(FIRST, CARTS)) await gateway.untilCart(cartID, ({ online }) => online);
  await pause(2000);
  const { cpu: alone } = await processorOf(gateway.pid, pause(SECONDS * 1000));
  process.stdout.write(`20 moving carts, no page: ${alone.toFixed(1)} % of a core\n`);
  for (const count of [1, 10, TARGET_PAGES, 100]) {
    const pages = Array.from({ length: count }, () => follow(gateway.url));
    await pause(1000);
    const before = pages.reduce((sum, { events }) => sum + events, 0);
    const { cpu } = await processorOf(gateway.pid, pause(SECONDS * 1000));
    const events = (pages.reduce((sum, page) => sum + page.events, 0) - before) / count / SECONDS;
    const figure = `${(cpu - alone).toFixed(1)} % of a core more, ${events.toFixed(0)} events/s each`;
    if (count === TARGET_PAGES) {
      verdict(`${count} pages`, figure, `${TARGET_CPU} % at most`, cpu - alone <= TARGET_CPU);
    } else process.stdout.write(`${count} pages: ${figure}\n`);
    for (const page of pages) page.close();
    await pause(500);
  }
  const stalled = Array.from({ length: 10 }, () => follow(gateway.url, false));
  await pause(3000);
  const before = residentMb(gateway.pid);
  await pause(SECONDS * 1000);
  const grown = residentMb(gateway.pid) - before;
  verdict('10 pages that take nothing: memory', `${grown.toFixed(1)} MB more`, 'below 5 MB', grown < 5);
  for (const page of stalled) page.close();
} finally {
  stopDriving();
  fleet.kill();
  await once(fleet, 'exit');
  await gateway.close();
}
