import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent } from './agent.js';
import { hardware } from './hardware.js';
import { Monitor } from './monitor.js';
import { poll } from './poll.js';
import type { SerialLine } from './serial-line.js';

const GUEST_PORT = 3000;
const KERNEL_LINE = 'root=/dev/vda rw quiet mitigations=off net.ifnames=0 apparmor=0 panic=-1';
const SOCKETS = ['agent', 'monitor', 'serial', 'usb'] as const;
const AGENT_TIMEOUT_MS = 480_000;

export interface BootOptions {
  /** Directory with the kernel and the initramfs from build.sh. */
  kernelDir: string;
  /** Directory for sockets and the console log. */
  runDir: string;
  /** QEMU options for the disk, such as `file=/x/disk.qcow2,format=qcow2`. */
  disk: string;
  /** Second, read-only disk with a release. */
  medium?: string;
  /** The motor controller's end of the serial line; if undefined, no controller is connected. */
  line?: SerialLine;
  /** Disk snapshot from which the machine resumes instead of booting. */
  snapshot?: string;
  /** Initial date of the clock, such as `1970-01-01`. */
  date?: string;
}

/** A QEMU machine, without KVM, that has a Pi's pins and runs Debian with systemd. */
export class Machine {
  readonly #qemu: ChildProcess;
  readonly #options: BootOptions;
  readonly startedAtMs = performance.now();
  #agent: Agent | undefined;
  #monitor: Monitor | undefined;
  #url = '';

  private constructor(qemu: ChildProcess, options: BootOptions) {
    this.#qemu = qemu;
    this.#options = options;
  }

  /** Powers on the machine. Resolves when QEMU is running, long before the system has booted. */
  static async boot(options: BootOptions): Promise<Machine> {
    // An earlier boot may have left its sockets in this directory.
    for (const name of SOCKETS) rmSync(join(options.runDir, `${name}.sock`), { force: true });
    const log = openSync(join(options.runDir, 'qemu.log'), 'a');
    const command = ['-n', '10', hardware().emulator, ...qemuArguments(options)];
    const qemu = spawn('nice', command, { stdio: ['ignore', log, log] });
    closeSync(log);
    // The machine must not outlive a test that crashes.
    const kill = (): unknown => qemu.kill('SIGKILL');
    process.once('exit', kill);
    qemu.once('exit', () => process.off('exit', kill));
    const machine = new Machine(qemu, options);
    const sockets = SOCKETS.map((name) => machine.socket(name));
    await poll('QEMU opens its sockets', 30_000, async () => {
      if (!machine.#isRunning) throw new Error(`QEMU has ended, see ${options.runDir}/qemu.log`);
      return sockets.every(existsSync);
    });
    machine.#monitor = await Monitor.open(machine.socket('monitor'));
    machine.#agent = await Agent.open(machine.socket('agent'));
    await options.line?.plugIn(machine.socket('serial'));
    const ports = await machine.#monitor.human('info usernet');
    const [, port] = /TCP\[HOST_FORWARD\]\s+\d+\s+127\.0\.0\.1\s+(\d+)/.exec(ports) ?? [];
    if (port === undefined) throw new Error(`QEMU forwards no port to the gateway: ${ports}`);
    machine.#url = `http://127.0.0.1:${port}`;
    await machine.#monitor.do('cont');
    return machine;
  }

  get url(): string {
    return this.#url;
  }

  get runDir(): string {
    return this.#options.runDir;
  }

  get monitor(): Monitor {
    if (!this.#monitor) throw new Error('the machine is off');
    return this.#monitor;
  }

  socket(name: (typeof SOCKETS)[number]): string {
    return join(this.runDir, `${name}.sock`);
  }

  async run(script: string): Promise<string> {
    const agent = this.#agent;
    if (!agent) throw new Error('the machine is off');
    const limit = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`no response from the guest: ${script}`)), AGENT_TIMEOUT_MS).unref();
    });
    const { status, output } = await Promise.race([agent.run(script), limit]);
    if (status !== 0) throw new Error(`${script}\nended with ${status}:\n${output}`);
    return output;
  }

  async systemIsUp(): Promise<void> {
    await this.run('systemctl is-system-running --wait || true');
  }

  /** Cuts the power abruptly, without a shutdown. */
  async cut(): Promise<void> {
    this.#releaseSockets();
    if (!this.#isRunning) return;
    const exit = once(this.#qemu, 'exit');
    this.#qemu.kill('SIGKILL');
    await exit;
  }

  async shutDown(): Promise<void> {
    const exit = once(this.#qemu, 'exit');
    // The machine may stop before the response is sent.
    await this.run('systemctl --no-block poweroff').catch(() => undefined);
    await exit;
    this.#releaseSockets();
  }

  console(): Promise<string> {
    return readFile(join(this.runDir, 'console.log'), 'utf8');
  }

  #releaseSockets(): void {
    this.#agent?.close();
    this.#monitor?.close();
    this.#agent = undefined;
    this.#monitor = undefined;
  }

  get #isRunning(): boolean {
    return this.#qemu.exitCode === null && this.#qemu.signalCode === null;
  }
}

function qemuArguments({ kernelDir, runDir, disk, medium, snapshot, date }: BootOptions): string[] {
  const socket = (id: string): string[] => [
    '-chardev',
    `socket,id=${id},path=${join(runDir, `${id}.sock`)},server=on,wait=off`,
  ];
  const { board, console, serial, kernelParameters } = hardware();
  return [
    // The machine starts paused (-S), so that the controller is connected before the first byte is sent.
    ...board,
    '-accel',
    'tcg,thread=multi',
    '-smp',
    '2',
    '-m',
    '1024',
    '-S',
    '-no-reboot',
    '-nodefaults',
    '-no-user-config',
    '-display',
    'none',
    '-action',
    'watchdog=reset',
    '-kernel',
    join(kernelDir, 'vmlinuz'),
    '-initrd',
    join(kernelDir, 'initrd.gz'),
    '-append',
    `${KERNEL_LINE} ${kernelParameters}`,
    '-drive',
    `${disk},if=none,id=disk`,
    '-device',
    'virtio-blk-pci,drive=disk',
    ...(medium ? ['-drive', `file=${medium},format=raw,if=none,id=medium,readonly=on`] : []),
    ...(medium ? ['-device', 'virtio-blk-pci,drive=medium'] : []),
    '-netdev',
    `user,id=net,hostfwd=tcp:127.0.0.1:0-:${GUEST_PORT}`,
    '-device',
    'virtio-net-pci,netdev=net',
    '-device',
    'virtio-rng-pci',
    '-device',
    'i6300esb',
    '-device',
    'virtio-serial-pci',
    ...socket('agent'),
    '-device',
    'virtserialport,chardev=agent,name=vpi.agent',
    '-chardev',
    `file,id=console,path=${join(runDir, 'console.log')},append=on`,
    ...console,
    ...socket('serial'),
    ...serial,
    ...socket('usb'),
    '-device',
    'qemu-xhci,id=usb',
    '-qmp',
    `unix:${join(runDir, 'monitor.sock')},server=on,wait=off`,
    ...(date ? ['-rtc', `base=${date}T00:00:00`] : []),
    ...(snapshot ? ['-loadvm', snapshot] : []),
  ];
}
