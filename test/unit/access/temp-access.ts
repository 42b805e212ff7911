import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { Access } from '../../../src/access/access.js';
import type { User } from '../../../src/access/schema.js';
import type { Role } from '../../../src/http/guard/authenticator.js';
import { userActor } from '../../../src/shared/actor.js';
import { systemClock } from '../../../src/shared/clock.js';
import type { Clock } from '../../../src/shared/ports/clock.js';
import type { Store } from '../../../src/shared/ports/store.js';
import { openBackupManager } from '../../../src/store/backup/backup-manager.js';
import { openStore } from '../../../src/store/store.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { CHEAP, PASSWORD } from './test-app.js';

const WRITER = new URL('../../../src/app/writer-worker.js', import.meta.url);

export interface OpenAccess {
  store: Store;
  access: Access;
  addUser(username: string, role?: Role): Promise<User>;
  login(username: string, password?: string, code?: string): Promise<string>;
  close(): Promise<void>;
}

export interface TempAccess {
  dir: string;
  log: RecordingLog;
  open(env?: NodeJS.ProcessEnv): Promise<OpenAccess>;
  /** Selects the latest backup, which is restored when the store is next opened. */
  chooseBackup(): Promise<void>;
  /** Uploads the latest backup and selects the upload. */
  chooseUpload(): Promise<void>;
  /** Overwrites all database pages except the first. */
  damage(): void;
}

/** Runs a test with a data directory whose store can be opened several times. */
export function withTempAccess(
  test: (temp: TempAccess) => Promise<void>,
  clock: Clock = systemClock,
): () => Promise<void> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-revoked-'));
    const log = new RecordingLog();
    const opened: OpenAccess[] = [];
    try {
      await test({
        dir,
        log,
        async open(env = {}) {
          const running = await openAccess({ dir, log, clock, env });
          opened.push(running);
          return running;
        },
        async chooseBackup() {
          const backups = openBackupManager({ dir, clock: systemClock, log });
          await backups.choose(basename(backups.list()[0]?.name ?? ''), userActor('anna'));
        },
        async chooseUpload() {
          const backups = openBackupManager({ dir, clock: systemClock, log });
          const bytes = readFileSync(backups.pathOf(backups.list()[0]?.name ?? ''));
          const part = { first: 0, last: bytes.length - 1, total: bytes.length };
          await backups.upload(part, Readable.from([bytes]));
          await backups.choose(backups.uploads()[0]?.name ?? '', userActor('anna'));
        },
        damage: () => damage(join(dir, 'cartwright.db')),
      });
    } finally {
      for (const running of opened) await running.close();
      rmSync(dir, { recursive: true });
    }
  };
}

interface OpenAccessOptions {
  dir: string;
  log: RecordingLog;
  /** The access module's clock; the store uses the system clock. */
  clock: Clock;
  env: NodeJS.ProcessEnv;
}

async function openAccess({ dir, log, clock, env }: OpenAccessOptions): Promise<OpenAccess> {
  const store = await openStore({ dir, writer: WRITER, clock: systemClock, log });
  const options = { store, clock, log, dataDir: dir, mode: 'required', env } as const;
  const access = await Access.open({ ...options, hashCost: CHEAP });
  return {
    store,
    access,
    addUser: async (username, role = 'customer') =>
      access.users.add({ username, password: PASSWORD, role }, userActor('test')),
    async login(username, password = PASSWORD, code) {
      const input = code === undefined ? { username, password } : { username, password, code };
      const { cookie } = await access.logins.login(input, { ip: '::1', userAgent: 'test' });
      return cookie;
    },
    async close() {
      await access.close();
      await store.close();
    },
  };
}

function damage(file: string): void {
  const handle = openSync(file, 'r+');
  const bytes = statSync(file).size - 4096;
  writeSync(handle, Buffer.alloc(bytes, 0xa5), 0, bytes, 4096);
  closeSync(handle);
}
