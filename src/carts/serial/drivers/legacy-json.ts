import { errorText, GatewayError } from '../../../shared/errors.js';
import type { Cancel } from '../../../shared/ports/clock.js';
import { Signal } from '../../../shared/signal.js';
import type { Telemetry } from '../../command/model.js';
import { plannedMs } from '../../control/motion-duration.js';
import { legacyJsonLine } from '../codec/json-lines.js';
import type {
  DriverDeps,
  DriverTraits,
  Hello,
  MotionReport,
  MotorDriver,
  MoveRequest,
  SessionFault,
} from '../driver.js';
import { serialMessage } from '../messages.js';
import { nackError } from './requests.js';

/** Interval between the reports that the driver generates to keep the link alive, because the sketch sends none. */
const REPORT_MS = 250;
/**
 * A stop is repeated with this many reports, because a single line may be lost; a latching stop is repeated with
 * every report until it is reset, which uses 18 % of the capacity of a 9600 baud line.
 */
const STOP_REPEATS = 2;
const IDLE: Telemetry = {
  state: 'IDLE',
  faults: [],
  progressMm: 0,
  odoLeftMm: 0,
  odoRightMm: 0,
  speedMmps: 0,
  omegaDdegps: 0,
  batteryMv: null,
  batteryCa: null,
  soc: null,
  tempBoardC: null,
  tempM1C: null,
  tempM2C: null,
};

/** For a sketch that only receives plain lines; motion is estimated from speed and time. */
export class LegacyJsonDriver implements MotorDriver {
  readonly traits: DriverTraits = {
    ack: 'none',
    feedback: false,
    watchdogMs: null,
    resetButton: false,
    warning: serialMessage('sketch-warning'),
  };
  readonly counters = { sent: 0, received: 0, dropped: 0, retried: 0 };
  #deps: DriverDeps;
  #report: Cancel;
  #cancelEnd: Cancel = () => undefined;
  #moving = false;
  #isLatched = false;
  #repeats = 0;
  #unlisten: Cancel;
  #telemetry = new Signal<[Telemetry]>();
  #motion = new Signal<[MotionReport]>();
  #fault = new Signal<[SessionFault]>();

  constructor(deps: DriverDeps) {
    this.#deps = deps;
    // The port must be read, but the sketch's output is ignored.
    this.#unlisten = deps.link.onBytes(() => undefined);
    this.#report = deps.clock.every(REPORT_MS, () => this.#onReport());
  }

  readonly onTelemetry = this.#telemetry.on.bind(this.#telemetry);
  readonly onMotion = this.#motion.on.bind(this.#motion);
  readonly onSessionFault = this.#fault.on.bind(this.#fault);

  /** Sends a stop, because the sketch may still be executing a command of an earlier session. */
  async open(): Promise<Hello> {
    await this.stop();
    return { firmware: 'unknown', simulated: false };
  }

  async move({ wireId, raw, distanceMm, angleDdeg, maxSpeedMmps }: MoveRequest): Promise<void> {
    if (this.#isLatched) throw nackError('ESTOP_ACTIVE');
    this.#repeats = 0;
    this.#write(raw.distanceID, raw.angleID);
    const { clock, limits } = this.#deps;
    this.#moving = true;
    this.#cancelEnd();
    this.#cancelEnd = clock.after(plannedMs({ distanceMm, angleDdeg, maxSpeedMmps }, limits), () => {
      this.#moving = false;
      this.#motion.emit({ wireId, event: 'finished', code: 0, finalMm: distanceMm, finalDdeg: angleDdeg });
    });
    this.#emitTelemetry();
  }

  jog(): void {
    throw new GatewayError('CONTROLLER_UNSUPPORTED', serialMessage('no-jog'));
  }

  /** A command with distance 0 and angle 0 is the only stop that existing sketches support. */
  stop(): Promise<void> {
    this.#cancelEnd();
    this.#moving = false;
    this.#repeats = STOP_REPEATS;
    this.#write(0, 0);
    return Promise.resolve();
  }

  estop(): Promise<void> {
    this.#isLatched = true;
    return this.stop();
  }

  async resetEstop(): Promise<void> {
    this.#isLatched = false;
  }

  writeDisarmed(): void {
    this.#write(0, 0);
  }

  heartbeat(): void {}

  close(): void {
    this.#cancelEnd();
    this.#report();
    this.#unlisten();
  }

  #write(distanceID: number, angleID: number): void {
    this.#deps.link.write(legacyJsonLine({ cartID: this.#deps.cartId, distanceID, angleID }));
    this.counters.sent += 1;
  }

  /** Called by the timer. Catches write errors, because an uncaught error in a timer would end the process. */
  #onReport(): void {
    this.#emitTelemetry();
    if (!this.#isLatched && this.#repeats === 0) return;
    this.#repeats = Math.max(0, this.#repeats - 1);
    try {
      this.#write(0, 0);
    } catch (error) {
      this.#fault.emit({ code: 'SERIAL_LOST', text: errorText(error) });
    }
  }

  #emitTelemetry(): void {
    this.#telemetry.emit({ ...IDLE, state: this.#moving ? 'RUNNING' : 'IDLE' });
  }
}
