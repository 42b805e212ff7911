import type { Fault } from '../../shared/errors.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { completerFor } from '../../shared/validation/validate.js';
import { settingsMessage } from '../messages.js';
import { normaliseLegacy } from '../schema/legacy.js';
import { crossFaults } from '../schema/rules.js';
import {
  defaultSettings,
  type SchemaNode,
  SECRETS,
  SECTIONS,
  type Section,
  type Settings,
  settingsSchema,
} from '../schema/schema.js';
import { deepFreeze } from './change.js';
import { MASK, mapStrings, stringAt } from './merge.js';

export type JsonObject = Record<string, unknown>;

export interface ReadDocument {
  /** Complete, valid and deep-frozen. Invalid sections are replaced by their defaults. */
  settings: Settings;
  /** Content of the settings file: `settings`, but with invalid sections unchanged. */
  document: JsonObject;
  invalid: Map<Section, Fault[]>;
  unknown: Fault[];
}

const check = completerFor<Settings>(settingsSchema);

/** The document can contain short forms of a broker address. Masked secrets are taken from `old`. */
export function readDocument(raw: JsonObject, old: JsonObject = {}): ReadDocument {
  const { document: written, faults } = normaliseLegacy(raw);
  const unknown: Fault[] = [];
  const stripped = withoutUnknown(written, settingsSchema, '', unknown) as JsonObject;
  const known = mapStrings(stripped, SECRETS, (value, at) => (value === MASK ? stringAt(old, at) : value));
  const complete = structuredClone(known);
  const result = check(complete);
  if ('faults' in result) faults.push(...result.faults);
  // Rules that involve several settings are checked only for valid sections.
  faults.push(...crossFaults(settingsOf(complete, bySection(faults))));

  const invalid = bySection(faults);
  const document: JsonObject = {};
  for (const section of SECTIONS) {
    document[section] = invalid.has(section) ? known[section] : structuredClone(complete[section]);
  }
  return { settings: deepFreeze(settingsOf(complete, invalid)), document, invalid, unknown };
}

function bySection(faults: Fault[]): Map<Section, Fault[]> {
  const sections = new Map<Section, Fault[]>();
  for (const fault of faults) {
    const section = sectionOf(fault.path);
    const found = sections.get(section);
    if (found) found.push(fault);
    else sections.set(section, [fault]);
  }
  return sections;
}

function settingsOf(complete: JsonObject, invalid: Map<Section, Fault[]>): Settings {
  const settings: JsonObject = { ...defaultSettings() };
  for (const section of SECTIONS) if (!invalid.has(section)) settings[section] = complete[section];
  const result = check(settings);
  if ('faults' in result) throw new TypeError(`the default settings are invalid: ${result.faults[0]?.path}`);
  return result.value;
}

/** Errors in the short forms of a broker address are reported for the `mqtt` section. */
function sectionOf(pointer: string): Section {
  const name = pointer.split('/')[1];
  return SECTIONS.find((section) => section === name) ?? 'mqtt';
}

function withoutUnknown(value: unknown, schema: SchemaNode, pointer: string, unknown: Fault[]): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item, at) => withoutUnknown(item, items, `${pointer}/${at}`, unknown)) : value;
  }
  if (!isJsonObject(value) || schema.additionalProperties !== false) return value;
  const known: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    // Without `Object.hasOwn`, a member named `toString` would count as known.
    const part =
      schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    const at = `${pointer}/${name.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (part) known[name] = withoutUnknown(member, part, at, unknown);
    else unknown.push({ path: at, message: settingsMessage('unknown') });
  }
  return known;
}
