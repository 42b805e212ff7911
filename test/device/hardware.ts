/** What one kind of virtual Pi is made of, in QEMU's words, where it differs from the other. */
export interface Hardware {
  emulator: string;
  /** Board and processor. */
  board: readonly string[];
  /** The device of the console, whose other end is the chardev `console`; `kernelWords` tell Linux. */
  console: readonly string[];
  /** The device of the controller's line, chardev `serial`: the path that build.sh puts into the settings. */
  serial: readonly string[];
  kernelWords: string;
  /** Whether it is fast enough without KVM to measure how long the gateway takes. */
  keepsTime: boolean;
  /** What build.sh needs for it beyond what it always needs. */
  tools: readonly string[];
}

const HARDWARE: Record<string, Hardware> = {
  amd64: {
    emulator: 'qemu-system-x86_64',
    // Told that they are fast, Linux copies with the string instructions, which QEMU does byte by byte.
    board: ['-machine', 'q35', '-cpu', 'max,-erms,-fsrm'],
    console: ['-device', 'isa-serial,chardev=console,index=0'],
    serial: ['-device', 'isa-serial,chardev=serial,index=1'],
    kernelWords: 'console=ttyS0 no_timer_check tsc=reliable',
    keepsTime: true,
    tools: [],
  },
  /** A board with the processor of a Pi 4; what else is on a Pi, QEMU does not have. */
  arm64: {
    emulator: 'qemu-system-aarch64',
    board: ['-machine', 'virt', '-cpu', 'cortex-a72'],
    console: ['-serial', 'chardev:console'],
    serial: ['-device', 'pci-serial,chardev=serial'],
    kernelWords: 'console=ttyAMA0',
    keepsTime: false,
    tools: ['qemu-aarch64-static', 'arch-test', 'aarch64-linux-gnu-gcc', 'aarch64-linux-gnu-g++'],
  },
};

/** The kind that CARTWRIGHT_ARCH names, as Debian calls it. */
export function hardware(): Hardware {
  const arch = process.env.CARTWRIGHT_ARCH || 'amd64';
  const found = HARDWARE[arch];
  if (!found) throw new Error(`CARTWRIGHT_ARCH is ${Object.keys(HARDWARE).join(' or ')}, not ${arch}`);
  return found;
}
