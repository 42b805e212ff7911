import type { ManualDrive, MqttAgent } from '../carts/index.js';
import type { Cancel } from '../shared/ports/clock.js';
import type { PlanSharing, ZoneGate } from '../site/index.js';
import type { BlackBox } from '../system/index.js';
import type { UpdateMonitor } from '../updates/index.js';
import { openBlackBox } from './composition/black-box.js';
import { type Mqtt, openMqtt } from './composition/broker.js';
import { applyCartSettings } from './composition/cart-settings.js';
import type { OwnCart } from './composition/create-cart.js';
import { GatewayFacts } from './composition/facts.js';
import { type CartFirmware, openFlasher } from './composition/firmware.js';
import { type ControllerLine, openLine } from './composition/line.js';
import { openPositioning, type Positioning } from './composition/navigation.js';
import {
  openAgent,
  openCartPins,
  openHomeAssistant,
  openManualDrive,
  openOwnCart,
  recordPeers,
} from './composition/own-cart.js';
import { openPeers, type Peers } from './composition/peers.js';
import { recordSettingsChanges } from './composition/settings-records.js';
import { openPlanSharing, openZoneGate } from './composition/site.js';
import { openUpdateMonitor } from './composition/updates.js';
import { ModuleList } from './module-list.js';
import type { Pins } from './pins/pins.js';
import { openSimulatedCarts, type SimulatedCart, simulatedIds } from './simulation/cart.js';

/** The modules that move and stop carts. Stop-only mode consists of these modules and its own server. */
export interface CartModules {
  settingsRecords: Cancel;
  blackBox: BlackBox;
  line: ControllerLine;
  pins: Pins;
  mqtt: Mqtt;
  simulatedIds: readonly number[];
  peers: Peers;
  peerRecords: Cancel;
  positioning: Positioning;
  firmware: CartFirmware;
  updateMonitor: UpdateMonitor;
  zoneGate: ZoneGate;
  planSharing: PlanSharing;
  ownCart: OwnCart;
  drive: ManualDrive;
  agent: MqttAgent;
  homeAssistant: Cancel;
  simulatedCarts: readonly SimulatedCart[];
  facts: GatewayFacts;
}

export const CART_MODULES: ModuleList<CartModules> = new ModuleList()
  .add('settingsRecords', recordSettingsChanges, (cancel) => cancel())
  .add('blackBox', openBlackBox)
  .add('line', openLine, ({ simulation }) => simulation.controller.close())
  .add('pins', openCartPins, (pins) => pins.close())
  .add('mqtt', openMqtt, ({ broker }) => broker.close())
  .add('simulatedIds', simulatedIds)
  .add('peers', openPeers, ({ registry }) => registry.close())
  .add('peerRecords', recordPeers, (cancel) => cancel())
  .add('positioning', openPositioning, ({ localization, markers }) => {
    localization.close();
    markers.close();
  })
  .add('firmware', openFlasher)
  .add('updateMonitor', openUpdateMonitor)
  .add('zoneGate', openZoneGate)
  .add('planSharing', openPlanSharing)
  .add('ownCart', openOwnCart, ({ cart }) => cart.close())
  .add('drive', openManualDrive, (drive) => drive.close())
  .add('agent', openAgent, (agent) => agent.close())
  .add('homeAssistant', openHomeAssistant, (cancel) => cancel())
  .add('simulatedCarts', openSimulatedCarts, (carts) => Promise.all(carts.map((cart) => cart.close())))
  .add('appliedSettings', applyCartSettings)
  .add('facts', (context, opened) => new GatewayFacts(context, opened));
