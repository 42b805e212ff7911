import type { SerialPortMock } from 'serialport';
import { GatewayError } from '../../shared/errors.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { ByteLink, ByteLinkOpener } from '../../shared/ports/serial.js';
import { portMessage } from './messages.js';
import { completion, StreamLink } from './serialport.js';

export interface SimulatedDevice {
  receive(bytes: Uint8Array): void;
  onSend(listener: (bytes: Uint8Array) => void): Cancel;
  /** Called after the port has been opened and the opener has added its listeners. */
  opened(): void;
}

interface SimulatedOpenerOptions {
  /** Path of the port, unique among this process's simulated ports. */
  path: string;
  device: SimulatedDevice;
}

interface SimulatedOpener extends ByteLinkOpener {
  readonly simulated: true;
  /** Closes an open link with the cause `disconnected` and makes later calls to `open()` reject. */
  unplug(): void;
  replug(): void;
}

/** The buffer is small, because one process can contain a thousand simulated carts. */
const BUFFER_BYTES = 4096;

/** Uses serialport's mock binding, so that the same code runs as with real hardware. */
export function simulatedOpener({ path, device }: SimulatedOpenerOptions): SimulatedOpener {
  const state: PlugState = { plugged: true, created: false, port: undefined };
  return {
    path,
    simulated: true,
    open: () => open(path, device, state),
    unplug() {
      state.plugged = false;
      // Emits `close` with a DisconnectedError, as serialport does for an unplugged device.
      state.port?._disconnected(new Error(`${path} was unplugged`));
    },
    replug() {
      state.plugged = true;
    },
  };
}

interface PlugState {
  plugged: boolean;
  created: boolean;
  port: SerialPortMock | undefined;
}

async function open(path: string, device: SimulatedDevice, state: PlugState): Promise<ByteLink> {
  const { default: serialport } = await import('serialport');
  // Creating the port again would replace it and lose its open state.
  if (!state.created) serialport.SerialPortMock.binding.createPort(path);
  state.created = true;
  if (!state.plugged) throw new GatewayError('SERIAL_DOWN', portMessage('unplugged', { path }));
  const options = { path, baudRate: 115_200, autoOpen: false, highWaterMark: BUFFER_BYTES };
  const port = new serialport.SerialPortMock(options);
  await completion((callback) => port.open(callback)).catch((cause: Error) => {
    throw new GatewayError('SERIAL_BUSY', portMessage('busy', { path }), { cause });
  });
  return attach(port, device, state);
}

function attach(port: SerialPortMock, device: SimulatedDevice, state: PlugState): ByteLink {
  const binding = port.port;
  if (!binding) throw new GatewayError('SERIAL_DOWN', portMessage('closed', { path: port.path }));
  const link = new StreamLink(port);
  const write = binding.write.bind(binding);
  binding.write = async (bytes) => {
    await write(bytes);
    device.receive(bytes);
  };
  const cut = device.onSend((bytes) => {
    if (binding.isOpen) binding.emitData(Buffer.from(bytes));
  });
  state.port = port;
  setImmediate(() => binding.isOpen && device.opened());
  link.onClose(() => {
    cut();
    if (state.port === port) state.port = undefined;
  });
  return link;
}
