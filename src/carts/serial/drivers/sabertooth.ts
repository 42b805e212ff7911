import { errorText } from '../../../shared/errors.js';
import { span } from '../../../shared/messages/messages.js';
import type { Cancel } from '../../../shared/ports/clock.js';
import type { ByteLink } from '../../../shared/ports/serial.js';
import { Signal } from '../../../shared/signal.js';
import { MIXED, type MixedCommand, speedCommands, timeoutUnits, ZERO_SPEED } from '../codec/mixed-mode.js';
import type { DriverDeps, DriverTraits, Hello, SessionFault } from '../driver.js';
import { serialMessage } from '../messages.js';
import type { BoardStatus, OpenLoopBoard } from '../open-loop/board.js';
import { checkBaud } from '../open-loop/board.js';
import type { Steps } from '../open-loop/wheels.js';

const BAUDS = [9600, 19200, 38400, 115200];
/** A power cycle clears the baud rate and the watchdog, so both are set again at this interval. */
const CONFIGURE_EVERY_MS = 5000;
/** A stop is repeated after these times, because a single packet may be lost and the board does not reply. */
const REPEAT_STOP_MS = [20, 40];
const UNKNOWN: BoardStatus = { estop: false, errors: [], warnings: [], batteryMv: null, tempBoardC: null };

/** Packetized serial mode: the board only receives and sends no acknowledgements. */
export class Sabertooth implements OpenLoopBoard {
  readonly traits: DriverTraits;
  readonly counters = { sent: 0, received: 0, dropped: 0, retried: 0 };
  readonly status = UNKNOWN;
  readonly #deps: DriverDeps;
  readonly #link: ByteLink;
  readonly #unlisten: Cancel;
  readonly #report = new Signal();
  readonly #fault = new Signal<[SessionFault]>();
  #configuredMs = 0;
  #closed = false;
  #repeats: Cancel[] = [];

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
    // The board sends nothing, but reading from the port detects an unplugged adapter.
    this.#unlisten = deps.link.onBytes(() => undefined);
  }

  readonly onReport = this.#report.on.bind(this.#report);
  readonly onFault = this.#fault.on.bind(this.#fault);

  async open(): Promise<Hello> {
    checkBaud(this.#deps.serial, BAUDS);
    this.#configure();
    this.writeZeroSpeed();
    return { firmware: 'unknown', simulated: false };
  }

  async set({ ahead, left }: Steps): Promise<void> {
    this.#cancelRepeats();
    this.#send(speedCommands(ahead, left));
  }

  /** The watchdog is set again, in case the board has lost the setting; every move starts with a stop. */
  async stop(): Promise<void> {
    this.#cancelRepeats();
    this.writeZeroSpeed();
    this.#configure();
    this.#repeats = REPEAT_STOP_MS.map((ms) => this.#deps.clock.after(ms, () => this.#repeatStop()));
  }

  writeZeroSpeed(): void {
    this.#send(ZERO_SPEED);
  }

  async poll(): Promise<void> {}

  heartbeat(): void {
    if (this.#deps.clock.now() - this.#configuredMs >= CONFIGURE_EVERY_MS) this.#configure();
    // Callers do not expect a report during the call, so the report is emitted asynchronously, like a reply.
    queueMicrotask(() => this.#closed || this.#report.emit());
  }

  close(): void {
    this.#closed = true;
    this.#cancelRepeats();
    this.#unlisten();
  }

  #cancelRepeats(): void {
    for (const cancel of this.#repeats.splice(0)) cancel();
  }

  /** Repeats the stop. Catches write errors, because an uncaught error in a timer would end the process. */
  #repeatStop(): void {
    try {
      this.writeZeroSpeed();
    } catch (error) {
      this.#fault.emit({ code: 'SERIAL_LOST', text: errorText(error) });
    }
  }

  #configure(): void {
    this.#configuredMs = this.#deps.clock.now();
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

/** Older boards detect the baud rate from this first byte after power-on; newer boards ignore it. */
const BAUDING = Uint8Array.of(0xaa);

/** `address` is 128…135; `command` and `value` are 0…127. */
export function sabertoothPacket(address: number, command: number, value: number): Uint8Array {
  return Uint8Array.of(address, command, value, (address + command + value) & 0x7f);
}
