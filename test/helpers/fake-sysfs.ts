import fs, { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { OnoffKernel } from '../../src/adapters/gpio/onoff.js';
import type { OnoffModule } from '../../src/adapters/gpio/onoff-pins.js';

export interface FakeChip {
  base: number;
  label: string;
  lines?: number;
}

const require = createRequire(import.meta.url);

/**
 * A directory like /sys/class/gpio with a simulated kernel. `load` returns the real onoff package, bound to
 * this directory and its interrupts. The test sets the levels.
 */
export class FakeSysfs {
  readonly root = mkdtempSync(join(tmpdir(), 'sysfs-'));
  exportError = '';
  /** Pins whose files udev has not yet made accessible. */
  readonly withheld = new Set<number>();
  /** Pins whose direction cannot be changed. */
  readonly stuck = new Set<number>();
  #pollers = new Map<number, () => void>();

  constructor(chips: FakeChip[]) {
    this.#file('export');
    this.#file('unexport');
    for (const { base, label, lines = 58 } of chips) {
      const dir = join(this.root, `gpiochip${base}`);
      mkdirSync(dir);
      for (const [file, text] of Object.entries({ base, label, ngpio: lines }))
        writeFileSync(join(dir, file), `${text}\n`);
    }
  }

  /** The installed onoff package, bound to this directory. */
  readonly load = async (): Promise<OnoffModule> => {
    const source = readFileSync(require.resolve('onoff'), 'utf8').replace(
      "'/sys/class/gpio/'",
      JSON.stringify(`${this.root}/`),
    );
    const module = { exports: {} as OnoffModule };
    const stubs: Record<string, unknown> = {
      fs: { ...fs, writeFileSync: (path: string, text: string) => this.#write(path, text) },
      epoll: { Epoll: this.#epoll() },
    };
    const load = (name: string): unknown => stubs[name] ?? require(name);
    compileFunction(source, ['require', 'module'])(load, module);
    return module.exports;
  };

  /** The file functions with which the gateway requests pins, bound to this directory. */
  readonly files = {
    write: (path: string, text: string): void => this.#write(path, text),
    mayUse: (path: string): void => {
      const [, number] = /gpio(\d+)\//.exec(path) ?? [];
      if (this.withheld.has(Number(number))) throw failure('EACCES');
    },
  };

  /** The kernel interface, which uses this directory instead of /sys/class/gpio. */
  get kernel(): Required<OnoffKernel> {
    return { root: this.root, files: this.files, load: this.load };
  }

  /** Returns the content of a pin's file, or undefined if the pin is not exported. */
  read(number: number, file: string): string | undefined {
    try {
      return readFileSync(join(this.root, `gpio${number}`, file), 'utf8').trim();
    } catch {
      return undefined;
    }
  }

  get exported(): number[] {
    const names = fs.readdirSync(this.root).filter((name) => /^gpio\d+$/.test(name));
    return names.map((name) => Number(name.slice(4))).toSorted((a, b) => a - b);
  }

  /** Exports a pin, as another program might have done earlier. */
  preExport(number: number, files: Record<string, string> = {}): void {
    const dir = join(this.root, `gpio${number}`);
    mkdirSync(dir);
    const all = { direction: 'in', value: '0', edge: 'none', active_low: '0', ...files };
    for (const [file, text] of Object.entries(all)) writeFileSync(join(dir, file), text);
  }

  /** Changes a level without triggering an interrupt. */
  set(number: number, level: 0 | 1): void {
    writeFileSync(join(this.root, `gpio${number}`, 'value'), String(level));
  }

  interrupt(): void {
    for (const poll of [...this.#pollers.values()]) poll();
  }

  get watched(): number {
    return this.#pollers.size;
  }

  close(): void {
    rmSync(this.root, { recursive: true });
  }

  #file(name: string): void {
    writeFileSync(join(this.root, name), '');
  }

  #write(path: string, text: string): void {
    if (path === join(this.root, 'export')) return this.#export(Number(text));
    if (path === join(this.root, 'unexport'))
      return rmSync(join(this.root, `gpio${text}`), { recursive: true });
    const [, number = '', file] = /gpio(\d+)\/(\w+)$/.exec(path) ?? [];
    if (file !== 'direction') return writeFileSync(path, text);
    if (this.stuck.has(Number(number))) throw failure('EPERM');
    writeFileSync(path, text === 'in' ? 'in' : 'out');
    if (text !== 'in') this.set(Number(number), text === 'high' ? 1 : 0);
  }

  #export(number: number): void {
    if (this.exportError) throw failure(this.exportError);
    const chips = fs.readdirSync(this.root).filter((name) => name.startsWith('gpiochip'));
    const isThere = chips.some((name) => {
      const of = (file: string): number => Number(readFileSync(join(this.root, name, file), 'utf8'));
      return number >= of('base') && number < of('base') + of('ngpio');
    });
    if (!isThere) throw failure('EINVAL');
    this.preExport(number);
  }

  /** Emulates the kernel's interrupts, which regular files do not generate. */
  #epoll(): unknown {
    const pollers = this.#pollers;
    return class {
      #handler: (error: null, fd: number) => void;
      constructor(handler: (error: null, fd: number) => void) {
        this.#handler = handler;
      }
      add(fd: number): void {
        pollers.set(fd, () => this.#handler(null, fd));
      }
      remove(fd: number): void {
        pollers.delete(fd);
      }
    };
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: rejected by the kernel`), { code });
}
