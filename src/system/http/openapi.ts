import {
  type ContentSize,
  type GatewayBackup,
  GROUPS,
  INTERVALS,
  type InspectedBackup,
  type LeftOut,
  type MadeBackup,
  type Manifest,
  newBackupSchema,
  type Part,
  passphraseSchema,
  type RestoreView,
  type ScheduleView,
  scheduleSchema,
  setupRestoreSchema,
} from '../../backups/index.js';
import type { LinksView } from '../../carts/index.js';
import * as t from '../../http/openapi/schema-helpers.js';
import { LOG_LEVELS } from '../../shared/log.js';
import type { BackupCheck, BackupEntry, RestoreChoice } from '../../shared/ports/backups.js';
import type {
  BackupReport,
  LostWrites,
  RestoreReport,
  StoreMetrics,
  StoreStatus,
} from '../../shared/ports/store.js';
import { type CompletedSteps, FIRST_STEPS, type FirstRunView } from '../first-run/first-run.js';
import type { LogLine } from '../health/log-ring.js';
import type { ReadyChecks } from '../health/ready-checks.js';
import type { StoredIncident } from '../incidents/incident-store.js';
import type { TrendColumns } from '../trends/columns.js';
import type { FigureRow, HealthSummary, PartRow, SystemState } from './pages.js';
import { DONE } from './pages.js';

const monitor = t.access({ need: 'operator', scopes: ['metrics:read'] });

export const gatewayMembers = {
  ...t.each(t.text, 'name', 'fleet', 'version'),
  cartID: t.whole,
  simulated: t.flag,
};

const links = t.record<LinksView>({
  broker: t.record<LinksView['broker']>({
    ...t.each(t.flag, 'connected', 'embedded'),
    ...t.each(t.text, 'reason', 'url'),
  }),
  camera: t.record<LinksView['camera']>({
    tone: t.oneOf(['quiet', 'unknown', 'live', 'warn', 'stop']),
    ...t.each(t.text, 'text', 'reason'),
    simulated: t.flag,
  }),
});

const metrics = t.record<StoreMetrics>({
  ...t.each(t.whole, 'transactions', 'operations', 'failedOperations', 'refusedOperations', 'fsyncs'),
  ...t.each(t.bytes, 'bytesWritten', 'freeBytes', 'walBytes'),
  ...t.each(t.number, 'fsyncsPerWrite', 'bytesPerWrite'),
  writerRestarts: t.whole,
  lastCommitMs: t.ms,
});
const lostWrites = t.record<LostWrites>(
  { code: t.oneOf(['STORE_LOST_WRITES']), at: t.since1970, count: t.whole, kept: t.text },
  {
    notKept: t.text,
    backup: t.record<NonNullable<LostWrites['backup']>>({ name: t.text, writes: t.whole }),
  },
);
const restored = t.record<RestoreReport>({ ...t.each(t.text, 'name', 'by', 'kept'), at: t.since1970 });
const store = t.record<StoreStatus>(
  {
    ...t.each(t.flag, 'healthy', 'readOnly'),
    reason: t.text,
    notices: t.listOf(t.text),
    information: {
      ...t.listOf(t.text),
      description: 'Startup events that are not faults, such as a restore',
    },
    ...t.each(t.whole, 'schemaVersion', 'queueOperations'),
    queueBytes: t.bytes,
    metrics,
    writerSilentMs: t.ms,
  },
  {
    isLastSecondUnverified: t.flag,
    lostWrites,
    restoredFrom: t.text,
    restored: {
      ...restored,
      description:
        'The restore; present until an administrator confirms the payments, which are disabled until then',
    },
    lastBackup: t.record<NonNullable<StoreStatus['lastBackup']>>({
      path: t.text,
      bytes: t.bytes,
      at: t.since1970,
    }),
  },
);

const health = t.exact({
  ...gatewayMembers,
  auth: t.oneOf(['trusted-lan', 'required']),
  mode: t.oneOf(['full', 'stop-only']),
  status: t.oneOf(['ok', 'degraded']),
  faults: t.listOf(t.text),
  links: t.ref('Links'),
  safety: t.mapOf(t.ref('Safety')),
  clockSynced: t.orNull(t.flag),
  settingsFaults: t.refs('Fault'),
  store,
  uptimeS: { ...t.number, unit: 's' },
});

