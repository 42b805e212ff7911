import type { PacketPort, SpeedProgram } from './open-loop-program.js';

const ADDRESS = 128;

/** The packetized serial port of a Sabertooth: it hears, and says nothing, whatever comes. */
export class SabertoothPort implements PacketPort {
  readonly #program: SpeedProgram;
  #packet: number[] = [];

  constructor(program: SpeedProgram) {
    this.#program = program;
  }

  receive(bytes: Uint8Array): void {
    for (const byte of bytes) this.#take(byte);
  }

  /** Only an address has the highest bit: it begins a packet, wherever the last one ended. */
  #take(byte: number): void {
    if (byte >= 128) this.#packet = [];
    this.#packet.push(byte);
    if (this.#packet.length < 4) return;
    const [address = 0, command = 0, value = 0, sum] = this.#packet;
    this.#packet = [];
    if (address !== ADDRESS) return;
    if (((address + command + value) & 127) !== sum) return this.#program.health.countBroken();
    this.#program.hear();
    if (command === 14) this.#program.timeoutUnits = value;
    else this.#program.obey(command, value);
  }
}
