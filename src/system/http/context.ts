import type { Results } from '../../carts/commissioning/commissioning.js';
import { commissioningState, commissioningSummary } from '../../carts/http/commissioning-labels.js';
import { momentText, timeOfDay } from '../../i18n/format.js';
import { t } from '../../i18n/page-text.js';
import { LOG_LEVELS } from '../../shared/log.js';
import type { Text } from '../../shared/messages/message.js';
import type { BackupCheck, BackupEntry, RestoreChoice } from '../../shared/ports/backups.js';
import { noticeText } from '../../web/layout/context.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../../web/layout/layout-context.js';
import { RING_LINES } from '../health/log-ring.js';
import type { StoredIncident } from '../incidents/incident-store.js';
import type { TrendSample } from '../trends/columns.js';
import { componentsOf, type HealthSummary, type PartRow, summaryOf } from './components.js';
import { type FigureRow, figuresOf, type SystemInput } from './figures.js';
import {
  causeText,
  choiceSentence,
  levelText,
  linesText,
  lossLines,
  sizeText,
  type UserFacts,
  usersSentence,
} from './labels.js';
import type { LogView } from './log-query.js';

/** The live part of the System page, and the JSON response of `GET /system`. */
export interface SystemState {
  summary: HealthSummary;
  /** Components that need attention come first. */
  parts: PartRow[];
  figures: FigureRow[];
}

export function systemState(input: SystemInput): SystemState {
  const parts = componentsOf(input);
  return { summary: summaryOf(parts), parts, figures: figuresOf(input) };
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
  /** Undefined unless the user is an administrator. */
  users?: readonly UserFacts[];
  chosen?: RestoreChoice | undefined;
  /** Returns the template context of the alarm panel. */
  alarms?: () => object;
  /** The result of the backup verification that was just requested. */
  checked?: BackupCheck;
  notice?: SystemNotice;
  boxes: readonly StoredIncident[];
  /** Commissioning results. */
  results: Results;
  log: LogView;
}

/** Each chart shows one column of `GET /system/trend`. */
function trendCharts(): { key: keyof TrendSample; name: string }[] {
  return [
    { key: 'lagMs', name: t`Event loop lag` },
    { key: 'answerMs', name: t`Command acknowledgement time` },
    { key: 'speedMmps', name: t`Speed` },
    { key: 'batteryMv', name: t`Battery` },
  ];
}

export function systemContext(layout: LayoutData, page: SystemPage): LayoutContext {
  const { state, chosen, checked, notice, users } = page;
  const shown = {
    ...state,
    blank: {},
    trend: trendCharts(),
    isAdmin: page.backups !== undefined,
    alarms: page.alarms?.() ?? null,
    ...backupsContext(page),
    ...boxesContext(page.boxes),
    commissioning: commissioningState(page.results),
    tour: commissioningSummary(page.results),
    people: users ? usersSentence(users) : null,
    chosen: chosen ? choiceSentence(chosen) : null,
    checked: checked ? checkContext(checked) : null,
    notice: notice ? noticeText(notice) : null,
    log: logContext(page.log),
  };
  return { ...layoutContext(layout, { page: 'system' }), ...shown };
}

/** The latest backup is shown on the card, the others below it. */
function backupsContext({ backups = [], chosen }: SystemPage): object {
  const rows = backups.map((backup) => ({ ...backupRow(backup), isChosen: backup.name === chosen?.name }));
  const [lastBackup = null, ...older] = rows;
  const olderTitle = older.length === 1 ? t`1 older backup` : t`${older.length} older backups`;
  return { lastBackup, older, hasOlder: older.length > 0, olderTitle };
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
    ...{ find, isFiltered, count: linesText(lines.length), capacity: RING_LINES },
    levels: LOG_LEVELS.map((value) => ({ value, text: levelText(value), selected: value === level })),
    lines: lines.map((line) => ({ ...line, at: timeOfDay(line.time) })),
  };
}

function backupRow({ name, bytes, at }: BackupEntry): {
  name: string;
  size: string;
  when: string;
  iso: string;
} {
  return { name, size: sizeText(bytes), when: momentText(at), iso: new Date(at).toISOString() };
}

function checkContext(check: BackupCheck): object {
  const lines = lossLines(check);
  return {
    ...backupRow(check),
    isIntact: check.damage === '',
    damage: check.damage,
    lines,
    isSame: lines.length === 0,
  };
}
