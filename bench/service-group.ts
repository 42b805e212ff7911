import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MB = 1024 * 1024;
/** The same limits as in the unit file. Version 1 of control groups has no `MemoryHigh`; its CPU shares are 1,024 by default. */
const LEGACY = [
  { controller: 'memory', file: 'memory.limit_in_bytes', value: 512 * MB },
  { controller: 'cpu', file: 'cpu.shares', value: 5 * 1024 },
];
const UNIFIED = [
  { file: 'memory.high', value: 384 * MB },
  { file: 'memory.max', value: 512 * MB },
  { file: 'cpu.weight', value: 500 },
];

interface Directory {
  path: string;
  /** The group of this process. */
  former: string;
}

/** Control groups, of version 1 or 2, with the limits and the priority of the systemd unit. */
export class ServiceGroup {
  readonly #directories: readonly Directory[];
  readonly #killsFile: string;

  private constructor(directories: readonly Directory[], killsFile: string) {
    this.#directories = directories;
    this.#killsFile = killsFile;
  }

  /** Returns undefined if the kernel or the permissions do not allow it. */
  static create(): ServiceGroup | undefined {
    const name = `cartwright-attack-${process.pid}`;
    const groups = readFileSync('/proc/self/cgroup', 'utf8');
    const groupOf = (controller: string): string | undefined =>
      new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(/.*)$`, 'm').exec(groups)?.[1];
    const create = (mount: string, group: string, values: readonly { file: string; value: number }[]) => {
      const path = join(mount, name);
      mkdirSync(path);
      for (const { file, value } of values) writeFileSync(join(path, file), String(value));
      return { path, former: join(mount, group) };
    };
    try {
      if (groupOf('memory') === undefined) {
        const unified = /^0::(\/.*)$/m.exec(groups)?.[1] ?? '/';
        const directory = create('/sys/fs/cgroup', unified, UNIFIED);
        return new ServiceGroup([directory], join(directory.path, 'memory.events'));
      }
      const directories = LEGACY.map(({ controller, ...limit }) =>
        create(`/sys/fs/cgroup/${controller}`, groupOf(controller) ?? '/', [limit]),
      );
      return new ServiceGroup(directories, join('/sys/fs/cgroup/memory', name, 'memory.oom_control'));
    } catch {
      return undefined;
    }
  }

  /** Runs `start`, which starts a process before it returns. The process stays in the group; this one leaves it. */
  async contain<T>(start: () => Promise<T>): Promise<T> {
    const move = (directory: string): void =>
      writeFileSync(join(directory, 'cgroup.procs'), String(process.pid));
    for (const { path } of this.#directories) move(path);
    try {
      return await start();
    } finally {
      for (const { former } of this.#directories) move(former);
    }
  }

  /** Number of processes of the group that the kernel has killed for lack of memory. */
  get kills(): number {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync(this.#killsFile, 'utf8'))?.[1]);
  }

  /** Removes the group, all of whose processes must have ended. */
  remove(): void {
    for (const { path } of this.#directories) rmdirSync(path);
  }
}