const reasons = t.listOf(t.exact(t.each(t.text, 'code', 'text')));
const outcome = t.oneOf(['passed', 'failed', 'off'] satisfies ReadyChecks['stop'][]);
const checks = t.record<ReadyChecks>({
  ...t.each(outcome, 'store', 'settings', 'controller', 'camera', 'broker', 'emergencyStop'),
  stop: { ...outcome, description: '`passed` if the controller has acknowledged a stop in this connection' },
});
const ready = (isReady: boolean) =>
  t.json(
    t.exact(
      { ready: { const: isReady }, simulated: t.flag, version: t.text },
      {
        notice: { const: 'SIMULATED' },
        reasons,
        checks: {
          ...checks,
          description:
            'The parts that must still work after an update if they worked before; `off` if the gateway does not use a part or cannot check it. Absent in stop-only mode',
        },
        parked: {
          ...t.flag,
          description: 'True if the cart is stationary and has no active command. Absent in stop-only mode',
        },
      },
    ),
  );
const safe = (mayMove: boolean) =>
  t.json(
    t.exact({
      cartID: t.whole,
      mayMove: { const: mayMove },
      reasons,
      ...t.each(t.flag, 'moving', 'simulated'),
      emergencyStop: t.oneOf(['NONE', 'MANUAL', 'REMOTE']),
    }),
  );

const healthChapter = {
  name: 'Health',
  description: "The gateway's state, for operators and monitoring.",
  schemas: { Links: links, Health: health },
};
const probe = t.access({ need: 'public', probe: true });
export const healthApi = t.api(healthChapter, {
  'GET /livez': probe('Checks that the process responds', {
    ok: t.json(t.exact({ alive: t.yes }), { alive: true }),
  }),
  'GET /readyz': probe('Checks that the gateway handles requests and persists acknowledged data', {
    ok: ready(true),
    answers: { 503: ready(false) },
  }),
  'GET /safez': t.anyone("Checks whether this gateway's cart may move", {
    ok: safe(true),
    answers: { 503: safe(false) },
  }),
  'GET /health': t.anyone('Returns the health of all components', {
    description:
      'Operators, API keys and clients on a trusted network receive messages, names, addresses and paths. For all other clients, these members are empty and `faults` contains only component names.',
    ok: t.jsonOf('Health'),
  }),
  'GET /.well-known/security.txt': t.anyone('Returns the contact for reporting vulnerabilities (RFC 9116)', {
    description: 'Returns 404 if the release specifies no contact.',
    ok: { content: t.contentOf(['text/plain'], t.text) },
    fails: [404],
  }),
  'GET /metrics': monitor('Returns metrics for Prometheus', {
    ok: { content: t.contentOf(['text/plain'], t.text) },
  }),
});

const tone = t.oneOf(['quiet', 'unknown', 'live', 'warn', 'stop']);
const state = t.record<SystemState>({
  summary: t.record<HealthSummary>({ text: t.text, tone }),
  parts: t.listOf(
    t.record<PartRow>({
      ...t.each(t.text, 'key', 'name', 'text', 'reason', 'effect', 'action', 'href', 'link'),
      tone,
    }),
  ),
  figures: t.listOf(t.record<FigureRow>(t.each(t.text, 'key', 'name', 'n', 'note'))),
});
const level = t.oneOf(LOG_LEVELS);
const lines = t.listOf(
  t.record<LogLine>({ id: t.whole, time: t.moment, level, ...t.each(t.text, 'event', 'text') }),
);
const box = t.record<StoredIncident>({
  ...t.each(t.text, 'name', 'cause'),
  bytes: t.whole,
  at: t.since1970,
  incident: { ...t.whole, description: 'Incident number, shared by all recordings of an incident' },
  pinned: { ...t.flag, description: 'If true, the recording is kept until an administrator unpins it' },
});

