import type { GatewayBackup, InspectedBackup } from '../../backups/index.js';
import { declarePage, type Notice } from '../../http/pages.js';
import type { StatusText } from '../../i18n/format.js';
import type { BackupCheck } from '../../shared/ports/backups.js';
import type { FirstRunView } from '../first-run/first-run.js';
import type { TlsView } from '../tls/tls-view.js';

export interface Advice {
  /** The fault's consequence, as a sentence. */
  effect: string;
  /** The recommended action, as a sentence; empty if the status text already states it. */
  action: string;
  /** The page on which to perform the action, and the link text; both empty if no such page exists. */
  href: string;
  link: string;
}

/** The status of one component. `effect`, `action` and `href` are empty if the component is healthy. */
export interface PartRow extends StatusText, Advice {
  key: string;
  name: string;
  reason: string;
}

/** The state of the gateway in one sentence. */
export type HealthSummary = StatusText;

export interface FigureRow {
  key: string;
  name: string;
  n: string;
  note: string;
}

/** The live part of the System page, and the JSON response of `GET /system`. */
export interface SystemState {
  summary: HealthSummary;
  parts: PartRow[];
  figures: FigureRow[];
}

/** The result that the System page reports after a redirect. */
export const DONE = [
  'loss-acknowledged',
  'payments-confirmed',
  'backup-made',
  'restore-scheduled',
  'gateway-backup-made',
  'gateway-backup-copied',
  'gateway-backup-deleted',
  'restore-confirmed',
  'schedule-on',
  'schedule-off',
] as const;

/** The result of a request that the System page reports. */
export interface SystemOutcome {
  notice?: Notice;
  checked?: BackupCheck;
  /** A backup of the whole gateway. */
  inspected?: InspectedBackup;
  /** True if the gateway restarts by itself. */
  restarts?: boolean;
}

export const systemPage = declarePage<SystemOutcome>('System');

/** The page for the restore of a backup on a gateway without an administrator. */
export interface SetupRestorePage {
  /** The setup code that was entered. */
  code: string;
  /** Empty until a backup has been chosen. */
  name: string;
  /** The backups to choose from. */
  found?: readonly GatewayBackup[];
  notice?: Notice;
  inspected?: InspectedBackup;
  /** The restore was accepted. Without `restartsItself`, the gateway must be restarted to continue. */
  accepted?: { restartsItself: boolean };
}

export const setupRestorePage = declarePage<SetupRestorePage>('Restore a gateway');

export interface TlsPage {
  view: TlsView;
  caUrl: string;
  /** True if the page was requested over HTTPS, which is required to turn on the redirect. */
  isSecure: boolean;
  notice?: Notice | undefined;
}

export const tlsPage = declarePage<TlsPage>('HTTPS');

export const firstRunPage = declarePage<FirstRunView>('First steps');
