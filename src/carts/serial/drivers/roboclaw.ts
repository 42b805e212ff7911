import { GatewayError } from '../../../shared/errors.js';
import { span } from '../../../shared/messages/messages.js';
import type { Cancel } from '../../../shared/ports/clock.js';
import { type ResendPolicy, resend } from '../../../shared/retry.js';
import { Signal } from '../../../shared/signal.js';
import { MIXED, type MixedCommand, speedCommands, timeoutUnits, ZERO_SPEED } from '../codec/mixed-mode.js';
import {
  READ_BATTERY,
  READ_STATUS,
  READ_TEMPERATURE,
  READ_TIMEOUT,
  READ_VERSION,
  roboclawStatus,
} from '../codec/roboclaw.js';
import type { DriverDeps, DriverTraits, Hello, SessionFault } from '../driver.js';
import { serialMessage } from '../messages.js';
import type { BoardStatus, OpenLoopBoard } from '../open-loop/board.js';
import { checkBaud } from '../open-loop/board.js';
import type { Steps } from '../open-loop/wheels.js';
import { LINE_NOISE, NoiseMeter } from './noise-meter.js';
import { unacknowledged } from './requests.js';
import { RoboclawLine } from './roboclaw-line.js';

const BAUDS = [9600, 19200, 38400, 57600, 115200, 230400, 460800];
const OPEN_POLICY = { everyMs: 250, tries: 20, graceMs: 250 };
/** Interval between repeated stops, shorter than for other packets, so that a lost packet does not delay a stop. */
const STOP_EVERY_MS = 20;
const STOP_TRIES = 3;
/** The battery voltage and the temperature are each read once in this many heartbeats. */
const SLOW_READ_EVERY = 10;

/** RoboClaw in packet serial mode: reports battery, temperature and errors, but no distance. */
export class Roboclaw implements OpenLoopBoard {
  readonly traits: DriverTraits;
  readonly counters = { sent: 0, received: 0, dropped: 0, retried: 0 };
  status: BoardStatus = { estop: false, errors: [], warnings: [], batteryMv: null, tempBoardC: null };
  readonly #deps: DriverDeps;
  readonly #line: RoboclawLine;
  readonly #noise: NoiseMeter;
  readonly #report = new Signal();
  readonly #fault = new Signal<[SessionFault]>();
  readonly #repeating = new Set<(error: GatewayError) => void>();
  #heartbeats = 0;