const column = (items: t.Schema, description?: string) => ({
  ...t.listOf(items),
  maxItems: 1200,
  ...(description ? { description } : {}),
});
const trend = t.record<TrendColumns>({
  at: column(t.since1970),
  lagMs: column(t.orNull(t.ms), 'Maximum event-loop lag in each second'),
  answerMs: column(
    t.orNull(t.ms),
    'Maximum time from a command to its acknowledgement by the controller, in each second',
  ),
  speedMmps: column(
    t.orNull(t.mmps),
    "Speed of this gateway's cart; negative when the cart drives backwards",
  ),
  batteryMv: column(t.orNull({ ...t.number, unit: 'mV' }), "Battery voltage of this gateway's cart"),
});
const success = t.jsonOrPage(t.success());

const systemChapter = {
  name: 'System',
  description: "The gateway's components, metrics, log and recordings.",
  schemas: { System: state },
};
export const systemApi = t.api(systemChapter, {
  'GET /system': t.operator('Returns components and metrics', {
    query: {
      level: { ...level, description: 'Minimum level of the log lines on the page' },
      find: {
        ...t.text,
        maxLength: 100,
        description: 'Words that the log lines on the page must contain, in any order',
      },
      done: { ...t.oneOf(DONE), description: 'The action whose result the page shows' },
    },
    ok: t.jsonOrPage(t.ref('System')),
    fails: [400],
  }),
  'GET /system/log': t.operator('Lists the latest log lines, oldest first', {
    query: {
      level: { ...level, description: 'Minimum level' },
      find: {
        ...t.text,
        maxLength: 100,
        description: 'Returns only lines that contain all of these words, in any order',
      },
      after: { ...t.between(0), description: 'Returns only lines after this `id`' },
      limit: { ...t.between(0, 500), description: 'Default: 200' },
    },
    ok: t.json(t.exact({ newest: t.whole, lines })),
    fails: [400],
  }),
  'GET /system/trend': t.operator(
    'Returns the trend over the last ten minutes: one column per quantity, with one value per second (`null` if not measured)',
    { ok: t.json(trend) },
  ),
  'GET /black-boxes': t.operator('Lists the recordings, newest first', {
    ok: t.json(t.exact({ boxes: t.listOf(box) })),
  }),
  'GET /black-boxes/:name': t.operator('Downloads a recording', { ...t.download('application/zip') }),
  'POST /black-boxes/:name/pin': t.admin('Pins a recording; at most ten recordings can be pinned', {
    ok: success,
    fails: [404, 409],
  }),
  'POST /black-boxes/:name/unpin': t.admin('Unpins a recording', { ok: success }),
});

const kept = { name: t.text, bytes: t.whole, at: t.since1970 };
const choice = t.record<RestoreChoice>({ ...t.each(t.text, 'name', 'by'), at: t.since1970 });

const check = t.record<BackupCheck>({
  ...kept,
  damage: t.text,
  tables: t.listOf(
    t.record<BackupCheck['tables'][number]>({ table: t.text, ...t.each(t.whole, 'kept', 'now') }),
  ),
});

/** Only administrators have access to backups, because backups contain password hashes. */
const backupChapter = { name: 'Backups', description: 'Database backups.' };

