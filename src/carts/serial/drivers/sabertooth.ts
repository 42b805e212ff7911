import { span } from '../../../shared/messages/messages.js';
import type { Cancel } from '../../../shared/ports/clock.js';
import type { ByteLink } from '../../../shared/ports/serial.js';
import { Signal } from '../../../shared/signal.js';
import { MIXED, type MixedCommand, STAND, speeds, timeoutUnits } from '../codec/mixed-mode.js';
import type { DriverDeps, DriverTraits, Hello, SessionFault } from '../driver.js';
import { serialMessage } from '../messages.js';
import type { BoardVitals, OpenLoopBoard } from '../open-loop/board.js';
import { checkBaud } from '../open-loop/board.js';
import type { Steps } from '../open-loop/wheels.js';

const BAUDS = [9600, 19200, 38400, 115200];
/** A board that was switched off and on has forgotten its speed of the line and its watchdog. */
const REMIND_EVERY_MS = 5000;
const UNKNOWN: BoardVitals = { estop: false, errors: [], warnings: [], batteryMv: null, tempBoardC: null };

/** A Sabertooth in packetized serial mode. The line goes one way: nothing that is sent is ever confirmed. */
export class Sabertooth implements OpenLoopBoard {
  readonly traits: DriverTraits;
  readonly counters = { sent: 0, received: 0, dropped: 0, retried: 0 };
  readonly vitals = UNKNOWN;
  readonly #deps: DriverDeps;
  readonly #link: ByteLink;
  readonly #unlisten: Cancel;
  readonly #heard = new Signal();
  readonly #fault = new Signal<[SessionFault]>();
  #remindedMs = 0;
  #closed = false;

  constructor(deps: DriverDeps) {
    this.#deps = deps;
    this.#link = deps.link;
    this.traits = {
      ack: 'none',
      feedback: false,
      watchdogMs: null,
      resetButton: false,
      warning: serialMessage('sabertooth-warning', { time: span(deps.serial.timeoutMs) }),
    };
    // Nothing comes; reading it is how a pulled plug is noticed.
    this.#unlisten = deps.link.onBytes(() => undefined);
  }

  readonly onHeard = this.#heard.on.bind(this.#heard);
  readonly onFault = this.#fault.on.bind(this.#fault);

  async open(): Promise<Hello> {
    checkBaud(this.#deps.serial, BAUDS);
    this.#remind();
    this.#send(STAND);
    return { firmware: 'unknown', simulated: false };
  }

  async set({ ahead, left }: Steps): Promise<void> {
    this.#send(speeds(ahead, left));
  }

  /** Every stop comes with the watchdog: a move begins with one, and a board may have lost it since. */
  async rest(): Promise<void> {
    this.#send(STAND);
    this.#remind();
  }

  async look(): Promise<void> {}

  beat(): void {
    if (this.#deps.clock.now() - this.#remindedMs >= REMIND_EVERY_MS) this.#remind();
    // Later, as an answer would come: whoever calls this may be in the middle of something.
    queueMicrotask(() => this.#closed || this.#heard.emit());
  }

  close(): void {
    this.#closed = true;
    this.#unlisten();
  }

  #remind(): void {
    this.#remindedMs = this.#deps.clock.now();
    this.#link.write(BAUDING);
    this.#send([[MIXED.serialTimeout, timeoutUnits(this.#deps.serial.timeoutMs)]]);
  }

  #send(commands: readonly MixedCommand[]): void {
    const { address } = this.#deps.serial;
    for (const [command, value] of commands) {
      this.#link.write(sabertoothPacket(address, command, value));
      this.counters.sent += 1;
    }
  }
}

/**
 * Older units find the speed of the line by this byte, which must come first after they are switched on; to newer ones it
 * is the address of nobody.
 */
const BAUDING = Uint8Array.of(0xaa);

/** `address` 128…135, `command` and `value` 0…127; the checksum is their sum in seven bits. */
export function sabertoothPacket(address: number, command: number, value: number): Uint8Array {
  return Uint8Array.of(address, command, value, (address + command + value) & 0x7f);
}
