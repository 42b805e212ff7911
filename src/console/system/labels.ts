import type { ContentSize } from '../../backups/index.js';
import { byteText, momentText } from '../../i18n/format.js';
import { actorLabel, translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import type { LogLevel } from '../../shared/log.js';
import type { BackupCheck, RestoreChoice } from '../../shared/ports/backups.js';
import type { LostWrites, StoreStatus } from '../../shared/ports/store.js';

/** Returns a size with its unit, for example `1.4 MB`. A negative size means that the size is unknown. */
export function sizeText(bytes: number): string {
  return bytes < 0 ? t('unknown') : byteText(bytes);
}

/** Rounds and formats a duration, for example `3 d 4 h` or `5 min`. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24
    ? t('{0} h {1} min', hours, minutes % 60)
    : t('{0} d {1} h', Math.floor(hours / 24), hours % 24);
}

export function databaseStatus({
  healthy,
  reason,
  notices,
  information,
  isLastSecondUnverified,
}: StoreStatus): {
  tone: 'quiet' | 'warn' | 'stop';
  text: string;
  reason: string;
} {
  if (!healthy) return { tone: 'stop', text: t('unhealthy'), reason: translated(reason) };
  const unverified = t('The last second before the power cut cannot be verified.');
  if (notices.length > 0) {
    const reasons = [...notices.map(translated), ...(isLastSecondUnverified ? [unverified] : [])];
    return { tone: 'warn', text: t('degraded'), reason: reasons.join(' ') };
  }
  const saved = t('All acknowledged writes are on disk');
  const more = [...(isLastSecondUnverified ? [unverified] : []), ...information.map(translated)];
  return {
    tone: 'quiet',
    text: t('healthy'),
    reason: more.length === 0 ? saved : `${saved}. ${more.join(' ')}`,
  };
}

/** Tables whose rows mean nothing to people. */
export const INTERNAL_TABLES: readonly string[] = ['commit_number', 'session_clock', 'shop_facts'];

/** Display names of tables; other tables are shown under their own names. */
const tableNames = (): Readonly<Record<string, string>> => ({
  alarm_deliveries: t('alarm deliveries'),
  alarm_subscriptions: t('alarm subscriptions'),
  api_keys: t('API keys'),
  cart_items: t('basket lines'),
  command_history: t('command history'),
  history_entries: t('history entries'),
  payment_events: t('payment events'),
  provider_prices: t('prices at the payment provider'),
  recovery_codes: t('recovery codes'),
  safety_events: t('safety events'),
  sandbox_checkouts: t('payments in the sandbox'),
  totp: t('second factors'),
});

export function tableText(table: string): string {
  return upper(tableNames()[table] ?? table.replaceAll('_', ' '));
}

const contentNames = (): Record<ContentSize['what'], string> => ({
  database: t('Database'),
  settings: t('Settings, their history and broker passwords'),
  accounts: t('Second-factor key and revocations'),
  plan: t('Floor plan'),
  records: t('Commissioning results and checklist'),
  camera: t('Photos'),
  incidents: t('Black-box recordings'),
  tls: t('HTTPS certificates and keys'),
});

/** For example `Photos: 12 files, 3.4 MB`. */
export function contentText({ what, files, bytes }: ContentSize): string {
  const name = contentNames()[what];
  const size = sizeText(bytes);
  return files === 1 ? t('{0}: 1 file, {1}', name, size) : t('{0}: {1} files, {2}', name, files, size);
}

const groupNames = (): Readonly<Record<string, string>> => ({
  photos: t('Photos'),
  'black-box': t('Black-box recordings'),
  tls: t('HTTPS certificates and keys'),
});

/** Returns the name of a folder that a backup can contain. */
export function groupText(folder: string): string {
  return groupNames()[folder] ?? folder;
}

/** Returns one line for each table whose row count would change in a restore. */
export function lossLines({ tables }: Pick<BackupCheck, 'tables'>): string[] {
  return tables
    .filter(({ kept, now }) => kept !== now)
    .map(({ table, kept, now }) => {
      return t('{0}: {1} now, {2} in the backup', tableText(table), now, kept);
    });
}

export function lossTitle({ count }: Pick<LostWrites, 'count'>): string {
  if (count === 0) return t('Acknowledged writes were lost. Their number is unknown.');
  return count === 1 ? t('1 acknowledged write was lost.') : t('{0} acknowledged writes were lost.', count);
}

export function causeText(cause: string): string {
  return causeTexts()[cause] ?? cause;
}

const causeTexts = (): Readonly<Record<string, string>> => ({
  estop: t('Stop all or E-stop'),
  'protective-stop': t('Protective stop'),
  'link-loss': t('Connection to the motor controller lost while moving'),
});

export function choiceSentence({ name, by, at }: RestoreChoice): string {
  return t(
    '{0} will replace the database when the gateway restarts. Requested by {1} on {2}. Changes made after the backup was created will be missing. The current database will be kept in a file whose name ends in “replaced” followed by the time.',
    name,
    actorLabel(by),
    momentText(at),
  );
}

const levelTexts = (): Record<LogLevel, string> => ({
  debug: t('Debug'),
  info: t('Information'),
  warn: t('Warnings'),
  error: t('Errors'),
});

export function levelText(level: LogLevel): string {
  return levelTexts()[level];
}

export function linesText(count: number): string {
  if (count === 0) return t('No matching lines');
  return count === 1 ? t('1 line') : t('{0} lines', count);
}

export interface UserFacts {
  role: string;
  disabled: boolean;
}

/** Returns a sentence such as `3 users: 1 administrator, 2 operators`. Disabled users are not counted. */
export function usersSentence(users: readonly UserFacts[]): string {
  const active = users.filter(({ disabled }) => !disabled);
  const count = (role: string): number => active.filter((user) => user.role === role).length;
  const [admins, operators, customers] = [count('admin'), count('operator'), count('customer')];
  const parts = [
    admins === 0 ? '' : admins === 1 ? t('1 administrator') : t('{0} administrators', admins),
    operators === 0 ? '' : operators === 1 ? t('1 operator') : t('{0} operators', operators),
    customers === 0 ? '' : customers === 1 ? t('1 customer') : t('{0} customers', customers),
  ].filter((part) => part !== '');
  if (active.length === 0) return t('No users yet');
  const total = active.length === 1 ? t('1 user') : t('{0} users', active.length);
  return `${total}: ${parts.join(', ')}`;
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