export const backupApi = t.api(backupChapter, {
  'GET /backups': t.admin(
    'Lists the backups, newest first, and the backup to be restored at the next restart',
    {
      ok: t.json(
        t.exact({
          backups: t.listOf(t.record<BackupEntry>(kept)),
          uploads: {
            ...t.listOf(t.record<BackupEntry>(kept)),
            description: 'Uploaded backups; `at` is the time of the upload',
          },
          chosen: t.orNull(choice),
        }),
      ),
    },
  ),
  'POST /backups': t.admin('Creates a verified backup', {
    created: t.json(t.record<BackupReport>({ path: t.text, bytes: t.whole, ms: t.ms })),
    redirect: t.BACK,
  }),
  'PUT /backups/upload': t.admin('Uploads a previously downloaded backup, or part of one', {
    description:
      'A part can be up to 4 MiB long. Send the parts of a larger file in order, with `Content-Range: bytes first-last/size`; the response to each part except the last is 202. After the last part, the gateway checks the file and responds with 201. The file can then be restored under the name in the response. The file replaces the previously uploaded backup, unless that backup is scheduled to be restored.',
    ...t.fileInParts(check, 'application/vnd.sqlite3'),
    fails: [409, 422],
  }),
  'GET /backups/:name': t.admin('Downloads a backup as an SQLite file', {
    ...t.download('application/octet-stream'),
  }),
  'POST /backups/:name/verify': t.admin('Verifies a backup', {
    ok: t.jsonOrPage(check),
  }),
  'POST /backups/:name/restore': t.admin('Schedules a backup to be restored at the next restart', {
    ok: t.json(choice),
    redirect: t.BACK,
    fails: [404, 409],
  }),
  'POST /backups/acknowledge-loss': t.admin('Clears the report of lost writes', {
    ok: t.json(lostWrites),
    redirect: t.BACK,
    fails: [404],
  }),
  'POST /backups/confirm-payments': t.admin(
    'Confirms that the stored payments are correct after a restore, and enables payments',
    { ok: t.json(restored), redirect: t.BACK, fails: [404] },
  ),
  'POST /backups/cancel-restore': t.admin('Cancels the scheduled restore', { ok: success }),
});

const gatewayBackup = {
  ...t.each(t.text, 'name'),
  bytes: t.bytes,
  at: t.since1970,
  uploaded: t.flag,
  usb: { ...t.flag, description: 'True if the USB stick contains the file, or a copy of it' },
};
const gatewayBackupInParts = t.fileInParts(t.record<GatewayBackup>(gatewayBackup));
const contentSize = t.record<ContentSize>({ what: t.text, files: t.whole, bytes: t.bytes });
const manifest = t.record<Manifest>({
  ...t.each(t.text, 'gateway', 'version'),
  ...t.each(t.whole, 'cartId', 'schemaVersion'),
  madeAt: t.since1970,
  tables: { ...t.mapOf(t.whole), description: 'Number of rows in each table' },
  parts: t.listOf(t.record<Part>({ path: t.text, bytes: t.bytes, sha256: t.text })),
  include: t.listOf(t.oneOf(GROUPS)),
  leftOut: t.listOf(
    t.record<LeftOut>({ path: t.text, reason: t.oneOf(['not-selected', 'not-a-file', 'unknown']) }),
  ),
});
const inspected = t.record<InspectedBackup>({
  ...gatewayBackup,
  manifest,
  contents: t.listOf(contentSize),
  problems: t.listOf(t.text),
});

const restore = t.record<RestoreView>({
  ...t.each(t.text, 'name', 'by'),
  at: { ...t.since1970, description: 'Time of the request' },
  step: {
    ...t.oneOf(['staged', 'trial', 'waiting', 'returning']),
    description:
      '`staged`: the gateway must restart. `trial`: the restored gateway has not been ready for 60 s yet. `waiting`: the restore is waiting for confirmation. `returning`: the next start returns to the previous data',
  },
  confirmableInS: { ...t.whole, unit: 's', description: '0 if the restore can be confirmed now' },
});

const acceptedRestore = {
  202: {
    ...t.jsonOrPage(
      t.exact({
        restore: t.orNull(restore),
        restartsItself: {
          ...t.flag,
          description: 'True if the gateway restarts by itself. Otherwise, it must be restarted to continue',
        },
      }),
    ),
    description: 'Accepted',
  },
};

const gatewayBackupChapter = {
  name: 'Gateway backups',
  description: 'Encrypted backups of the whole gateway, and their restore.',
};

const schedule = t.record<ScheduleView>({
  every: t.oneOf(INTERVALS),
  include: t.listOf(t.oneOf(GROUPS)),
  by: { ...t.text, description: 'The user who turned on the schedule' },
  at: { ...t.since1970, description: 'When the schedule was turned on' },
  last: {
    ...t.orNull(t.exact({ name: t.text, at: t.since1970 })),
    description: 'The latest scheduled backup; null if there is none',
  },
  failure: { ...t.text, description: 'Why the latest attempt failed; empty if it succeeded' },
  isOverdue: {
    ...t.flag,
    description: 'True if the latest backup is older than two intervals, or more than a day in the future',
  },
});

