import type { SerialPortMock } from 'serialport';
import { GatewayError } from '../../shared/errors.js';
import type { ByteLink, ByteLinkOpener, Cancel } from '../../shared/ports/ports.js';
import { done, StreamLink } from './stream.js';

/** A device that is made of software: it takes bytes and sends bytes. */
export interface SimulatedDevice {
  receive(bytes: Uint8Array): void;
  onSend(listener: (bytes: Uint8Array) => void): Cancel;
}

interface SimulatedOpenerOptions {
  /** Any name that no other simulated port of this process has. */
  path: string;
  device: SimulatedDevice;
}

/** A simulated port, and its plug. */
interface SimulatedOpener extends ByteLinkOpener {
  readonly simulated: true;
  /** Pulls the plug: an open link closes with a `disconnected` cause, and `open()` rejects. */
  unplug(): void;
  replug(): void;
}

/** Small: there is a read buffer of this size for every port, and a thousand simulated carts are one process. */
const BUFFER_BYTES = 4096;

/**
 * Attaches a simulated device through serialport's own mock binding, so that everything above the device driver is
 * the code that runs with metal. Nothing is loaded before the first open.
 */
export function simulatedOpener({ path, device }: SimulatedOpenerOptions): SimulatedOpener {
  const state: PlugState = { plugged: true, created: false, port: undefined };
  return {
    path,
    simulated: true,
    open: () => open(path, device, state),
    unplug() {
      state.plugged = false;
      // serialport's own way of telling a loss of the device: `close` with a DisconnectedError.
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
  // A port that is made again is another device: it would not know that the first one is open.
  if (!state.created) serialport.SerialPortMock.binding.createPort(path);
  state.created = true;
  if (!state.plugged) throw new GatewayError('SERIAL_DOWN', `no device at ${path}: it is unplugged`);
  const options = { path, baudRate: 115_200, autoOpen: false, highWaterMark: BUFFER_BYTES };
  const port = new serialport.SerialPortMock(options);
  await done((callback) => port.open(callback)).catch((cause: Error) => {
    throw new GatewayError('SERIAL_BUSY', `${path} is in use by another program`, { cause });
  });
  return attach(port, device, state);
}

/** Solders the device to the mock's receive and transmit pins. */
function attach(port: SerialPortMock, device: SimulatedDevice, state: PlugState): ByteLink {
  const binding = port.port;
  if (!binding) throw new GatewayError('SERIAL_DOWN', `${port.path} is not open`);
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
  link.onClose(() => {
    cut();
    if (state.port === port) state.port = undefined;
  });
  return link;
}
