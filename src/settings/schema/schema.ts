import type { FromSchema } from 'json-schema-to-ts';
import { cameraSchema } from '../../camera/capture/schema.js';
import { presetsSchema, unitsSchema } from '../../carts/command/settings-schema.js';
import { limitsSchema } from '../../carts/control/settings-schema.js';
import { cartListSchema, gatewaySchema, simulationSchema } from '../../carts/fleet/settings-schema.js';
import { gpioSchema, safetySchema } from '../../carts/safety/settings-schema.js';
import { kinematicsSchema, serialSchema } from '../../carts/serial/settings-schema.js';
import { faultAnnotation } from '../../shared/validation/messages.js';
import { settingsMessage } from '../messages.js';

/**
 * variables.json, whole: the sections of the carts room and those of the rooms beside it. One schema validates the file
 * and the body of POST /updateJson, completes partial documents, and draws the form on the page. `apply` says when a
 * change takes effect: `live` at once, `idle` only while no cart of this gateway moves, `restart` at the next start.
 */

const path = { type: 'string', maxLength: 255, pattern: '^[^\\u0000]*$', default: '' } as const;

const mqttSchema = {
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
      description: '"embedded": this gateway runs its own. "external": one that already runs elsewhere.',
      default: 'embedded',
    },
    host: {
      type: 'string',
      pattern: '^[A-Za-z0-9._:-]{1,253}$',
      ...faultAnnotation(settingsMessage('fault.host')),
      title: 'Host',
      description:
        'Name or address of the external broker. For the embedded one the address it listens on: 127.0.0.1 for this machine only, 0.0.0.0 for the whole network.',
      default: '127.0.0.1',
    },
    port: {
      type: 'integer',
      minimum: 0,
      maximum: 65_535,
      title: 'Port',
      description: 'Usually 1883, with TLS 8883. 0 lets the embedded broker take any free port.',
      default: 1883,
    },
    protocol: {
      type: 'string',
      enum: ['mqtt', 'mqtts'],
      title: 'Connection',
      description: '"mqtts" is encrypted (TLS); only for an external broker.',
      default: 'mqtt',
    },
    protocolVersion: {
      type: ['integer', 'string'],
      enum: [4, 5, 'auto'],
      title: 'MQTT version',
      description: '4 is MQTT 3.1.1 and works everywhere. "auto" tries 5 first.',
      default: 4,
    },
    username: {
      type: 'string',
      maxLength: 256,
      title: 'User name',
      description: 'Leave empty when the broker asks for none.',
      default: '',
    },
    password: {
      type: 'string',
      maxLength: 256,
      secret: true,
      title: 'Password',
      description: 'Never shown again. A password file is safer.',
      default: '',
    },
    passwordFile: {
      ...path,
      title: 'Password file',
      description:
        'A file of one line in the folder broker-passwords of the data directory. No other folder is read.',
    },
    clientId: {
      type: 'string',
      pattern: '^[A-Za-z0-9_.:-]{1,64}$',
      ...faultAnnotation(settingsMessage('fault.client-id')),
      title: 'Client id',
      description: '"auto" makes one from the fleet and the cart number. No two clients may share one.',
      apply: 'restart',
      default: 'auto',
    },
    keepaliveS: {
      type: 'integer',
      minimum: 5,
      maximum: 60,
      unit: 's',
      title: 'Keep-alive every',
      description: 'The broker reports this gateway lost after one and a half times this long.',
      default: 5,
    },
    root: {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{1,32}(/[A-Za-z0-9_-]{1,32}){0,3}$',
      ...faultAnnotation(settingsMessage('fault.topic-levels')),
      title: 'Topic root',
      description: 'First levels of every topic. All carts of a fleet need the same.',
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
        ca: { ...path, title: 'CA file', description: 'Certificate of who signed the broker (PEM).' },
        cert: { ...path, title: 'Certificate file', description: "This gateway's own certificate (PEM)." },
        key: { ...path, title: 'Key file', description: "This gateway's own private key (PEM)." },
        servername: {
          type: 'string',
          pattern: '^[A-Za-z0-9._-]{0,253}$',
          ...faultAnnotation(settingsMessage('fault.name')),
          title: 'Name in the certificate',
          description: 'Only when it differs from the host.',
          default: '',
        },
        rejectUnauthorized: {
          type: 'boolean',
          title: 'Check the certificate',
          description: 'Off means that anyone in between can listen and command.',
          default: true,
        },
      },
    },
    onBrokerLoss: {
      type: 'string',
      enum: ['finish', 'stop'],
      title: 'When the broker is lost',
      description: 'Finish the running move, or stop. Nothing new is accepted from the network either way.',
      default: 'finish',
    },
    homeAssistant: {
      type: 'boolean',
      title: 'Show in Home Assistant',
      description:
        'Announces the cart on the broker: how it is, and two buttons that stop it. Nothing there can move it.',
      default: false,
    },
  },
} as const;

