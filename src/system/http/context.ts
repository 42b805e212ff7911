import type { Results } from '../../carts/commissioning/commissioning.js';
import { commissioningSummary } from '../../carts/http/commissioning-labels.js';
import { faultTexts } from '../../carts/labels/fault-names.js';
import { momentText, type Severity } from '../../i18n/format.js';
import { decimal } from '../../i18n/language.js';
import { translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import type { Text } from '../../shared/messages/message.js';
import type { BackupCheck, BackupEntry, RestoreChoice } from '../../shared/ports/backups.js';
import { noticeText } from '../../web/layout/context.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../../web/layout/layout-context.js';
import type { ProcessMetrics } from '../health/process-monitor.js';
import type { StoredIncident } from '../incidents/incident-store.js';
import type { TlsView } from '../tls/tls-view.js';
import type { TrendSample } from '../trends/columns.js';
import type { Health } from './health-routes.js';
import { causeText, choiceSentence, databaseStatus, durationText, lossLines, sizeText } from './labels.js';
import { tlsStatus } from './tls-context.js';

export interface PartRow {
  key: string;
  name: string;
  tone: Severity;
  text: string;
  reason: string;
}

export interface FigureRow {
  key: string;
  name: string;
  n: string;
  note: string;
}

/** The live part of the System page, and the JSON response of `GET /system`. */
export interface SystemState {
  parts: PartRow[];
  figures: FigureRow[];
}

interface SystemInput {
  health: Health;
  tls: TlsView;
  processMetrics: ProcessMetrics;
  /** Number of event-stream clients. */
  pages: number;
  /** Camera streams plus pages that are waiting for an image. */
  viewers: number;
}

export function systemState(input: SystemInput): SystemState {
  return {
    parts: partsOf(input.health, input.tls),
    figures: [...figuresOf(input), ...linkFigures(input.health.layout)],
  };
}

function partsOf({ layout, store, settingsFaults, faulty }: Health, tls: TlsView): PartRow[] {
  const { lights, safety } = layoutContext(layout, { title: t`System`, page: 'system' });
  const settings = settingsFaults[0];
  return [
    { key: 'cart', name: safety.name, tone: safety.tone, text: safety.text, reason: '' },
    ...lights.map(({ key, name, tone, text, reason }) => ({ key, name, tone, text, reason })),
    { key: 'database', name: t`Database`, ...databaseStatus(store) },
    {
      ...{ key: 'settings', name: t`Settings` },
      ...(settings
        ? {
            tone: 'warn',
            text: t`partly ignored`,
            reason: `${settings.path} ${translated(settings.message)}`,
          }
        : { tone: 'quiet', text: t`valid`, reason: '' }),
    },
    tlsPart(tls),
    { key: 'clock', name: t`Clock`, ...clockStatus(layout.clockSynced) },
    {
      ...{ key: 'all', name: t`Faults` },
      ...(faulty.length === 0
        ? { tone: 'quiet', text: t`none`, reason: '' }
        : {
            tone: 'warn',
            text: faulty.length === 1 ? t`1 fault` : t`${faulty.length} faults`,
            reason: faultTexts(faulty.map(({ text }) => text))
              .map(translated)
              .join(' · '),
          }),
    },
  ] satisfies PartRow[] as PartRow[];
}

function tlsPart(tls: TlsView): PartRow {
  const { tone, status } = tlsStatus(tls);
  return { key: 'https', name: t`HTTPS`, tone, text: status, reason: translated(tls.fault) };
}

function clockStatus(synced: boolean | undefined): Pick<PartRow, 'tone' | 'text' | 'reason'> {
  if (synced === undefined)
    return {
      tone: 'quiet',
      text: t`unknown`,
      reason: t`This machine does not report whether its clock is synchronised`,
    };
  return synced
    ? { tone: 'quiet', text: t`synchronised`, reason: '' }
    : {
        tone: 'warn',
        text: t`not synchronised`,
        reason: t`Times may be wrong. Driving and stopping are not affected`,
      };
}

function figuresOf({ health, processMetrics, pages, viewers }: SystemInput): FigureRow[] {
  const { lag, memory, cpu } = processMetrics;
  const { metrics, queueOperations } = health.store;
  return [
    figure(
      'version',
      t`Version`,
      health.layout.gateway.version,
      t`Running for ${durationText(health.uptimeS)}`,
    ),
    figure(
      'lag',
      t`Event loop lag`,
      `${decimal(lag.maxMs, 0)} ms`,
      t`Maximum over the last 1 to 2 minutes; median ${decimal(lag.medianMs, 1)} ms, 99th percentile ${decimal(lag.p99Ms, 1)} ms. If the lag reaches 250 ms, a moving cart stops`,
    ),
    figure('cpu', t`Processor`, `${Math.round(cpu * 100)} %`, t`Percentage of one core over the last minute`),
    figure(
      'memory',
      t`Memory`,
      sizeText(memory.residentBytes),
      t`Heap: ${sizeText(memory.heapBytes)}. Free on this machine: ${sizeText(memory.machineFreeBytes)} of ${sizeText(memory.machineBytes)}`,
    ),
    figure(
      'disk',
      t`Free disk space`,
      sizeText(metrics.freeBytes),
      t`Below 32 MB, the gateway stops saving data`,
    ),
    figure(
      'writes',
      t`Written to disk`,
      sizeText(metrics.bytesWritten),
      t`By the database since startup: ${metrics.operations} acknowledged writes in ${metrics.transactions} commits`,
    ),
    figure(
      'perWrite',
      t`Data per write`,
      t`${Math.round(metrics.bytesPerWrite)} bytes`,
      t`Fsyncs per write: ${decimal(metrics.fsyncsPerWrite, 2)}. Last commit: ${decimal(metrics.lastCommitMs, 1)} ms. Queued writes: ${queueOperations}`,
    ),
    figure('pages', t`Open pages`, String(pages), t`Pages with live updates. Camera viewers: ${viewers}`),
  ];
}

function linkFigures({ carts }: LayoutData): FigureRow[] {
  return carts.flatMap(({ cartID, name, link }) =>
    link
      ? [
          figure(
            `link-${cartID}`,
            t`Controller link: ${name}`,
            t`${link.counters.sent} frames sent`,
            t`Received: ${link.counters.received}. Damaged: ${link.counters.dropped}. Resent: ${link.counters.retried}. Reconnects: ${link.counters.reconnects}. Driver: ${link.driver} on ${link.path}`,
          ),
        ]
      : [],
  );
}

function figure(key: string, name: string, n: string, note: string): FigureRow {
  return { key, name, n, note };
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
  chosen?: RestoreChoice | undefined;
  /** The panel of alarms. */
  alarms?: () => object;
  /** The result of the backup verification that was just requested. */
  checked?: BackupCheck;
  notice?: SystemNotice;
  boxes: readonly StoredIncident[];
  /** Commissioning results. */
  results: Results;
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
  const { state, backups = [], chosen, checked, notice, boxes } = page;
  const shown = {
    ...state,
    trend: trendCharts(),
    isAdmin: page.backups !== undefined,
    alarms: page.alarms?.() ?? null,
    backups: backups.map((backup) => ({ ...backupRow(backup), isChosen: backup.name === chosen?.name })),
    hasBackups: backups.length > 0,
    boxes: boxes.map((box) => ({
      ...backupRow(box),
      why: causeText(box.cause),
      incident: box.incident,
      pinned: box.pinned,
    })),
    hasBoxes: boxes.length > 0,
    tour: commissioningSummary(page.results),
    chosen: chosen ? choiceSentence(chosen) : null,
    checked: checked ? checkContext(checked) : null,
    notice: notice ? noticeText(notice) : null,
  };
  return { ...layoutContext(layout, { title: t`System`, page: 'system' }), ...shown };
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
