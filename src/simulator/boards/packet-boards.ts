import { crc16Xmodem } from '../../carts/serial/codec/crc.js';
import type { ControllerContext } from '../controller/context.js';
import type { PacketPort, SpeedProgram } from './open-loop-program.js';

const ADDRESS = 0x80;
const ACK = 0xff;
/** Bytes of a packet that come further apart are thrown away. */
const GAP_MS = 10;
const VERSION = 'RoboClaw 2x15a v4.2.4 simulated\n\0';
const STATUS_BITS = { estop: 1 << 0, overtempBoard: 1 << 1, undervolt: 1 << 19 };
/** Questions are two bytes long, everything else carries a byte and a CRC. */
const QUESTIONS: ReadonlySet<number> = new Set([15, 21, 24, 82, 90]);

/** The packet serial port of a RoboClaw: a right packet is answered, a wrong one is met with silence. */
export class RoboclawPort implements PacketPort {
  readonly #world: ControllerContext;
  readonly #program: SpeedProgram;
  #packet: number[] = [];
  #lastMs = 0;

  constructor(world: ControllerContext, program: SpeedProgram) {
    this.#world = world;
    this.#program = program;
  }

  receive(bytes: Uint8Array): void {
    const now = this.#world.clock.now();
    if (now - this.#lastMs > GAP_MS) this.#packet = [];
    this.#lastMs = now;
    for (const byte of bytes) this.#take(byte);
  }

  #take(byte: number): void {
    this.#packet.push(byte);
    const [address, command, value = 0] = this.#packet;
    if (address !== ADDRESS) return this.#drop();
    if (command === undefined) return;
    if (QUESTIONS.has(command)) {
      this.#packet = [];
      this.#program.hear();
      return this.#answer(command);
    }
    if (this.#packet.length < 5) return;
    const isRight = crc16Xmodem(Uint8Array.from(this.#packet)) === 0;
    if (!isRight) return this.#drop();
    this.#packet = [];
    this.#program.hear();
    this.#write(command, value);
  }

  #drop(): void {
    this.#packet = [];
    this.#program.health.countBroken();
  }

  #write(command: number, value: number): void {
    const isKnown = command === 14 || this.#program.obey(command, value);
    if (command === 14) this.#program.timeoutUnits = value;
    if (isKnown && !this.#world.faults.spend('dropAck')) this.#world.line.send(Uint8Array.of(ACK));
  }

  #answer(command: number): void {
    const data = this.#dataOf(command);
    const crc = crc16Xmodem(Uint8Array.of(ADDRESS, command, ...data));
    this.#world.line.send(Uint8Array.of(...data, crc >> 8, crc & 0xff));
  }

  #dataOf(command: number): number[] {
    const { health } = this.#program;
    switch (command) {
      case 15:
        return [this.#program.timeoutUnits];
      case 21:
        return [...Buffer.from(VERSION, 'latin1')];
      case 24:
        return word(health.batteryMv / 100);
      case 82:
        return word(this.#boardC * 10);
      default:
        return [...word(this.#status >>> 16), ...word(this.#status & 0xffff)];
    }
  }

  /** The fault "hot" is about the motors, which this board does not measure: here it gets hot itself. */
  get #boardC(): number {
    return this.#world.faults.argument('hot') ?? this.#program.health.boardC;
  }

  get #status(): number {
    const { estop, health } = this.#program;
    const hot = this.#boardC >= 85 ? STATUS_BITS.overtempBoard : 0;
    const low = health.batteryMv < 21_500 ? STATUS_BITS.undervolt : 0;
    return (estop.latched ? STATUS_BITS.estop : 0) | hot | low;
  }
}

function word(value: number): number[] {
  const whole = Math.round(value) & 0xffff;
  return [whole >> 8, whole & 0xff];
}

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
