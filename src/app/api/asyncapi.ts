import { beaconApi, mqttObservation } from '../../beacons/index.js';
import { commandApi } from '../../carts/index.js';
import { FAILURE_SCHEMAS } from '../../http/openapi/failures.js';
import { SESSION } from '../../http/openapi/schema-helpers.js';
import type { Schema } from '../../http/openapi/types.js';
import { packageVersion } from '../../shared/package-root.js';
import { healthApi } from '../../system/index.js';
import { DRIVE_MESSAGES, driveState, EVENTS } from './asyncapi-live.js';
import { SITE_PLAN_TOPIC, TOPICS, type TopicDescription } from './asyncapi-topics.js';

const key = { $ref: '#/components/securitySchemes/key' };
const session = { $ref: '#/components/securitySchemes/session' };

const SERVERS = {
  broker: {
    host: 'localhost:1883',
    protocol: 'mqtt',
    description: "A gateway's embedded broker, or an external broker.",
    security: [key],
  },
  events: {
    host: 'localhost:3000',
    protocol: 'http',
    description: "A gateway's server-sent events.",
    security: [session],
  },
  socket: {
    host: 'localhost:3000',
    protocol: 'ws',
    description: "The WebSocket used by a gateway's pages.",
    security: [session],
  },
};

const SECURITY = {
  key: {
    type: 'userPassword',
    description:
      'Any username, with an API key that has the `mqtt` scope as the password. An external broker applies its own access rules.',
  },
  session: { type: 'httpApiKey', ...SESSION },
};

const LEVELS = {
  root: { description: 'The first levels of every topic, from the `mqtt.root` setting', default: 'cart/v1' },
  fleet: { description: 'The `gateway.fleet` setting', default: 'site1' },
  cartID: { description: '1 to 65535; `instantActions` also permits `_all`' },
};

interface Message {
  summary: string;
  payload: Schema;
  example?: object;
}

interface Channel {
  address: string;
  server: keyof typeof SERVERS;
  messages: Record<string, Message>;
  parameters?: object;
  actions: { action: 'send' | 'receive'; messages: string[]; bindings?: object }[];
}

/** Returns the AsyncAPI 3.0 document for the MQTT topics, `/events` and `/drive`. */
export function asyncApi(): object {
  const channels = {
    ...topicChannels(),
    sitePlan: sitePlanChannel(),
    events: eventsChannel(),
    drive: driveChannel(),
  };
  const list = Object.entries(channels);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Cartwright',
      version: packageVersion(),
      description:
        "This document takes the gateway's perspective: the gateway publishes `send` messages and processes `receive` messages. MQTT messages use the VDA 5050 vocabulary. Unknown members are ignored.",
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: SERVERS,
    channels: Object.fromEntries(list.map(([name, channel]) => [name, channelOf(channel)])),
    operations: Object.fromEntries(list.flatMap(([name, channel]) => operationsOf(name, channel))),
    components: { schemas: schemas(), securitySchemes: SECURITY },
  };
}

function schemas(): Record<string, Schema> {
  const { Cart, CartLocation, Command, Safety } = commandApi.schemas;
  const shared = {
    Cart,
    CartLocation,
    Command,
    Safety,
    Links: healthApi.schemas.Links,
    Observation: beaconApi.schemas.Observation,
  };
  return { ...FAILURE_SCHEMAS, ...shared, PositionObservation: mqttObservation };
}

function topicChannels(): Record<string, Channel> {
  return Object.fromEntries(
    Object.entries(TOPICS).map(([name, topic]) => [
      name,
      mqttChannel(name, topic, { address: `{root}/{fleet}/{cartID}/${name}`, parameters: LEVELS }),
    ]),
  );
}

function sitePlanChannel(): Channel {
  const { root, fleet } = LEVELS;
  const place = { address: '{root}/{fleet}/site/plan', parameters: { root, fleet } };
  return mqttChannel('sitePlan', SITE_PLAN_TOPIC, place);
}

function mqttChannel(
  name: string,
  { summary, payload, example, actions, qos, retained = false }: TopicDescription,
  place: Pick<Channel, 'address' | 'parameters'>,
): Channel {
  const bindings = { mqtt: { qos: Math.max(...qos), retain: retained } };
  return {
    ...place,
    server: 'broker',
    messages: { [name]: { summary, payload, example } },
    actions: actions.map((action) => ({ action, messages: [name], bindings })),
  };
}

function eventsChannel(): Channel {
  const messages = Object.keys(EVENTS);
  return {
    address: '/events',
    server: 'events',
    messages: { ...EVENTS },
    actions: [{ action: 'send', messages }],
  };
}

function driveChannel(): Channel {
  const state = {
    summary: 'The operator in control, pending control requests, and the reason that control last ended.',
    payload: driveState,
  };
  return {
    address: '/drive',
    server: 'socket',
    messages: { state, ...DRIVE_MESSAGES },
    actions: [
      { action: 'send', messages: ['state'] },
      { action: 'receive', messages: Object.keys(DRIVE_MESSAGES) },
    ],
  };
}

function channelOf({ address, server, messages, parameters }: Channel): object {
  const documented = Object.entries(messages).map(([name, { summary, payload, example }]) => [
    name,
    { name, summary, payload, ...(example ? { examples: [{ payload: example }] } : {}) },
  ]);
  return {
    address,
    servers: [{ $ref: `#/servers/${server}` }],
    ...(parameters ? { parameters } : {}),
    messages: Object.fromEntries(documented),
  };
}

function operationsOf(name: string, { actions }: Channel): [string, object][] {
  return actions.map(({ action, messages, bindings }) => [
    `${action}.${name}`,
    {
      action,
      channel: { $ref: `#/channels/${name}` },
      messages: messages.map((message) => ({ $ref: `#/channels/${name}/messages/${message}` })),
      ...(bindings ? { bindings } : {}),
    },
  ]);
}
