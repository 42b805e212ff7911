import type { FromSchema } from 'json-schema-to-ts';
import { beaconsSchema } from '../../beacons/settings-schema.js';
import { cameraSchema } from '../../camera/capture/schema.js';
import { presetsSchema, unitsSchema } from '../../carts/command/settings-schema.js';
import { limitsSchema } from '../../carts/control/settings-schema.js';
import { cartListSchema, gatewaySchema, simulationSchema } from '../../carts/fleet/settings-schema.js';
import { gpioSchema, safetySchema } from '../../carts/safety/settings-schema.js';
import { kinematicsSchema, serialSchema } from '../../carts/serial/settings-schema.js';
import { mqttSchema } from './mqtt.js';

/**
 * The schema of variables.json, composed of the sections beside the code that obeys them. One schema validates the file
 * and the body of POST /updateJson, completes partial documents, and draws the form on the page. `apply` says when a
 * change takes effect: `live` at once, `idle` only while no cart of this gateway moves, `restart` at the next start.
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
