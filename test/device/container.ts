import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { poll } from './poll.js';

const UP_MS = 60_000;

export const INSTALL = 'CARTWRIGHT_READY_S=180 /mnt/systemd/install.sh';

export interface ContainerOptions {
  /** Directory with the system but not the gateway; the container does not modify it. */
  system: string;
  /** Directory with a release, mounted as /mnt. */
  release: string;
  /**
   * This checkout's packages, mounted as /packages/node_modules, because a release contains no optional
   * packages.
   */
  packages: string;
  /** Directory that the container sees as the boot partition, /boot/firmware. */
  bootPartition?: string;
  /** Empty directory for the files that the container writes. */
  dir: string;
}

/** Addresses of the virtual cable's ends, from a network reserved for documentation (RFC 5737). */
const NETWORK = { here: '198.51.100.1', inside: '198.51.100.2', prefix: 30 };

/**
 * Runs the virtual Pi's system at full speed in a container with systemd, units, users and a journal. The
 * container shares the host's kernel and has no pins, serial line or power supply.
 */
export class Container {
  /** Directory that the container sees as /shared and cannot modify. */
  readonly shared: string;
  readonly #root: string;
  readonly #options: readonly string[];
  #nspawn: ChildProcess;

  private constructor(root: string, shared: string, options: readonly string[]) {
    this.#root = root;
    this.shared = shared;
    this.#options = options;
    this.#nspawn = this.#powerOn();
  }

  static async boot({ system, release, packages, bootPartition, dir }: ContainerOptions): Promise<Container> {
    const folders = ['root', 'upper', 'work', 'shared'].map((name) => join(dir, name));
    const [root, upper, work, shared] = folders as [string, string, string, string];
    for (const folder of folders) mkdirSync(folder);
    const layers = `lowerdir=${system},upperdir=${upper},workdir=${work}`;
    execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, root]);
    const boot = ['--quiet', '--directory', root, '--boot', '--register=no', '--keep-unit', '--console=pipe'];
    const binds = [
      `--bind-ro=${release}:/mnt`,
      `--bind-ro=${packages}:/packages/node_modules`,
      `--bind-ro=${shared}:/shared`,
      ...(bootPartition === undefined ? [] : [`--bind=${bootPartition}:/boot/firmware`]),
    ];
    const container = new Container(root, shared, [...boot, '--private-network', ...binds]);
    await container.#up();
    return container;
  }

  /** Reboots the container, which disconnects its network. */
  async reboot(): Promise<void> {
    const exit = once(this.#nspawn, 'exit');
    await this.run('systemctl reboot');
    await exit;
    this.#nspawn = this.#powerOn();
    await this.#up();
  }

  /** Kills every process at once, then boots the container. Unlike in a power cut, no written data is lost. */
  async crash(): Promise<void> {
    const exit = once(this.#nspawn, 'exit');
    process.kill(this.#leader(), 'SIGKILL');
    await exit;
    this.#nspawn = this.#powerOn();
    await this.#up();
  }

  /**
   * Connects this machine to the container, which initially has no network. Resolves with the addresses of
   * this machine and the container. Removing the container also removes the network.
   */
  async plug(): Promise<{ here: string; inside: string }> {
    const { here, inside, prefix } = NETWORK;
    const name = `vpi${this.#leader()}`;
    const ip = (...options: string[]): Buffer => execFileSync('ip', options);
    ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'host0', 'netns', String(this.#leader()));
    ip('address', 'add', `${here}/${prefix}`, 'dev', name);
    ip('link', 'set', name, 'up');
    await this.run(`ip address add ${inside}/${prefix} dev host0 && ip link set host0 up`);
    return { here, inside };
  }

  /**
   * Makes the gateway listen only on the container's loopback interface, so that it trusts only requests from
   * inside.
   */
  async listenInside(): Promise<void> {
    await this.run(`sed -i '1s/{/{ "host": "127.0.0.1",/' /etc/cartwright/config.json`);
  }

  async unplug(): Promise<void> {
    await this.run('ip link delete host0');
  }

  async run(script: string): Promise<string> {
    const inside = ['--target', String(this.#leader()), '--all', 'env', '-i', 'PATH=/usr/sbin:/usr/bin'];
    try {
      const options = [...inside, 'bash', '-c', `exec 2>&1\n${script}`];
      const { stdout } = await promisify(execFile)('nsenter', options);
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
    return spawn('systemd-nspawn', this.#options, { stdio: 'ignore' });
  }

  #up(): Promise<unknown> {
    return poll('the container is up', UP_MS, async () =>
      /running|degraded/.test(await this.run('systemctl is-system-running || true')),
    );
  }

  /** Returns the process ID of the container's init, which survives if nspawn is killed. */
  #leader(): number {
    const { pid } = this.#nspawn;
    const leader = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
    if (!(leader > 0)) throw new Error('the container has no first process');
    return leader;
  }
}
