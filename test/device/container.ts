import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { poll } from './poll.js';

const UP_MS = 60_000;

/** The script that installs the release. */
export const INSTALL = 'CARTWRIGHT_READY_S=180 /mnt/systemd/install.sh';

export interface ContainerOptions {
  /** The system without the gateway, which stays as it is. */
  system: string;
  /** The folder of a release: /mnt in the container. */
  release: string;
  /** The packages of this checkout: /packages/node_modules in the container. A release leaves the optional ones out. */
  packages: string;
  /** An empty folder for what it writes. */
  dir: string;
}

/** The two ends of the cable, in a network that is kept free for examples (RFC 5737). */
const NETWORK = { here: '198.51.100.1', inside: '198.51.100.2', prefix: 30 };

/**
 * The system of the virtual Pi in a container: systemd as its first process, units, users and journal as in a machine, at
 * full speed. It has the kernel of the host, so no pins, no serial line, and no power to cut.
 */
export class Container {
  readonly #root: string;
  readonly #words: readonly string[];
  #nspawn: ChildProcess;

  private constructor(root: string, words: readonly string[]) {
    this.#root = root;
    this.#words = words;
    this.#nspawn = this.#powerOn();
  }

  static async boot({ system, release, packages, dir }: ContainerOptions): Promise<Container> {
    const [root, upper, work] = ['root', 'upper', 'work'].map((name) => join(dir, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [root, upper, work]) mkdirSync(folder);
    const layers = `lowerdir=${system},upperdir=${upper},workdir=${work}`;
    execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, root]);
    const boot = ['--quiet', '--directory', root, '--boot', '--register=no', '--keep-unit', '--console=pipe'];
    const binds = [`--bind-ro=${release}:/mnt`, `--bind-ro=${packages}:/packages/node_modules`];
    const container = new Container(root, [...boot, '--private-network', ...binds]);
    await container.#up();
    return container;
  }

  /** Shuts it down and boots it again, as a Pi does; a network that was plugged in is out then. */
  async reboot(): Promise<void> {
    const exit = once(this.#nspawn, 'exit');
    await this.run('systemctl reboot');
    await exit;
    this.#nspawn = this.#powerOn();
    await this.#up();
  }

  /**
   * Plugs in a network that is between this machine and the container alone: until now there was none. Resolves with the
   * addresses of both; the cable is gone with the container.
   */
  async plug(): Promise<{ here: string; inside: string }> {
    const { here, inside, prefix } = NETWORK;
    const name = `vpi${this.#leader()}`;
    const ip = (...words: string[]): Buffer => execFileSync('ip', words);
    ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'host0', 'netns', String(this.#leader()));
    ip('address', 'add', `${here}/${prefix}`, 'dev', name);
    ip('link', 'set', name, 'up');
    await this.run(`ip address add ${inside}/${prefix} dev host0 && ip link set host0 up`);
    return { here, inside };
  }

  /** Makes the gateway listen inside alone: a trusted network counts requests from its own machine only then. */
  async listenInside(): Promise<void> {
    await this.run(`sed -i '1s/{/{ "host": "127.0.0.1",/' /etc/cartwright/config.json`);
  }

  async unplug(): Promise<void> {
    await this.run('ip link delete host0');
  }

  /** Runs a script as root in it, and answers what it wrote; rejects when it fails. */
  async run(script: string): Promise<string> {
    const inside = ['--target', String(this.#leader()), '--all', 'env', '-i', 'PATH=/usr/sbin:/usr/bin'];
    try {
      const words = [...inside, 'bash', '-c', `exec 2>&1\n${script}`];
      const { stdout } = await promisify(execFile)('nsenter', words);
      return stdout.trimEnd();
    } catch (error) {
      throw new Error(`failed in the container: ${script}\n${(error as { stdout?: string }).stdout}`, {
        cause: error,
      });
    }
  }

  async close(): Promise<void> {
    if (this.#nspawn.exitCode === null) {
      const exit = once(this.#nspawn, 'exit');
      process.kill(this.#leader(), 'SIGKILL');
      await exit;
    }
    execFileSync('umount', [this.#root]);
  }

  #powerOn(): ChildProcess {
    return spawn('systemd-nspawn', this.#words, { stdio: 'ignore' });
  }

  #up(): Promise<unknown> {
    return poll('the container is up', UP_MS, async () =>
      /running|degraded/.test(await this.run('systemctl is-system-running || true')),
    );
  }

  /** The first process of the container: nspawn itself does not take it along when it is killed. */
  #leader(): number {
    const { pid } = this.#nspawn;
    const leader = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
    if (!(leader > 0)) throw new Error('the container has no first process');
    return leader;
  }
}
