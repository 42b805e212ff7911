import type { AccountPage, ApiKey, Device, KeysPage, SCOPES, SecondFactorPage } from '../../access/index.js';
import { isAtLeast } from '../../http/guard/authenticator.js';
import { dayText, minuteText } from '../../i18n/format.js';
import { begun } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { noticeText } from '../layout/context.js';
import { qrCode } from '../layout/qr-code.js';
import { roleText } from '../layout/role-text.js';

/** @param alarms the alarm subscription panel, for operators. */
export function accountContext(
  { me, sessions, factor, notice }: AccountPage,
  alarms: object | undefined,
): object {
  return {
    me,
    roleText: roleText(me.role),
    alarms: alarms ?? null,
    notice: notice ? noticeText(notice) : null,
    // A user whose role changes to `customer` keeps their second factor and can turn it off.
    factor:
      factor.totp || isAtLeast(me.role, 'operator')
        ? { ...factor, mayBegin: isAtLeast(me.role, 'operator') }
        : null,
    sessions: sessions.map(({ id, current, createdAt, lastUsedAt, ...device }) => ({
      id,
      current,
      device: deviceText(device),
      created: minuteText(createdAt),
      lastUsed: minuteText(lastUsedAt),
    })),
    hasOthers: sessions.some(({ current }) => !current),
  };
}

function deviceText({ browser, system }: Device): string {
  if (browser && system) return t('{0} on {1}', browser, system);
  return browser ?? system ?? t('Unknown device');
}

export function secondFactorContext({ enrolment, recoveryCodes, notice }: SecondFactorPage): object {
  return {
    notice: notice ? noticeText(notice) : null,
    enrolment: enrolment
      ? { ...enrolment, groups: enrolment.secret.match(/.{1,4}/g), qr: qrCode(enrolment.uri) }
      : null,
    recovery: recoveryCodes ? { codes: recoveryCodes } : null,
  };
}

const LIFETIMES_DAYS = [30, 90, 365];
const DEFAULT_LIFETIME_DAYS = '90';

type Scope = (typeof SCOPES)[number];

/** Every scope, grouped by purpose. */
const scopeGroups = (): { title: string; texts: Partial<Record<Scope, string>> }[] => [
  {
    title: t('Carts and camera'),
    texts: {
      'cart:read': t('view the state of carts and commands'),
      'cart:control': t('view carts, send commands, drive to markers, stop carts and reset latched stops'),
      'camera:read': t('view camera images and photos, and take photos'),
    },
  },
  {
    title: t('Setup and monitoring'),
    texts: {
      'beacons:write': t('add, change and delete beacons and markers'),
      'settings:write': t('read and change settings, and calibrate the camera'),
      'metrics:read': t("read the gateway's metrics (Prometheus)"),
    },
  },
  {
    title: t('Shop'),
    texts: {
      'games:write': t('manage the games in the shop'),
      'orders:read': t('read order statistics'),
      'payments:read': t('read payments and baskets'),
      'payments:write': t('create payments, change baskets and place orders'),
      'payments:admin': t('read and create payments, and change their status'),
    },
  },
  {
    title: t('MQTT'),
    texts: {
      mqtt: t('connect to the MQTT server'),
      'mqtt:read': t('subscribe to the topics of all carts'),
      'mqtt:control': t('send commands to all carts through the MQTT server'),
    },
  },
];

/**
 * Example requests; a key with any of the listed scopes can send the request. Scopes that allow only changes have no
 * example.
 */
const EXAMPLES: readonly { scopes: readonly Scope[]; options?: string; path: string }[] = [
  { scopes: ['cart:read', 'cart:control'], path: '/carts' },
  { scopes: ['camera:read'], options: '-o photo.jpg ', path: '/camera/snapshot.jpg' },
  { scopes: ['settings:write'], path: '/variables.json' },
  { scopes: ['metrics:read'], path: '/metrics' },
  { scopes: ['orders:read'], path: '/orders/stats' },
  { scopes: ['payments:read', 'payments:admin'], path: '/payments' },
];

/**
 * Returns a curl command; empty if there is no example for the scopes.
 * @param address the gateway's base URL.
 */
function exampleOf(address: string, key: string, scopes: readonly string[]): string {
  const example = EXAMPLES.find((each) => each.scopes.some((scope) => scopes.includes(scope)));
  return example ? `curl -H "X-Api-Key: ${key}" ${example.options ?? ''}${address}${example.path}` : '';
}

/** @param address base URL at which the caller reaches the gateway. */
export function keysContext(
  { keys, newKey, entered, notice, scopeError }: KeysPage,
  address: string,
): object {
  const {
    name = '',
    scopes = [],
    cart = '',
    expiresInDays = DEFAULT_LIFETIME_DAYS,
  } = isJsonObject(entered) ? entered : {};
  const ticked = [scopes].flat();
  const scopesOf = (keyId: number) => keys.find((key) => key.keyId === keyId)?.scopes ?? [];
  return {
    notice: notice ? noticeText(notice) : null,
    newKey: newKey ? { ...newKey, example: exampleOf(address, newKey.key, scopesOf(newKey.keyId)) } : null,
    example: exampleOf(address, '$KEY', ['cart:read']),
    keys: keys.map((key) => keyRow(key, Date.now())),
    hasKeys: keys.length > 0,
    entry: { name, cart },
    scopeError: scopeError ? begun(scopeError) : '',
    scopeGroups: scopeGroups().map(({ title, texts }) => ({
      title,
      scopes: Object.entries(texts).map(([scope, text]) => ({
        scope,
        text,
        checked: ticked.includes(scope),
      })),
    })),
    lifetimes: [
      ...LIFETIMES_DAYS.map((days) => ({
        days: String(days),
        text: t('in {0} days', days),
        selected: String(days) === expiresInDays,
      })),
      { days: '', text: t('never'), selected: expiresInDays === '' },
    ],
  };
}

function keyRow(
  { keyId, name, prefix, scopes, createdAt, lastUsedAt, expiresAt, revokedAt }: ApiKey,
  now: number,
): object {
  const isRevoked = revokedAt !== null;
  return {
    keyId,
    name,
    prefix,
    isRevoked,
    scopes: scopes.join(', '),
    isExpired: !isRevoked && expiresAt !== null && expiresAt <= now,
    created: dayText(createdAt),
    lastUsed: lastUsedAt === null ? t('never') : minuteText(lastUsedAt),
    expires: expiresAt === null ? t('never') : dayText(expiresAt),
  };
}
