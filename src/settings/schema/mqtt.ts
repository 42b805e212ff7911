import { faultAnnotation } from '../../shared/validation/messages.js';
import { settingsMessage } from '../messages.js';

const path = { type: 'string', maxLength: 255, pattern: '^[^\\u0000]*$', default: '' } as const;

export const mqttSchema = {
  type: 'object',
  title: 'MQTT broker',
  additionalProperties: false,
  apply: 'live',
  default: {},
  required: [
    'broker',
    'host',
    'port',
    'protocol',
    'protocolVersion',
    'username',
    'password',
    'passwordFile',
    'clientId',
    'keepaliveS',
    'root',
    'tls',
    'onBrokerLoss',
    'homeAssistant',
  ],
  properties: {
    broker: {
      type: 'string',
      enum: ['embedded', 'external'],
      title: 'Broker',
      description: '"embedded": this gateway runs the broker. "external": the broker runs elsewhere.',
      default: 'embedded',
    },
    host: {
      type: 'string',
      pattern: '^[A-Za-z0-9._:-]{1,253}$',
      ...faultAnnotation(settingsMessage('fault.host')),
      title: 'Host',
      description:
        'Name or address of the external broker. For the embedded broker, the address on which it listens: 127.0.0.1 for this machine only, 0.0.0.0 for the whole network.',
      default: '127.0.0.1',
    },
    port: {
      type: 'integer',
      minimum: 0,
      maximum: 65_535,
      title: 'Port',
      description: 'Usually 1883, or 8883 with TLS. With 0, the embedded broker uses any free port.',
      default: 1883,
    },
    protocol: {
      type: 'string',
      enum: ['mqtt', 'mqtts'],
      title: 'Protocol',
      description: '"mqtts" is encrypted (TLS) and can be used only with an external broker.',
      default: 'mqtt',
    },
    protocolVersion: {
      type: ['integer', 'string'],
      enum: [4, 5, 'auto'],
      title: 'MQTT version',
      description: '4 is MQTT 3.1.1, which every broker supports. "auto" tries MQTT 5 first.',
      default: 4,
    },
    username: {
      type: 'string',
      maxLength: 256,
      title: 'Username',
      description: 'Leave empty if the broker does not require a username.',
      default: '',
    },
    password: {
      type: 'string',
      maxLength: 256,
      secret: true,
      title: 'Password',
      description: 'The password is not shown after it is saved. A password file is safer.',
      default: '',
    },
    passwordFile: {
      ...path,
      title: 'Password file',
      description:
        'Name of a one-line file in the broker-passwords folder of the data directory. Files in other folders are not allowed.',
    },
    clientId: {
      type: 'string',
      pattern: '^[A-Za-z0-9_.:-]{1,64}$',
      ...faultAnnotation(settingsMessage('fault.client-id')),
      title: 'Client ID',
      description:
        '"auto" derives the client ID from the fleet and the cart number. The client ID must be unique on the broker.',
      apply: 'restart',
      default: 'auto',
    },
    keepaliveS: {
      type: 'integer',
      minimum: 5,
      maximum: 60,
      unit: 's',
      title: 'Keep-alive interval',
      description:
        'If the broker receives nothing for 1.5 times this interval, it reports this gateway as offline.',
      default: 5,
    },
    root: {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{1,32}(/[A-Za-z0-9_-]{1,32}){0,3}$',
      ...faultAnnotation(settingsMessage('fault.topic-levels')),
      title: 'Topic root',
      description: 'The first levels of every topic. Must be the same for all carts in a fleet.',
      apply: 'restart',
      default: 'cart/v1',
    },
    tls: {
      type: 'object',
      title: 'TLS',
      additionalProperties: false,
      default: {},
      required: ['ca', 'cert', 'key', 'servername', 'rejectUnauthorized'],
      properties: {
        ca: {
          ...path,
          title: 'CA file',
          description: "Path to the certificate (PEM) of the CA that signed the broker's certificate.",
        },
        cert: {
          ...path,
          title: 'Certificate file',
          description: "Path to this gateway's client certificate (PEM).",
        },
        key: { ...path, title: 'Key file', description: "Path to this gateway's private key (PEM)." },
        servername: {
          type: 'string',
          pattern: '^[A-Za-z0-9._-]{0,253}$',
          ...faultAnnotation(settingsMessage('fault.name')),
          title: 'Name in the certificate',
          description: 'Needed only if the name differs from the host.',
          default: '',
        },
        rejectUnauthorized: {
          type: 'boolean',
          title: 'Verify the certificate',
          description: 'If off, an attacker on the network can read messages and send commands.',
          default: true,
        },
      },
    },
    onBrokerLoss: {
      type: 'string',
      enum: ['finish', 'stop'],
      title: 'When the broker connection is lost',
      description:
        '"finish": the cart finishes the running command. "stop": the cart stops. In both cases, new commands from the network are not accepted.',
      default: 'finish',
    },
    homeAssistant: {
      type: 'boolean',
      title: 'Show in Home Assistant',
      description: "Publishes two stop buttons and the cart's state. Home Assistant cannot move the cart.",
      default: false,
    },
  },
} as const;
