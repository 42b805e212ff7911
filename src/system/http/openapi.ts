import { OUTCOMES, STEPS, type StepResult } from '../../carts/commissioning/commissioning.js';
import { LOG_LEVELS } from '../../shared/log.js';
import type { BackupCheck, BackupReport, KeptBackup, RestoreChoice } from '../../shared/ports/ports.js';
import {
  away,
  file,
  formBody,
  json,
  jsonOrPage,
  listOf,
  mapOf,
  moment,
  number,
  oneOf,
  orNull,
  page,
  record,
  ref,
  since1970,
  text,
  whole,
} from '../../web/openapi/parts.js';
import type { Api } from '../../web/openapi/types.js';
import type { LogLine } from '../health/log-ring.js';
import type { KeptBox } from '../incidents/incident-store.js';
import type { TrendColumns } from '../trends/columns.js';
import type { FigureRow, PartRow, SystemState } from './context.js';

const state = record<SystemState>({
  parts: listOf(
    record<PartRow>({
      ...{ key: text, name: text, text, reason: text },
      tone: oneOf(['quiet', 'live', 'warn', 'stop']),
    }),
  ),
  figures: listOf(record<FigureRow>({ key: text, name: text, n: text, note: text })),
});
const level = oneOf(LOG_LEVELS);
const line = record<LogLine>({ id: whole, time: moment, level, event: text, text });
const box = record<KeptBox>({
  ...{ name: text, bytes: whole, cause: text, at: since1970 },
  incident: { ...whole, description: 'The same for recordings of the same incident' },
  pinned: { type: 'boolean', description: 'Kept until an administrator unpins it' },
});
const outcome = oneOf(OUTCOMES);
const result = record<StepResult>({ outcome, note: text, by: text, at: since1970 });

const measured = (of: object, unit: string, description: string) => ({
  ...{ type: 'array', maxItems: 1200, items: orNull({ ...of, unit }), description },
});
const trend = record<TrendColumns>({
  at: { type: 'array', maxItems: 1200, items: since1970 },
  lagMs: measured(number, 'ms', 'How late the event loop was at most in that second'),
  answerMs: measured(number, 'ms', 'The longest that the controller took to acknowledge a command'),
  speedMmps: measured(number, 'mm/s', 'Of the own cart; negative is backwards'),
  batteryMv: measured(number, 'mV', 'Of the own cart'),
});

const name = { name: { description: 'As in the list' } };
const zip = file('A ZIP', 'application/zip');
const success = record<{ success: true }>({ success: { const: true } });
const unchanged = { 304: { description: 'You have it' } };

export const systemApi: Api = {
  tag: { name: 'System', description: 'How the gateway is, and what it keeps.' },
  schemas: { System: state, StepResult: result },
  routes: {
    'GET /system': {
      summary: 'Its parts and figures',
      answers: { 200: jsonOrPage('The System page', ref('System')) },
    },
    'GET /system/log': {
      summary: 'The newest lines of the log',
      query: {
        level: { description: 'This and what is worse', schema: level },
        find: { description: 'A text in them', schema: { ...text, maxLength: 100 } },
        after: { description: 'Only after this `id`', schema: { ...whole, minimum: 0 } },
        limit: { description: 'How many; 200 when left out', schema: { ...whole, minimum: 0, maximum: 500 } },
      },
      answers: {
        200: json(
          'Oldest first',
          record<{ newest: number; lines: LogLine[] }>({ newest: whole, lines: listOf(line) }),
        ),
      },
      failures: [400],
    },
    'GET /system/trend': {
      summary: 'The last ten minutes, a row for each second',
      answers: { 200: json('Columns of the same length, oldest first; `null`: not measured', trend) },
    },
    'GET /commissioning': {
      summary: 'The tour of a commissioning',
      query: { step: { description: 'The step to show', schema: oneOf(STEPS) } },
      answers: {
        200: jsonOrPage(
          'Its record',
          record<{ steps: unknown; results: unknown }>({
            steps: listOf(oneOf(STEPS)),
            results: mapOf(ref('StepResult')),
          }),
        ),
      },
    },
    'POST /commissioning': {
      summary: 'Notes what became of a step',
      body: formBody(
        {
          type: 'object',
          required: ['step'],
          properties: {
            step: { ...oneOf([...STEPS, 'rest']), description: '`rest`: all others are skipped' },
            outcome,
            note: { ...text, maxLength: 300 },
          },
        },
        { step: 'wheels', outcome: 'passed', note: '' },
      ),
      answers: {
        200: json(
          'Noted',
          record<{ success: true; results: unknown }>({
            success: { const: true },
            results: mapOf(ref('StepResult')),
          }),
        ),
        303: away('A browser goes on to the next step'),
      },
      failures: [503],
    },
    'GET /black-boxes': {
      summary: 'The black boxes',
      answers: { 200: json('Newest first', record<{ boxes: unknown }>({ boxes: listOf(box) })) },
    },
    'GET /black-boxes/:name': {
      summary: 'One black box',
      path: name,
      answers: { 200: zip, 206: zip, ...unchanged },
      failures: [404],
    },
    'POST /black-boxes/:name/pin': {
      summary: 'Keeps one until it is unpinned; at most ten',
      path: name,
      answers: { 200: jsonOrPage('Pinned', success) },
      failures: [404, 409, 503],
    },
    'POST /black-boxes/:name/unpin': {
      summary: 'Lets newer ones replace it again',
      path: name,
      answers: { 200: jsonOrPage('Unpinned', success) },
      failures: [404, 503],
    },
  },
};

const kept = { name: text, bytes: whole, at: since1970 };
const choice = record<RestoreChoice>({ name: text, by: text, at: since1970 });
const bytes = file('An SQLite database', 'application/octet-stream');

export const backupApi: Api = {
  tag: { name: 'Backups', description: 'Copies of the database.' },
  routes: {
    'GET /backups': {
      summary: 'All copies, and the one chosen for the next start',
      answers: {
        200: json(
          'Newest first',
          record<{ backups: KeptBackup[]; chosen: RestoreChoice | null }>({
            ...{ backups: listOf(record<KeptBackup>(kept)), chosen: orNull(choice) },
          }),
        ),
      },
    },
    'POST /backups': {
      summary: 'Makes a verified copy now',
      answers: {
        201: jsonOrPage(
          'Made',
          record<BackupReport>({ path: text, bytes: whole, ms: { ...number, unit: 'ms' } }),
        ),
        503: page('The System page, with why not'),
      },
      failures: [503],
    },
    'GET /backups/:name': {
      summary: 'Downloads one',
      path: name,
      answers: { 200: bytes, 206: bytes, ...unchanged },
      failures: [404],
    },
    'POST /backups/:name/verify': {
      summary: 'Reads one through',
      path: name,
      answers: {
        200: jsonOrPage(
          'What was found',
          record<BackupCheck>({
            ...{ ...kept, damage: text },
            tables: listOf(record<BackupCheck['tables'][number]>({ table: text, kept: whole, now: whole })),
          }),
        ),
      },
      failures: [404, 503],
    },
    'POST /backups/:name/restore': {
      summary: 'Verifies one, and puts it in the place of the database at the next start',
      path: name,
      answers: { 200: jsonOrPage('Noted', choice) },
      failures: [404, 503],
    },
    'POST /backups/cancel-restore': {
      summary: 'Takes that back',
      answers: { 200: jsonOrPage('Taken back', success) },
      failures: [503],
    },
  },
};
