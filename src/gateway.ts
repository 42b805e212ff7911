import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Access } from './access/access.js';
import { brokerDoor } from './access/mqtt.js';
import { watchTimeSync } from './adapters/time-sync.js';
import { FloorPlan } from './beacons/plan.js';
import { Beacons } from './beacons/registry.js';
import { Camera } from './camera/camera.js';
import { lastWill, TreeAgent } from './carts/agent.js';
import { Drive } from './carts/drive.js';
import { latchFile } from './carts/latch-store.js';
import { KEEP_COUNT } from './carts/ledger.js';
import { Peers } from './carts/peers.js';
import { recorder } from './carts/recall.js';
import type { LimitsSettings } from './carts/schema.js';
import { Sightings } from './carts/sightings.js';
import { framesInWords, lineLostIn, MovingCamera, overheard } from './compose/black-box.js';
import { BrokerLink, tryBroker } from './compose/broker.js';
import { openCamera } from './compose/camera.js';
import { openPins, realOpener, simulate } from './compose/controller.js';
import { type Machine, thisMachine } from './compose/hardware.js';
import { identityOf } from './compose/identity.js';
import { readKeyPair } from './compose/key-pair.js';
import { composeCart } from './compose/own-cart.js';
import { openShop } from './compose/shop.js';
import { openSimulatedCart } from './compose/simulated-cart.js';
import { simulatorControls } from './compose/simulator-controls.js';
import type { Config } from './config.js';
import { createApp } from './http/app.js';
import type { FrameData } from './http/context.js';
import { shopPrincipalOf } from './http/shop-who.js';
import { simulatorRoutes } from './http/simulator-routes.js';
import { BlackBox } from './ops/black-box.js';
import { Commissioning } from './ops/commissioning.js';
import { History } from './ops/history.js';
import { LogRing } from './ops/log-ring.js';
import { VitalsWatch } from './ops/vitals.js';
import type { Clock, Log } from './ports.js';
import { SettingsRoom } from './settings/settings.js';
import { openBackupShelf } from './store/backup-shelf.js';
import { openStore } from './store/store.js';
import { systemClock } from './util/clock.js';
import { messageOf } from './util/errors.js';
import { packageRoot } from './util/package-root.js';
import { packageVersion } from './util/package-version.js';

/** What the outside world gives a gateway; tests give something else. */
export interface GatewayPorts {
  log: Log;
  clock?: Clock;
  machine?: Machine;
}

export interface Gateway {
  url: string;
  simulated: boolean;
  /** Makes the world safe first (cart stopped, OFFLINE published), then closes what was opened, last first. */
  close(): Promise<void>;
}

