import { execFile } from 'node:child_process';
import { readSync, writeSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import type { SerialPort } from 'serialport';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Message } from '../../shared/messages/message.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { ByteLink, ByteLinkOpener } from '../../shared/ports/serial.js';
import { Signal } from '../../shared/signal.js';
import { portMessage } from './messages.js';

interface SerialOpenerOptions {
  /** A tty such as /dev/serial0 or /dev/serial/by-id/…; checked when it is opened. */
  path: string;
  baudRate: number;
  log: Log;
}

/** Size of the read buffer. A frame is at most 64 bytes long; serialport's default of 64 kB would waste memory. */
const BUFFER_BYTES = 4096;

/** `open` rejects with `SERIAL_BUSY` or `SERIAL_DOWN` and names the path. Loads serialport on first use. */
export function serialOpener({ path, baudRate, log }: SerialOpenerOptions): ByteLinkOpener {
  return { path, simulated: false, open: () => open(path, baudRate, log) };
}

async function open(path: string, baudRate: number, log: Log): Promise<ByteLink> {
  const { default: serialport } = await import('serialport');
  // Creates a new port object each time, because a reopened port sends data written while it was closed.
  const options = { lock: true, hupcl: false, autoOpen: false, highWaterMark: BUFFER_BYTES };
  const port = new serialport.SerialPort({ path, baudRate, ...options });
  await completion((callback) => port.open(callback)).catch((cause: unknown) => {
    throw explain(path, messageOf(cause), cause);
  });
  if (port.port) readAndWriteDirectly(port.port);
  await keepDtrOnClose(path, log);
  const link = new StreamLink(port);
  try {
    // Discards stale bytes from the kernel's buffers in both directions.
    await completion((callback) => port.flush(callback));
  } catch (cause) {
    await link.close();
    throw explain(path, messageOf(cause), cause);
  }
  await requestLowLatency(port, log);
  return link;
}

/** Time limit in ms for `stty`, so that a driver that hangs does not delay the connection. */
const STTY_TIMEOUT_MS = 1000;

/**
 * Keeps DTR high when the port is closed, because an Arduino resets when DTR rises. serialport's option
 * `hupcl: false` does not clear HUPCL, which Linux sets by default. `stty` opens the port itself: if it
 * inherited the descriptor, Node would make the descriptor blocking for this process too.
 */
async function keepDtrOnClose(path: string, log: Log): Promise<void> {
  if (process.platform !== 'linux') return;
  const stty = promisify(execFile)('stty', ['-F', path, '-hupcl'], { timeout: STTY_TIMEOUT_MS });
  await stty.catch((error: unknown) => {
    log.debug('serial.hupcl_refused', { path, reason: messageOf(error) });
  });
}

/**
 * Reduces the latency of USB adapters (FTDI default: 16 ms); other ports reject the call. `set` also writes
 * DTR and RTS, so it must receive their values.
 */
async function requestLowLatency(port: SerialPort, log: Log): Promise<void> {
  const flags = { dtr: true, rts: true, lowLatency: true };
  await completion((callback) => port.set(flags, callback)).catch((error: unknown) => {
    log.debug('serial.low_latency_refused', { path: port.path, reason: messageOf(error) });
  });
}

/** serialport's errors have no code, only the system's error text. */
function explain(path: string, text: string, cause: unknown): GatewayError {
  if (/cannot lock port|resource busy/i.test(text)) {
    return new GatewayError('SERIAL_BUSY', portMessage('busy', { path }), {
      cause,
      hint: portMessage('busy-hint'),
    });
  }
  const [said, hint] = downReason(path, text);
  return new GatewayError('SERIAL_DOWN', said, { cause, ...(hint ? { hint } : {}) });
}

function downReason(path: string, text: string): [Message, Message?] {
  if (/no such (file|device)/i.test(text))
    return [portMessage('missing', { path }), portMessage('missing-hint')];
  if (/permission denied/i.test(text))
    return [portMessage('forbidden', { path }), portMessage('forbidden-hint')];
  return [portMessage('unusable', { path, reason: text.replace(/^Error:? /, '') })];
}

/** Maximum number of unsent bytes (90 ms at 115200 baud); if there are more, the device is not accepting data. */
const MAX_PENDING_BYTES = 1024;
/** Time limit for `close()` in ms, so that a driver that hangs does not delay shutdown. */
const CLOSE_TIMEOUT_MS = 1000;

type Done = (error?: Error | null) => void;

interface PortStream extends Duplex {
  readonly path: string;
  readonly isOpen: boolean;
  open(done: Done): void;
  flush(done: Done): void;
  close(done: Done): void;
}

export function completion(call: (done: Done) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => (error ? reject(error) : resolve()));
  });
}

export class StreamLink implements ByteLink {
  readonly #port: PortStream;
  readonly #bytes = new Signal<[Uint8Array]>();
  readonly #closed = new Signal<[Error | undefined]>();
  #open = true;
  #ended = false;
  #cause: Error | undefined;
  #closing: Promise<void> | undefined;

