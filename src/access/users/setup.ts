import { timingSafeEqual } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { conditionActor } from '../../shared/actor.js';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Store } from '../../shared/ports/store.js';
import { checkerFor } from '../../shared/validation/validate.js';
import { accessMessage } from '../messages.js';
import type { AccessReads } from '../reads.js';
import { type SetupInput, setupSchema } from '../schema.js';
import { newSetupCode, SETUP_CODE, sha256 } from '../secrets.js';
import type { Logins } from '../sessions/logins.js';
import { checked, withTrimmed } from './credential-checks.js';
import type { Users } from './users.js';

const VALID_MS = 24 * 3_600_000;
const checkSetup = checkerFor<SetupInput>(setupSchema);

interface SetupDeps {
  dataDir: string;
  store: Pick<Store, 'status'>;
  reads: AccessReads;
  users: Users;
  logins: Logins;
  clock: Clock;
  log: Log;
  env: NodeJS.ProcessEnv;
  /** A setup code that was chosen before the first start; if undefined, each start generates a new one. */
  setupCode?: string | undefined;
}

/** Creates the first administrator. Setup requires a code from the log or the data directory. */
export class Setup {
  readonly #deps: SetupDeps;
  #code = '';
  #endsAt = 0;

  constructor(deps: SetupDeps) {
    this.#deps = deps;
  }

  get file(): string {
    return join(this.#deps.dataDir, 'setup-code');
  }

  /** True if no administrator can log in: on the first run, or after a restore that revoked passwords. */
  get isOpen(): boolean {
    return !this.#deps.reads.hasAdministrator();
  }

  get isFirstRun(): boolean {
    return !this.#deps.reads.hasUsers();
  }

  /**
   * Creates the administrator from the environment (new installations only); otherwise, creates a setup code.
   * Does nothing if the store is read-only. Rejects with `CONFIG_INVALID` if the username or password is
   * invalid or missing.
   */
  async open(): Promise<void> {
    const { env, clock, store, reads, setupCode } = this.#deps;
    if (store.status().readOnly) return;
    await rm(this.file, { force: true });
    if (!this.isOpen) return;
    const { CARTWRIGHT_ADMIN_USER: username, CARTWRIGHT_ADMIN_PASSWORD: password } = env;
    // If the database was lost, the environment's password may have been revoked, so it is not used.
    const isNew = this.isFirstRun && !reads.hasRevocations();
    if (isNew && (username || password)) return this.#fromEnvironment(username ?? '', password ?? '');
    if (setupCode !== undefined && !SETUP_CODE.test(setupCode)) {
      throw new GatewayError(
        'CONFIG_INVALID',
        'CARTWRIGHT_SETUP_CODE must have the form 0123-4567-89ab-cdef',
      );
    }
    this.#code = setupCode ?? newSetupCode();
    this.#endsAt = clock.now() + VALID_MS;
    await writeFile(this.file, `${this.#code}\n`, { mode: 0o600, flag: 'wx' });
  }

  /**
   * Returns undefined if an administrator can log in.
   * @param base the gateway's URL.
   */
  link(base: string): string | undefined {
    return this.#code && this.isOpen ? `${base}/setup?code=${this.#code}` : undefined;
  }

  announce(base: string): void {
    const url = this.link(base);
    if (url === undefined) return;
    this.#deps.log.info('access.setup_announced', { url, file: this.file, validForHours: 24 });
  }

  /**
   * Throws `CONFLICT` if setup is complete, `FORBIDDEN` if the code is incorrect or has expired,
   * `INVALID_INPUT`, `RATE` or `STORE_FAILED`.
   */
  async finish(input: unknown, ip: string): Promise<{ username: string; password: string }> {
    const { code, username, password } = checked(checkSetup, withTrimmed('username', input));
    if (!this.isOpen) {
      throw new GatewayError('CONFLICT', accessMessage('set-up-already'), { hint: accessMessage('log-in') });
    }
    this.authorise(code, ip);
    await this.#deps.users.addFirst(username, password, conditionActor('input', 'setup'));
    await this.close();
    return { username, password };
  }

  /**
   * Checks the setup code of a request that replaces the gateway's data. Incorrect codes count towards the
   * address's limit. Throws `FORBIDDEN` if setup is complete or the code is incorrect or has expired, `RATE` or
   * `STORE_FAILED`.
   */
  authorise(code: string, ip: string): void {
    if (!this.isOpen) {
      throw new GatewayError('FORBIDDEN', accessMessage('set-up-already'), { hint: accessMessage('log-in') });
    }
    const { readOnly, reason } = this.#deps.store.status();
    if (readOnly) throw new GatewayError('STORE_FAILED', reason);
    const refund = this.#deps.logins.limits.takeAttempt(ip);
    if (!this.#isCode(code)) {
      throw new GatewayError('FORBIDDEN', accessMessage('setup-code-invalid'), {
        field: 'code',
        hint: accessMessage('setup-code-hint'),
      });
    }
    refund();
  }

  async close(): Promise<void> {
    this.#code = '';
    await rm(this.file, { force: true }).catch((error: unknown) =>
      this.#deps.log.warn('access.setup_file_remove_failed', { reason: messageOf(error) }),
    );
  }

  #isCode(text: string): boolean {
    if (!this.#code || this.#deps.clock.now() >= this.#endsAt) return false;
    return timingSafeEqual(sha256(text.trim().toLowerCase()), sha256(this.#code));
  }

  async #fromEnvironment(username: string, password: string): Promise<void> {
    try {
      await this.#deps.users.addFirst(username, password, conditionActor('input', 'environment'));
    } catch (cause) {
      const text = `CARTWRIGHT_ADMIN_USER or CARTWRIGHT_ADMIN_PASSWORD is invalid: ${messageOf(cause)}`;
      throw new GatewayError('CONFIG_INVALID', text, { cause });
    }
  }
}
