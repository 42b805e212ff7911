import { type CartView, cartLabel } from '../../carts/index.js';
import { mostSevere, type Severity } from '../../i18n/format.js';
import { begun, translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import type { Advice, Health, HealthSummary, PartRow, TlsView } from '../../system/index.js';
import { safetySentence, safetyTone } from '../labels/labels.js';
import { lightsOf } from '../layout/status-line.js';
import { tlsStatus } from '../tls/context.js';
import { adviceFor, type Situation } from './advice.js';
import type { SystemInput } from './figures.js';
import { databaseStatus, sizeText } from './labels.js';

/** Eight times the minimum free space that the store requires; also the threshold of the disk alarm. */
const DISK_LOW_BYTES = 256 * 1024 * 1024;
const DAY_MS = 86_400_000;
/** Maximum age of the latest backup: two daily backup intervals. */
const BACKUP_OLD_MS = 2 * DAY_MS;

/** Fewer losses in an hour than this are not mentioned. */
const REPEATED_LOSSES = 3;
/** The layout data of a larger fleet contains only some of the carts. */
const MAX_OTHERS = 40;

type ComponentsInput = Pick<
  SystemInput,
  'health' | 'tls' | 'controllerLosses' | 'restartNeeded' | 'restore' | 'nowMs'
>;
type Row = Omit<PartRow, keyof Advice>;

function needsAttention({ tone }: { tone: Severity }): boolean {
  return tone === 'warn' || tone === 'stop';
}

/** Returns the components that need attention, most severe first, and then the healthy ones. */
export function componentsOf(input: ComponentsInput): PartRow[] {
  const { health, tls, controllerLosses, restartNeeded, restore, nowMs } = input;
  const { overview } = health;
  const own = overview.carts.find(({ cartID }) => cartID === overview.gateway.cartID);
  const lights = lightsOf(overview.links, own, '').map(({ simulated: _simulated, ...light }) => light);
  const isLinked = lights.some(({ key, tone }) => key === 'controller' && !needsAttention({ tone }));
  const others = overview.carts.filter((cart) => cart !== own);
  const rows: Row[] = [
    ...estopRows(overview.carts),
    // While the controller is disconnected, the cart cannot move, so the controller's row is sufficient.
    ...(own && !isLatched(own) && (isLinked || safetyTone(own) === 'stop') ? [cartRowOf('cart', own)] : []),
    ...lights.map((light) => (light.key === 'controller' ? withLosses(light, controllerLosses) : light)),
    ...otherCarts(others),
    { key: 'database', name: t('Database'), ...databaseStatus(health.store) },
    { key: 'settings', name: t('Settings'), ...settingsStatus(health, restartNeeded) },
    ...tlsRows(tls),
    ...clockRows(health),
    ...diskRows(health),
    ...backupRows(health, nowMs),
    ...gatewayBackupRows(health),
    ...restoreRows(restore),
    ...paymentsRows(health),
    ...softwareRows(health),
    ...alarmRows(health),
    ...unconfirmedStops(others),
  ];
  const situation: Situation = {
    own,
    hasFaults: hasSettingsFaults(health),
    isBrokerConnected: overview.links.broker.connected,
  };
  const parts = rows
    .map((row) => withFaults(row, health))
    .map((row) => ({ ...row, ...(needsAttention(row) ? adviceFor(row.key, situation) : NO_ADVICE) }));
  const bySeverity = (tone: Severity): PartRow[] => parts.filter((part) => part.tone === tone);
  return [...bySeverity('stop'), ...bySeverity('warn'), ...parts.filter((part) => !needsAttention(part))];
}

/** @param isRestoreScheduled true if the next restart replaces the database with a backup. */
export function summaryOf(
  parts: readonly PartRow[],
  { isRestoreScheduled = false }: { isRestoreScheduled?: boolean } = {},
): HealthSummary {
  const count = parts.filter(needsAttention).length;
  if (count === 0 && isRestoreScheduled) {
    return { tone: 'warn', text: t('Restore scheduled for the next restart') };
  }
  if (count === 0) return { tone: 'quiet', text: t('No faults') };
  const text = count === 1 ? t('1 item needs attention') : t('{0} items need attention', count);
  return { tone: mostSevere(parts), text };
}

const NO_ADVICE: Advice = { effect: '', action: '', href: '', link: '' };

function cartRowOf(key: string, cart: CartView): Row {
  return { key, name: cartLabel(cart), tone: safetyTone(cart), text: safetySentence(cart), reason: '' };
}

function isLatched({ safety }: CartView): boolean {
  return safety.emergencyStop !== 'NONE';
}

/** One row for all carts, because the red band at the top of the page lists the carts. */
function estopRows(carts: readonly CartView[]): Row[] {
  const { length } = carts.filter(isLatched);
  if (length === 0) return [];
  const text = length === 1 ? t('1 cart') : t('{0} carts', length);
  return [{ key: 'estop', name: t('Stopped until reset'), tone: 'stop', text, reason: '' }];
}

function otherCarts(others: readonly CartView[]): Row[] {
  if (others.length === 0 || others.length > MAX_OTHERS) return [];
  const ready = others.filter(({ online, safety }) => online && safety.mayMove).length;
  const text = t('{0} of {1} ready', ready, others.length);
  // A cart that is switched off is not a fault of this gateway, but it is not ready either.
  const tone = ready === others.length ? 'quiet' : 'unknown';
  return [{ key: 'others', name: t('Other carts'), tone, text, reason: '' }];
}

function unconfirmedStops(others: readonly CartView[]): Row[] {
  return others
    .filter((cart) => !isLatched(cart) && safetyTone(cart) === 'stop')
    .map((cart) => cartRowOf(`cart-${cart.cartID}`, cart));
}

/** Returns no row unless the latest delivery to a target failed. `withFaults` adds the reasons. */
function alarmRows({ faulty }: Health): Row[] {
  if (!faulty.some(({ part }) => part === 'alarms')) return [];
  return [{ key: 'alarms', name: t('Alarms'), tone: 'warn', text: t('not delivered'), reason: '' }];
}

/** Returns no row unless installed files were changed. `withFaults` adds what was changed. */
function softwareRows({ faulty }: Health): Row[] {
  if (!faulty.some(({ part }) => part === 'software')) return [];
  const name = t('Files of the installed release');
  return [{ key: 'software', name, tone: 'stop', text: t('changed'), reason: '' }];
}

/** Returns no row unless payments are disabled. `withFaults` adds the reason. */
function paymentsRows({ faulty }: Health): Row[] {
  if (!faulty.some(({ part }) => part === 'payments')) return [];
  return [{ key: 'payments', name: t('Payments'), tone: 'warn', text: t('disabled'), reason: '' }];
}

/** Returns no row unless scheduled gateway backups fail or are overdue. `withFaults` adds the reason. */
function gatewayBackupRows({ faulty }: Health): Row[] {
  if (!faulty.some(({ part }) => part === 'gateway-backup')) return [];
  const row = { key: 'gateway-backup', name: t('Scheduled gateway backup'), reason: '' };
  return [{ ...row, tone: 'warn', text: t('not up to date') }];
}

/** Returns no row unless a restore of a gateway backup has been neither confirmed nor undone. */
function restoreRows(restore: SystemInput['restore']): Row[] {
  if (!restore) return [];
  const text = {
    staged: t('waiting for a restart'),
    trial: t('being checked'),
    waiting: t('waiting for confirmation'),
    returning: t('waiting for a restart'),
  }[restore.step];
  return [{ key: 'restore', name: t('Restore of a gateway backup'), tone: 'warn', text, reason: '' }];
}

/** Marks a connection that was lost repeatedly, because it needs attention even while it works. */
function withLosses(row: Row, losses: number): Row {
  if (losses < REPEATED_LOSSES) return row;
  const reason = [row.reason, t('Connection lost {0} times in the last hour', losses)];
  return {
    ...row,
    tone: needsAttention(row) ? row.tone : 'warn',
    reason: reason.filter((text) => text !== '').join('. '),
  };
}

/** Adds the component's faults that are missing from its status. */
function withFaults(row: Row, { faulty }: Health): Row {
  const known = `${row.text} ${row.reason}`.toLowerCase();
  const more = faulty
    .filter(({ part }) => part === row.key)
    .map(({ text }) => begun(text))
    .filter((text) => !known.includes(text.toLowerCase()));
  if (more.length === 0) return row;
  const reason = [...new Set([row.reason, ...more])].filter((text) => text !== '').join('. ');
  return { ...row, reason, tone: needsAttention(row) ? row.tone : 'warn' };
}

function hasSettingsFaults({ settingsFaults, faulty }: Health): boolean {
  return settingsFaults.length > 0 || faulty.some(({ part }) => part === 'settings');
}

function settingsStatus({ settingsFaults }: Health, restartNeeded: string): Omit<Row, 'key' | 'name'> {
  const [fault] = settingsFaults;
  if (fault)
    return { tone: 'warn', text: t('partly ignored'), reason: `${fault.path} ${translated(fault.message)}` };
  if (restartNeeded === '') return { tone: 'quiet', text: t('valid'), reason: '' };
  return { tone: 'warn', text: t('restart needed'), reason: restartNeeded };
}

function tlsRows(tls: TlsView): Row[] {
  const { tone, status } = tlsStatus(tls);
  if (tls.state === 'none' && tone === 'quiet') return [];
  return [{ key: 'https', name: t('HTTPS'), tone, text: status, reason: begun(tls.fault) }];
}

/** Returns no row if the machine does not report whether its clock is synchronised. */
function clockRows({ overview }: Health): Row[] {
  const { clockSynced } = overview;
  if (clockSynced === undefined) return [];
  const row = { key: 'clock', name: t('Clock'), reason: '' };
  return clockSynced
    ? [{ ...row, tone: 'quiet', text: t('synchronised') }]
    : [{ ...row, tone: 'warn', text: t('not synchronised') }];
}

function diskRows({ store }: Health): Row[] {
  const { freeBytes } = store.metrics;
  if (freeBytes < 0) return [];
  const isLow = freeBytes < DISK_LOW_BYTES;
  const text = isLow ? t('nearly full, {0} free', sizeText(freeBytes)) : t('{0} free', sizeText(freeBytes));
  return [{ key: 'disk', name: t('Disk'), tone: isLow ? 'warn' : 'quiet', text, reason: '' }];
}

/** Returns no row while the clock may be wrong, or until the first daily backup exists or is overdue. */
function backupRows({ store, overview, uptimeS }: Health, nowMs: number): Row[] {
  if (overview.clockSynced === false) return [];
  const at = store.lastBackup?.at;
  const isOld = at === undefined ? uptimeS * 1000 > BACKUP_OLD_MS : nowMs - at > BACKUP_OLD_MS;
  if (at === undefined && !isOld) return [];
  const row = { key: 'backup', name: t('Database backup'), reason: '' };
  if (!isOld) return [{ ...row, tone: 'quiet', text: t('up to date') }];
  if (at === undefined) return [{ ...row, tone: 'warn', text: t('missing') }];
  const days = Math.floor((nowMs - at) / DAY_MS);
  return [{ ...row, tone: 'warn', text: t('{0} days old', days) }];
}
