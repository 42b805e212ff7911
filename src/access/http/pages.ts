import type { Role } from '../../http/guard/authenticator.js';
import { declarePage, type Notice } from '../../http/pages.js';
import type { Text } from '../../shared/messages/message.js';
import type { ApiKey, OwnSession, User } from '../schema.js';
import type { SecondFactorState } from '../second-factor/second-factor.js';
import type { TotpText } from '../second-factor/totp.js';

export interface EntryForm {
  notice?: Notice | undefined;
  /** The username that was entered in a rejected form. */
  username?: string;
}

export const loginPage = declarePage<EntryForm & { next: string }>('Log in');

/** The second step of a login; `login` is the token of the pending login. */
export const loginCodePage = declarePage<EntryForm & { next: string; login: string }>('Log in, code');

export const setupPage = declarePage<EntryForm & { code: string; isFirstRun: boolean }>('First user');

export interface AccountPage {
  me: { userId: number; username: string; role: Role };
  factor: SecondFactorState;
  sessions: readonly OwnSession[];
  notice?: Notice | undefined;
}

export const accountPage = declarePage<AccountPage>('Account');

/** Contains either `enrolment` or `recoveryCodes`. */
export interface SecondFactorPage {
  enrolment?: TotpText;
  recoveryCodes?: readonly string[];
  notice?: Notice | undefined;
}

export const secondFactorPage = declarePage<SecondFactorPage>('Second factor');

export interface UsersPage {
  users: readonly User[];
  notice?: Notice | undefined;
  /** The values that were entered in a rejected form for a new user. */
  entered?: unknown;
}

export const usersPage = declarePage<UsersPage>('Users');

export interface KeysPage {
  keys: readonly ApiKey[];
  newKey?: { keyId: number; name: string; key: string };
  /** The values that were entered in a rejected form for a new key. */
  entered?: unknown;
  notice?: Notice | undefined;
  scopeError?: Text;
}

export const keysPage = declarePage<KeysPage>('API keys');
