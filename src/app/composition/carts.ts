import { type BrokerAuthorizer, createBrokerAuthorizer } from '../../access/index.js';
import type { ReplaceableBus } from '../../adapters/mqtt/replaceable-bus.js';
import {
  announceToHomeAssistant,
  type Cart,
  type CommandDispatcher,
  type ControllerLink,
  commandRecorder,
  type EmergencyStop,
  KEEP_COUNT,
  lastWill,
  latchFile,
  ManualDrive,
  MqttAgent,
  RemoteCartRegistry,
  type RemoteSafetyDeps,
  type SafetyEvent,
  watchRemoteSafety,
} from '../../carts/index.js';
import { commandWords } from '../../console/labels/history-labels.js';
import type { Localization, Markers } from '../../navigation/index.js';
import type { Actor } from '../../shared/actor.js';
import { packageVersion } from '../../shared/package-root.js';
import type { Cancel } from '../../shared/ports/clock.js';
import { Signal } from '../../shared/signal.js';
import type { CameraScene } from '../../simulator/camera/scene.js';
import { storePaths } from '../../store/paths.js';
import { releaseReserve } from '../../store/recovery/disk-reserve.js';
import type { BlackBox } from '../../system/index.js';
import { applyCartSettings } from '../apply-settings.js';
import type { CoreServices } from '../core-services.js';
import { type GatewayIdentity, identityOf } from '../identity.js';
import { rememberSession } from '../old-sessions.js';
import { noteGpio, openPins, type Pins } from '../pins/pins.js';
import { openSimulatedCart } from '../simulation/cart.js';
import { realOpener, type Simulation, simulate } from '../simulation/controller.js';
import { cameraScene, parkingPlace } from '../simulation/scene.js';
import { recordingOpener, recordStops } from './black-box.js';
import { BrokerLink } from './broker.js';
import { composeCart } from './create-cart.js';
import { type CartFirmware, openFlasher } from './firmware.js';
import { openLocalization } from './navigation.js';

/** This gateway's cart, the way to other carts, and what is simulated. */
export interface Carts {
  identity: GatewayIdentity;
  cart: Cart;
  dispatcher: CommandDispatcher;
  link: ControllerLink;
  drive: ManualDrive;
  pins: Pins;
  firmware: CartFirmware;
  broker: BrokerLink;
  bus: ReplaceableBus;
  authorizer: BrokerAuthorizer;
  /** The carts of other gateways. */
  peers: RemoteCartRegistry;
  markers: Markers;
  localization: Localization;
  /** True if the motor controller was simulated at the start. */
  isSimulated: boolean;
  simulation: Simulation;
  /** What the simulated camera sees. */
  scene: CameraScene;
  /** Stops the carts and takes leave from the broker. The order of closing is in `closers`. */
  shutDown(): void;
}