  constructor(deps: DriverDeps) {
    const { link, clock, serial } = deps;
    this.#deps = deps;
    this.traits = {
      ack: 'frame',
      feedback: false,
      watchdogMs: serial.timeoutMs,
      resetButton: false,
      warning: '',
    };
    this.#noise = new NoiseMeter(clock);
    this.#line = new RoboclawLine({
      link,
      clock,
      counters: this.counters,
      address: serial.address,
      ackTimeoutMs: serial.ackTimeoutMs,
      onBroken: () => this.#noise.isTooMuch() && this.#fault.emit(LINE_NOISE),
    });
  }

  readonly onReport = this.#report.on.bind(this.#report);
  readonly onFault = this.#fault.on.bind(this.#fault);

  /** Stops motors that an earlier session may have left running, then sets and verifies the watchdog. */
  async open(): Promise<Hello> {
    const { serial } = this.#deps;
    checkBaud(serial, BAUDS);
    const version = await this.#readVersion();
    await this.stop();
    await this.#line.write(MIXED.serialTimeout, this.#timeout);
    const actual = await this.#readTimeout();
    if (actual !== this.#timeout) {
      const times = { actual: span(actual * 100), wanted: span(this.#timeout * 100) };
      const text = serialMessage('timeout-not-kept', times);
      throw new GatewayError('INCOMPATIBLE', text, { field: 'serial.timeoutMs' });
    }
    await this.poll();
    return { firmware: version, simulated: /\bsimulated\b/.test(version) };
  }

  async set({ ahead, left }: Steps): Promise<void> {
    await this.#writeAll(speedCommands(ahead, left));
  }

  stop(): Promise<void> {
    const policy = {
      everyMs: STOP_EVERY_MS,
      tries: STOP_TRIES,
      graceMs: Math.max(STOP_EVERY_MS, this.#deps.serial.ackTimeoutMs),
    };
    const failure = () => {
      const { code, text } = unacknowledged('stop', policy);
      return new GatewayError(code, text, { hint: serialMessage('board-hint') });
    };
    return this.#repeat(policy, failure, (nth) => {
      if (nth > 1) this.counters.retried += 1;
      return this.#writeAll(ZERO_SPEED);
    });
  }

  writeZeroSpeed(): void {
    this.#writeAll(ZERO_SPEED).catch(() => undefined);
  }

  async poll(): Promise<void> {
    const { estop, errors, warnings } = roboclawStatus(await this.#line.read(READ_STATUS));
    this.status = { ...this.status, estop, errors, warnings };
    this.#report.emit();
  }

  heartbeat(): void {
    // A missing reply is detected as silence on the line, so errors are ignored.
    for (const read of [this.poll(), this.#checkTimeout(), this.#readSlowValues()])
      read.catch(() => undefined);
  }

  close(): void {
    const lost = new GatewayError('SERIAL_LOST', serialMessage('lost'));
    for (const giveUp of this.#repeating) giveUp(lost);
    this.#line.close();
  }

  get #timeout(): number {
    return timeoutUnits(this.#deps.serial.timeoutMs);
  }

  #readVersion(): Promise<string> {
    const failure = () => {
      const text = serialMessage('no-answer', {
        driver: 'roboclaw',
        limit: (OPEN_POLICY.everyMs * OPEN_POLICY.tries) / 1000,
      });
      return new GatewayError('HELLO_TIMEOUT', text, { hint: serialMessage('board-hint') });
    };
    return this.#repeat(OPEN_POLICY, failure, async () => {
      // Zero speed is written before the board has replied, because the motors may be turning.
      this.writeZeroSpeed();
      const version = await this.#line.read(READ_VERSION);
      return Buffer.from(version)
        .toString('latin1')
        .replace(/[^ -~]/g, '')
        .trim();
    });
  }

  async #readSlowValues(): Promise<void> {
    const turn = this.#heartbeats++ % SLOW_READ_EVERY;
    if (turn === 0) {
      const batteryMv = wordOf(await this.#line.read(READ_BATTERY)) * 100;
      this.status = { ...this.status, batteryMv };
    }
    if (turn === SLOW_READ_EVERY / 2) {
      const tempBoardC = Math.round(signedWordOf(await this.#line.read(READ_TEMPERATURE)) / 10);
      this.status = { ...this.status, tempBoardC };
    }
  }

  /** Detects a power cycle, after which the board no longer stops the motors when communication is lost. */
  async #checkTimeout(): Promise<void> {
    if ((await this.#readTimeout()) === this.#timeout) return;
    this.#fault.emit({ code: 'CONTROLLER_RESET', text: serialMessage('timeout-reset') });
  }

  async #readTimeout(): Promise<number> {
    const [units = 0] = await this.#line.read(READ_TIMEOUT);
    return units;
  }

  async #writeAll(commands: readonly MixedCommand[]): Promise<void> {
    await Promise.all(commands.map(([command, value]) => this.#line.write(command, value)));
  }

  /** Rejects with `failure` if the policy allows no further attempts. */
  #repeat<Result>(
    policy: ResendPolicy,
    failure: () => GatewayError,
    attempt: (nth: number) => Promise<Result>,
  ): Promise<Result> {
    let end: Cancel = () => undefined;
    const result = new Promise<Result>((resolve, reject) => {
      const giveUp = (error: unknown = failure()): void => reject(error);
      const send = (nth: number): void => void attempt(nth).then(resolve, () => undefined);
      const cancel = resend(this.#deps.clock, policy, send, giveUp);
      this.#repeating.add(giveUp);
      end = () => {
        cancel();
        this.#repeating.delete(giveUp);
      };
    });
    return result.finally(() => end());
  }
}

function signedWordOf(data: Uint8Array): number {
  return Int16Array.of(wordOf(data))[0] ?? 0;
}

function wordOf(data: Uint8Array): number {
  return (data[0] ?? 0) * 256 + (data[1] ?? 0);
}
