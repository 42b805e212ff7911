import { encode } from 'uqr';
import { dayText, minuteText } from '../../i18n/format.js';
import { t } from '../../i18n/page.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { type Notice, noticeTold } from '../../web/layout/context.js';
import { type ApiKey, isAtLeast, type OwnSession, type Role, SCOPES } from '../schema.js';
import type { SecondFactorState } from '../second-factor/second-factor.js';
import type { TotpText } from '../second-factor/totp.js';
import type { Device } from '../sessions/device.js';

export interface AccountPage {
  me: { username: string; role: Role };
  factor: SecondFactorState;
  sessions: readonly OwnSession[];
  notice?: Notice;
}

/** What `access/account.html` shows. */
export function accountContext({ me, sessions, factor, notice }: AccountPage): object {
  return {
    me,
    notice: notice ? noticeTold(notice) : null,
    isAdmin: me.role === 'admin',
    // A user who has a second factor keeps it with another role.
    factor:
      factor.totp || isAtLeast(me.role, 'operator')
        ? { ...factor, mayBegin: isAtLeast(me.role, 'operator') }
        : null,
    sessions: sessions.map(({ id, current, createdAt, lastUsedAt, ...device }) => ({
      ...{ id, current, device: deviceText(device) },
      ...{ created: minuteText(createdAt), lastUsed: minuteText(lastUsedAt) },
    })),
    hasOthers: sessions.some(({ current }) => !current),
  };
}

/** `Firefox on Android`, or as much of it as is known. */
function deviceText({ browser, system }: Device): string {
  if (browser && system) return t`${browser} on ${system}`;
  return browser ?? system ?? t`Unknown device`;
}

/** Either a secret to confirm or the recovery codes. */
export interface SecondFactorPage {
  enrolment?: TotpText;
  recoveryCodes?: readonly string[];
  notice?: Notice;
}

/** What `access/second-factor.html` shows. */
export function secondFactorContext({ enrolment, recoveryCodes, notice }: SecondFactorPage): object {
  return {
    notice: notice ? noticeTold(notice) : null,
    enrolment: enrolment
      ? { ...enrolment, groups: enrolment.secret.match(/.{1,4}/g), qr: qrCode(enrolment.uri) }
      : null,
    recovery: recoveryCodes ? { codes: recoveryCodes } : null,
  };
}

/** Modules of white around the code: ISO/IEC 18004 wants 4. */
const BORDER = 4;

/** A QR code as an SVG path, one unit a module. */
interface QrCode {
  /** Width and height with the border. */
  size: number;
  path: string;
}

/** Throws a RangeError for a text that is too long for any QR code. */
function qrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  const rows = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join(''));
  return { size, path: rows.join('') };
}

export interface KeysPage {
  keys: readonly ApiKey[];
  /** A key that was just created: shown this once. */
  newKey?: { name: string; key: string };
  /** The form that failed, so that it can be corrected. */
  entered?: unknown;
  notice?: Notice;
}

/** Offered for the life of a key, in days. */
const LIVES = [30, 90, 365];

const means = (): Record<(typeof SCOPES)[number], string> => ({
  'beacons:write': t`save and delete beacons`,
  'cart:control': t`drive and stop carts`,
  'settings:write': t`read and change the settings`,
  'camera:read': t`see the camera`,
  'games:write': t`change the games that are sold`,
  'metrics:read': t`read the metrics`,
  'orders:read': t`read the statistics`,
  'payments:read': t`read payments`,
  'payments:write': t`make payments and orders`,
  'payments:admin': t`change the status of payments`,
  mqtt: t`connect to the broker`,
  'mqtt:read': t`listen to every cart on the broker`,
  'mqtt:control': t`command every cart on the broker`,
});

/** What `access/keys.html` shows. */
export function keysContext({ keys, newKey, entered, notice }: KeysPage): object {
  const { name = '', scopes = [], cart = '', expiresInDays } = isJsonObject(entered) ? entered : {};
  const ticked = [scopes].flat();
  return {
    isAdmin: true,
    notice: notice ? noticeTold(notice) : null,
    newKey: newKey ?? null,
    keys: keys.map((key) => keyRow(key, Date.now())),
    hasKeys: keys.length > 0,
    entry: { name, cart },
    scopes: SCOPES.map((scope) => ({ scope, means: means()[scope], checked: ticked.includes(scope) })),
    lives: [
      { days: '', text: t`never`, selected: false },
      ...LIVES.map((days) => ({
        ...{ days, text: t`in ${days} days`, selected: String(days) === expiresInDays },
      })),
    ],
  };
}

function keyRow(
  { keyId, name, prefix, scopes, createdAt, lastUsedAt, expiresAt, revokedAt }: ApiKey,
  now: number,
): object {
  const isRevoked = revokedAt !== null;
  return {
    ...{ keyId, name, prefix, isRevoked, scopes: scopes.join(', ') },
    isExpired: !isRevoked && expiresAt !== null && expiresAt <= now,
    created: dayText(createdAt),
    lastUsed: lastUsedAt === null ? t`never` : minuteText(lastUsedAt),
    expires: expiresAt === null ? t`never` : dayText(expiresAt),
  };
}
