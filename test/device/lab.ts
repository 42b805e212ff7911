import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import { packageRoot } from '../../src/util/package-root.js';
import { type BootOptions, Machine } from './machine.js';
import { SerialLine } from './serial-line.js';
import { Site } from './site.js';
import { VolatileDisk } from './volatile-disk.js';

const run = promisify(execFile);
const NEEDED = ['qemu-system-x86_64', 'qemu-img', 'mmdebstrap', 'mke2fs', 'cpio'];
const SNAPSHOT = 'ready';

/**
 * A suite of tests in virtual Pis; every machine that a test has made is taken away after it. Where none can be made the
 * suite is skipped, with a line that says what is missing.
 */
export async function deviceSuite(
  name: string,
  tests: (test: ReturnType<typeof suite>, lab: Lab) => void,
): Promise<void> {
  const lack = missing();
  if (lack !== '') {
    process.stdout.write(`SKIPPED: ${name} needs ${lack}\n`);
    return;
  }
  const test = suite(name);
  const lab = await Lab.open();
  test.after.each(() => lab.clear());
  tests(test, lab);
  test.run();
}

function missing(): string {
  if (process.getuid?.() !== 0) return 'root';
  return NEEDED.filter((tool) => spawnSync('which', [tool]).status !== 0).join(', ');
}

/** A machine that runs, the gateway in it as the network sees it, and the controller on its serial line. */
export interface Bench {
  machine: Machine;
  site: Site;
  line: SerialLine;
}

export interface BenchOptions {
  /** With the plug of the controller in the machine (yes). */
  plugged?: boolean;
  date?: string;
}

/** Makes machines with the gateway installed by its own install.sh. */
export class Lab {
  readonly #cache: string;
  readonly #closers: (() => Promise<void>)[] = [];
  #snapshot: string | undefined;

  private constructor(cache: string) {
    this.#cache = cache;
  }

  /** Builds what is not built yet: minutes the first time, then seconds. */
  static async open(): Promise<Lab> {
    const script = join(packageRoot(), 'test/device/build.sh');
    const dist = join(import.meta.dirname, '../..');
    const { stdout } = await run(script, [dist], { maxBuffer: 1 << 24 });
    const lab = new Lab(stdout.trim());
    await lab.#install();
    return lab;
  }

  /** The medium with the release, as a second disk. */
  get medium(): string {
    return join(this.#cache, 'medium', 'disk.img');
  }

  /** Boots from power-on, on a fresh copy of the disk with the gateway. */
  async coldBoot(options: BenchOptions = {}): Promise<Bench> {
    const runDir = mkdtempSync(join(tmpdir(), 'virtual-pi-'));
    const disk = await overlay(this.#installed, runDir);
    return this.#bench(runDir, { disk, medium: this.medium }, options);
  }

  /** A machine that has been up for a while: one boots, all others go on from there. */
  async warmBoot(options: BenchOptions = {}): Promise<Bench> {
    this.#snapshot ??= await this.#takeSnapshot();
    const runDir = mkdtempSync(join(tmpdir(), 'virtual-pi-'));
    const copy = join(runDir, 'disk.qcow2');
    await run('cp', ['--reflink=auto', this.#snapshot, copy]);
    const disk = `file=${copy},format=qcow2`;
    return this.#bench(runDir, { disk, medium: this.medium, snapshot: SNAPSHOT }, options);
  }

  /** A disk of its own, in a folder that the caller removes; `boot` it as often as the power is cut. */
  async volatileDisk(): Promise<string> {
    const dir = mkdtempSync(join(tmpdir(), 'virtual-pi-'));
    await run('cp', ['--sparse=always', this.#installed, join(dir, 'disk.img')]);
    return dir;
  }

  async bootVolatile(
    dir: string,
    line: SerialLine,
    lies = false,
  ): Promise<{ machine: Machine; disk: VolatileDisk }> {
    const socket = join(dir, 'nbd.sock');
    const disk = await VolatileDisk.open({ image: join(dir, 'disk.img'), socket, lies });
    const words = `file=nbd:unix:${socket},format=raw,cache=writeback`;
    const machine = await Machine.boot({ kernelDir: this.#kernelDir, runDir: dir, disk: words, line });
    return { machine, disk };
  }

  /** Takes all machines away, and what they wrote. */
  async clear(): Promise<void> {
    for (const close of this.#closers.splice(0)) await close();
  }

  get #kernelDir(): string {
    return join(this.#cache, 'machine');
  }

  get #installed(): string {
    return join(this.#cache, 'installed', 'disk.img');
  }

  async #bench(
    runDir: string,
    boot: Pick<BootOptions, 'disk' | 'medium' | 'snapshot'>,
    { plugged = true, date }: BenchOptions,
  ): Promise<Bench> {
    const line = new SerialLine();
    const machine = await Machine.boot({
      ...{ ...boot, kernelDir: this.#kernelDir, runDir },
      ...(plugged ? { line } : {}),
      ...(date === undefined ? {} : { date }),
    });
    this.#closers.push(async () => {
      line.close();
      await machine.cut();
      rmSync(runDir, { recursive: true });
    });
    return { machine, line, site: new Site(machine.url) };
  }

  async #takeSnapshot(): Promise<string> {
    const runDir = mkdtempSync(join(tmpdir(), 'virtual-pi-'));
    process.once('exit', () => rmSync(runDir, { recursive: true, force: true }));
    const disk = await overlay(this.#installed, runDir);
    const bench = await this.#bench(runDir, { disk, medium: this.medium }, {});
    await bench.site.ready();
    await bench.machine.systemIsUp();
    const refusal = await bench.machine.monitor.human(`savevm ${SNAPSHOT}`);
    if (refusal) throw new Error(`savevm: ${refusal}`);
    bench.line.close();
    await bench.machine.cut();
    this.#closers.pop();
    return join(runDir, 'disk.qcow2');
  }

  /** The disk after install.sh has run once on it, made anew when the system or the release has changed. */
  async #install(): Promise<void> {
    const [folder, fresh] = [join(this.#cache, 'installed'), join(this.#cache, 'installed.new')];
    const key = [this.#kernelDir, dirname(this.medium)]
      .map((stage) => readFileSync(join(stage, '.key')))
      .join(' ');
    const digest = createHash('sha256').update(key).digest('hex');
    if (existsSync(join(folder, '.key')) && readFileSync(join(folder, '.key'), 'utf8') === digest) return;
    rmSync(fresh, { recursive: true, force: true });
    await mkdir(fresh, { recursive: true });
    const image = join(fresh, 'disk.img');
    await run('cp', ['--sparse=always', join(this.#kernelDir, 'disk.img'), image]);
    const disk = `file=${image},format=raw,cache=unsafe`;
    const line = new SerialLine();
    const machine = await Machine.boot({
      kernelDir: this.#kernelDir,
      runDir: fresh,
      disk,
      medium: this.medium,
      line,
    });
    try {
      await machine.systemIsUp();
      await machine.run(
        'mount -o ro /dev/vdb /mnt && CARTWRIGHT_READY_S=300 /mnt/systemd/install.sh && umount /mnt',
      );
      await machine.shutDown();
    } finally {
      await machine.cut();
      line.close();
    }
    writeFileSync(join(fresh, '.key'), digest);
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  }
}

/** A disk that keeps what is written over `base`, and leaves `base` as it is; in QEMU's words. */
async function overlay(base: string, runDir: string): Promise<string> {
  const file = join(runDir, 'disk.qcow2');
  await run('qemu-img', ['create', '-q', '-f', 'qcow2', '-b', base, '-F', 'raw', file]);
  return `file=${file},format=qcow2`;
}