/** Opens the ports, builds the rooms, wires them and serves. Every close is noted right after its open. */
export async function openGateway(config: Config, ports: GatewayPorts): Promise<Gateway> {
  const { clock = systemClock, machine = thisMachine() } = ports;
  const logRing = new LogRing({ clock, level: config.logLevel });
  const log = logRing.around(ports.log);
  const closers: [string, () => unknown][] = [];
  const defer = (name: string, close: () => unknown): unknown => closers.unshift([name, close]);

  const keyPair = await readKeyPair(config);
  const writer = new URL('./writer.js', import.meta.url);
  const store = await openStore({ dir: config.dataDir, writer, clock, log });
  defer('store', () => store.close());
  const backups = openBackupShelf({ dir: config.dataDir, clock, log });
  const commissioning = await Commissioning.open({ dir: config.dataDir, clock, log });
  const vitals = new VitalsWatch({ clock });
  vitals.start();
  defer('vitals', () => vitals.close());
  const history = new History({ store, clock, log });
  history.start();
  defer('history', () => history.close());
  const { dataDir, auth: mode } = config;
  const access = await Access.open({ store, clock, log, dataDir, mode, env: process.env });
  defer('access', () => access.close());

  const timeSync = await watchTimeSync({ clock });
  defer('time', () => timeSync.close());

  const settings = await SettingsRoom.open({
    ...{ dir: dataDir, clock, log, initial: config.settings },
    trialMs: config.confirmSeconds * 1000,
  });
  defer('settings', () => settings.close());

  const { cartID, name } = settings.current.gateway;
  const identity = identityOf(settings.current, { cartId: cartID, name });
  // Pins are taken once: what they are is not changed while somebody relies on them.
  const { gpio } = settings.current;
  const simulation = simulate('cart-own', settings.current.serial.driver, clock);
  defer('simulation', () => simulation.controller.close());
  const blackBox = new BlackBox({ dir: join(config.dataDir, 'black-box'), clock, log });
  const chooseOpener = () =>
    overheard(realOpener(settings.current, machine, log) ?? simulation.opener, blackBox);
  let opener = chooseOpener();
  const pins = openPins(settings.current, machine);
  defer('pins', () => pins.close());

  const base = () => `${identity.root}/${identity.fleet}`;
  const door = brokerDoor({ keys: access.keys, isOpen: access.isTrustedLan, base });
  const broker = new BrokerLink({ settings, door, clock, log });
  const clientId =
    settings.current.mqtt.clientId === 'auto'
      ? `cart-${identity.fleet}-${cartID}`
      : settings.current.mqtt.clientId;
  const bus = broker.client(clientId, () => lastWill(identity, clock));
  const simulatedCarts = opener.simulated
    ? settings.current.simulation.carts.filter((id) => id !== cartID)
    : [];
  const known = () => [
    ...settings.current.carts,
    ...simulatedCarts.map((id) => ({ cartID: id, name: `Cart ${id}` })),
  ];
  const allowUnknown = () => settings.current.safety.allowUnknownCarts;
  const peers = new Peers({ bus, identity, clock, log, known, allowUnknown });

  const { cart, desk, link } = composeCart({
    cartId: cartID,
    name: () => settings.current.gateway.name,
    opener: () => opener,
    pins,
    latchStore: latchFile(config.dataDir),
    settings: () => ({ ...settings.current, gpio }),
    blocked: () => settings.blocked,
    brokerDown: () => !bus.status().connected,
    remote: peers,
    clock,
    log,
  });
  const factsheet = () => ({
    ...settings.current.limits,
    ...settings.current.kinematics,
    driver: settings.current.serial.driver,
    simulated: link.simulated,
    version: packageVersion(),
  });
  const agent = new TreeAgent({
    bus,
    desk,
    identity,
    clock,
    log,
    factsheet,
    rules: () => settings.current,
    clockSynced: () => timeSync.synced(),
  });
  // Off the control path: the record is written when the store has time for it.
  cart.onSafety((event) => {
    history.recordSafety(event);
    if (event.kind === 'estop.latched') blackBox.freeze('estop', event.by);
    if (event.kind === 'protective_stop') blackBox.freeze('protective-stop', event.by);
  });
  desk.onCommand((command) => blackBox.addCommand(command.view()));
  desk.onOwnCommand((command) => {
    const loss = lineLostIn(command);
    if (loss !== undefined) blackBox.freeze('link-loss', loss);
  });
  desk.onCommand(recorder((record) => history.recordCommand(record)));
  desk.recall(history.lastCommands(KEEP_COUNT).map(({ view }) => view));
  await cart.start();
  defer('cart', () => cart.close());
  const { gatewayId } = identity;
  const drive = new Drive({ cartId: cartID, gatewayId, desk, rules: () => settings.current, clock, log });
  defer('drive', () => drive.close());
  peers.start();
  defer('peers', () => peers.close());
  agent.start();
  broker.beforeLeaving(() => agent.leave());
  const others = await Promise.all(
    simulatedCarts.map((id) =>
      openSimulatedCart({ cartId: id, broker, settings: () => settings.current, clock, log }),
    ),
  );
  defer('simulated carts', () => Promise.all(others.map((other) => other.close())));
  await broker.open();
  defer('broker', () => broker.close());
  defer('agent', () => agent.close());

  bus.onStatus(({ connected }) => {
    const stops = settings.current.mqtt.onBrokerLoss === 'stop';
    if (!connected && stops && cart.busy) cart.stop('stop', 'the loss of the MQTT broker');
  });

  const pathLoss = () => {
    const { pathLossExponent, maxRangeM } = settings.current.beacons;
    return { exponent: pathLossExponent, maxRangeM };
  };
  const beacons = new Beacons({ store, log, pathLoss });
  defer('beacons', () => beacons.close());
  const floorPlan = await FloorPlan.open({ dir: join(dataDir, 'plan'), log });

  const { shop, sandbox } = await openShop({ config: config.payments ?? {}, store, clock, log });
  defer('shop', () => shop.close());
  const publicUrl = config.payments?.publicUrl;

  const sightings = new Sightings({
    bus,
    identity,
    locate: (heard) => beacons.observe(heard),
    counts: (cartId) => cartId === cartID || peers.has(cartId),
    clock,
    log,
  });
  sightings.start();
  defer('sightings', () => sightings.close());

  const pose = () => (link.simulated ? cart.view().pose : undefined);
  const source = await openCamera({ settings, machine, pose, dataDir, clock, log });
  const camera = await Camera.open({ source, photosDir: join(dataDir, 'photos'), clock, log });
  defer('camera', () => camera.close());

  camera.source.onFrame(({ jpeg }) => blackBox.addStill(jpeg));
  const movingCamera = new MovingCamera(source);
  blackBox.start({
    sample: () => {
      const moving = cart.busy;
      movingCamera.follow(moving);
      const { link: line, safety, telemetry, pose, ageMs } = cart.view();
      return { moving, ageMs, line, safety, telemetry, pose, broker: bus.status(), lag: vitals.read().lag };
    },
    framesInWords: (frames) => framesInWords(frames, settings.current.serial.driver),
    about: () => ({ gateway: gateway(), settings: settings.masked() }),
    logLines: () => logRing.lines({ limit: 1000 }),
  });
  defer('black box', () => blackBox.close());

  const isIdle = () => !cart.busy;
  // The cart may have begun to move while the settings were on their way to the disk: then the line waits.
  let restartDue = false;
  const restartWhenIdle = (): void => {
    if (!restartDue || cart.busy) return;
    restartDue = false;
    simulation.controller.program(settings.current.serial.driver);
    opener = chooseOpener();
    link.restart();
  };
  cart.onChange(restartWhenIdle);
  settings.watch(isIdle);
  settings.onChange(({ changed, settings: next, previous }) => {
    if (changed.includes('mqtt')) void broker.reopen();
    // The controller is told its limits in the handshake.
    if (
      changed.includes('serial') ||
      (changed.includes('limits') && !sameRamps(next.limits, previous.limits))
    ) {
      restartDue = true;
      restartWhenIdle();
    }
  });

  const gateway = (): FrameData['gateway'] => ({
    name: settings.current.gateway.name,
    cartID,
    fleet: identity.fleet,
    simulated: link.simulated,
    version: packageVersion(),
  });
  const frame = (): FrameData => ({
    gateway: gateway(),
    links: { broker: bus.status(), camera: camera.light() },
    carts: desk.carts(),
    trustedLan: config.auth === 'trusted-lan',
    clockSynced: timeSync.synced(),
    trial: settings.trial.view(),
  });
  const health = () => ({
    frame: frame(),
    faults: [
      ...cart.view().faults.map(({ message }) => message),
      settings.blocked,
      link.ready ? '' : link.view().reason,
      bus.status().reason,
      camera.fault(),
      store.status().reason,
      ...store.status().notices,
    ].filter(Boolean),
    settingsFaults: settings.faults,
    store: store.status(),
    uptimeS: Math.round(process.uptime()),
  });
  const controls = simulatorControls({ simulation, pins, cart });
  const { server, feed, driveSocket } = createApp({
    viewsDir: join(packageRoot(), 'views'),
    access,
    hostnames: config.hostnames,
    keyPair,
    desk,
    drive,
    settings,
    store,
    backups,
    logRing,
    boxes: blackBox.shelf,
    commissioning,
    vitals,
    history,
    beacons,
    floorPlan,
    camera,
    shop: {
      ...{ shop, principalOf: shopPrincipalOf },
      ...(sandbox ? { sandbox } : {}),
      ...(publicUrl === undefined ? {} : { publicUrl }),
    },
    frame,
    gateway,
    health,
    sightings,
    onLinks: (listener) => {
      const cancels = [bus.onStatus(() => listener()), source.onChange(listener)];
      return () => {
        for (const cancel of cancels) cancel();
      };
    },
    isIdle,
    testBroker: (section) => tryBroker(section, { settings, door, clock, log }),
    ...(opener.simulated ? { simulator: simulatorRoutes(controls) } : {}),
    gatewayId,
    clock,
    log,
  });
  defer('http', () => {
    feed.close();
    driveSocket.close();
    server.close();
    server.closeAllConnections();
  });
  server.listen(config.port, config.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const shown = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  const url = `${keyPair ? 'https' : 'http'}://${shown}:${port}`;
  access.setup.announce(url);

  return {
    url,
    simulated: link.simulated,
    async close() {
      // First the world is made safe: whatever hangs later, the cart has been told to stop.
      cart.shutDown();
      for (const other of others) other.shutDown();
      for (const [part, close] of closers) {
        try {
          await close();
        } catch (error) {
          log.error('gateway.close_failed', { part, reason: messageOf(error) });
        }
      }
    },
  };
}

/** Whether two sets of limits are the same to the controller. */
function sameRamps(a: LimitsSettings, b: LimitsSettings): boolean {
  return a.maxSpeedMmps === b.maxSpeedMmps && a.accelMmps2 === b.accelMmps2 && a.decelMmps2 === b.decelMmps2;
}
