import type { RestoreView } from '../../backups/index.js';
import { decimal } from '../../i18n/language.js';
import { t } from '../../i18n/page-text.js';
import type { FigureRow, Health, ProcessMetrics, TlsView } from '../../system/index.js';
import type { LayoutData } from '../layout/layout-context.js';
import { durationText, sizeText } from './labels.js';

export interface SystemInput {
  health: Health;
  tls: TlsView;
  /** Number of times that the connection to the motor controller was lost in the last hour. */
  controllerLosses: number;
  /** A sentence with the sections whose settings take effect after a restart; empty if there are none. */
  restartNeeded: string;
  isRestoreScheduled: boolean;
  /** The restore of a gateway backup that has been neither confirmed nor undone. */
  restore: Pick<RestoreView, 'step'> | undefined;
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
      t('Version'),
      health.overview.gateway.version,
      t('Running for {0}', durationText(health.uptimeS)),
    ),
    figure(
      'lag',
      t('Event loop lag'),
      `${decimal(lag.maxMs, 0)} ms`,
      t(
        'Maximum over the last 1 to 2 minutes; median {0} ms, 99th percentile {1} ms. If the lag reaches 250 ms, a moving cart stops',
        decimal(lag.medianMs, 1),
        decimal(lag.p99Ms, 1),
      ),
    ),
    figure(
      'cpu',
      t('Processor'),
      `${Math.round(cpu * 100)} %`,
      t('Percentage of one core over the last minute'),
    ),
    figure(
      'memory',
      t('Memory'),
      sizeText(memory.residentBytes),
      t(
        'Heap: {0}. Free on this machine: {1} of {2}',
        sizeText(memory.heapBytes),
        sizeText(memory.machineFreeBytes),
        sizeText(memory.machineBytes),
      ),
    ),
    figure(
      'disk',
      t('Free disk space'),
      sizeText(metrics.freeBytes),
      t('Below 32 MB, the gateway stops saving data'),
    ),
    figure(
      'writes',
      t('Written to disk'),
      sizeText(metrics.bytesWritten),
      t(
        'Since startup: {0} acknowledged database writes in {1} commits',
        metrics.operations,
        metrics.transactions,
      ),
    ),
    figure(
      'perWrite',
      t('Data per write'),
      t('{0} bytes', Math.round(metrics.bytesPerWrite)),
      t(
        'Fsyncs per write: {0}. Last commit: {1} ms. Queued writes: {2}',
        decimal(metrics.fsyncsPerWrite, 2),
        decimal(metrics.lastCommitMs, 1),
        queueOperations,
      ),
    ),
    figure(
      'pages',
      t('Open pages'),
      String(pages),
      t('Pages with live updates. Camera viewers: {0}', viewers),
    ),
  ];
}

function linkFigures({ carts }: LayoutData): FigureRow[] {
  return carts.flatMap(({ cartID, name, link }) =>
    link
      ? [
          figure(
            `link-${cartID}`,
            t('Controller link: {0}', name),
            t('{0} frames sent', link.counters.sent),
            t(
              'Received: {0}. Damaged: {1}. Resent: {2}. Reconnects: {3}. Driver: {4} on {5}',
              link.counters.received,
              link.counters.dropped,
              link.counters.retried,
              link.counters.reconnects,
              link.driver,
              link.path,
            ),
          ),
        ]
      : [],
  );
}

function figure(key: string, name: string, n: string, note: string): FigureRow {
  return { key, name, n, note };
}
