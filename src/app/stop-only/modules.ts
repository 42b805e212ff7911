import type { AddressInfo } from 'node:net';
import { STOP_ONLY } from '../../carts/index.js';
import type { LayoutData } from '../../console/layout/context.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { Health } from '../../system/index.js';
import { CART_MODULES, type CartModules } from '../cart-modules.js';
import { reportToSupervisor } from '../composition/supervision.js';
import type { AppContext } from '../context.js';
import type { ModuleList } from '../module-list.js';
import { listen } from '../start/start-checks.js';
import { Https } from '../web/https.js';
import { type HttpServer, serverOptions, urlOf } from '../web/server.js';
import { stopOnlyApp } from './app.js';

const CAMERA_OFF = { tone: 'quiet', text: 'Off', reason: '', simulated: false } as const;

interface StopOnlyModules extends CartModules {
  https: Https;
  server: HttpServer;
  supervision: Cancel;
}

/** A gateway that rejects motion but forwards stops through the external broker, if any. */
export const MODULES: ModuleList<StopOnlyModules> = CART_MODULES.add(
  'https',
  (context) => new Https(context),
  (https) => https.close(),
)
  .add('server', openServer, (server) => server.close())
  .add('supervision', reportToSupervisor, (cancel) => cancel())
  .add('brokerStart', ({ settings }, { mqtt }) => {
    if (settings.current.mqtt.broker === 'external') void mqtt.broker.open();
  });

type ServedModules = Pick<StopOnlyModules, 'facts' | 'https' | 'mqtt' | 'ownCart'>;

async function openServer(context: AppContext, modules: ServedModules): Promise<HttpServer> {
  const { facts, https, ownCart } = modules;
  const { server, createSecureServer } = stopOnlyApp({
    ...serverOptions(context),
    access: context.access,
    keyPair: context.keyPair,
    store: context.store,
    isStopOnly: true,
    log: context.log,
    dispatcher: ownCart.dispatcher,
    gateway: () => facts.about(),
    layout: () => layoutOf(context, modules),
    health: () => healthOf(context, modules),
    gatewayId: context.identity.gatewayId,
  });
  await listen(server, context.config);
  facts.url = urlOf(context, server.address() as AddressInfo);
  // Serves HTTPS too, because pages opened over HTTPS send their stops there.
  https.start(createSecureServer);
  return {
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function layoutOf({ config, timeSync }: AppContext, { facts, mqtt, ownCart }: ServedModules): LayoutData {
  return {
    gateway: facts.about(),
    links: { broker: mqtt.bus.status(), camera: CAMERA_OFF },
    carts: ownCart.dispatcher.near(),
    trustedLan: config.auth === 'trusted-lan',
    clockSynced: timeSync.synced(),
  };
}

function healthOf(context: AppContext, modules: ServedModules): Health {
  const { settings, store } = context;
  return {
    mode: 'stop-only',
    overview: layoutOf(context, modules),
    faulty: [{ part: 'stop-only', text: STOP_ONLY.text }],
    settingsFaults: settings.faults,
    store: store.status(),
    uptimeS: Math.round(process.uptime()),
  };
}
