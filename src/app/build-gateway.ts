import { join } from 'node:path';
import { BlackBox, Trend } from '../system/index.js';
import { countLosses, openAlarms } from './composition/alarms.js';
import { openApproach } from './composition/approach.js';
import { startBlackBox } from './composition/black-box.js';
import { openCarts } from './composition/carts.js';
import { openDiscovery } from './composition/discovery.js';
import { openFirmware } from './composition/firmware.js';
import { openFirstRun } from './composition/first-run.js';
import { openModules } from './composition/modules.js';
import { reportToSupervisor } from './composition/supervision.js';
import { startTrend } from './composition/trend.js';
import type { CoreServices } from './core-services.js';
import type { StartFacts } from './start/banner.js';
import { aboutGateway, addressForOthers, serve, startFacts } from './web/web.js';

export interface BuiltGateway {
  facts: StartFacts;
  shutDown(): void;
}

export async function buildGateway(core: CoreServices): Promise<BuiltGateway> {
  const { config, closers, clock, log, supervisor } = core;
  const blackBox = new BlackBox({ dir: join(config.dataDir, 'black-box'), clock, log });
  const carts = await openCarts(core, blackBox);
  const modules = await openModules(core, carts);
  const drives = openApproach(core, carts, {
    markers: carts.markers,
    detector: modules.detector,
    camera: modules.camera,
  });
  const firstRun = await openFirstRun(core, carts);
  const firmware = await openFirmware(core, carts);
  // This URL is replaced with the actual URL when the server is listening.
  let url = 'http://localhost';
  const alarms = await openAlarms(core, carts, () => addressForOthers(startFacts(core, carts, url)));
  const controllerLosses = countLosses(core, carts);
  startBlackBox(blackBox, {
    cart: carts.cart,
    bus: carts.bus,
    source: modules.camera.source,
    processMonitor: core.processMonitor,
    settings: core.settings,
    logRing: core.logRing,
    about: () => aboutGateway({ core, carts }),
  });
  closers.defer('black box', () => blackBox.close());
  const trend = new Trend({ clock });
  startTrend(trend, {
    cart: carts.cart,
    dispatcher: carts.dispatcher,
    processMonitor: core.processMonitor,
  });
  closers.defer('trend', () => trend.close());
  const views = { drives, firstRun, firmware, alarms, controllerLosses, blackBox, trend };
  url = await serve({ core, carts, modules, ...views });
  reportToSupervisor({ ...core, cart: carts.cart }, url);
  // Does not wait: driving does not need the broker, and the broker library is slow to load.
  void carts.broker.open();
  openDiscovery(core, () => aboutGateway({ core, carts }), url);
  return {
    facts: startFacts(core, carts, url),
    shutDown() {
      carts.shutDown();
      supervisor.stopping();
    },
  };
}
