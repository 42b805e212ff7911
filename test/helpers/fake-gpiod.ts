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

/** `START` records a call to a tool, and `RUN` records the tool's process ID. */
const START = (dir: string) => `#!/bin/sh
D='${dir}'
tool=\${0##*/}
echo "$tool $*" >> "$D/calls"
if [ -e "$D/$tool.fails" ]; then cat "$D/$tool.fails" >&2; exit 1; fi
`;
const RUN = 'echo $$ > "$D/pids/$tool.$$"\n';

/** A line of gpioinfo output, by libgpiod version. */
const INFO = {
  1: (line: string, tool: string, direction: string) =>
    `printf '\\tline %3d: "GPIO%d" "%s" %s active-high [used]\\n' ${line} ${line} ${tool} ${direction}`,
  2: (line: string, tool: string, direction: string) =>
    `printf '\\tline %3d:\\t"GPIO%d"\\t%s consumer="%s"\\n' ${line} ${line} ${direction} ${tool}`,
};

/** Loops over a call's line arguments, such as `17` or `27=0`. */
const EACH = `for a in "$@"; do case $a in [0-9]*) l=\${a%%=*}`;

/**
 * Scripts on the PATH that act as the libgpiod tools, version 1 or 2. A test sends edges and reads the levels
 * written to the outputs.
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
    // The pipe is opened for reading and writing, so that neither side waits for the other to open it.
    this.#edges = openSync(join(this.dir, 'edges'), 'r+');
    const info = INFO[version];
    const banner = version === 1 ? 'gpiodetect (libgpiod) v1.6.3' : 'gpiodetect v2.2.1 (libgpiod v2.2.1)';
    const note = `${EACH.replace('[0-9]*', '[0-9]*=*')}; echo "$a" >> "$D/out";; esac; done\n`;
    const mark = (tool: string, direction: string) =>
      `${EACH}; ${info('$l', tool, direction)} > "$D/info/$l";; esac; done\n`;
    this.#tool('gpiodetect', `case $1 in --version) echo '${banner}';; *) cat "$D/chips";; esac`);
    this.#tool('gpioget', 'cat "$D/levels"');
    this.#tool('gpioinfo', 'cat "$D"/info/* 2>/dev/null || true');
    this.#tool('gpiomon', `${RUN}${mark('gpiomon', 'input')}exec cat "$D/edges"`);
    const hold = {
      1: 'case $1 in --mode=exit) exit 0;; esac\nexec sleep 1000',
      // When its input ends, the real gpioset does not exit but retries forever.
      2: `case $1 in --toggle) exit 0;; esac
while read -r c a; do case $c in set) echo "$a" >> "$D/out";; exit) exit 0;; esac; done
exec sleep 1000`,
    };
    // A line that gpioset drives is reported as in use.
    this.#tool('gpioset', `${RUN}${note}${mark('gpioset', 'output')}${hold[version]}`);
  }

  /** Sends an edge in gpiomon's output format. */
  edge(line: number, kind: 0 | 1 | 2): void {
    writeSync(this.#edges, `${line} ${kind}\n`);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.dir, name), text);
  }

  /** Levels written to the outputs (such as `27=0`), oldest first. */
  get out(): string[] {
    return this.#lines('out');
  }

  get calls(): string[] {
    return this.#lines('calls');
  }

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

/** A zombie process has an empty command line. */
function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}
