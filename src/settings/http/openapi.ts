import * as t from '../../http/openapi/schema-helpers.js';
import { type SchemaNode, SECTIONS, settingsSchema } from '../schema/schema.js';

const program = t.access({ need: 'operator', scopes: ['settings:write'] });

/** A URN, so that the ID does not depend on the host name. */
export const SETTINGS_SCHEMA_ID = 'urn:cartwright:settings:1';

/** Returns the schema for input: values that have a default are optional. */
function asWritten(schema: SchemaNode & { readonly required?: readonly string[] }): t.Schema {
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

export const settingsDocument: t.Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: SETTINGS_SCHEMA_ID,
  ...asWritten(settingsSchema),
};

const version = t.exact({
  version: t.whole,
  atMs: t.since1970,
  by: t.text,
  why: t.oneOf(['start', 'save', 'import', 'restore', 'rollback', 'hand-edit']),
  changes: t.listOf(t.exact({ pointer: t.text }, { from: {}, to: {} })),
});

/** A document has up to 256 KiB; percent-encoding in a form can triple its size. */
const FORM_KIB = 768;
/** Room for two fields for each of 1,000 carts and 400 presets, one field for each other setting, and a reserve. */
const MAX_FIELDS = 5000;
const oneText = (name: string) =>
  t.formBody(t.open([name], { [name]: t.text }), { [name]: '0123456789ab' }, FORM_KIB);
const settle = {
  body: oneText('id'),
  ok: t.json(t.exact({ ok: t.yes }), { ok: true }),
  redirect: 'Browsers are redirected to the Settings page, which shows the result',
  fails: [409],
};
const tested = {
  anyOf: [t.exact({ ok: t.yes, ms: t.ms }), t.exact({ ok: { const: false }, reason: t.text })],
};
const etag = { etag: { description: 'ETag of the current settings' } };

const settingsChapter = {
  name: 'Settings',
  description: 'Read, change and restore variables.json.',
  schemas: { Settings: { ...settingsSchema, required: SECTIONS }, SettingsChange: asWritten(settingsSchema) },
  path: { version: t.whole },
};
export const settingsApi = t.api(settingsChapter, {
  'GET /settings/schema.json': t.anyone('Returns the JSON Schema for variables.json', {
    ok: { content: t.contentOf(['application/schema+json'], t.object) },
  }),
  'GET /variables.json': program('Returns the settings, with secrets masked', {
    ok: { ...t.jsonOf('Settings'), headers: etag },
  }),
  'POST /updateJson': program('Changes only the settings in the request body', {
    query: {
      trial: { ...t.oneOf(['1']), description: 'Set to 1 to roll back the change unless it is confirmed' },
    },
    headers: { 'If-Match': { description: '`ETag` of the settings that the client read' } },
    body: t.jsonBody(t.ref('SettingsChange'), { limits: { maxSpeedMmps: 200 } }, 256),
    ok: {
      ...t.page,
      headers: {
        ...etag,
        'x-restart-needed': { description: 'Sections and values that take effect only after a restart' },
        'x-trial': { description: 'ID of the unconfirmed change; absent if the change is permanent' },
      },
    },
    fails: [409, 412],
  }),
  'GET /brokerSettings': t.operator('Shows the Settings page', {
    query: {
      section: { ...t.text, description: 'Section to show. Default: `limits`' },
      find: { ...t.text, description: 'Words to find in titles, help texts and keys' },
      view: { ...t.oneOf(['basic', 'advanced']), description: 'Settings to show. Default: `basic`' },
      saved: {
        ...t.text,
        description: 'ETag of the saved settings; if given, the page confirms the save',
      },
      trial: { ...t.text, description: 'ID of the trial whose result the page reports' },
    },
    ok: t.page,
  }),
  'POST /brokerSettings': t.operator('Previews changes to the settings', {
    body: { ...t.pointerForm(FORM_KIB), maxFields: MAX_FIELDS },
    ok: t.page,
  }),
  'POST /brokerSettings/apply': t.operator('Applies the previewed changes', {
    body: oneText('proposal'),
    redirect: 'The browser is redirected to the Settings page, which shows the result',
    answers: { 409: t.page, 412: t.page },
  }),
  'POST /brokerSettings/edit': t.operator('Returns from the preview to the form', {
    body: oneText('proposal'),
    ok: t.page,
    fails: [409],
  }),
  'POST /brokerSettings/confirm': t.operator('Confirms the change on trial', settle),
  'POST /brokerSettings/rollback': t.operator('Rolls back the change on trial', settle),
  'GET /brokerSettings/history': t.operator('Lists the last 20 versions of the settings', {
    ok: t.jsonOrPage(t.listOf(version)),
  }),
  'POST /brokerSettings/history/:version': t.operator(
    'Previews restoring an earlier version of the settings',
    { ok: t.page },
  ),
  'POST /brokerSettings/import': t.operator('Previews the import of a settings document', {
    body: t.formBody(
      t.open(['document'], { document: { anyOf: [t.text, t.object] } }),
      { document: { limits: { maxSpeedMmps: 200 } } },
      FORM_KIB,
    ),
    ok: t.page,
  }),
  'POST /brokerSettings/test': t.operator(
    'Tests the MQTT settings without saving them; `***` stands for the stored password',
    {
      body: t.formBody(
        t.open(['mqtt'], { mqtt: asWritten(settingsSchema.properties.mqtt) }),
        { mqtt: { broker: 'external', host: 'broker.local' } },
        256,
      ),
      ok: t.json(tested, { ok: true, ms: 12 }),
      fails: [429],
    },
  ),
});
