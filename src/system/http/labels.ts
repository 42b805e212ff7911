import { momentText } from '../../i18n/format.js';
import { decimal } from '../../i18n/language.js';
import { translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import type { BackupCheck, RestoreChoice } from '../../shared/ports/backups.js';
import type { StoreStatus } from '../../shared/ports/store.js';

/** What the System page says. Pure. */

/** A number with its unit: `1.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 0) return t`not known`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return bytes < 1_000_000_000
    ? `${decimal(bytes / 1_000_000, 1)} MB`
    : `${decimal(bytes / 1_000_000_000, 1)} GB`;
}

/** For how long the gateway has run: `3 d 4 h`, `5 min`. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? t`${hours} h ${minutes % 60} min` : t`${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** The database in a word and a sentence. */
export function databaseStatus({ healthy, reason, notices }: StoreStatus): {
  tone: 'quiet' | 'warn' | 'stop';
  text: string;
  reason: string;
} {
  if (!healthy) return { tone: 'stop', text: t`does not save`, reason: translated(reason) };
  return notices.length === 0
    ? { tone: 'quiet', text: t`saves`, reason: t`What is acknowledged is on the disk` }
    : { tone: 'warn', text: t`saves`, reason: notices.map(translated).join(' ') };
}

/** Tables that people know, by what they call them. Others are told by their own name. */
const tableNames = (): Readonly<Record<string, string>> => ({
  api_keys: t`API keys`,
  command_history: t`entries of what carts did`,
  payment_events: t`events of payments`,
  safety_events: t`entries of what stopped carts`,
});

/** What a restore would take away, one line a table that differs. Rows that were only changed cannot be counted. */
export function lossLines({ tables }: Pick<BackupCheck, 'tables'>): string[] {
  return tables
    .filter(({ kept, now }) => kept !== now)
    .map(({ table, kept, now }) => {
      const what = tableNames()[table] ?? table.replaceAll('_', ' ');
      return t`${upper(what)}: ${now} now, ${kept} in this copy`;
    });
}

/** Why a black box was kept. */
export function causeText(cause: string): string {
  return causes()[cause] ?? cause;
}

const causes = (): Readonly<Record<string, string>> => ({
  estop: t`Emergency stop`,
  'protective-stop': t`Protective stop`,
  'link-loss': t`The line to the controller was lost while the cart moved`,
});

/** What is going to happen at the next start. */
export function choiceSentence({ name, by, at }: RestoreChoice): string {
  return t`${name} takes the place of the database when the gateway starts next. ${by} chose it at ${momentText(at)}. What was saved after it is then missing here, and kept beside the database in a file whose name ends in “replaced” and the time.`;
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
