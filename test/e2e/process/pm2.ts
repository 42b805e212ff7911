import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../src/shared/package-root.js';
import { untilAnswer } from '../../helpers/until.js';

const program = join(packageRoot(), 'node_modules/pm2/bin/pm2');

export const hasPm2 = existsSync(program);

export interface Pm2App {
  pid: number;
  status: string;
  restarts: number;
}

/** A pm2 instance with its own daemon, which runs this build with ecosystem.config.js. */
export class Pm2 {
  readonly #dir: string;

  private constructor(dir: string) {
    this.#dir = dir;
  }

  /** `settings` are the gateway's initial settings. */
  static async create(settings: object): Promise<Pm2> {
    const dir = await mkdtemp(join(tmpdir(), 'pm2-'));
    const own = join(packageRoot(), 'ecosystem.config.js');
    const main = join(import.meta.dirname, '../../../src/main.js');
    await writeFile(join(dir, 'package.json'), '{"type": "module"}');
    await writeFile(
      join(dir, 'ecosystem.config.js'),
      `import { apps as own } from ${JSON.stringify(own)};
       export const apps = own.map((app) => ({ ...app, script: ${JSON.stringify(main)} }));`,
    );
    await writeFile(
      join(dir, 'config.json'),
      JSON.stringify({ settings: { mqtt: { port: 0 }, ...settings } }),
    );
    return new Pm2(dir);
  }

  async run(...args: string[]): Promise<string> {
    const env = {
      ...process.env,
      PM2_HOME: join(this.#dir, 'home'),
      PM2_DISABLE_VERSION_CHECK: 'true',
      PORT: '0',
      HOST: '127.0.0.1',
      CARTWRIGHT_DATA_DIR: join(this.#dir, 'data'),
      CARTWRIGHT_CONFIG: join(this.#dir, 'config.json'),
      CARTWRIGHT_AUTH: 'trusted-lan',
    };
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
      cwd: this.#dir,
      env,
    });
    return stdout;
  }

  async start(): Promise<void> {
    await this.run('start', 'ecosystem.config.js');
  }

  async app(): Promise<Pm2App> {
    const printed = await this.run('jlist');
    const [app] = JSON.parse(printed.slice(printed.indexOf('[{')));
    return { pid: app.pid, status: app.pm2_env.status, restarts: app.pm2_env.restart_time };
  }

  until(matches: (app: Pm2App) => boolean): Promise<Pm2App> {
    return untilAnswer(() => this.app(), matches);
  }

  async log(): Promise<Record<string, unknown>[]> {
    const text = await readFile(join(this.#dir, 'home/logs/cartwright-out.log'), 'utf8');
    const lines = text.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
    return lines.map((line) => JSON.parse(line));
  }

  /**
   * Returns the URL of the latest gateway process. Waits for the log, because pm2 reports a start shortly
   * before the gateway logs it.
   */
  async url(): Promise<string> {
    const newest = async () =>
      (await this.log()).findLast(({ event }) => event === 'store.opened' || event === 'gateway.ready');
    return String((await untilAnswer(newest, (line) => line?.event === 'gateway.ready'))?.url);
  }

  async daemonPid(): Promise<number> {
    return Number(await readFile(join(this.#dir, 'home/pm2.pid'), 'utf8'));
  }

  async close(): Promise<void> {
    await this.run('kill');
    await rm(this.#dir, { recursive: true, force: true });
  }
}