  /** Reads immediately, because a disconnection is detected only while the port is being read. */
  constructor(port: PortStream) {
    this.#port = port;
    port.on('data', (bytes: Buffer) => this.#bytes.emit(bytes));
    port.on('error', (error: Error) => this.#fail(error));
    port.on('close', (cause?: Error | null) => this.#end(cause ?? this.#cause));
  }

  write(bytes: Uint8Array): void {
    const port = this.#port;
    // A closed serialport queues writes until the next open, so a stale motion command could be executed.
    if (!this.#open || !port.isOpen)
      throw new GatewayError('SERIAL_DOWN', portMessage('closed', { path: port.path }));
    if (port.writableLength + bytes.length > MAX_PENDING_BYTES) {
      throw new GatewayError('SERIAL_DOWN', portMessage('stuck', { path: port.path }), {
        hint: portMessage('stuck-hint'),
      });
    }
    port.write(Buffer.from(bytes));
  }

  onBytes(listener: (bytes: Uint8Array) => void): Cancel {
    return this.#bytes.on(listener);
  }

  onClose(listener: (cause?: Error) => void): Cancel {
    return this.#closed.on(listener);
  }

  /** Always resolves, within 1 s. */
  close(): Promise<void> {
    this.#closing ??= this.#shut();
    return this.#closing;
  }

  /** After an error, the device's state is unknown, so the connection ends. */
  #fail(cause: Error): void {
    this.#cause ??= cause;
    this.#closing ??= this.#shut();
  }

  async #shut(): Promise<void> {
    this.#open = false;
    if (!this.#port.isOpen) return;
    await this.#closePort();
    this.#end(this.#cause);
  }

  #closePort(): Promise<void> {
    return new Promise((resolve) => {
      const deadline = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      this.#port.close(() => {
        clearTimeout(deadline);
        resolve();
      });
    });
  }

  #end(cause: Error | undefined): void {
    this.#open = false;
    this.#closing ??= Promise.resolve();
    if (this.#ended) return;
    this.#ended = true;
    this.#closed.emit(cause);
  }
}

/** A port of serialport's Linux or macOS binding; a Windows port has no file descriptor. */
interface DescriptorPort {
  fd: number | null;
  poller: { once(event: 'readable' | 'writable', listener: (error: Error | null) => void): unknown };
  read(buffer: Buffer, offset: number, length: number): Promise<{ buffer: Buffer; bytesRead: number }>;
  write(buffer: Buffer): Promise<void>;
}

/**
 * Makes an open port read and write in the calling thread instead of in libuv's pool of four threads.
 * Measured on a pty during password hashing: a frame written by the pool reached the kernel after 199 ms
 * (p50; 407 ms at worst), one written by the calling thread after 0.03 ms. On EAGAIN, the event loop polls
 * the non-blocking descriptor.
 */
export function readAndWriteDirectly(port: object): void {
  if (!isDescriptorPort(port)) return;
  const limit = new ReadLimit();
  port.read = (buffer, offset, length) => read(port, limit, buffer, offset, length);
  port.write = (buffer) => write(port, buffer);
}

function isDescriptorPort(port: object): port is DescriptorPort {
  return 'fd' in port && typeof port.fd === 'number' && 'poller' in port;
}

/** At most `TURN_BYTES` are read in this many ms; a line at 3 Mbaud carries 1500 bytes in one period. */
const TURN_MS = 5;
const TURN_BYTES = BUFFER_BYTES;

/** Limits the rate of reading, because a device that always has bytes ready would otherwise block the event loop. */
class ReadLimit {
  #left = TURN_BYTES;
  #turnEnd: Promise<void> | undefined;

  /** Resolves when bytes may be read, with their maximum number. */
  async wait(length: number): Promise<number> {
    while (this.#left === 0) await this.#turnEnd;
    return Math.min(length, this.#left);
  }

  count(bytes: number): void {
    this.#left -= bytes;
    this.#turnEnd ??= new Promise((resolve) => {
      setTimeout(() => {
        this.#left = TURN_BYTES;
        this.#turnEnd = undefined;
        resolve();
      }, TURN_MS);
    });
  }
}

async function read(
  port: DescriptorPort,
  limit: ReadLimit,
  buffer: Buffer,
  offset: number,
  maxLength: number,
) {
  for (let polled = false; ; polled = true) {
    const length = await limit.wait(maxLength);
    const bytesRead = attempt(() => readSync(openFd(port), buffer, offset, length, null));
    if (bytesRead) {
      limit.count(bytesRead);
      return { buffer, bytesRead };
    }
    // A readable port that returns no bytes has hung up; serialport would loop in this case.
    if (bytesRead === 0 && polled) throw new Error('the device was disconnected');
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
  // serialport interprets `canceled` as a closed port, not as a lost device.
  throw Object.assign(new Error('the port is closed'), { canceled: true });
}

/** Returns undefined if the non-blocking call would block. */
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
