import type { ByteLink } from '../../../../src/shared/ports/serial.js';
import type { FakeClock } from '../../../helpers/fake-clock.js';
import { crcByBits, type DecodedPacket, decodeRoboclaw, decodeSabertooth } from './board-decoders.js';

export type BoardName = 'roboclaw' | 'sabertooth';

const ADDRESS = 0x80;
const FULL_STEPS = 127;

/**
 * A motor board that drives exactly at the speed that it was sent, and stops when its serial timeout expires.
 * It is written from the manuals, independently of the drivers and of the simulator.
 */
export class ModelBoard {
  /** Every forward speed that the board has received, including repeated ones. */
  readonly received: { atMs: number; mmps: number }[] = [];
  readonly packets: (DecodedPacket & { atMs: number })[] = [];
  /** Distance driven, signed. */
  mm = 0;
  /** The highest speed so far. */
  topMmps = 0;
  /** Returns true for a packet that is corrupted on the line, so that the board ignores it. */
  corrupts: (packet: DecodedPacket) => boolean = () => false;
  readonly #name: BoardName;
  readonly #full: number;
  readonly #clock: FakeClock;
  #listeners = new Set<(bytes: Uint8Array) => void>();
  #ahead = 0;
  #left = 0;
  #timeoutMs = 0;
  #packetMs = 0;
  #sinceMs: number;

  constructor(name: BoardName, fullMmps: number, clock: FakeClock) {
    this.#name = name;
    this.#full = fullMmps;
    this.#clock = clock;
    this.#sinceMs = clock.now();
  }

  readonly link: ByteLink = {
    write: (bytes) => this.#receive(bytes),
    onBytes: (listener) => {
      this.#listeners.add(listener);
      return () => void this.#listeners.delete(listener);
    },
    onClose: () => () => undefined,
    close: async () => undefined,
  };

  /** Speed of one step of the board. */
  get step(): number {
    return this.#full / FULL_STEPS;
  }

  get mmps(): number {
    this.integrate();
    return this.#ahead * this.step;
  }

  get isMoving(): boolean {
    this.integrate();
    return this.#ahead !== 0 || this.#left !== 0;
  }

  /** Continues to drive as if the board had been sent these speeds before the session. */
  driveOn(ahead: number): void {
    this.integrate();
    this.#ahead = ahead;
  }

  /** Adds the distance that the board has driven up to now. */
  integrate(): void {
    const nowMs = this.#clock.now();
    const expiryMs = this.#timeoutMs > 0 ? this.#packetMs + this.#timeoutMs : Number.POSITIVE_INFINITY;
    const untilMs = Math.max(this.#sinceMs, Math.min(nowMs, expiryMs));
    this.mm += (this.#ahead * this.step * (untilMs - this.#sinceMs)) / 1000;
    this.#sinceMs = nowMs;
    if (nowMs >= expiryMs) [this.#ahead, this.#left] = [0, 0];
  }

  #receive(bytes: Uint8Array): void {
    const decode = this.#name === 'roboclaw' ? decodeRoboclaw : decodeSabertooth;
    for (const packet of decode(bytes)) {
      if (this.corrupts(packet)) continue;
      this.integrate();
      this.#packetMs = this.#clock.now();
      this.packets.push({ ...packet, atMs: this.#packetMs });
      this.#execute(packet);
    }
  }

  #execute({ command, value }: DecodedPacket): void {
    if (value === undefined) return this.#answer(command, DATA[command] ?? [this.#timeoutMs / 100]);
    if (command === 8) this.#drive(value);
    else if (command === 9) this.#drive(-value);
    else if (command === 10) this.#left = -value;
    else if (command === 11) this.#left = value;
    else if (command === 14) this.#timeoutMs = value * 100;
    else throw new Error(`unexpected command ${command}`);
    if (this.#name === 'roboclaw') this.#send([0xff]);
  }

  #drive(ahead: number): void {
    this.#ahead = ahead;
    this.topMmps = Math.max(this.topMmps, Math.abs(ahead * this.step));
    this.received.push({ atMs: this.#packetMs, mmps: ahead * this.step });
  }

  #answer(command: number, data: number[]): void {
    const crc = crcByBits([ADDRESS, command, ...data]);
    this.#send([...data, crc >> 8, crc & 0xff]);
  }

  /** A reply never arrives before the write returns. */
  #send(bytes: number[]): void {
    queueMicrotask(() => {
      for (const listener of this.#listeners) listener(Uint8Array.from(bytes));
    });
  }
}

/** Replies by query: version, battery (24 V), temperature (25 °C) and status. */
const DATA: Readonly<Record<number, number[]>> = {
  21: [...Buffer.from('model\n\0', 'latin1')],
  24: [0, 240],
  82: [0, 250],
  90: [0, 0, 0, 0],
};
