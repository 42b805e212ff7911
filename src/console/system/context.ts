import type {
  GatewayBackup,
  InspectedBackup,
  RestoreView,
  ScheduleView,
  UndoneRestore,
} from '../../backups/index.js';
import { GROUPS, INTERVALS } from '../../backups/index.js';
import { type FirmwareView, type Results, STEPS } from '../../carts/index.js';
import { dayAndTime, dayText, momentText } from '../../i18n/format.js';
import { localNumber } from '../../i18n/language.js';
import { continued, translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import { LOG_LEVELS } from '../../shared/log.js';
import type { Text } from '../../shared/messages/message.js';
import { packageFacts } from '../../shared/package-root.js';
import type { BackupCheck, BackupEntry, RestoreChoice } from '../../shared/ports/backups.js';
import type { LostWrites, RestoreReport, StoreStatus } from '../../shared/ports/store.js';
import {
  type LogView,
  RING_LINES,
  type StoredIncident,
  type SystemState,
  type TlsView,
  type TrendSample,
} from '../../system/index.js';
import { commissioningState, commissioningSummary } from '../commissioning/labels.js';
import { firmwareFacts } from '../firmware/context.js';
import { noticeText } from '../layout/context.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../layout/layout-context.js';
import { httpsText } from '../tls/context.js';
import { componentsOf, summaryOf } from './components.js';
import { figuresOf, type SystemInput } from './figures.js';
import { gatewayRestoreContext } from './gateway-restore.js';
import {
  causeText,
  choiceSentence,
  contentText,
  groupText,
  INTERNAL_TABLES,
  levelText,
  linesText,
  lossLines,
  lossTitle,
  sizeText,
  tableText,
  type UserFacts,
  usersSentence,
} from './labels.js';

export function systemState(input: SystemInput): SystemState {
  const parts = componentsOf(input);
  return { summary: summaryOf(parts, input), parts, figures: figuresOf(input) };
}

interface SystemNotice {
  ok: boolean;
  title: Text;
  message?: Text;
  hint?: Text;
}

export interface SystemPage {
  state: SystemState;
  /** Undefined unless the user is an administrator. */
  backups?: readonly BackupEntry[];
  uploads?: readonly BackupEntry[];
  /** Undefined unless the user is an administrator. */
  gatewayBackups?: readonly GatewayBackup[];
  hasUsbStick?: boolean;
  /** Undefined if scheduled backups are off. */
  schedule?: ScheduleView | undefined;
  /** Undefined unless the user is an administrator. */
  users?: readonly UserFacts[];
  chosen?: RestoreChoice | undefined;
  /** See `Supervisor`. */
  restartCommand: string;
  store: Pick<StoreStatus, 'lostWrites' | 'restored' | 'isLastSecondUnverified'>;
  gatewayRestore: { view: RestoreView | undefined; undone: UndoneRestore | undefined };
  /** Undefined unless the user is an administrator. */
  alarms?: () => { hasRecipients: boolean };
  checked?: BackupCheck;
  inspected?: InspectedBackup;
  notice?: SystemNotice;
  restarts?: boolean;
  tls: TlsView;
  boxes: readonly StoredIncident[];
  firmware: FirmwareView;
  results: Results;
  log: LogView;
}

function trendCharts(): { key: keyof TrendSample; name: string }[] {
  return [
    { key: 'lagMs', name: t('Event loop lag') },
    { key: 'answerMs', name: t('Command acknowledgement time') },
    { key: 'speedMmps', name: t('Speed') },
    { key: 'batteryMv', name: t('Battery') },
  ];
}

export function systemContext(layout: LayoutData, page: SystemPage): LayoutContext {
  const { state, chosen, checked, inspected, notice, users, gatewayBackups = [] } = page;
  const alarms = page.alarms?.() ?? null;
  const commissioning = commissioningState(page.results) ?? null;
  const shown = {
    ...state,
    blank: {},
    trend: trendCharts(),
    isAdmin: page.backups !== undefined,
    alarms,
    httpsState: httpsText(page.tls),
    todo: todoList(page, alarms),
    ...backupsContext(page),
    ...boxesContext(page.boxes),
    firmware: firmwareFacts(page.firmware),
    commissioning,
    tour: commissioningSummary(page.results),
    people: users ? usersSentence(users) : null,
    chosen: chosen ? choiceSentence(chosen) : null,
    gatewayRestore: gatewayRestoreContext(page.gatewayRestore),
    restartCommand: page.restartCommand || null,
    loss: page.store.lostWrites ? lossContext(page.store.lostWrites, page) : null,
    restored: page.store.restored ? restoredContext(page.store.restored) : null,
    checked: checked ? checkContext(checked, page.uploads) : null,
    inspected: inspected ? inspectedContext(inspected) : null,
    gatewayBackups: gatewayBackups.map((backup) => ({ ...backup, ...backupRow(backup) })),
    hasGatewayBackups: gatewayBackups.length > 0,
    hasUsbStick: page.hasUsbStick === true,
    ...scheduleContext(page.schedule),
    notice: notice ? noticeText(notice) : null,
    restarts: page.restarts === true,
    log: logContext(page.log),
    support: supportText(packageFacts().support.until, Date.now()),
  };
  return { ...layoutContext(layout, { page: 'system' }), ...shown };
}

/** @param until the last day of support, such as `2031-11-30`. */
export function supportText(until: string, nowMs: number): string {
  const [startMs, endMs] = [Date.parse(`${until}T00:00:00`), Date.parse(`${until}T23:59:59`)];
  if (nowMs <= endMs) return t('Security fixes until {0}', dayText(startMs));
  return t('Support ended on {0}. Install a supported version.', dayText(startMs));
}

/** The remaining setup steps, which are not faults. */
function todoList({ state, results }: SystemPage, alarms: { hasRecipients: boolean } | null): object | null {
  const isUndone = STEPS.some((step) => results[step] === undefined);
  const hasHttps = state.parts.some(({ key }) => key === 'https');
  const items = [
    ...(isUndone ? [{ href: '/commissioning', text: t('Commissioning') }] : []),
    ...(alarms && !hasHttps ? [{ href: '/system/tls', text: t('HTTPS') }] : []),
    ...(alarms && !alarms.hasRecipients ? [{ href: '#alarms', text: t('Alarms') }] : []),
  ];
  return items.length > 0 ? { items } : null;
}

function backupsContext({ backups = [], uploads = [], chosen }: SystemPage): object {
  const rowOf = (backup: BackupEntry) => ({ ...backupRow(backup), isChosen: backup.name === chosen?.name });
  const rows = backups.map(rowOf);
  const [lastBackup = null, ...older] = rows;
  const olderTitle = older.length === 1 ? t('1 older backup') : t('{0} older backups', older.length);
  return {
    lastBackup,
    older,
    hasOlder: older.length > 0,
    olderTitle,
    uploads: uploads.map(rowOf),
    hasUploads: uploads.length > 0,
  };
}

/** `backup` is null if the backup has been deleted since the gateway started. */
function lossContext(loss: LostWrites, { backups = [], store }: SystemPage): object {
  const entry = backups.find(({ name }) => name === loss.backup?.name);
  const backup = entry && loss.backup ? { ...backupRow(entry), writes: loss.backup.writes } : null;
  return {
    title: lossTitle(loss),
    kept: loss.kept || null,
    backup,
    isUnverified: store.isLastSecondUnverified === true,
  };
}

function restoredContext({ name, at, by }: RestoreReport): object {
  if (name === '') return { text: t('The database was restored from a backup.') };
  return {
    text: by
      ? t('Restored from {0} on {1}, as requested by {2}.', name, momentText(at), translated(by))
      : t('Restored from {0} on {1}, because the database was missing or damaged.', name, momentText(at)),
  };
}

function boxesContext(boxes: readonly StoredIncident[]): object {
  const rows = boxes.map((box) => ({
    ...backupRow(box),
    why: causeText(box.cause),
    incident: box.incident,
    pinned: box.pinned,
  }));
  return { boxes: rows, hasBoxes: rows.length > 0 };
}

function logContext({ level, find, isFiltered, lines }: LogView): object {
  return {
    find,
    isFiltered,
    count: linesText(lines.length),
    capacity: RING_LINES,
    levels: LOG_LEVELS.map((value) => ({ value, text: levelText(value), selected: value === level })),
    lines: lines.map((line) => ({ ...line, at: dayAndTime(line.time) })),
  };
}

export function backupRow({ name, bytes, at }: BackupEntry): {
  name: string;
  size: string;
  when: string;
  iso: string;
} {
  return { name, size: sizeText(bytes), when: momentText(at), iso: new Date(at).toISOString() };
}

function scheduleContext(schedule: ScheduleView | undefined): object {
  const every = { day: t('Every day'), week: t('Every week') };
  const groups = {
    photos: t('Photos'),
    incidents: t('Black-box recordings'),
    tls: t('HTTPS certificates and keys'),
  };
  const { every: chosen = 'day', last, failure = '', isOverdue = false } = schedule ?? {};
  const sentences = {
    off: t('Scheduled backups are off.'),
    day: t('Scheduled backups are made every day.'),
    week: t('Scheduled backups are made every week.'),
  };
  const status = [
    sentences[schedule ? chosen : 'off'],
    ...(schedule && last ? [t('Last backup: {0}.', momentText(last.at))] : []),
    ...(schedule && !last ? [t('The first one is made within a minute.')] : []),
  ];
  return {
    hasSchedule: schedule !== undefined,
    scheduleStatus: status.join(' '),
    scheduleFault: failure
      ? t('The latest attempt failed: {0}.', continued(failure))
      : isOverdue
        ? t('The latest backup is too old.')
        : null,
    intervals: INTERVALS.map((value) => ({ value, text: every[value], selected: value === chosen })),
    groups: GROUPS.map((group) => ({
      group,
      text: groups[group],
      checked: schedule?.include.includes(group) === true,
    })),
  };
}

export function inspectedContext(inspected: InspectedBackup): object {
  const { manifest, contents, problems } = inspected;
  const { gateway, cartId, version } = manifest;
  const groups = manifest.leftOut.filter(({ reason }) => reason === 'not-selected').map(({ path }) => path);
  return {
    ...backupRow(inspected),
    origin: t('Made by {0}, cart {1}, with Cartwright {2}.', gateway, cartId, version),
    problems: problems.map(translated),
    contents: contents.map(contentText),
    missing: groups.length > 0 ? t('Not included: {0}.', groups.map(groupText).join(', ')) : null,
    rows: Object.entries(manifest.tables)
      .filter(([table]) => !INTERNAL_TABLES.includes(table))
      .map(([table, rows]) => `${tableText(table)}: ${localNumber(rows)}`),
  };
}

function checkContext(check: BackupCheck, uploads: readonly BackupEntry[] = []): object {
  const lines = lossLines(check);
  return {
    ...backupRow(check),
    // An upload is marked, because its time is not the time of its content.
    isUpload: uploads.some(({ name }) => name === check.name),
    isIntact: check.damage === '',
    damage: check.damage,
    lines,
    isSame: lines.length === 0,
  };
}
