import type { CartView } from '../../carts/command/model.js';
import { safetySentence, safetyTone } from '../../carts/labels/labels.js';
import { cartLabel } from '../../carts/labels/stop-labels.js';
import { mostSevere, type Severity, type StatusText, upperFirst } from '../../i18n/format.js';
import { translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import { lightsOf } from '../../web/layout/status-line.js';
import type { TlsView } from '../tls/tls-view.js';
import { type Advice, adviceFor, type Situation } from './advice.js';
import type { SystemInput } from './figures.js';
import type { Health } from './health-routes.js';
import { databaseStatus, sizeText } from './labels.js';
import { tlsStatus } from './tls-context.js';

/** The status of one component. `effect`, `action` and `href` are empty if the component is healthy. */
export interface PartRow extends StatusText, Advice {
  key: string;
  name: string;
  reason: string;
}

/** The state of the gateway in one sentence. */
export type HealthSummary = StatusText;

/** Eight times the minimum free space that the store requires; the disk alarm uses the same limit. */
const DISK_LOW_BYTES = 256 * 1024 * 1024;
const DAY_MS = 86_400_000;
/** Maximum age of the latest backup: two nightly backup intervals. */
const BACKUP_OLD_MS = 2 * DAY_MS;

type ComponentsInput = Pick<SystemInput, 'health' | 'tls' | 'nowMs'>;
type Row = Omit<PartRow, keyof Advice>;

function needsAttention({ tone }: { tone: Severity }): boolean {
  return tone === 'warn' || tone === 'stop';
}

/** Returns the components that need attention, most severe first, and then the healthy ones. */
export function componentsOf({ health, tls, nowMs }: ComponentsInput): PartRow[] {
  const { layout } = health;
  const own = layout.carts.find(({ cartID }) => cartID === layout.gateway.cartID);
  const lights = lightsOf(layout.links, own, '').map(({ simulated: _simulated, ...light }) => light);
  const isLinked = lights.some(({ key, tone }) => key === 'controller' && !needsAttention({ tone }));
  const rows: Row[] = [
    // If the controller is disconnected, its row is sufficient, because the cart cannot move without it.
    ...(own && (isLinked || safetyTone(own) === 'stop') ? [cartRowOf('cart', own)] : []),
    ...lights,
    { key: 'database', name: t`Database`, ...databaseStatus(health.store) },
    { key: 'settings', name: t`Settings`, ...settingsStatus(health) },
    ...tlsRows(tls),
    ...clockRows(health),
    ...diskRows(health),
    ...backupRows(health, nowMs),
    ...stoppedCarts(health),
  ];
  const situation: Situation = { own };
  const parts = rows
    .map((row) => withFaults(row, health))
    .map((row) => ({ ...row, ...(needsAttention(row) ? adviceFor(row.key, situation) : NO_ADVICE) }));
  const bySeverity = (tone: Severity): PartRow[] => parts.filter((part) => part.tone === tone);
  return [...bySeverity('stop'), ...bySeverity('warn'), ...parts.filter((part) => !needsAttention(part))];
}

export function summaryOf(parts: readonly PartRow[]): HealthSummary {
  const count = parts.filter(needsAttention).length;
  if (count === 0) return { tone: 'quiet', text: t`Everything works` };
  const text = count === 1 ? t`1 thing needs attention` : t`${count} things need attention`;
  return { tone: mostSevere(parts), text };
}

const NO_ADVICE: Advice = { effect: '', action: '', href: '', link: '' };

function cartRowOf(key: string, cart: CartView): Row {
  return { key, name: cartLabel(cart), tone: safetyTone(cart), text: safetySentence(cart), reason: '' };
}

/** Other carts whose E-stop is latched, or that have not confirmed a stop. */
function stoppedCarts({ layout }: Health): Row[] {
  return layout.carts
    .filter((cart) => cart.cartID !== layout.gateway.cartID && safetyTone(cart) === 'stop')
    .map((cart) => cartRowOf(`cart-${cart.cartID}`, cart));
}

/** Adds the component's faults that are missing from its status. */
function withFaults(row: Row, { faulty }: Health): Row {
  const known = `${row.text} ${row.reason}`.toLowerCase();
  const more = faulty
    .filter(({ part }) => part === row.key)
    .map(({ text }) => upperFirst(translated(text)))
    .filter((text) => !known.includes(text.toLowerCase()));
  if (more.length === 0) return row;
  const reason = [...new Set([row.reason, ...more])].filter((text) => text !== '').join('. ');
  return { ...row, reason, tone: needsAttention(row) ? row.tone : 'warn' };
}

function settingsStatus({ settingsFaults }: Health): Omit<Row, 'key' | 'name'> {
  const [fault] = settingsFaults;
  return fault
    ? { tone: 'warn', text: t`partly ignored`, reason: `${fault.path} ${translated(fault.message)}` }
    : { tone: 'quiet', text: t`valid`, reason: '' };
}

/** Returns no row if HTTPS is not set up. */
function tlsRows(tls: TlsView): Row[] {
  const { tone, status } = tlsStatus(tls);
  if (tls.state === 'none' && tone === 'quiet') return [];
  return [{ key: 'https', name: t`HTTPS`, tone, text: status, reason: upperFirst(translated(tls.fault)) }];
}

/** Returns no row if the machine does not report whether its clock is synchronised. */
function clockRows({ layout }: Health): Row[] {
  const { clockSynced } = layout;
  if (clockSynced === undefined) return [];
  const row = { key: 'clock', name: t`Clock`, reason: '' };
  return clockSynced
    ? [{ ...row, tone: 'quiet', text: t`synchronised` }]
    : [{ ...row, tone: 'warn', text: t`not synchronised` }];
}

function diskRows({ store }: Health): Row[] {
  const { freeBytes } = store.metrics;
  if (freeBytes < 0) return [];
  const isLow = freeBytes < DISK_LOW_BYTES;
  const text = isLow ? t`nearly full, ${sizeText(freeBytes)} free` : t`${sizeText(freeBytes)} free`;
  return [{ key: 'disk', name: t`Disk`, tone: isLow ? 'warn' : 'quiet', text, reason: '' }];
}

/** Returns no row while the clock may be wrong, or until the first nightly backup is created or overdue. */
function backupRows({ store, layout, uptimeS }: Health, nowMs: number): Row[] {
  if (layout.clockSynced === false) return [];
  const at = store.lastBackup?.at;
  const isOld = at === undefined ? uptimeS * 1000 > BACKUP_OLD_MS : nowMs - at > BACKUP_OLD_MS;
  if (at === undefined && !isOld) return [];
  const row = { key: 'backup', name: t`Backup`, reason: '' };
  if (!isOld) return [{ ...row, tone: 'quiet', text: t`up to date` }];
  if (at === undefined) return [{ ...row, tone: 'warn', text: t`missing` }];
  const days = Math.floor((nowMs - at) / DAY_MS);
  return [{ ...row, tone: 'warn', text: t`${days} days old` }];
}
