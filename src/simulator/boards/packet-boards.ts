import { crc16Xmodem } from '../../carts/pure.js';
import type { ControllerContext } from '../controller/context.js';
import type { OpenLoopProgram, PacketPort } from './open-loop-program.js';

const ADDRESS = 0x80;
const ACK = 0xff;
/** If the gap between two bytes of a packet is longer than this, the packet is discarded. */
const GAP_MS = 10;
const VERSION = 'RoboClaw 2x15a v4.2.4 simulated\n\0';
const STATUS_BITS = { estop: 1 << 0, overtempBoard: 1 << 1, undervolt: 1 << 19 };
/** Read commands have two bytes; other commands have a value byte and a CRC. */
const READ_COMMANDS: ReadonlySet<number> = new Set([15, 21, 24, 82, 90]);

/** A RoboClaw's packet serial interface, which ignores invalid packets. */
export class RoboclawPort implements PacketPort {
  readonly #context: ControllerContext;
  readonly #program: OpenLoopProgram;
  #packet: number[] = [];
  #lastMs = 0;

  constructor(context: ControllerContext, program: OpenLoopProgram) {
    this.#context = context;
    this.#program = program;
  }

  receive(bytes: Uint8Array): void {
    const now = this.#context.clock.now();
    if (now - this.#lastMs > GAP_MS) this.#packet = [];
    this.#lastMs = now;
    for (const byte of bytes) this.#receiveByte(byte);
  }

  #receiveByte(byte: number): void {
    this.#packet.push(byte);
    const [address, command, value = 0] = this.#packet;
    if (address !== ADDRESS) return this.#discard();
    if (command === undefined) return;
    if (READ_COMMANDS.has(command)) {
      this.#packet = [];
      this.#program.packetReceived();
      return this.#answer(command);
    }
    if (this.#packet.length < 5) return;
    const isValid = crc16Xmodem(Uint8Array.from(this.#packet)) === 0;
    if (!isValid) return this.#discard();
    this.#packet = [];
    this.#program.packetReceived();
    this.#write(command, value);
  }

  #discard(): void {
    this.#packet = [];
    this.#program.health.countBroken();
  }

  #write(command: number, value: number): void {
    const isKnown = command === 14 || this.#program.setSpeed(command, value);
    if (command === 14) this.#program.timeoutUnits = value;
    if (isKnown && !this.#context.faults.consume('dropAck')) this.#context.line.send(Uint8Array.of(ACK));
  }

  #answer(command: number): void {
    const data = this.#dataOf(command);
    const crc = crc16Xmodem(Uint8Array.of(ADDRESS, command, ...data));
    this.#context.line.send(Uint8Array.of(...data, crc >> 8, crc & 0xff));
  }

  #dataOf(command: number): number[] {
    const { health } = this.#program;
    switch (command) {
      case 15:
        return [this.#program.timeoutUnits];
      case 21:
        return [...Buffer.from(VERSION, 'latin1')];
      case 24:
        return uint16(health.batteryMv / 100);
      case 82:
        return uint16(this.#boardC * 10);
      default:
        return [...uint16(this.#status >>> 16), ...uint16(this.#status & 0xffff)];
    }
  }

  /** This board has no motor temperature sensor, so the `hot` fault applies to the board temperature. */
  get #boardC(): number {
    return this.#context.faults.argument('hot') ?? this.#program.health.boardC;
  }

  get #status(): number {
    const { estop, health } = this.#program;
    const hot = this.#boardC >= 85 ? STATUS_BITS.overtempBoard : 0;
    const low = health.batteryMv < 21_500 ? STATUS_BITS.undervolt : 0;
    return (estop.latched ? STATUS_BITS.estop : 0) | hot | low;
  }
}

function uint16(value: number): number[] {
  const whole = Math.round(value) & 0xffff;
  return [whole >> 8, whole & 0xff];
}

/** A Sabertooth's packetized serial interface, which sends no responses. */
export class SabertoothPort implements PacketPort {
  readonly #program: OpenLoopProgram;
  #packet: number[] = [];

  constructor(program: OpenLoopProgram) {
    this.#program = program;
  }

  receive(bytes: Uint8Array): void {
    for (const byte of bytes) this.#receiveByte(byte);
  }

  /** Only an address byte has its highest bit set, so it always begins a packet. */
  #receiveByte(byte: number): void {
    if (byte >= 128) this.#packet = [];
    this.#packet.push(byte);
    if (this.#packet.length < 4) return;
    const [address = 0, command = 0, value = 0, sum] = this.#packet;
    this.#packet = [];
    if (address !== ADDRESS) return;
    if (((address + command + value) & 127) !== sum) return this.#program.health.countBroken();
    this.#program.packetReceived();
    if (command === 14) this.#program.timeoutUnits = value;
    else this.#program.setSpeed(command, value);
  }
}
