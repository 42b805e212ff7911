import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { poll } from './poll.js';

const UP_MS = 60_000;

export interface ContainerOptions {
  /** The system without the gateway, which stays as it is. */
  system: string;
  /** The folder of a release: /mnt in the container. */
  release: string;
  /** An empty folder for what it writes. */
  dir: string;
}

/**
 * The system of the virtual Pi in a container: systemd as its first process, units, users and journal as in a machine, at
 * full speed. It has the kernel of the host, so no pins, no serial line, and no power to cut.
 */
export class Container {
  readonly #nspawn: ChildProcess;
  readonly #root: string;

  private constructor(nspawn: ChildProcess, root: string) {
    this.#nspawn = nspawn;
    this.#root = root;
  }

  static async boot({ system, release, dir }: ContainerOptions): Promise<Container> {
    const [root, upper, work] = ['root', 'upper', 'work'].map((name) => join(dir, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [root, upper, work]) mkdirSync(folder);
    const layers = `lowerdir=${system},upperdir=${upper},workdir=${work}`;
    execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, root]);
    const boot = ['--quiet', '--directory', root, '--boot', '--register=no', '--keep-unit', '--console=pipe'];
    const nspawn = spawn('systemd-nspawn', [...boot, '--private-network', `--bind-ro=${release}:/mnt`], {
      stdio: 'ignore',
    });
    const container = new Container(nspawn, root);
    await poll('the container is up', UP_MS, async () =>
      /running|degraded/.test(await container.run('systemctl is-system-running || true')),
    );
    return container;
  }

  /** Runs a script as root in it, and answers what it wrote; rejects when it fails. */
  async run(script: string): Promise<string> {
    const inside = ['--target', String(this.#leader()), '--all', 'env', '-i', 'PATH=/usr/sbin:/usr/bin'];
    const { stdout } = await promisify(execFile)('nsenter', [
      ...inside,
      'bash',
      '-c',
      `exec 2>&1\n${script}`,
    ]);
    return stdout.trimEnd();
  }

  async close(): Promise<void> {
    if (this.#nspawn.exitCode === null) {
      const exit = once(this.#nspawn, 'exit');
      process.kill(this.#leader(), 'SIGKILL');
      await exit;
    }
    execFileSync('umount', [this.#root]);
  }

  /** The first process of the container: nspawn itself does not take it along when it is killed. */
  #leader(): number {
    const { pid } = this.#nspawn;
    const leader = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
    if (!(leader > 0)) throw new Error('the container has no first process');
    return leader;
  }
}
