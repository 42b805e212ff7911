import type { FromSchema } from 'json-schema-to-ts';
import { alarmsSchema } from '../../alarms/pure.js';
import { beaconsSchema } from '../../beacons/pure.js';
import { cameraSchema } from '../../camera/pure.js';
import {
  cartListSchema,
  gatewaySchema,
  gpioSchema,
  kinematicsSchema,
  limitsSchema,
  presetsSchema,
  protectiveFieldSchema,
  safetySchema,
  serialSchema,
  simulationSchema,
  unitsSchema,
} from '../../carts/pure.js';
import { navigationSchema } from '../../navigation/pure.js';
import { siteSchema } from '../../site/pure.js';
import { mqttSchema } from './mqtt.js';

/**
 * The schema of variables.json, which validates files and requests, completes partial documents, and generates the
 * form. `apply` defines when a change takes effect: immediately (`live`), only while the cart is stationary (`idle`)
 * or after a restart (`restart`). `basic` marks the settings that the form shows before the operator selects
 * Advanced. `group` is the title of the setting's group in the form. `page` is the path of another page that sets the
 * value; the form links to that page. `valueTitles` contains the display names of an enumeration's values.
 */

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
      valueTitles: { debug: 'Debug', info: 'Info', warn: 'Warning', error: 'Error' },
      title: 'Level',
      description:
        'Messages below this level are not logged. If this level is Info, the CARTWRIGHT_LOG_LEVEL environment variable applies.',
      default: 'info',
    },
  },
} as const;

const shopSchema = {
  type: 'object',
  title: 'Shop',
  additionalProperties: false,
  apply: 'live',
  default: {},
  required: ['menu'],
  properties: {
    menu: {
      type: 'string',
      enum: ['auto', 'always', 'never'],
      valueTitles: { auto: 'Automatic', always: 'Always', never: 'Never' },
      title: 'Show in the menu',
      description:
        'Automatic: the shop is shown while a game is for sale. A new gateway has five sample games, which can be taken off sale on the /shop/admin page.',
      default: 'auto',
    },
  },
} as const;

const sections = {
  schemaVersion: {
    type: 'integer',
    const: 1,
    title: 'Document version',
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
  protectiveField: protectiveFieldSchema,
  gpio: gpioSchema,
  safety: safetySchema,
  carts: cartListSchema,
  simulation: simulationSchema,
  camera: cameraSchema,
  beacons: beaconsSchema,
  navigation: navigationSchema,
  site: siteSchema,
  alarms: alarmsSchema,
  shop: shopSchema,
  logging: loggingSchema,
} as const;

export const settingsSchema = {
  type: 'object',
  title: 'Settings',
  additionalProperties: false,
  properties: sections,
} as const;

export type Section = keyof typeof sections;

export type Settings = { [S in Section]: FromSchema<(typeof sections)[S]> };
export type MqttSettings = Settings['mqtt'];
export type CameraSection = Settings['camera'];

/** All sections, in file order. */
export const SECTIONS = Object.keys(sections) as Section[];

const WITHOUT_EFFECT_ON_SAFETY: readonly Section[] = [
  'presets',
  'camera',
  'beacons',
  'alarms',
  'shop',
  'logging',
];

/** Returns true if the section can affect how the cart drives and stops. */
export function isSafetyRelevant(section: string): boolean {
  return !WITHOUT_EFFECT_ON_SAFETY.some((name) => name === section);
}

/** Individual values can differ from their section; see `READ_AT_START`. */
export function applyOf(section: Section): 'live' | 'idle' | 'restart' {
  return sections[section].apply;
}

export interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly secret?: boolean;
  readonly basic?: boolean;
  readonly apply?: string;
  readonly default?: unknown;
}

/** JSON pointers to secrets, such as `/mqtt/password`. */
export const SECRETS: readonly string[] = pointersIn(settingsSchema, '', ({ secret }) => secret === true);

/** JSON pointers to sections and values that are read only at startup, such as `/mqtt/root`. */
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

/** Returns a new copy of the defaults: low limits, embedded broker, simulated carts. */
export function defaultSettings(): Settings {
  return defaultsOf(settingsSchema) as Settings;
}

function defaultsOf(schema: SchemaNode): unknown {
  if (!schema.properties) return structuredClone(schema.default);
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, part]) => [name, defaultsOf(part)]),
  );
}
