import { dayText, minuteText } from '../../i18n/format.js';
import { t } from '../../i18n/page.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { type Notice, noticeTold } from '../../web/layout/context.js';
import { type ApiKey, SCOPES } from '../schema.js';

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
