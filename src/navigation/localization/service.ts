import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { CartLocation } from '../../shared/ports/navigation/plan-pose.js';
import type { Detection, DetectorService } from '../markers/detector-service.js';
import type { Pose } from '../markers/model.js';
import type { Markers } from '../markers/registry.js';
import { type BeaconFix, Localizer, type LocalizerRules } from './localizer.js';

/** The detector keeps looking for markers for this long after a motion. */
const LOOK_MS = 10_000;
const TICK_MS = 1000;

/** The state of this gateway's cart. */
export interface MeasuredMotion {
  /** Undefined if wheel travel may be missed because there is no connection or the driver does not report it. */
  odometer: { pose: Pose; atMs: number } | undefined;
  isMoving: boolean;
  /** True while a stop is latched; someone might then push the cart by hand. */
  isStopped: boolean;
}

type Detector = Pick<DetectorService, 'acquire' | 'onDetection'>;

interface LocalizationDeps {
  markers: Pick<Markers, 'list' | 'find' | 'onChange'>;
  rules: () => LocalizerRules;
  clock: Clock;
}

/** Keeps the pose of this gateway's cart on the plan up to date. */
export class Localization {
  readonly #deps: LocalizationDeps;
  readonly #localizer: Localizer;
  readonly #cancels: Cancel[];
  #detector: Detector | undefined;
  #releaseDetector: Cancel | undefined;
  #movedMs: number;

  constructor(deps: LocalizationDeps) {
    this.#deps = deps;
    const { markers, rules, clock } = deps;
    this.#localizer = new Localizer({ rules, marker: (id) => markers.find(id) });
    this.#movedMs = clock.now();
    this.#cancels = [
      markers.onChange((id) => this.#localizer.forgetMarker(id)),
      clock.every(TICK_MS, () => this.#updateDetector()),
    ];
  }

  close(): void {
    for (const cancel of this.#cancels) cancel();
    this.#releaseDetector?.();
  }

  /** Starts using the detector, which runs during and shortly after motions if a marker is registered. */
  useDetector(detector: Detector): void {
    this.#detector = detector;
    this.#cancels.push(detector.onDetection((detection) => this.#onDetection(detection)));
    this.#updateDetector();
  }

  onCart({ odometer, isMoving, isStopped }: MeasuredMotion): void {
    const nowMs = this.#deps.clock.now();
    if (odometer && !isStopped) this.#localizer.addOdometry(odometer.pose, odometer.atMs);
    else this.#localizer.lose();
    if (!isMoving) return;
    this.#movedMs = nowMs;
    this.#updateDetector();
  }

  addBeaconFix(fix: BeaconFix): void {
    this.#localizer.addBeaconFix(fix, this.#deps.clock.now());
  }

  /** Sets the pose that an operator entered; the next sightings of markers correct it. */
  place(pose: Pose): CartLocation | undefined {
    this.#localizer.place(pose);
    this.#movedMs = this.#deps.clock.now();
    this.#updateDetector();
    return this.location();
  }

  get suspicious(): number[] {
    return this.#localizer.suspicious;
  }

  location(): CartLocation | undefined {
    const pose = this.#localizer.pose(this.#deps.clock.now());
    if (!pose) return undefined;
    const { ellipse, covariance } = pose;
    return {
      xMm: rounded(pose.xMm),
      yMm: rounded(pose.yMm),
      headingDeg: rounded(pose.headingDeg),
      covariance: covariance.map((row) => row.map(rounded)),
      ellipse: {
        semiMajorMm: rounded(ellipse.semiMajorMm),
        semiMinorMm: rounded(ellipse.semiMinorMm),
        angleDeg: rounded(ellipse.angleDeg),
        probability: ellipse.probability,
      },
      state: pose.state,
      ageMs: pose.ageMs,
      suspiciousMarkers: this.suspicious,
    };
  }

  #onDetection({ atMs, sightings }: Detection): void {
    this.#localizer.addSightings({ capturedMs: atMs, sightings });
  }

  #updateDetector(): void {
    const { clock, markers } = this.#deps;
    const isNeeded = clock.now() - this.#movedMs < LOOK_MS && markers.list().length > 0;
    if (isNeeded) this.#releaseDetector ??= this.#detector?.acquire('idle');
    else {
      this.#releaseDetector?.();
      this.#releaseDetector = undefined;
    }
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
