import {
  formBody,
  json,
  jsonBody,
  jsonOrPage,
  listOf,
  oneOf,
  page,
  pointerForm,
  record,
  ref,
  since1970,
  text,
  whole,
} from '../../web/openapi/parts.js';
import type { Api, Schema } from '../../web/openapi/types.js';
import { type SchemaNode, SECTIONS, settingsSchema } from '../schema/schema.js';

/** Where the schema of variables.json is, whatever the gateway is called. */
export const SETTINGS_SCHEMA_ID = 'urn:cartwright:settings:1';

/** The schema for those who write: what has a default may be left out. */
function asWritten(schema: SchemaNode & { readonly required?: readonly string[] }): Schema {
  const { properties, items, required = [], ...rest } = schema;
  const needed = required.filter((name) => properties?.[name]?.default === undefined);
  const members = Object.entries(properties ?? {}).map(([name, part]) => [name, asWritten(part)]);
  return {
    ...rest,
    ...(needed.length > 0 ? { required: needed } : {}),
    ...(properties ? { properties: Object.fromEntries(members) } : {}),
    ...(items ? { items: asWritten(items) } : {}),
  };
}

/** variables.json as people write it, as a schema that stands by itself. */
export const settingsDocument: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: SETTINGS_SCHEMA_ID,
  ...asWritten(settingsSchema),
};

const version = record<{ version: number; atMs: number; by: string; why: string; changes: unknown[] }>({
  ...{ version: whole, atMs: since1970, by: text },
  why: oneOf(['start', 'save', 'import', 'restore', 'rollback', 'hand-edit']),
  changes: listOf({
    type: 'object',
    additionalProperties: false,
    required: ['pointer'],
    properties: { pointer: text, from: {}, to: {} },
  }),
});

/** As they are kept: every section is there. */
const allSections = { ...settingsSchema, required: SECTIONS };

const form = page('A form');
const review = page('What would change, or that nothing would');
const notSaved = (...statuses: number[]) =>
  Object.fromEntries(statuses.map((status) => [status, page('The form again, with what is wrong')]));
const proposal = formBody(
  { type: 'object', required: ['proposal'], properties: { proposal: text } },
  { proposal: '0123456789ab' },
);
const trial = formBody(
  { type: 'object', required: ['id'], properties: { id: text } },
  { id: '0123456789ab' },
);
const settled = jsonOrPage('It is settled', record<{ ok: true }>({ ok: { const: true } }), { ok: true });
const tested = {
  anyOf: [
    record<{ ok: true; ms: number }>({ ok: { const: true }, ms: { type: 'number', unit: 'ms' } }),
    record<{ ok: false; reason: string }>({ ok: { const: false }, reason: text }),
  ],
};
const etag = { etag: { description: 'Of the settings as they are now', schema: text } };

export const settingsApi: Api = {
  tag: { name: 'Settings', description: 'variables.json: read, change, go back.' },
  schemas: { Settings: allSections, SettingsChange: asWritten(settingsSchema) },
  routes: {
    'GET /settings/schema.json': {
      summary: 'The JSON Schema of variables.json',
      answers: {
        200: {
          description: 'The schema',
          content: { 'application/schema+json': { schema: { type: 'object' } } },
        },
      },
    },
    'GET /variables.json': {
      summary: 'The settings; secrets are `***`',
      answers: { 200: { ...json('The settings', ref('Settings')), headers: etag } },
    },
    'POST /updateJson': {
      summary: 'Changes settings: send the parts that change',
      query: { trial: { description: '1: undone unless somebody confirms it', schema: oneOf(['1']) } },
      headers: { 'If-Match': { description: 'The `ETag` of the settings that you have read' } },
      body: jsonBody(ref('SettingsChange'), { limits: { maxSpeedMmps: 200 } }),
      answers: {
        200: {
          ...page('`index.html`'),
          headers: {
            ...etag,
            'x-restart-needed': { description: 'What takes effect at the next start', schema: text },
            'x-trial': { description: 'The id of the change on trial', schema: text },
          },
        },
      },
      failures: [409, 412, 500, 503],
    },
    'GET /brokerSettings': { summary: 'The settings page', answers: { 200: page('`brokerSettings.html`') } },
    'POST /brokerSettings': {
      summary: 'Shows what the form would change',
      body: pointerForm,
      answers: { 200: review, ...notSaved(400) },
    },
    'POST /brokerSettings/apply': {
      summary: 'Makes the change that was shown',
      body: proposal,
      answers: { 200: form, ...notSaved(400, 409, 412, 500, 503) },
    },
    'POST /brokerSettings/edit': {
      summary: 'Back from the change that was shown to the form',
      body: proposal,
      answers: { 200: form },
      failures: [409],
    },
    'POST /brokerSettings/confirm': {
      summary: 'Keeps the change on trial',
      body: trial,
      answers: { 200: settled },
      failures: [409, 503],
    },
    'POST /brokerSettings/rollback': {
      summary: 'Undoes the change on trial',
      body: trial,
      answers: { 200: settled },
      failures: [409, 503],
    },
    'GET /brokerSettings/history': {
      summary: 'The last 20 versions',
      answers: {
        200: jsonOrPage('Newest first', listOf(version)),
      },
    },
    'POST /brokerSettings/history/:version': {
      summary: 'Shows what going back to a version would change',
      path: { version: { description: 'Its number', schema: whole } },
      answers: { 200: review },
      failures: [400, 404],
    },
    'POST /brokerSettings/import': {
      summary: 'Shows what a document would change',
      body: formBody(
        {
          type: 'object',
          required: ['document'],
          properties: { document: { anyOf: [text, { type: 'object' }] } },
        },
        { document: { limits: { maxSpeedMmps: 200 } } },
      ),
      answers: { 200: review, ...notSaved(400) },
    },
    'POST /brokerSettings/test': {
      summary: 'Connects to a broker',
      body: formBody(
        {
          type: 'object',
          required: ['mqtt'],
          properties: { mqtt: asWritten(settingsSchema.properties.mqtt) },
        },
        { mqtt: { broker: 'external', host: 'broker.local' } },
      ),
      answers: { 200: json('Whether it can be reached', tested, { ok: true, ms: 12 }) },
      // The file with the password cannot be read.
      failures: [503],
    },
  },
};
