import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../src/shared/package-root.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { signingKey } from '../../helpers/sample-release.js';
import { until } from '../../helpers/until.js';

type Environment = NodeJS.ProcessEnv;

/**
 * The part of the update service, which runs as root on a Raspberry Pi: takes requests, replaces the program and
 * reports its progress. The test decides how each update ends.
 */
export class UpdateService {
  readonly key = signingKey();
  readonly #root = mkdtempSync(join(tmpdir(), 'cartwright-update-service-'));
  readonly #stateDir = join(this.#root, 'state');
  readonly #env: Environment;
  gateway!: GatewayProcess;
  #run: Record<string, unknown> = {};

  constructor(env: Environment) {
    mkdirSync(this.#stateDir);
    this.#env = { ...env, CARTWRIGHT_UPDATE_STATE: this.#stateDir };
  }

  /** Installs this build under another version, and starts it. */
  async start(version: string): Promise<void> {
    this.gateway = await GatewayProcess.start({}, this.#env, {}, this.install(version));
  }

  /** Returns the path of the program. */
  install(version: string): string {
    const release = join(this.#root, version);
    const main = join(release, 'dist/src/main.js');
    if (existsSync(main)) return main;
    mkdirSync(join(release, 'systemd'), { recursive: true });
    cpSync(join(import.meta.dirname, '../../../src'), join(release, 'dist/src'), { recursive: true });
    for (const name of ['views', 'config'])
      cpSync(join(packageRoot(), name), join(release, name), { recursive: true });
    symlinkSync(join(packageRoot(), 'node_modules'), join(release, 'node_modules'));
    writeFileSync(join(release, 'systemd/release.pub'), this.key.pem);
    const json = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as object;
    writeFileSync(join(release, 'package.json'), JSON.stringify({ ...json, version }));
    return main;
  }

  /** Resolves with the requested archive's name when the gateway has requested an update. */
  async request(): Promise<string> {
    const path = join(this.gateway.dir, 'data/updates/install');
    await until(() => existsSync(path));
    const file = readFileSync(path, 'utf8').trim();
    const at = Date.now();
    this.#run = {
      ...{ id: at.toString(16), file, version: null, from: null, sha256: null, step: 'checking' },
      ...{ result: null, code: null, reason: null, failedChecks: [], startedAt: at },
    };
    this.report({});
    rmSync(path);
    return file;
  }

  report(change: object): void {
    this.#run = { ...this.#run, ...change, updatedAt: Date.now() };
    this.#write('progress.json', this.#run);
  }

  reportFiles(problem: string | null, version: string): void {
    this.#write('integrity.json', { checkedAt: Date.now(), version, problem });
  }

  /**
   * Stops the gateway and starts a version, on the same port, so that pages can reconnect. `whileStopped` runs in
   * between.
   */
  async restart(version: string, whileStopped = async (): Promise<void> => undefined): Promise<void> {
    const { port } = new URL(this.gateway.url);
    this.report({ step: 'stopping' });
    await this.gateway.kill('SIGTERM');
    await whileStopped();
    this.report({ step: 'starting' });
    await this.gateway.spawn({ ...this.#env, PORT: port }, this.install(version));
    this.report({ step: 'testing' });
  }

  async close(): Promise<void> {
    await this.gateway?.close();
    rmSync(this.#root, { recursive: true });
  }

  #write(name: string, content: object): void {
    const path = join(this.#stateDir, name);
    writeFileSync(`${path}.tmp`, JSON.stringify(content));
    renameSync(`${path}.tmp`, path);
  }
}