/** The backups contain everything that gives access to the gateway. */
export const gatewayBackupApi = t.api(gatewayBackupChapter, {
  'GET /gateway-backups': t.admin('Lists the backups of the whole gateway, newest first', {
    ok: t.json(
      t.exact({
        backups: t.listOf(t.record<GatewayBackup>(gatewayBackup)),
        usbStick: { ...t.flag, description: 'True if a USB stick is plugged in' },
        restore: {
          ...t.orNull(restore),
          description: 'The restore that is not yet confirmed; null if there is none',
        },
      }),
    ),
  }),
  'POST /gateway-backups': t.admin('Creates an encrypted backup of the whole gateway', {
    description:
      'The passphrase must have 12 to 256 characters and is not stored. A request without a passphrase fails with `BACKUP_PASSPHRASE`, because a backup always contains secrets. The latest three backups are kept. If a USB stick is plugged in, the backup is copied to it.',
    body: t.formBody(newBackupSchema, { passphrase: 'correct horse battery', include: ['photos'] }),
    created: t.jsonOrPage(
      t.record<MadeBackup>({
        ...t.each(t.text, 'name', 'sha256'),
        bytes: t.bytes,
        contents: t.listOf(contentSize),
        usb: { ...t.flag, description: 'True if the USB stick has a copy' },
        usbFailure: {
          ...t.text,
          description: 'Why there is no copy on the USB stick; empty if there is one, or no stick',
        },
      }),
    ),
    redirect: t.BACK,
    fails: [409, 422],
  }),
  'GET /gateway-backups-schedule': t.admin('Returns the schedule of gateway backups', {
    ok: t.json(t.exact({ schedule: t.orNull(schedule) })),
  }),
  'PUT /gateway-backups-schedule': t.admin('Turns on scheduled gateway backups', {
    description:
      'The gateway stores the key that is derived from the passphrase, but not the passphrase. The key can decrypt the scheduled backups.',
    body: t.jsonBody(scheduleSchema, { every: 'day', passphrase: 'correct horse battery' }),
    ok: t.json(schedule),
    fails: [422],
  }),
  'DELETE /gateway-backups-schedule': t.admin('Turns off scheduled gateway backups and deletes their key', {
    ok: t.done,
    fails: [404],
  }),
  'POST /gateway-backups-schedule': t.admin(
    'Turns on scheduled gateway backups (HTML form); programs use PUT',
    { body: t.pageForm(scheduleSchema), ok: t.page, redirect: t.BACK, fails: [422] },
  ),
  'POST /gateway-backups-schedule/off': t.admin(
    'Turns off scheduled gateway backups (HTML form); programs use DELETE',
    { ok: t.done, redirect: t.BACK, fails: [404] },
  ),
  'GET /gateway-backups/:name': t.admin('Downloads a backup of the whole gateway', {
    ...t.download('application/octet-stream'),
  }),
  'PUT /gateway-backups/:name': t.admin('Uploads a backup of a whole gateway, or part of one', {
    description:
      'As with `PUT /backups/upload`, a part can be up to 4 MiB long; send the parts of a larger file in order, with `Content-Range: bytes first-last/size`. The response to each part except the last is 202. The file replaces the previously uploaded backup. To check its content, use `POST /gateway-backups/:name/inspect`.',
    ...gatewayBackupInParts,
    fails: [409, 422],
  }),
  'POST /gateway-backups/:name/inspect': t.admin('Decrypts a backup and returns its contents', {
    description: 'Checks the whole backup. Changes nothing.',
    body: t.formBody(passphraseSchema, { passphrase: 'correct horse battery' }),
    ok: t.jsonOrPage(inspected),
    fails: [404, 409, 422],
  }),
  'DELETE /gateway-backups/:name': t.admin('Deletes a backup of the whole gateway', {
    ok: t.done,
    fails: [404, 409],
  }),
  'POST /gateway-backups/:name/delete': t.admin(
    'Deletes a backup of the whole gateway (HTML form); programs use DELETE',
    { ok: t.done, redirect: t.BACK, fails: [404, 409] },
  ),
  'POST /gateway-backups/:name/restore': t.admin(
    'Checks and unpacks a backup, and restarts the gateway to replace its data',
    {
      description:
        'Rejected while the cart is moving. Nothing is replaced before the restart. The previous data is kept until the restore is confirmed. Revocations and a latched stop remain in force.',
      body: t.formBody(passphraseSchema, { passphrase: 'correct horse battery' }),
      answers: acceptedRestore,
      fails: [404, 409, 422, 503],
    },
  ),
  'POST /gateway-backups/confirm': t.admin('Confirms a restore and deletes the previous data', {
    description:
      'Possible only after the restored gateway has been ready for 60 s without interruption. Until then, the response is 409 with `Retry-After`.',
    ok: t.json(restore),
    redirect: t.BACK,
    fails: [404, 409],
  }),
  'POST /gateway-backups/cancel-restore': t.admin(
    'Reverts to the data from before the restore and restarts the gateway',
    { answers: acceptedRestore, fails: [404, 409] },
  ),
});

