import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import { packageRoot } from '../../src/shared/package-root.js';
import { Container, type ContainerOptions } from './container.js';
import { GatewayClient } from './gateway-client.js';
import { hardware } from './hardware.js';
import { type BootOptions, Machine } from './machine.js';
import { SerialLine } from './serial-line.js';
import { VolatileDisk } from './volatile-disk.js';

const run = promisify(execFile);
const NEEDED = ['qemu-img', 'mmdebstrap', 'mke2fs', 'cpio', 'systemd-nspawn', 'ip'];
/** Exit status of build.sh if the package mirror is needed but unreachable. */
const NO_MIRROR = 75;
const SNAPSHOT = 'ready';
const DISK = 'disk.qcow2';

/**
 * Defines a suite of tests on virtual Pis. Removes all machines after each test. If no machine can be built,
 * skips the suite and prints the reason.
 */
export async function deviceSuite(
  name: string,
  tests: (test: ReturnType<typeof suite>, vms: VirtualMachines) => void,
): Promise<void> {
  const lack = missing();
  const vms = lack === '' ? await VirtualMachines.open() : undefined;
  if (!vms) {
    process.stdout.write(`SKIPPED: ${name} needs ${lack || 'the package mirror'}\n`);
    return;
  }
  const test = suite(name);
  test.after.each(() => vms.clear());
  tests(withJournal(test, vms), vms);
  test.run();
}

/** Prints the journal of the gateway on every machine of a test that fails, because the machines are removed. */
function withJournal(test: ReturnType<typeof suite>, vms: VirtualMachines): ReturnType<typeof suite> {
  const printing = (title: string, body: () => Promise<void>): void =>
    test(title, () =>
      body().catch(async (error: unknown) => {
        await vms.printJournals();
        throw error;
      }),
    );
  return Object.assign(printing, test);
}

function missing(): string {
  if (process.getuid?.() !== 0) return 'root';
  const { emulator, tools } = hardware();
  return [emulator, ...NEEDED, ...tools].filter((tool) => spawnSync('which', [tool]).status !== 0).join(', ');
}

export interface TestMachine {
  machine: Machine;
  gateway: GatewayClient;
  line: SerialLine;
}

export interface TestMachineOptions {
  /** True if the controller is connected (the default). */
  plugged?: boolean;
  date?: string;
}

