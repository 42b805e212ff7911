import type { SerialPort } from 'serialport';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { ByteLink, ByteLinkOpener, Log } from '../../shared/ports/ports.js';
import { readAndWriteDirectly } from './direct.js';
import { done, StreamLink } from './stream.js';

interface SerialOpenerOptions {
  /** A tty such as /dev/serial0 or /dev/serial/by-id/…; not checked before it is opened. */
  path: string;
  baudRate: number;
  log: Log;
}

/** Read and written in frames of 64 bytes at most; the default of 64 kB buys nothing here. */
const BUFFER_BYTES = 4096;

/**
 * Opens a real serial line. `open()` rejects with SERIAL_BUSY (somebody else holds the port) or SERIAL_DOWN (missing,
 * forbidden, unusable), each in a sentence that names the path. serialport is loaded at the first open.
 */
export function serialOpener({ path, baudRate, log }: SerialOpenerOptions): ByteLinkOpener {
  return { path, simulated: false, open: () => open(path, baudRate, log) };
}

async function open(path: string, baudRate: number, log: Log): Promise<ByteLink> {
  const { default: serialport } = await import('serialport');
  // A new object for each connection: an old one would send what was written to it while it was closed.
  const options = { lock: true, hupcl: false, autoOpen: false, highWaterMark: BUFFER_BYTES };
  const port = new serialport.SerialPort({ path, baudRate, ...options });
  await done((callback) => port.open(callback)).catch((cause: unknown) => {
    throw explain(path, messageOf(cause), cause);
  });
  if (port.port) readAndWriteDirectly(port.port);
  const link = new StreamLink(port);
  try {
    // What the kernel holds is from before us, in both directions.
    await done((callback) => port.flush(callback));
  } catch (cause) {
    await link.close();
    throw explain(path, messageOf(cause), cause);
  }
  await askForLowLatency(port, log);
  return link;
}

/**
 * Shortens the wait of a USB adapter (FTDI: 16 ms). This is a flag of serialport's `set`, not of its `open`, and comes
 * with the modem lines; open() has raised DTR and RTS already. A pty or a plain UART refuses, and is none the worse.
 */
async function askForLowLatency(port: SerialPort, log: Log): Promise<void> {
  const flags = { dtr: true, rts: true, lowLatency: true };
  await done((callback) => port.set(flags, callback)).catch((error: unknown) => {
    log.debug('serial.low_latency_refused', { path: port.path, reason: messageOf(error) });
  });
}

/** serialport's errors have no code: the system's words are all there is. */
function explain(path: string, text: string, cause: unknown): GatewayError {
  if (/cannot lock port|resource busy/i.test(text)) {
    const hint =
      'Stop the other program: fuser shows it. A serial console on this line must be switched off.';
    return new GatewayError('SERIAL_BUSY', `${path} is in use by another program`, { cause, hint });
  }
  if (/no such (file|device)/i.test(text)) {
    const hint = 'Check the cable and the path: ls -l /dev/serial/by-id/';
    return new GatewayError('SERIAL_DOWN', `no device at ${path}`, { cause, hint });
  }
  if (/permission denied/i.test(text)) {
    const hint = 'Add the user to the group dialout, then log in anew or restart the service.';
    return new GatewayError('SERIAL_DOWN', `no permission to open ${path}: group dialout`, { cause, hint });
  }
  return new GatewayError('SERIAL_DOWN', `${path} cannot be opened: ${text.replace(/^Error:? /, '')}`, {
    cause,
  });
}
