import { signedDegrees } from '../../shared/angles.js';
import { joined } from '../../shared/messages/messages.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { CartPose, Reason, Telemetry } from '../command/model.js';
import { cartMessage } from '../messages.js';
import type { ProtectiveField } from '../protective-field/protective-field.js';
import type { Interlocks } from '../safety/interlocks.js';
import type { MotorArming } from '../safety/motor-arming.js';
import { RunawayDetector } from '../safety/runaway-detector.js';
import type { StopAck } from '../safety/stop-ack.js';
import type { MotorDriver } from '../serial/driver.js';
import type { ControllerLink } from '../serial/link.js';
import type { KinematicsSettings } from '../serial/settings-schema.js';
import type { CommandExecutor } from './command-executor.js';
import { AT_CONTROLLER, type EstopControl } from './estop-control.js';
import type { LimitsSettings } from './settings-schema.js';

interface ControllerSessionDeps {
  link: ControllerLink;
  interlocks: Interlocks;
  arming: MotorArming;
  field: ProtectiveField;
  limitSpeed: () => void;
  executor: CommandExecutor;
  estop: EstopControl;
  stopAck: StopAck;
  settings: () => { limits: LimitsSettings; kinematics: KinematicsSettings };
  protect: (reason: Reason) => void;
  changed: () => void;
  /** Disables the motors at the end of a category 1 stop, if the cart is stationary. */
  disarmIfStanding: () => void;
  clock: Clock;
}

/** Passes reports from the link and the controller to the cart's parts, and integrates the pose. */
export class ControllerSession {
  readonly #deps: ControllerSessionDeps;
  #odometry: Odometry;
  #rolling = new RunawayDetector();

  constructor(deps: ControllerSessionDeps) {
    this.#deps = deps;
    this.#odometry = new Odometry(() => deps.settings().kinematics.trackMm);
    deps.link.onReady((driver) => this.#onReady(driver));
    deps.link.onLost((reason) => this.#onLost(reason));
    deps.link.onChange(deps.changed);
  }

  get pose(): CartPose {
    return this.#odometry.pose;
  }

  #onReady(driver: MotorDriver): void {
    const { arming, changed, executor, field, interlocks, limitSpeed, stopAck } = this.#deps;
    this.#odometry.restart();
    executor.connected(driver);
    driver.onTelemetry((telemetry) => this.#onTelemetry(telemetry));
    driver.onEstopInput?.(() => this.#onEstopInput());
    driver.onMotion((report) => executor.onReport(report, field.endReason(report)));
    driver.onJogRejected?.((wireId, error) => executor.onJogRejected(wireId, error));
    driver.field?.onReport(() => {
      limitSpeed();
      changed();
    });
    // If a stop is already latched, the controller receives the ESTOP frame before any other frame.
    if (interlocks.latched) stopAck.follow('estop', driver.estop(1), '');
    else stopAck.clear();
    arming.writeHeartbeat();
    changed();
  }

  #onLost(reason: Reason): void {
    const { arming, executor, interlocks, stopAck } = this.#deps;
    stopAck.forget();
    arming.disarm();
    interlocks.telemetry = undefined;
    executor.lost({ code: reason.code, text: reason.text });
    this.#deps.changed();
  }

  #onTelemetry(telemetry: Telemetry): void {
    const { estop, executor, interlocks } = this.#deps;
    const before = interlocks.telemetry;
    interlocks.telemetry = telemetry;
    if (before?.state === 'ESTOP' && telemetry.state !== 'ESTOP') estop.onControllerReset();
    this.#odometry.add(telemetry);
    if (telemetry.state === 'ESTOP' && !interlocks.latched) {
      estop.latch('MANUAL', AT_CONTROLLER);
    }
    executor.onTelemetry(telemetry);
    this.#deps.disarmIfStanding();
    this.#watchRolling(telemetry);
    const { level, reasons } = interlocks.watch();
    // A stationary cart is not stopped, because its controller would respond to the stop with a status, which would
    // trigger another stop.
    if (level === 'stop' && executor.moving)
      this.#deps.protect({ code: 'PROTECTIVE_STOP', text: joined(reasons) });
    this.#deps.changed();
  }

  /**
   * If the E-stop is pressed while a stop from a page is latched, the stop must be reset on the cart, as after any
   * other press.
   */
  #onEstopInput(): void {
    const { estop, interlocks } = this.#deps;
    if (!interlocks.stoppedOnCart) estop.latch('MANUAL', AT_CONTROLLER);
  }

  /** Uncommanded motion ends the session, so that the controller's watchdog stops the wheels. */
  #watchRolling(telemetry: Telemetry): void {
    const { clock, executor, link, settings } = this.#deps;
    if (!this.#rolling.watch(clock.now(), telemetry, executor.busy, settings().limits)) return;
    link.end({ code: 'NOT_STOPPED', text: cartMessage('rolling') });
  }
}

type WheelTravel = Pick<Telemetry, 'odoLeftMm' | 'odoRightMm'>;

/** Computes the pose from wheel travel. As with any odometry, the pose drifts. */
class Odometry {
  #trackMm: () => number;
  #last: WheelTravel | undefined;
  #pose: CartPose = { xMm: 0, yMm: 0, headingDeg: 0 };

  /** @param trackMm returns the distance between the left and right wheels, in mm. */
  constructor(trackMm: () => number) {
    this.#trackMm = trackMm;
  }

  get pose(): CartPose {
    return this.#pose;
  }

  /** Called when a session starts, because the controller's wheel counts restart at zero. The pose is not reset. */
  restart(): void {
    this.#last = undefined;
  }

  add({ odoLeftMm, odoRightMm }: WheelTravel): void {
    const last = this.#last ?? { odoLeftMm, odoRightMm };
    this.#last = { odoLeftMm, odoRightMm };
    const [left, right] = [odoLeftMm - last.odoLeftMm, odoRightMm - last.odoRightMm];
    if (left === 0 && right === 0) return;
    const turnRad = (right - left) / this.#trackMm();
    const { xMm, yMm, headingDeg } = this.#pose;
    // For steps of 0.1 s, a straight line at the mean heading is accurate enough.
    const middleRad = (headingDeg * Math.PI) / 180 + turnRad / 2;
    const stepMm = (left + right) / 2;
    this.#pose = {
      xMm: xMm + stepMm * Math.cos(middleRad),
      yMm: yMm + stepMm * Math.sin(middleRad),
      headingDeg: signedDegrees(headingDeg + (turnRad * 180) / Math.PI),
    };
  }
}