/** Builds the missing stages. Returns their directory, or undefined if the package mirror cannot be reached. */
function build(environment: Record<string, string> = {}): string | undefined {
  const script = join(packageRoot(), 'test/device/build.sh');
  const { status, stdout } = spawnSync(script, [join(import.meta.dirname, '../..')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  if (status === NO_MIRROR) return undefined;
  if (status !== 0) throw new Error(`${script} ended with ${status}`);
  return stdout.trim();
}

/** Creates machines on which install.sh has installed the gateway. */
export class VirtualMachines {
  readonly #cache: string;
  /** The path names the installed system (see the keys in build.sh) from which the snapshot is made. */
  readonly #snapshot: string;
  readonly #closers: (() => Promise<void>)[] = [];
  readonly #machines: Machine[] = [];

  private constructor(cache: string) {
    this.#cache = cache;
    const key = createHash('sha256').update(readFileSync(join(cache, 'installed', '.key')));
    this.#snapshot = join(cache, `ready-${key.digest('hex').slice(0, 16)}.qcow2`);
  }

  /**
   * Builds missing stages, which takes minutes the first time and seconds after that. Returns undefined if
   * the package mirror is unreachable.
   */
  static async open(): Promise<VirtualMachines | undefined> {
    const cache = build();
    return cache === undefined ? undefined : new VirtualMachines(cache);
  }

  /** Disk image with the release, for use as a second disk. */
  get medium(): string {
    return join(this.#cache, 'release', 'disk.img');
  }

  /** Directory with the release, and the private key that signed it. */
  get release(): { dir: string; key: string } {
    return { dir: join(this.#cache, 'release/release'), key: join(this.#cache, 'release/key.pem') };
  }

  /** Boots a machine from power-on with a new copy of the disk. */
  async coldBoot(options: TestMachineOptions = {}): Promise<TestMachine> {
    const runDir = this.#makeRunDir();
    const disk = await overlay(this.#installed, runDir);
    return this.#boot(runDir, { disk, medium: this.medium }, options);
  }

  /**
   * Returns a machine that is already running. The first call boots the machine and saves a snapshot; later
   * calls resume from the snapshot.
   */
  async warmBoot(options: TestMachineOptions = {}): Promise<TestMachine> {
    if (!existsSync(this.#snapshot)) {
      const vm = await this.coldBoot();
      await vm.gateway.ready();
      await this.#keepSnapshot(vm);
    }
    const runDir = this.#makeRunDir();
    await run('cp', ['--reflink=auto', this.#snapshot, join(runDir, DISK)]);
    const boot = { disk: qcow2(runDir), medium: this.medium, snapshot: SNAPSHOT };
    return this.#boot(runDir, boot, options);
  }

  /** Saves a booted machine with a stationary cart as the snapshot for `warmBoot`. Stops the machine. */
  async #keepSnapshot({ machine }: TestMachine): Promise<void> {
    await machine.systemIsUp();
    const failure = await machine.monitor.human(`savevm ${SNAPSHOT}`);
    if (failure) throw new Error(`savevm: ${failure}`);
    await machine.cut();
    for (const name of readdirSync(this.#cache)) {
      const isOld = name.startsWith('ready') && !name.startsWith(basename(this.#snapshot));
      if (isOld) rmSync(join(this.#cache, name), { recursive: true, force: true });
    }
    // Another suite may save a snapshot at the same time, so each replaces the file in one step.
    const fresh = `${this.#snapshot}.${process.pid}`;
    await run('mv', [join(machine.runDir, DISK), fresh]);
    renameSync(fresh, this.#snapshot);
  }

  /**
   * Returns a container for tests that need no hardware. The gateway is not installed; its release is mounted
   * on /mnt.
   */
  async container(): Promise<Container> {
    return this.#bootContainer({ system: join(this.#cache, 'system/root') });
  }

  /** Returns a container that has cloud-init and the directory `bootPartition`, but no Node. */
  async cloudContainer(bootPartition: string): Promise<Container> {
    build({ CARTWRIGHT_CLOUD: '1' });
    return this.#bootContainer({ system: join(this.#cache, 'cloud/root'), bootPartition });
  }

  async #bootContainer(options: Pick<ContainerOptions, 'system' | 'bootPartition'>): Promise<Container> {
    const dir = this.#makeRunDir();
    const { dir: release } = this.release;
    const packages = realpathSync(join(packageRoot(), 'node_modules'));
    const container = await Container.boot({ ...options, release, packages, dir });
    this.#closers.push(() => container.close());
    return container;
  }

  /**
   * Creates a disk that loses unflushed writes in each power cut. Returns the disk's directory, which the
   * caller must remove.
   */
  async volatileDisk(): Promise<string> {
    const dir = mkdtempSync(join(tmpdir(), 'virtual-pi-'));
    await run('cp', ['--sparse=always', this.#installed, join(dir, 'disk.img')]);
    return dir;
  }

  async bootVolatile(
    dir: string,
    line: SerialLine,
    { lies = false, medium }: { lies?: boolean; medium?: string } = {},
  ): Promise<{ machine: Machine; disk: VolatileDisk }> {
    const socket = join(dir, 'nbd.sock');
    const disk = await VolatileDisk.open({ image: join(dir, 'disk.img'), socket, lies });
    const driveOptions = `file=nbd:unix:${socket},format=raw,cache=writeback`;
    const machine = await Machine.boot({
      kernelDir: this.#kernelDir,
      runDir: dir,
      disk: driveOptions,
      line,
      ...(medium === undefined ? {} : { medium }),
    });
    return { machine, disk };
  }

  async printJournals(): Promise<void> {
    for (const machine of this.#machines) {
      const journal = 'journalctl -b --no-pager -o short-monotonic -n 80 -u cartwright';
      process.stdout.write(`${await machine.run(journal).catch(String)}\n`);
    }
  }

  async clear(): Promise<void> {
    this.#machines.length = 0;
    // Machines must stop before their directories are removed.
    for (const close of this.#closers.splice(0).reverse()) await close();
  }

  get #kernelDir(): string {
    return join(this.#cache, 'system');
  }

  get #installed(): string {
    return join(this.#cache, 'installed', 'disk.img');
  }

  #makeRunDir(): string {
    const dir = mkdtempSync(join(tmpdir(), 'virtual-pi-'));
    this.#closers.push(async () => rmSync(dir, { recursive: true }));
    return dir;
  }

  async #boot(
    runDir: string,
    boot: Pick<BootOptions, 'disk' | 'medium' | 'snapshot'>,
    { plugged = true, date }: TestMachineOptions,
  ): Promise<TestMachine> {
    const line = new SerialLine();
    const machine = await Machine.boot({
      ...boot,
      kernelDir: this.#kernelDir,
      runDir,
      ...(plugged ? { line } : {}),
      ...(date === undefined ? {} : { date }),
    });
    this.#machines.push(machine);
    this.#closers.push(async () => {
      line.close();
      await machine.cut();
    });
    return { machine, line, gateway: new GatewayClient(machine.url) };
  }
}

/** Creates an overlay of `base`. Returns the QEMU options for a disk that writes to the overlay. */
async function overlay(base: string, runDir: string): Promise<string> {
  await run('qemu-img', ['create', '-q', '-f', 'qcow2', '-b', base, '-F', 'raw', join(runDir, DISK)]);
  return qcow2(runDir);
}

const qcow2 = (runDir: string): string => `file=${join(runDir, DISK)},format=qcow2`;
