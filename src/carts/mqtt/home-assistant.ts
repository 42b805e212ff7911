import { messageOf } from '../../shared/errors.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { MessageBus } from '../../shared/ports/mqtt.js';
import { encodeMessage } from './messages/encode.js';
import { type TopicIdentity, Topics } from './messages/topics.js';
import { action } from './messages/write.js';

const PREFIX = 'homeassistant';
const SENDER = 'home-assistant';

interface DiscoveryDeps {
  bus: MessageBus;
  identity: TopicIdentity;
  enabled: () => boolean;
  version: string;
  log: Log;
}

/** Announces the cart on every connection to the broker. Returns a function that stops the announcements. */
export function announceToHomeAssistant({ bus, identity, enabled, version, log }: DiscoveryDeps): Cancel {
  const { topic, config } = discoveryOf(identity, version);
  let connected = false;
  let announced = false;
  const publish = (payload: string): void => {
    bus.publish(topic, payload, { qos: 1, retain: true }).catch((thrown: unknown) => {
      log.warn('home_assistant.publish_failed', { topic, reason: messageOf(thrown) });
    });
  };
  const onBus = (now: boolean): void => {
    const isNew = now && !connected;
    connected = now;
    if (!isNew) return;
    if (enabled()) publish(JSON.stringify(config));
    // If discovery was disabled while the gateway was running, an empty message removes the device.
    else if (announced) publish('');
    announced = enabled();
  };
  onBus(bus.status().connected);
  return bus.onStatus((status) => onBus(status.connected));
}

/**
 * No entity moves the cart or resets a latched stop. Format:
 * https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
 */
export function discoveryOf(identity: TopicIdentity, version: string): { topic: string; config: object } {
  const { cartId, fleet, manufacturer, name } = identity;
  const topics = new Topics(identity);
  const [state, connection] = [topics.of(cartId, 'state'), topics.of(cartId, 'connection')];
  const id = `cartwright_${fleet}_${cartId}`;
  const component = (key: string, platform: string, rest: object): [string, object] => [
    key,
    { platform, unique_id: `${id}_${key}`, ...rest },
  ];
  const sensor = (key: string, of: string, rest: object) =>
    component(key, 'sensor', { state_topic: state, value_template: `{{ ${of} }}`, ...rest });
  const binarySensor = (key: string, when: string, rest: object) =>
    component(key, 'binary_sensor', {
      state_topic: state,
      value_template: `{{ 'ON' if ${when} else 'OFF' }}`,
      ...rest,
    });
  const button = (key: string, label: string, actionType: string) =>
    component(key, 'button', {
      name: label,
      command_topic: topics.of(cartId, 'instantActions'),
      qos: 1,
      payload_press: encodeMessage('instantActions', {
        headerId: 0,
        gatewayId: SENDER,
        sessionId: SENDER,
        actions: [action(actionType, `${SENDER}-${key}`)],
      }),
    });
  const components = Object.fromEntries([
    sensor('battery', 'value_json.powerSupply.stateOfCharge | default(none)', {
      name: 'Battery',
      device_class: 'battery',
      unit_of_measurement: '%',
    }),
    sensor('speed', 'value_json.velocity.vx | default(0)', {
      name: 'Speed',
      device_class: 'speed',
      unit_of_measurement: 'm/s',
    }),
    binarySensor('moving', 'value_json.driving', { name: 'Moving', device_class: 'moving' }),
    binarySensor('estop', "value_json.safetyState.activeEmergencyStop != 'NONE'", {
      name: 'Stopped until reset',
      device_class: 'safety',
    }),
    button('stop', 'Stop', 'cancelOrder'),
    button('estop_button', 'Stop until reset', 'emergencyStop'),
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
