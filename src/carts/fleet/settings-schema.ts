import { cartIdSchema } from '../command/request-schema.js';

const topicLevel = {
  type: 'string',
  pattern: '^[A-Za-z0-9_-]{1,32}$',
  fault: 'must consist of 1 to 32 letters, digits, _ or -',
} as const;

export const gatewaySchema = {
  type: 'object',
  title: 'This gateway',
  additionalProperties: false,
  apply: 'live',
  default: {},
  required: ['cartID', 'fleet', 'manufacturer', 'name', 'announce'],
  properties: {
    cartID: {
      ...cartIdSchema,
      basic: true,
      title: 'Cart number',
      apply: 'restart',
      description:
        "Number of the cart on which this gateway is mounted. The gateway sends this cart's commands over the serial line.",
      default: 1,
    },
    fleet: {
      ...topicLevel,
      title: 'Fleet',
      apply: 'restart',
      description: 'Third level of the MQTT topics. Allowed characters: letters, digits, _ and -.',
      default: 'site1',
    },
    manufacturer: {
      ...topicLevel,
      title: 'Manufacturer',
      apply: 'restart',
      description: 'Included in the header of every MQTT message.',
      default: 'cartwright',
    },
    name: {
      basic: true,
      type: 'string',
      minLength: 1,
      maxLength: 64,
      title: 'Name',
      description:
        'Shown on every page. Other gateways and Home Assistant show a new name after this gateway restarts.',
      default: 'Cart 1',
    },
    announce: {
      type: 'boolean',
      title: 'Announce on the local network',
      description: 'Devices on the same network can find the gateway by name (mDNS).',
      default: true,
    },
  },
} as const;

export const cartListSchema = {
  type: 'array',
  title: 'Other carts',
  description: 'Carts that this gateway shows and can command. To connect another gateway:',
  steps: [
    {
      text: 'On this gateway, create an API key with the permissions “connect to the MQTT server” and “send commands to all carts through the MQTT server”, and with the cart number of the other gateway.',
      page: '/keys',
      title: 'API keys',
    },
    {
      text: 'On this gateway, set the host of the MQTT server to 0.0.0.0.',
      page: '/brokerSettings?section=mqtt#mqtt',
      title: 'MQTT server',
    },
    {
      text: "Add a row above with the other cart's number and name, and save.",
    },
    {
      text: 'On the other gateway, enter the cart number and a name under This gateway, save, and restart that gateway.',
      page: '/brokerSettings?section=gateway#gateway',
      title: 'This gateway',
    },
    {
      text: "Then, on the other gateway, select an external MQTT server. Enter this gateway's address as the host, the key's name as the username and the key as the password.",
    },
  ],
  basic: true,
  apply: 'live',
  maxItems: 1000,
  default: [],
  examples: [[{ cartID: 2, name: 'Cart 2' }]],
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['cartID', 'name'],
    properties: {
      cartID: { ...cartIdSchema, title: 'Cart number' },
      name: { type: 'string', minLength: 1, maxLength: 64, title: 'Name', default: 'Cart' },
    },
  },
} as const;

export const simulationSchema = {
  type: 'object',
  title: 'Simulation',
  additionalProperties: false,
  apply: 'restart',
  default: {},
  required: ['carts'],
  properties: {
    carts: {
      type: 'array',
      title: 'Simulated carts',
      description:
        'Numbers of the simulated carts, which are available over MQTT while the motor controller is simulated.',
      uniqueItems: true,
      maxItems: 1000,
      items: cartIdSchema,
      default: [2, 3],
    },
  },
} as const;
