import {
  announceToHomeAssistant,
  commandRecorder,
  type EmergencyStop,
  KEEP_COUNT,
  latchFile,
  ManualDrive,
  MqttAgent,
  type SafetyEvent,
  watchRemoteSafety,
} from '../../carts/index.js';
import { commandWords } from '../../console/labels/history-labels.js';
import { derived } from '../../shared/derived.js';
import { packageVersion } from '../../shared/package-root.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { PlanSharing, ZoneGate } from '../../site/index.js';
import { storePaths } from '../../store/paths.js';
import { releaseReserve } from '../../store/recovery/disk-reserve.js';
import { type BlackBox, recordStops } from '../../system/index.js';
import type { UpdateMonitor } from '../../updates/index.js';
import { type AppContext, isDataIncomplete } from '../context.js';
import { noteGpio, openPins, type Pins } from '../pins/pins.js';
import type { Mqtt } from './broker.js';
import { composeCart, type OwnCart } from './create-cart.js';
import type { CartFirmware } from './firmware.js';
import type { ControllerLine } from './line.js';
import type { Positioning } from './navigation.js';
import type { Peers } from './peers.js';

/** The pins are opened only once, so changed pin settings take effect after a restart. */
export function openCartPins({ settings, machine, clock, log }: AppContext): Promise<Pins> {
  // Replaces the record of an earlier run. Must be called before the pins are opened.
  noteGpio(settings.current.gpio, log);
  return openPins(settings.current, machine, { clock, log });
}

interface OwnCartModules {
  blackBox: BlackBox;
  line: ControllerLine;
  pins: Pins;
  mqtt: Mqtt;
  peers: Peers;
  positioning: Positioning;
  firmware: CartFirmware;
  updateMonitor: UpdateMonitor;
  zoneGate: ZoneGate;
  planSharing: PlanSharing;
}

/** Opens this gateway's cart. The history and the recordings include everything that the cart does from the start. */
export async function openOwnCart(context: AppContext, modules: OwnCartModules): Promise<OwnCart> {
  const { config, identity, settings, store, clock, log } = context;
  const { blackBox, line, pins, mqtt, peers, firmware, updateMonitor, zoneGate, planSharing } = modules;
  const { localization } = modules.positioning;
  const { gpio } = settings.current;
  const ownCart = composeCart({
    cartId: identity.cartId,
    name: () => settings.current.gateway.name,
    opener: () => line.opener(),
    pins,
    latchStore: latchFile(config.dataDir, {
      onFull: () => releaseReserve(storePaths(config.dataDir)),
      recorded: () => recordedEstop(context, identity.cartId),
      isRestored: context.isRestored,
    }),
    settings: derived(
      () => settings.current,
      (current) => ({ ...current, gpio }),
    ),
    settingsInvalidReason: () => settings.invalidReason,
    firmwareBlock: () => firmware.record.motionBlock,
    softwareBlock: () => updateMonitor.motionBlock,
    stopOnly: context.isStopOnly,
    latchUnsavableReason: () => store.unwritableReason,
    brokerDown: () => !mqtt.bus.status().connected,
    remote: peers.registry,
    location: () => localization.location(),
    sitePlan: () => planSharing.report,
    gate: zoneGate,
    clock,
    log,
  });
  const { cart, dispatcher } = ownCart;
  recordHistory(context, ownCart);
  cart.onChange(() => {
    const { safety, moving } = cart.view();
    localization.onCart({
      odometer: cart.odometer,
      isMoving: moving,
      isStopped: safety.emergencyStop !== 'NONE',
    });
  });
  recordStops(blackBox, { cart, dispatcher });
  await cart.start();
  return ownCart;
}

/**
 * Returns whether and how a stop of the cart is latched, according to the history. A restored history may lack the
 * latest stop. Throws if the history cannot be read.
 */
function recordedEstop(context: AppContext, cartId: number): EmergencyStop {
  const last = context.history.lastEstop(cartId)?.view as Pick<SafetyEvent, 'kind' | 'latch'> | undefined;
  if (last?.kind === 'estop.latched') return last.latch === 'MANUAL' ? 'MANUAL' : 'REMOTE';
  return isDataIncomplete(context) ? 'REMOTE' : 'NONE';
}

function recordHistory({ history }: AppContext, { cart, dispatcher }: OwnCart): void {
  cart.onSafety((event) => history.recordSafety(event));
  dispatcher.onCommand(
    commandRecorder((record, by) => history.recordCommand(record, by, commandWords(record))),
  );
  dispatcher.restore(history.lastCommands(KEEP_COUNT));
}

/** Records the safety events of remote carts. */
export function recordPeers({ history, identity, clock }: AppContext, { peers }: { peers: Peers }): Cancel {
  return watchRemoteSafety({
    carts: peers.registry,
    onReset: peers.onReset,
    gatewayId: identity.gatewayId,
    record: (event, seen) => history.recordSafety(event, seen),
    clock,
  });
}

export function openManualDrive(
  { identity, settings, clock, log }: AppContext,
  { ownCart }: { ownCart: OwnCart },
): ManualDrive {
  return new ManualDrive({
    cart: ownCart.cart,
    gatewayId: identity.gatewayId,
    dispatcher: ownCart.dispatcher,
    rules: () => settings.current,
    clock,
    log,
  });
}

/** Publishes the cart's state and receives commands over MQTT. */
export function openAgent(
  { identity, settings, siteKey, timeSync, clock, log }: AppContext,
  { mqtt, ownCart }: { mqtt: Mqtt; ownCart: OwnCart },
): MqttAgent {
  const { dispatcher, link } = ownCart;
  const agent = new MqttAgent({
    bus: mqtt.bus,
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
    clockSynced: () => timeSync.synced(),
    authenticated: () => mqtt.isAuthenticated(),
    siteKey,
  });
  agent.start();
  mqtt.broker.beforeLeaving(() => agent.leave());
  return agent;
}

export function openHomeAssistant(
  { identity, settings, log }: AppContext,
  { mqtt }: { mqtt: Pick<Mqtt, 'bus'> },
): Cancel {
  return announceToHomeAssistant({
    bus: mqtt.bus,
    identity,
    enabled: () => settings.current.mqtt.homeAssistant,
    version: packageVersion(),
    log,
  });
}
