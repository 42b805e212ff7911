import { Deframer, encodeFrame, type Frame } from '../../src/carts/serial/codec/codec.js';
import { GatewayError } from '../../src/shared/errors.js';
import type { Cancel } from '../../src/shared/ports/clock.js';
import type { ByteLink, ByteLinkOpener } from '../../src/shared/ports/serial.js';
import { Signal } from '../../src/shared/signal.js';

interface Device {
  receive(bytes: Uint8Array): void;
  onSend(listener: (bytes: Uint8Array) => void): Cancel;
}

/** An in-memory serial line. Writes reach the device immediately; its responses arrive one microtask later. */
export class MemoryLink implements ByteLinkOpener {
  readonly path = 'memory';
  readonly simulated = true;
  /** Error message for the next `open()`; empty if it should succeed. */
  openError = '';
  opened = 0;
  /** Called when the port is opened, before `open()` resolves. */
  onOpen: () => void = () => undefined;
  /** Transit time of a MOVE frame in ms, which shortens the frame's ttl. */
  transitMs = 0;
  /** Resolves when a closed port can be reopened. */
  released: Promise<void> = Promise.resolve();
  /** Delivers the controller's responses. */
  deliver: (response: () => void) => void = queueMicrotask;
  /** Type of the controller frames that are lost in transit. */
  lost: Frame['type'] | undefined;
  /** Type of the gateway's frames that do not reach the controller. */
  missed: Frame['type'] | undefined;
  readonly sent: Frame[] = [];
  readonly bytes: number[] = [];
  #device: Device;
  #replace: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes;
  #bytes = new Signal<[Uint8Array]>();
  #close: ((cause?: Error) => void) | undefined;
  #isLocked = false;

  constructor(device: Device) {
    this.#device = device;
    // Responses are queued, because on a real line no response arrives before the write returns.
    device.onSend((bytes) => {
      if (!isOf(this.lost, bytes)) this.deliver(() => this.#bytes.emit(this.#replace(bytes)));
    });
  }

  async open(): Promise<ByteLink> {
    if (this.#isLocked) throw new GatewayError('SERIAL_BUSY', 'memory is in use');
    if (this.openError) throw new GatewayError('SERIAL_DOWN', this.openError);
    this.opened += 1;
    this.onOpen();
    const deframer = new Deframer((frame) => this.sent.push(frame));
    const closed = new Signal<[cause?: Error]>();
    let isOpen = true;
    const end = (cause?: Error): void => {
      if (!isOpen) return;
      isOpen = false;
      closed.emit(cause);
    };
    this.#close = end;
    return {
      write: (bytes) => {
        if (!isOpen) throw new GatewayError('SERIAL_DOWN', 'the port is closed');
        this.bytes.push(...bytes);
        deframer.push(bytes);
        if (!isOf(this.missed, bytes)) this.#device.receive(this.#aged(bytes));
      },
      onBytes: (listener) => this.#bytes.on((bytes) => void (isOpen && listener(bytes))),
      onClose: (listener) => closed.on(listener),
      close: async () => {
        if (!isOpen) return;
        end();
        this.#isLocked = true;
        await this.released;
        this.#isLocked = false;
      },
    };
  }

  unplug(): void {
    this.openError = 'no device at memory';
    this.#close?.(new Error('disconnected'));
  }

  plug(): void {
    this.openError = '';
  }

  /** Applies `replace` to all later responses from the controller. */
  replace(replace: (bytes: Uint8Array) => Uint8Array): void {
    this.#replace = replace;
  }

  #aged(bytes: Uint8Array): Uint8Array {
    let aged = bytes;
    new Deframer((frame) => {
      if (this.transitMs === 0 || frame.type !== 'MOVE') return;
      aged = encodeFrame({ ...frame, ttlMs: Math.max(0, frame.ttlMs - this.transitMs) });
    }).push(bytes);
    return aged;
  }

  of(type: Frame['type']): Frame[] {
    return this.sent.filter((frame) => frame.type === type);
  }
}

function isOf(wanted: Frame['type'] | undefined, bytes: Uint8Array): boolean {
  if (wanted === undefined) return false;
  let isFound = false;
  new Deframer(({ type }) => {
    isFound = type === wanted;
  }).push(bytes);
  return isFound;
}
