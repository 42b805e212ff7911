// Other folders import this module only through this file.

export {
  type CompletedSteps,
  DRIVE_MM,
  FIRST_STEPS,
  FirstRun,
  type FirstRunView,
  type FirstStep,
} from './first-run/first-run.js';
export { Discovery, type DiscoveryDeps } from './health/discovery.js';
export { LogRepeats } from './health/log-repeats.js';
export { LogRing, RING_LINES } from './health/log-ring.js';
export { type ProcessMetrics, ProcessMonitor } from './health/process-monitor.js';
export type { ReadyChecks } from './health/ready-checks.js';
export { RecentLosses } from './health/recent-losses.js';
export { type HealthCheck, ignoreUntilHealthy, ignoreUntilLasting, Watchdog } from './health/watchdog.js';
export {
  type Change,
  type Outcome,
  type SafetyEntry,
  STOP_REASONS,
  type StopReason,
  stopReasonOf,
} from './history/entries.js';
export { History } from './history/history.js';
export { type PruneJob, Pruner, type PrunerOptions } from './history/pruner.js';
export type { FoundEntry } from './history/search.js';
export type { DayFigures, HistoryFigures } from './history/statistics.js';
export { opsWrites } from './history/writes.js';
export { backupRoutes, blackBoxRoutes, recordOutcome } from './http/backup-and-recording-routes.js';
export { firstRunRoutes } from './http/first-run-routes.js';
export { gatewayBackupRoutes } from './http/gateway-backup-routes.js';
export { gatewayRestoreRoutes } from './http/gateway-restore-routes.js';
export {
  type Health,
  type HealthDeps,
  healthRoutes,
  metricsRoutes,
} from './http/health-routes.js';
export { historyApi } from './http/history/openapi.js';
export { type EntriesPage, entriesPage, type StatisticsPage, statisticsPage } from './http/history/pages.js';
export { dateOf, filterOf, groupingOf, OUTCOME_FILTERS, PERIODS } from './http/history/query.js';
export { figuresFor, historyPageRoutes } from './http/history/routes.js';
export { type LogView, logViewOf } from './http/log-query.js';
export {
  backupApi,
  firstRunApi,
  gatewayBackupApi,
  gatewayMembers,
  healthApi,
  setupRestoreApi,
  systemApi,
} from './http/openapi.js';
export {
  type Advice,
  type FigureRow,
  firstRunPage,
  type HealthSummary,
  type PartRow,
  type SetupRestorePage,
  type SystemOutcome,
  type SystemState,
  setupRestorePage,
  systemPage,
  type TlsPage,
  tlsPage,
} from './http/pages.js';
export { historyRoutes, systemRoutes } from './http/routes.js';
export { securityTextRoute } from './http/security-text.js';
export { tlsApi } from './http/tls-openapi.js';
export { tlsRoutes } from './http/tls-routes.js';
export { AFTERMATH_MS, BlackBox } from './incidents/black-box.js';
export { describeFrames } from './incidents/describe-frames.js';
export type { IncidentStore, StoredIncident } from './incidents/incident-store.js';
export { MovingCamera, recordingOpener, recordStops } from './incidents/recorder.js';
export * from './pure.js';
export { type CertificateFacts, certificateFacts } from './tls/certificate.js';
export { LocalTls } from './tls/local-tls.js';
export { tlsMessage } from './tls/messages.js';
export { TlsFiles } from './tls/tls-files.js';
export { type TlsView, tlsView } from './tls/tls-view.js';
export { configuredFault, validityOf } from './tls/validity.js';
export { Trend } from './trends/trend.js';
