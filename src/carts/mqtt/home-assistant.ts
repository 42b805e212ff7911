import { messageOf } from '../../shared/errors.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { MessageBus } from '../../shared/ports/mqtt.js';
import { type TopicIdentity, Topics } from './messages/topics.js';
import { action } from './messages/write.js';

const PREFIX = 'homeassistant';
const ASKER = 'home-assistant';

interface DiscoveryDeps {
  bus: MessageBus;
  identity: TopicIdentity;
  /** Whether the settings ask for it. */
  wanted: () => boolean;
  version: string;
  log: Log;
}

/** Tells Home Assistant of the cart on every connection, if that is wanted. Returns what ends it. */
export function announceToHomeAssistant({ bus, identity, wanted, version, log }: DiscoveryDeps): Cancel {
  const { topic, config } = discoveryOf(identity, version);
  let connected = false;
  let told = false;
  const tell = (payload: string): void => {
    bus.publish(topic, payload, { qos: 1, retain: true }).catch((thrown: unknown) => {
      log.warn('home_assistant.not_told', { topic, reason: messageOf(thrown) });
    });
  };
  const onBus = (now: boolean): void => {
    const greets = now && !connected;
    connected = now;
    if (!greets) return;
    if (wanted()) tell(JSON.stringify(config));
    // Switched off while we run: an empty message takes the device away again.
    else if (told) tell('');
    told = wanted();
  };
  onBus(bus.status().connected);
  return bus.onStatus((status) => onBus(status.connected));
}

/**
 * The cart as a device of Home Assistant's MQTT discovery: what it says of itself, and two buttons that stop it. Nothing
 * there moves a cart or ends an emergency stop: https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
 */
export function discoveryOf(identity: TopicIdentity, version: string): { topic: string; config: object } {
  const { cartId, fleet, manufacturer, name } = identity;
  const topics = new Topics(identity);
  const [state, connection] = [topics.of(cartId, 'state'), topics.of(cartId, 'connection')];
  const id = `cartwright_${fleet}_${cartId}`;
  const part = (key: string, platform: string, rest: object): [string, object] => [
    key,
    { platform, unique_id: `${id}_${key}`, ...rest },
  ];
  const sensor = (key: string, of: string, rest: object) =>
    part(key, 'sensor', { state_topic: state, value_template: `{{ ${of} }}`, ...rest });
  const yesNo = (key: string, when: string, rest: object) =>
    part(key, 'binary_sensor', {
      ...{ state_topic: state, value_template: `{{ 'ON' if ${when} else 'OFF' }}`, ...rest },
    });
  const button = (key: string, label: string, actionType: string) =>
    part(key, 'button', {
      ...{ name: label, command_topic: topics.of(cartId, 'instantActions'), qos: 1 },
      payload_press: JSON.stringify({
        ...{ headerId: 0, gatewayId: ASKER, sessionId: ASKER },
        actions: [action(actionType, `${ASKER}-${key}`)],
      }),
    });
  const components = Object.fromEntries([
    sensor('battery', 'value_json.powerSupply.stateOfCharge | default(none)', {
      ...{ name: 'Battery', device_class: 'battery', unit_of_measurement: '%' },
    }),
    sensor('speed', 'value_json.velocity.vx | default(0)', {
      ...{ name: 'Speed', device_class: 'speed', unit_of_measurement: 'm/s' },
    }),
    yesNo('moving', 'value_json.driving', { name: 'Moving', device_class: 'moving' }),
    yesNo('estop', "value_json.safetyState.activeEmergencyStop != 'NONE'", {
      ...{ name: 'Emergency stop', device_class: 'safety' },
    }),
    button('stop', 'Stop', 'cancelOrder'),
    button('estop_button', 'E-stop', 'emergencyStop'),
  ]);
  const config = {
    device: { identifiers: [id], name, manufacturer, model: 'Cartwright', sw_version: version },
    origin: { name: 'Cartwright', sw_version: version },
    availability: [
      {
        topic: connection,
        value_template: "{{ 'online' if value_json.connectionState == 'ONLINE' else 'offline' }}",
      },
    ],
    components,
  };
  return { topic: `${PREFIX}/device/${id}/config`, config };
}
