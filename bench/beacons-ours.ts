import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { beaconFastPath } from '../src/beacons/http/answers.js';
import { beaconApi } from '../src/beacons/http/openapi.js';
import { beaconRoutes } from '../src/beacons/http/routes.js';
import { Beacons } from '../src/beacons/registry/beacons.js';
import { errorHandler } from '../src/http/errors.js';
import { policyOf } from '../src/http/guard/policy.js';
import { fastExpress } from '../src/http/server/fast-express.js';
import { RouteTable } from '../src/http/server/route-table.js';
import { systemClock } from '../src/shared/clock.js';
import { createLog, LogThreshold } from '../src/shared/log.js';
import { textOf } from '../src/shared/messages/message.js';
import { openStore } from '../src/store/store.js';

/**
 * Serves the registry's routes with the real store. `GET /vitals` returns `{rssMiB, longestLagMs}`: the
 * memory in use and the longest event-loop lag since the previous such request.
 */
const [dir = ''] = process.argv.slice(2);
const log = createLog(new LogThreshold('warn'));
const writer = new URL('../src/app/writer-worker.js', import.meta.url);
const store = await openStore({ dir, writer, clock: systemClock, log });
const beacons = new Beacons({ store, log, pathLoss: () => ({ exponent: 2, maxRangeM: 100 }) });
const lag = monitorEventLoopDelay({ resolution: 1 });
lag.enable();
const routes = new RouteTable(policyOf([beaconApi]));
const { app, server } = fastExpress({ routes, fastPath: beaconFastPath(beacons, () => true) });
app.use(routes.serve(beaconRoutes({ beacons, origin: () => ({ lat: 0, long: 0 }) })));
app.get('/vitals', (_req, res) => {
  res.json({ rssMiB: process.memoryUsage.rss() / 2 ** 20, longestLagMs: lag.max / 1e6 });
  lag.reset();
});
app.use(errorHandler(log, (_req, { body }) => textOf(body.message)));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