/** Opens this gateway's cart, the simulated carts and the remote carts. The caller opens the broker later. */
export async function openCarts(core: CoreServices, blackBox: BlackBox): Promise<Carts> {
  const { config, closers, clock, machine, log, store, access, settings, siteKey } = core;
  const { cartID, name } = settings.current.gateway;
  const identity = identityOf(settings.current, { cartId: cartID, name });
  const simulation = simulate('cart-own', settings.current.serial.driver, clock);
  closers.defer('simulation', () => simulation.controller.close());
  const chooseOpener = () =>
    recordingOpener(realOpener(settings.current, machine, log) ?? simulation.opener, blackBox);
  let opener = chooseOpener();
  const isSimulated = opener.simulated;
  // The pins are opened only once, so changed pin settings take effect after a restart.
  const { gpio } = settings.current;
  // Replaces the record of an earlier run. Must be called before the pins are opened.
  noteGpio(gpio, log);
  const pins = await openPins(settings.current, machine, { clock, log });
  closers.defer('pins', () => pins.close());

  const base = () => `${identity.root}/${identity.fleet}`;
  const authorizer = createBrokerAuthorizer({ keys: access.keys, isOpen: access.isTrustedLan, base });
  const broker = new BrokerLink({ settings, authorizer, clock, log });
  const { clientId } = settings.current.mqtt;
  const ownId = clientId === 'auto' ? `cart-${identity.fleet}-${cartID}` : clientId;
  const authenticated = (): boolean => {
    const { mqtt } = settings.current;
    return mqtt.broker === 'embedded' ? !access.isTrustedLan : mqtt.username !== '';
  };
  const bus = broker.client(ownId, () => lastWill(identity, clock));
  const hasOthers = isSimulated && !core.isStopOnly;
  const simulatedIds = hasOthers ? settings.current.simulation.carts.filter((id) => id !== cartID) : [];
  const simulated = simulatedIds.map((id) => ({ cartID: id, name: `Cart ${id}` }));
  const known = joined(() => settings.current.carts, simulated);
  const allowUnknown = () => settings.current.safety.allowUnknownCarts;
  const oldSessions = await rememberSession(config.dataDir, identity.sessionId, log);
  const resets = new Signal<[cartId: number, by: Actor]>();
  const onReset = resets.emit.bind(resets);
  const remoteCarts = new RemoteCartRegistry({
    bus,
    identity,
    clock,
    log,
    known,
    allowUnknown,
    siteKey,
    onReset,
    oldSessions,
  });

  const { markers, localization } = openLocalization(core);
  const firmware = await openFlasher(core);
  const { cart, dispatcher, link } = composeCart({
    cartId: cartID,
    name: () => settings.current.gateway.name,
    opener: () => opener,
    pins,
    latchStore: latchFile(config.dataDir, {
      onFull: () => releaseReserve(storePaths(config.dataDir)),
      recorded: () => recordedEstop(core, cartID),
    }),
    settings: () => ({ ...settings.current, gpio }),
    settingsInvalidReason: () => settings.invalidReason,
    firmwareBlock: () => firmware.record.motionBlock,
    stopOnly: core.isStopOnly,
    latchUnsavableReason: () => store.unwritableReason,
    brokerDown: () => !bus.status().connected,
    remote: remoteCarts,
    location: () => localization.location(),
    clock,
    log,
  });
  const agent = new MqttAgent({
    bus,
    dispatcher,
    identity,
    clock,
    log,
    factsheet: () => ({
      ...settings.current.limits,
      ...settings.current.kinematics,
      driver: settings.current.serial.driver,
      simulated: link.simulated,
      version: packageVersion(),
    }),
    rules: () => settings.current,
    clockSynced: () => core.timeSync.synced(),
    authenticated,
    siteKey,
  });
  closers.defer(
    'remote safety',
    recordHistory(core, {
      cart,
      dispatcher,
      remoteCarts,
      gatewayId: identity.gatewayId,
      onReset: resets.on.bind(resets),
    }),
  );
  cart.onChange(() => {
    const { pose, safety, moving } = cart.view();
    localization.onCart({
      odometer: link.ready ? pose : undefined,
      isMoving: moving,
      isStopped: safety.emergencyStop !== 'NONE',
    });
  });
  recordStops(blackBox, { cart, dispatcher });
  await cart.start();
  closers.defer('cart', () => cart.close());
  const { gatewayId } = identity;
  const drive = new ManualDrive({
    cart,
    gatewayId,
    dispatcher,
    rules: () => settings.current,
    clock,
    log,
  });
  closers.defer('drive', () => drive.close());
  remoteCarts.start();
  closers.defer('peers', () => remoteCarts.close());
  agent.start();
  const enabled = (): boolean => settings.current.mqtt.homeAssistant;
  const version = packageVersion();
  closers.defer('home assistant', announceToHomeAssistant({ bus, identity, enabled, version, log }));
  broker.beforeLeaving(() => agent.leave());
  const others = await Promise.all(
    simulatedIds.map((cartId, index) =>
      openSimulatedCart({
        cartId,
        broker,
        authenticated,
        settings,
        siteKey,
        clock,
        log,
        start: parkingPlace(index),
      }),
    ),
  );
  closers.defer('broker', () => broker.close());
  closers.defer('simulated carts', () => Promise.all(others.map((other) => other.close())));
  closers.defer('agent', () => agent.close());

  applyCartSettings(settings, {
    cart,
    broker,
    bus,
    restartLine: () => {
      simulation.controller.load(settings.current.serial.driver);
      opener = chooseOpener();
      link.restart();
    },
  });
  return {
    identity,
    cart,
    dispatcher,
    link,
    drive,
    pins,
    firmware,
    broker,
    bus,
    authorizer,
    peers: remoteCarts,
    markers,
    localization,
    isSimulated,
    simulation,
    scene: cameraScene({ simulation, link, others, mount: () => settings.current.navigation.mount }),
    shutDown(): void {
      cart.shutDown();
      for (const other of others) other.shutDown();
      void agent.leave();
    },
  };
}

/** Concatenates two lists. Returns the same array until `changing` returns a different one. */
function joined<T>(changing: () => readonly T[], fixed: readonly T[]): () => readonly T[] {
  let previous: readonly T[] | undefined;
  let both: readonly T[] = fixed;
  return () => {
    const current = changing();
    if (current !== previous) both = [...current, ...fixed];
    previous = current;
    return both;
  };
}

/** Returns the state of the cart's E-stop according to the history. Throws if the history cannot be read. */
function recordedEstop({ history, store, isNewDataDir }: CoreServices, cartId: number): EmergencyStop {
  const last = history.lastEstop(cartId)?.view as Pick<SafetyEvent, 'kind' | 'latch'> | undefined;
  if (last?.kind === 'estop.latched') return last.latch === 'MANUAL' ? 'MANUAL' : 'REMOTE';
  const isIncomplete = store.wasReplaced || store.status().lostWrites !== undefined;
  return isIncomplete && !isNewDataDir ? 'REMOTE' : 'NONE';
}

interface Recorded extends Pick<RemoteSafetyDeps, 'onReset' | 'gatewayId'> {
  cart: Cart;
  dispatcher: CommandDispatcher;
  remoteCarts: RemoteCartRegistry;
}

/** Records commands and safety events. Returns a function that stops the observation of remote carts. */
function recordHistory(
  { history, clock }: CoreServices,
  { cart, dispatcher, remoteCarts, onReset, gatewayId }: Recorded,
): Cancel {
  cart.onSafety((event) => history.recordSafety(event));
  dispatcher.onCommand(
    commandRecorder((record, by) => history.recordCommand(record, by, commandWords(record))),
  );
  dispatcher.restore(history.lastCommands(KEEP_COUNT));
  return watchRemoteSafety({
    carts: remoteCarts,
    onReset,
    gatewayId,
    record: (event, seen) => history.recordSafety(event, seen),
    clock,
  });
}