export const beaconsSchema = {
  type: 'object',
  title: 'Beacons',
  additionalProperties: false,
  apply: 'live',
  default: {},
  required: ['pathLossExponent', 'maxRangeM', 'tileUrl', 'tileAttribution'],
  properties: {
    pathLossExponent: {
      type: 'number',
      minimum: 1.6,
      maximum: 4.5,
      title: 'Path loss exponent',
      description: 'How fast the signal fades: 2 in the open, 2.5 to 3.5 indoors.',
      default: 2,
    },
    maxRangeM: {
      type: 'number',
      minimum: 1,
      maximum: 1000,
      unit: 'm',
      title: 'Longest distance',
      description: 'Computed distances end here.',
      default: 100,
    },
    tileUrl: {
      type: 'string',
      maxLength: 500,
      // One host, so that the page may be allowed exactly that one.
      pattern: '^$|^(?=.*\\{z\\})(?=.*\\{x\\})(?=.*\\{y\\})https?://[A-Za-z0-9.-]+(:\\d{1,5})?/[^\\s<>"]*$',
      ...faultAnnotation(settingsMessage('fault.tile-url', { z: '{z}', x: '{x}', y: '{y}' })),
      title: 'Map tiles',
      description:
        'Address of a tile server with {z}, {x} and {y}, such as http://tiles.local/{z}/{x}/{y}.png. Empty: the floor plan or a grid is drawn.',
      default: '',
    },
    tileAttribution: {
      type: 'string',
      maxLength: 200,
      title: 'Source of the tiles',
      description: 'Shown under the map, as many tile servers ask for.',
      default: '',
    },
  },
} as const;

const loggingSchema = {
  type: 'object',
  title: 'Log',
  additionalProperties: false,
  apply: 'live',
  default: {},
  required: ['level'],
  properties: {
    level: {
      type: 'string',
      enum: ['debug', 'info', 'warn', 'error'],
      title: 'Level',
      description: 'Levels below this are not logged. With info, CARTWRIGHT_LOG_LEVEL decides.',
      default: 'info',
    },
  },
} as const;

const sections = {
  schemaVersion: {
    type: 'integer',
    const: 1,
    title: 'Version of this document',
    description: 'Always 1.',
    apply: 'restart',
    default: 1,
  },
  gateway: gatewaySchema,
  mqtt: mqttSchema,
  serial: serialSchema,
  units: unitsSchema,
  presets: presetsSchema,
  kinematics: kinematicsSchema,
  limits: limitsSchema,
  gpio: gpioSchema,
  safety: safetySchema,
  carts: cartListSchema,
  simulation: simulationSchema,
  camera: cameraSchema,
  beacons: beaconsSchema,
  logging: loggingSchema,
} as const;

export const settingsSchema = {
  type: 'object',
  title: 'Settings',
  additionalProperties: false,
  properties: sections,
} as const;

/** A top-level member of variables.json. */
export type Section = keyof typeof sections;

/** variables.json, complete and valid. */
export type Settings = { [S in Section]: FromSchema<(typeof sections)[S]> };
export type MqttSettings = Settings['mqtt'];
export type CameraSettings = Settings['camera'];
export type BeaconsSettings = Settings['beacons'];

/** Every section, in the order of the file and of the page. */
export const SECTIONS = Object.keys(sections) as Section[];

/** When a change of the section takes effect; a value in it may be read at the start all the same (READ_AT_START). */
export function applyOf(section: Section): 'live' | 'idle' | 'restart' {
  return sections[section].apply;
}

/** What the walks below look at in a schema of any kind. */
export interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly secret?: boolean;
  readonly apply?: string;
  readonly default?: unknown;
}

/** JSON pointers of the members that are never shown, such as `/mqtt/password`. */
export const SECRETS: readonly string[] = pointersIn(settingsSchema, '', ({ secret }) => secret === true);

/** JSON pointers of the sections and values that are read once, at the start, such as `/gateway` and `/mqtt/root`. */
export const READ_AT_START: readonly string[] = pointersIn(
  settingsSchema,
  '',
  ({ apply }) => apply === 'restart',
);

function pointersIn(schema: SchemaNode, pointer: string, wanted: (schema: SchemaNode) => boolean): string[] {
  if (wanted(schema)) return [pointer];
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    pointersIn(part, `${pointer}/${name}`, wanted),
  );
}

/** The settings of a gateway that nobody has set up: small limits, embedded broker, simulated neighbours. A fresh copy. */
export function defaultSettings(): Settings {
  return defaultsOf(settingsSchema) as Settings;
}

function defaultsOf(schema: SchemaNode): unknown {
  if (!schema.properties) return structuredClone(schema.default);
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, part]) => [name, defaultsOf(part)]),
  );
}
