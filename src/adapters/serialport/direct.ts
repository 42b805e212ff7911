import { readSync, writeSync } from 'node:fs';

/** What a Linux or macOS port of serialport's binding has; the Windows one has no descriptor. */
interface DescriptorPort {
  fd: number | null;
  poller: { once(event: 'readable' | 'writable', listener: (error: Error | null) => void): unknown };
  read(buffer: Buffer, offset: number, length: number): Promise<{ buffer: Buffer; bytesRead: number }>;
  write(buffer: Buffer): Promise<void>;
}

/**
 * Lets an open port of serialport's binding read and write in the calling thread. By itself it does both in libuv's
 * pool of four threads: measured on a pty, a frame written while passwords were being hashed reached the kernel
 * after 199 ms (p50; 407 ms at worst) instead of 0.03 ms, and answers wait the same way. The descriptor is
 * non-blocking, so nothing waits here either: a full or empty line is left to the event loop's own poller.
 */
export function readAndWriteDirectly(port: object): void {
  if (!isDescriptorPort(port)) return;
  port.read = (buffer, offset, length) => read(port, buffer, offset, length);
  port.write = (buffer) => write(port, buffer);
}

function isDescriptorPort(port: object): port is DescriptorPort {
  return 'fd' in port && typeof port.fd === 'number' && 'poller' in port;
}

async function read(port: DescriptorPort, buffer: Buffer, offset: number, length: number) {
  for (let polled = false; ; polled = true) {
    const bytesRead = attempt(() => readSync(openFd(port), buffer, offset, length, null));
    if (bytesRead) return { buffer, bytesRead };
    // A terminal that says "readable" and then has nothing was hung up; serialport itself would spin here.
    if (bytesRead === 0 && polled) throw new Error('the device is gone');
    await ready(port, 'readable');
  }
}

async function write(port: DescriptorPort, buffer: Buffer): Promise<void> {
  for (let at = 0; at < buffer.length; ) {
    const written = attempt(() => writeSync(openFd(port), buffer, at));
    if (written) at += written;
    else await ready(port, 'writable');
  }
}

function openFd(port: DescriptorPort): number {
  if (port.fd !== null) return port.fd;
  // `canceled` is how serialport tells our own close from a loss.
  throw Object.assign(new Error('the port is closed'), { canceled: true });
}

/** Undefined when the line can take or give nothing just now. */
function attempt(call: () => number): number | undefined {
  try {
    return call();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EAGAIN' || code === 'EINTR') return undefined;
    throw error;
  }
}

function ready(port: DescriptorPort, event: 'readable' | 'writable'): Promise<void> {
  return new Promise((resolve, reject) => {
    port.poller.once(event, (error) => (error ? reject(error) : resolve()));
  });
}
