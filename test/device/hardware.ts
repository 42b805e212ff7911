/** The QEMU options that differ between the kinds of virtual Pi. */
export interface Hardware {
  emulator: string;
  board: readonly string[];
  /** The console device, on the chardev `console`. `kernelParameters` contains the matching kernel parameters. */
  console: readonly string[];
  /**
   * The device for the controller's serial line, on the chardev `serial`. build.sh writes the device's path
   * to the settings.
   */
  serial: readonly string[];
  kernelParameters: string;
  /** True if the machine, which runs without KVM, is fast enough to measure the gateway's latency. */
  keepsTime: boolean;
  /** Additional programs that build.sh needs. */
  tools: readonly string[];
}

const HARDWARE: Record<string, Hardware> = {
  amd64: {
    emulator: 'qemu-system-x86_64',
    // With the CPU feature `erms`, Linux would copy memory with string instructions, which QEMU executes byte
    // by byte.
    board: ['-machine', 'q35', '-cpu', 'max,-erms,-fsrm'],
    console: ['-device', 'isa-serial,chardev=console,index=0'],
    serial: ['-device', 'isa-serial,chardev=serial,index=1'],
    kernelParameters: 'console=ttyS0 no_timer_check tsc=reliable',
    keepsTime: true,
    tools: [],
  },
  /** A board with a Pi 4's processor. QEMU does not emulate the Pi's other devices. */
  arm64: {
    emulator: 'qemu-system-aarch64',
    board: ['-machine', 'virt', '-cpu', 'cortex-a72'],
    console: ['-serial', 'chardev:console'],
    serial: ['-device', 'pci-serial,chardev=serial'],
    kernelParameters: 'console=ttyAMA0',
    keepsTime: false,
    tools: ['qemu-aarch64-static', 'arch-test', 'aarch64-linux-gnu-gcc', 'aarch64-linux-gnu-g++'],
  },
};

/** Returns the hardware for CARTWRIGHT_ARCH (a Debian architecture name). */
export function hardware(): Hardware {
  const arch = process.env.CARTWRIGHT_ARCH || 'amd64';
  const found = HARDWARE[arch];
  if (!found) throw new Error(`CARTWRIGHT_ARCH is ${Object.keys(HARDWARE).join(' or ')}, not ${arch}`);
  return found;
}
