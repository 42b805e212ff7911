import { decimal } from '../../i18n/language.js';
import { t } from '../../i18n/page-text.js';
import type { ProcessMetrics } from '../../system/health/process-monitor.js';
import type { Health } from '../../system/http/health-routes.js';
import type { FigureRow } from '../../system/http/pages.js';
import type { TlsView } from '../../system/tls/tls-view.js';
import type { LayoutData } from '../layout/layout-context.js';
import { durationText, sizeText } from './labels.js';

export interface SystemInput {
  health: Health;
  tls: TlsView;
  /** How often the connection to the motor controller was lost in the last hour. */
  controllerLosses: number;
  /** A sentence with the sections whose settings take effect after a restart; empty if there are none. */
  restartNeeded: string;
  isRestoreScheduled: boolean;
  processMetrics: ProcessMetrics;
  /** Number of event-stream clients. */
  pages: number;
  /** Number of camera streams plus number of pages that are waiting for an image. */
  viewers: number;
  /** Wall-clock time as Unix time in ms. */
  nowMs: number;
}

export function figuresOf(input: SystemInput): FigureRow[] {
  return [...processFigures(input), ...linkFigures(input.health.overview)];
}

function processFigures({ health, processMetrics, pages, viewers }: SystemInput): FigureRow[] {
  const { lag, memory, cpu } = processMetrics;
  const { metrics, queueOperations } = health.store;
  return [
    figure(
      'version',
      t`Version`,
      health.overview.gateway.version,
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
      t`Since startup: ${metrics.operations} acknowledged database writes in ${metrics.transactions} commits`,
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
