import { timingSafeEqual } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Store } from '../../shared/ports/store.js';
import { checkerFor } from '../../shared/validation/validate.js';
import { accessMessage } from '../messages.js';
import type { AccessReads } from '../reads.js';
import { type SetupInput, setupSchema } from '../schema.js';
import { newSetupCode, sha256 } from '../secrets.js';
import type { Logins } from '../sessions/logins.js';
import { checked } from './check.js';
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
  /** For installations without a screen: `CARTWRIGHT_ADMIN_USER` and `CARTWRIGHT_ADMIN_PASSWORD`. */
  env: NodeJS.ProcessEnv;
}

/**
 * The first run. There is no account that a newcomer could guess: whoever can read the console or the data directory
 * gets a code, once, and makes the first administrator with it.
 */
export class Setup {
  readonly #deps: SetupDeps;
  #code = '';
  #endsAt = 0;

  constructor(deps: SetupDeps) {
    this.#deps = deps;
  }

  /** Where the code is, for whoever is on the machine: mode 0600. */
  get file(): string {
    return join(this.#deps.dataDir, 'setup-code');
  }

  /** No administrator can log in: at the first run, and when a restored database has only revoked passwords of them. */
  get isOpen(): boolean {
    return !this.#deps.reads.hasAdministrator();
  }

  /** Nobody can log in. */
  get isFirstRun(): boolean {
    return !this.#deps.reads.hasUsers();
  }

  /**
   * Makes the administrator of the environment, only in a new installation, or a code, unless nobody could be added. Rejects with `CONFIG_INVALID` for
   * half of a pair or a bad one.
   */
  async open(): Promise<void> {
    const { env, clock, store, reads } = this.#deps;
    if (store.status().readOnly) return;
    await rm(this.file, { force: true });
    if (!this.isOpen) return;
    const { CARTWRIGHT_ADMIN_USER: username, CARTWRIGHT_ADMIN_PASSWORD: password } = env;
    // The password of the environment may be one that was changed in the database that was lost.
    const isNew = this.isFirstRun && !reads.hasRevocations();
    if (isNew && (username || password)) return this.#fromEnvironment(username ?? '', password ?? '');
    this.#code = newSetupCode();
    this.#endsAt = clock.now() + VALID_MS;
    await writeFile(this.file, `${this.#code}\n`, { mode: 0o600, flag: 'wx' });
  }

  /** The link that creates the first administrator; undefined when one exists. @param base URL of the gateway. */
  link(base: string): string | undefined {
    return this.#code && this.isOpen ? `${base}/setup?code=${this.#code}` : undefined;
  }

  /** Logs the setup link, if any. @param base URL of the gateway. */
  announce(base: string): void {
    const url = this.link(base);
    if (url === undefined) return;
    this.#deps.log.info('access.setup', { url, file: this.file, validForHours: 24 });
  }

  /** Throws `CONFLICT` (somebody is there), `FORBIDDEN` (wrong or old code), `INVALID_INPUT`, `RATE`, `STORE_FAILED`. */
  async finish(input: unknown, ip: string): Promise<{ username: string; password: string }> {
    const { code, username, password } = checked(checkSetup, input);
    if (!this.isOpen) {
      throw new GatewayError('CONFLICT', accessMessage('set-up-already'), { hint: accessMessage('log-in') });
    }
    const { readOnly, reason } = this.#deps.store.status();
    if (readOnly) throw new GatewayError('STORE_FAILED', reason);
    this.#deps.logins.limits.takeAttempt(ip);
    if (!this.#isCode(code)) {
      throw new GatewayError('FORBIDDEN', accessMessage('setup-code-invalid'), {
        field: 'code',
        hint: 'Take the newest one from the console. After a day, restart the gateway for another.',
      });
    }
    await this.#deps.users.addFirst(username, password, 'setup');
    await this.close();
    return { username, password };
  }

  /** The code is good for nothing any more. */
  async close(): Promise<void> {
    this.#code = '';
    await rm(this.file, { force: true }).catch((error: unknown) =>
      this.#deps.log.warn('access.setup_file_left', { reason: messageOf(error) }),
    );
  }

  #isCode(text: string): boolean {
    if (!this.#code || this.#deps.clock.now() >= this.#endsAt) return false;
    return timingSafeEqual(sha256(text.trim().toLowerCase()), sha256(this.#code));
  }

  async #fromEnvironment(username: string, password: string): Promise<void> {
    try {
      await this.#deps.users.addFirst(username, password, 'environment');
    } catch (cause) {
      const text = `CARTWRIGHT_ADMIN_USER and CARTWRIGHT_ADMIN_PASSWORD cannot be used: ${messageOf(cause)}`;
      throw new GatewayError('CONFIG_INVALID', text, { cause });
    }
  }
}
