import { minuteText } from '../../i18n/format.js';
import { t } from '../../i18n/page.js';
import { type Notice, noticeTold } from '../../web/layout/context.js';
import { isAtLeast, type OwnSession, type Role } from '../schema.js';
import type { SecondFactorState } from '../second-factor/second-factor.js';
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
