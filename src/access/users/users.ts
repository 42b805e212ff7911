import type { UserPrincipal } from '../../http/guard/authenticator.js';
import { type Actor, actorName } from '../../shared/actor.js';
import { ipPrefixOf } from '../../shared/addresses.js';
import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Store } from '../../shared/ports/store.js';
import { checkerFor } from '../../shared/validation/validate.js';
import { accessMessage } from '../messages.js';
import { type AccessReads, toUser } from '../reads.js';
import {
  type NewUserInput,
  newUserSchema,
  type PasswordChange,
  passwordChangeSchema,
  type User,
  type UserPatch,
  userPatchSchema,
} from '../schema.js';
import type { Logins } from '../sessions/logins.js';
import { checked, rejectWeakPassword, usernameKey, withTrimmed } from './credential-checks.js';
import type { Hasher } from './hash-queue.js';
import type { AddUser, ChangeUser } from './writes.js';

const checkNewUser = checkerFor<NewUserInput>(newUserSchema);
const checkPatch = checkerFor<UserPatch>(userPatchSchema);
const checkPasswordChange = checkerFor<PasswordChange>(passwordChangeSchema);

interface UsersDeps {
  store: Store;
  reads: AccessReads;
  hasher: Hasher;
  logins: Logins;
  clock: Clock;
  log: Log;
}

export class Users {
  readonly #deps: UsersDeps;

  constructor(deps: UsersDeps) {
    this.#deps = deps;
  }

  list(): User[] {
    return this.#deps.reads.users();
  }

  /** Throws `INVALID_INPUT`, `CONFLICT` or `RATE`. */
  async add(input: unknown, by: Actor): Promise<User> {
    const { username, password, role = 'customer' } = checked(checkNewUser, withTrimmed('username', input));
    return this.#add({ username, password, role, first: false }, by);
  }

  /**
   * Adds the first administrator, or replaces an administrator's revoked password. Throws `CONFLICT` if an
   * administrator can log in.
   */
  addFirst(username: string, password: string, by: Actor): Promise<User> {
    const input = checked(checkNewUser, withTrimmed('username', { username, password }));
    return this.#add({ ...input, role: 'admin', first: true }, by);
  }

  /** Changes apply to existing sessions immediately. */
  async change(userId: number, input: unknown, by: Actor): Promise<User> {
    const { password, ...patch } = checked(checkPatch, input);
    const { reads, store, hasher, clock, log } = this.#deps;
    const account = reads.account(userId);
    if (!account) throw new GatewayError('NOT_FOUND', accessMessage('no-user'));
    if (password !== undefined) rejectWeakPassword(password, account.username);
    const passwordPhc =
      password === undefined
        ? {}
        : { passwordPhc: await hasher.hash(password, { address: `by ${by.kind} ${by.id}`, name: '' }) };
    const change: ChangeUser = { userId, ...patch, ...passwordPhc, now: clock.wallTime() };
    await store.write('access.changeUser', change);
    log.info('access.user_changed', {
      userId,
      username: account.username,
      ...patch,
      password: password !== undefined,
      by: actorName(by),
    });
    const after = reads.account(userId);
    return toUser(after ?? account);
  }

  /** Also ends the caller's other sessions. Throws `INVALID_CREDENTIALS`. */
  async changePassword(caller: UserPrincipal, input: unknown, ip: string): Promise<void> {
    const { currentPassword, newPassword } = checked(checkPasswordChange, input);
    const { reads, store, hasher, logins, clock, log } = this.#deps;
    const account = reads.account(caller.userId);
    rejectWeakPassword(newPassword, caller.username);
    const name = usernameKey(caller.username);
    await logins.check(currentPassword, account, name, ip).catch(asCurrentPasswordError);
    const change: ChangeUser = {
      userId: caller.userId,
      passwordPhc: await hasher.hash(newPassword, { address: ipPrefixOf(ip), name }),
      ...(account ? { expectedPhc: account.phc } : {}),
      keepSession: caller.sessionId,
      now: clock.wallTime(),
    };
    await store.write('access.changeUser', change);
    log.info('access.password_changed', { userId: caller.userId, username: caller.username, ip });
  }

  async #add(
    { username, password, ...rest }: Pick<AddUser, 'username' | 'role' | 'first'> & { password: string },
    by: Actor,
  ): Promise<User> {
    rejectWeakPassword(password, username);
    const { hasher, store, clock, log } = this.#deps;
    const now = clock.wallTime();
    const passwordPhc = await hasher.hash(password, { address: `by ${by.kind} ${by.id}`, name: '' });
    const row: AddUser = { username, usernameKey: usernameKey(username), passwordPhc, ...rest, now };
    const userId = await store.write<number>('access.addUser', row);
    log.info('access.user_added', { userId, username, role: rest.role, by: actorName(by) });
    const state = { disabled: false, passwordRevoked: false, totp: false };
    return { userId, username, role: rest.role, ...state, createdAt: now };
  }
}

/** Throws an error that does not mention the username, because users who are logged in enter only their password. */
export function asCurrentPasswordError(error: unknown): never {
  if (!(error instanceof GatewayError) || error.code !== 'INVALID_CREDENTIALS') throw error;
  throw new GatewayError('INVALID_CREDENTIALS', accessMessage('current-password-wrong'), {
    field: 'currentPassword',
  });
}
