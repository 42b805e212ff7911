import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Deframer, type Frame } from '../../src/carts/serial/codec/codec.js';
import { systemClock } from '../../src/shared/clock.js';
import { Signal } from '../../src/shared/signal.js';
import { SimulatedController } from '../../src/simulator/controller/controller.js';

/** The motor controller at the far end of the serial line; stays powered when the machine's power is cut. */
export class SerialLine {
  readonly controller = new SimulatedController({ clock: systemClock, dialect: 'cgw1', seed: 1 });
  readonly frames = new Signal<[Frame]>();
  #socket: Socket | undefined;

  constructor() {
    this.controller.onSend((bytes) => this.#socket?.write(bytes));
  }

  async plugIn(path: string): Promise<void> {
    this.unplug();
    const socket = connect(path).setNoDelay(true);
    await once(socket, 'connect');
    this.#socket = socket;
    const deframer = new Deframer((frame) => this.frames.emit(frame));
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      deframer.push(bytes);
      this.controller.receive(bytes);
    });
  }

  unplug(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  close(): void {
    this.unplug();
    this.controller.close();
  }
}