/** Contains the setup code of a request whose body is a file. */
export const SETUP_CODE_HEADER = 'X-Setup-Code';

const SETUP_CODE = 'abcd-efgh-ijkl-mnop';
const setupRestoreBody = t.formBody(setupRestoreSchema, {
  code: SETUP_CODE,
  passphrase: 'correct horse battery',
});

/** Public, because no administrator exists yet. Each request needs the setup code, as `POST /setup` does. */
export const setupRestoreApi = t.api(
  { name: 'Gateway backups' },
  {
    'PUT /setup/gateway-backups/:name': t.anyone(
      'Uploads a backup, or part of one, to a gateway without an administrator',
      {
        description:
          'Requires the setup code. The body and the responses are the same as for `PUT /gateway-backups/:name`. Returns 403 if the setup code is incorrect or has expired, or if an administrator exists.',
        ...gatewayBackupInParts,
        headers: {
          [SETUP_CODE_HEADER]: { description: 'The setup code from the log' },
          ...gatewayBackupInParts.headers,
        },
        fails: [403, 409, 422, 429],
      },
    ),
    'POST /setup/gateway-backups': t.anyone(
      'Lists the backups, such as those on a USB stick, on a gateway without an administrator',
      {
        description: 'Requires the setup code.',
        body: setupRestoreBody,
        ok: t.jsonOrPage(t.exact({ backups: t.listOf(t.record<GatewayBackup>(gatewayBackup)) })),
        fails: [403, 422, 429],
      },
    ),
    'POST /setup/gateway-backups/:name/inspect': t.anyone(
      'Decrypts a backup and returns its contents, on a gateway without an administrator',
      {
        description: 'Requires the setup code. Checks the whole backup. Changes nothing.',
        body: setupRestoreBody,
        ok: t.jsonOrPage(inspected),
        fails: [403, 404, 409, 422, 429],
      },
    ),
    'POST /setup/gateway-backups/:name/restore': t.anyone(
      'Checks and unpacks a backup, and restarts the gateway with its data, on a gateway without an administrator',
      {
        description:
          'Requires the setup code. After the restart, log in with an account from the backup. An administrator must confirm the restore with `POST /gateway-backups/confirm`.',
        body: setupRestoreBody,
        answers: acceptedRestore,
        fails: [403, 404, 409, 422, 429, 503],
      },
    ),
  },
);

const firstRun = t.record<FirstRunView>({
  done: {
    ...t.record<CompletedSteps>({}, t.each(t.since1970, ...FIRST_STEPS)),
    description: 'Completion time of each completed step',
  },
  ...t.each(t.flag, 'hidden', 'isComplete'),
});

export const firstRunApi = t.api(
  { name: 'System' },
  {
    'GET /first-run': t.admin('Returns the checklist for a new gateway', { ok: t.jsonOrPage(firstRun) }),
    'POST /first-run/hide': t.admin('Hides the checklist on the Drive page', {
      ok: t.done,
      redirect: 'Browsers are redirected to the Drive page',
    }),
  },
);
