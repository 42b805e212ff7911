import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What each tool does before anything else: it notes its call, and its id under its own name. */
const START = (dir: string) => `#!/bin/sh
D='${dir}'
tool=\${0##*/}
echo "$tool $*" >> "$D/calls"
if [ -e "$D/$tool.fails" ]; then cat "$D/$tool.fails" >&2; exit 1; fi
`;
const RUN = 'echo $$ > "$D/pids/$tool.$$"\n';

/** A line of gpioinfo, as each version writes it. */
const INFO = {
  1: (line: string, tool: string, way: string) =>
    `printf '\\tline %3d: "GPIO%d" "%s" %s active-high [used]\\n' ${line} ${line} ${tool} ${way}`,
  2: (line: string, tool: string, way: string) =>
    `printf '\\tline %3d:\\t"GPIO%d"\\t%s consumer="%s"\\n' ${line} ${line} ${way} ${tool}`,
};

/** The lines that a call names, after its options: `17` or `27=0`. */
const EACH = `for a in "$@"; do case $a in [0-9]*) l=\${a%%=*}`;

/**
 * Libgpiod's tools as small programs on a PATH of their own, in the manners of version 1 or 2. A test plays the pins:
 * it sends edges, and reads what the outputs were told.
 */
export class FakeGpiod {
  readonly dir = mkdtempSync(join(tmpdir(), 'gpiod-'));
  readonly path: string;
  #edges: number;

  constructor(version: 1 | 2, chips = ['gpiochip0 [pinctrl-bcm2711] (58 lines)']) {
    this.path = `${this.dir}/bin:${process.env.PATH}`;
    for (const name of ['bin', 'pids', 'info']) mkdirSync(join(this.dir, name));
    this.write('chips', `${chips.join('\n')}\n`);
    this.write('levels', '1\n');
    execFileSync('mkfifo', [join(this.dir, 'edges')]);
    // Both ends: neither we nor gpiomon wait for the other to open it.
    this.#edges = openSync(join(this.dir, 'edges'), 'r+');
    const info = INFO[version];
    const said = version === 1 ? 'gpiodetect (libgpiod) v1.6.3' : 'gpiodetect v2.2.1 (libgpiod v2.2.1)';
    const note = `${EACH.replace('[0-9]*', '[0-9]*=*')}; echo "$a" >> "$D/out";; esac; done\n`;
    const mark = (tool: string, way: string) =>
      `${EACH}; ${info('$l', tool, way)} > "$D/info/$l";; esac; done\n`;
    this.#tool('gpiodetect', `case $1 in --version) echo '${said}';; *) cat "$D/chips";; esac`);
    this.#tool('gpioget', 'cat "$D/levels"');
    this.#tool('gpioinfo', 'cat "$D"/info/* 2>/dev/null || true');
    this.#tool('gpiomon', `${RUN}${mark('gpiomon', 'input')}exec cat "$D/edges"`);
    const hold = {
      1: 'case $1 in --mode=exit) exit 0;; esac\nexec sleep 1000',
      // At the end of its input the real one tries again for ever.
      2: `case $1 in --toggle) exit 0;; esac
while read -r c a; do case $c in set) echo "$a" >> "$D/out";; exit) exit 0;; esac; done
exec sleep 1000`,
    };
    // A line is shown as held when it is driven, not before.
    this.#tool('gpioset', `${RUN}${note}${mark('gpioset', 'output')}${hold[version]}`);
  }

  /** An edge, as gpiomon would print it. */
  edge(line: number, kind: 0 | 1 | 2): void {
    writeSync(this.#edges, `${line} ${kind}\n`);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.dir, name), text);
  }

  /** What the outputs were told, oldest first: `27=0`. */
  get out(): string[] {
    return this.#lines('out');
  }

  /** Every call, oldest first. */
  get calls(): string[] {
    return this.#lines('calls');
  }

  /** The ids of the tools that still run, by name. */
  running(tool: string): number[] {
    const started = readdirSync(join(this.dir, 'pids')).filter((name) => name.startsWith(`${tool}.`));
    return started.map((name) => Number(name.split('.')[1])).filter(isAlive);
  }

  close(): void {
    for (const tool of ['gpiomon', 'gpioset'])
      for (const pid of this.running(tool)) process.kill(pid, 'SIGKILL');
    rmSync(this.dir, { recursive: true, force: true });
  }

  #tool(name: string, body: string): void {
    writeFileSync(join(this.dir, 'bin', name), `${START(this.dir)}${body}\n`, { mode: 0o755 });
  }

  #lines(name: string): string[] {
    try {
      return readFileSync(join(this.dir, name), 'utf8').trim().split('\n').filter(Boolean);
    } catch {
      return [];
    }
  }
}

/** A process that has ended, and whose status nobody has asked for yet, has no arguments left. */
function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}
