import { type Actor, actorName, actorText } from '../../shared/actor.js';
import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { PlanPose } from '../../shared/ports/navigation/plan-pose.js';
import { siteMessage } from '../messages.js';
import type { Leg } from './route.js';
import { type TaughtPose, taughtLegs } from './teach.js';

const SAMPLE_MS = 100;
/** A longer route would have too many legs to be edited. */
const MAX_MINUTES = 20;
const MAX_POSES = (MAX_MINUTES * 60_000) / SAMPLE_MS;
const MAX_LENGTH_M = 200;
/** A jump, for example after a marker has corrected the position, is not a way. */
const MAX_STEP_MM = 500;

interface TeachingDeps {
  location: () => PlanPose | undefined;
  /** The cart's speed, negative backwards; undefined if it is not measured. */
  speedMmps: () => number | undefined;
  clock: Clock;
  log: Log;
}

export interface TeachingView {
  isRecording: boolean;
  by?: Text;
  /** How far the cart has been driven. */
  lengthMm: number;
  /** Why the recording has ended by itself. */
  fault?: Text;
}

/** Records how an operator drives the cart by hand, for a new route. Nothing of it is stored. */
export class Teaching {
  readonly #deps: TeachingDeps;
  #poses: TaughtPose[] = [];
  #by: Actor | undefined;
  #lengthMm = 0;
  #fault: Text | undefined;
  #stopSampling: Cancel | undefined;

  constructor(deps: TeachingDeps) {
    this.#deps = deps;
  }

  get view(): TeachingView {
    return {
      isRecording: this.#stopSampling !== undefined,
      ...(this.#by && { by: actorText(this.#by) }),
      lengthMm: Math.round(this.#lengthMm),
      ...(this.#fault !== undefined && { fault: this.#fault }),
    };
  }

  /** Discards an earlier recording. Throws POSE_LOST, or CONFLICT if another recording is running. */
  start(by: Actor): TeachingView {
    if (this.#stopSampling) throw new GatewayError('CONFLICT', siteMessage('teaching-already'));
    const pose = this.#pose();
    if (!pose) {
      throw new GatewayError('POSE_LOST', siteMessage('pose-lost'), { hint: siteMessage('pose-lost-hint') });
    }
    this.#poses = [pose];
    this.#by = by;
    this.#lengthMm = 0;
    this.#fault = undefined;
    const { clock, log } = this.#deps;
    log.info('teaching.started', { by: actorName(by) });
    this.#stopSampling = clock.every(SAMPLE_MS, () => this.#sample());
    return this.view;
  }

  /**
   * Ends the recording and returns its legs, also when it is called again. Throws CONFLICT if nothing has been recorded,
   * POSE_LOST if the recording has ended by itself, or INVALID_INPUT if the cart has not been driven.
   */
  finish(): { legs: Leg[] } {
    if (!this.#by) throw new GatewayError('CONFLICT', siteMessage('teaching-none'));
    this.#end();
    if (this.#fault !== undefined) throw new GatewayError('POSE_LOST', this.#fault);
    const legs = taughtLegs(this.#poses);
    if (legs.length === 0) throw new GatewayError('INVALID_INPUT', siteMessage('teaching-not-driven'));
    return { legs };
  }

  discard(): void {
    this.#end();
    this.#poses = [];
    this.#by = undefined;
    this.#lengthMm = 0;
    this.#fault = undefined;
  }

  close(): void {
    this.discard();
  }

  #sample(): void {
    const pose = this.#pose();
    const before = this.#poses.at(-1);
    const stepMm = pose && before ? Math.hypot(pose.xMm - before.xMm, pose.yMm - before.yMm) : 0;
    if (!pose || stepMm > MAX_STEP_MM) {
      this.#fault = siteMessage('teaching-lost');
      return this.#end();
    }
    this.#lengthMm += stepMm;
    this.#poses.push(pose);
    if (this.#poses.length < MAX_POSES && this.#lengthMm < MAX_LENGTH_M * 1000) return;
    this.#fault = siteMessage('teaching-too-long', { minutes: MAX_MINUTES, metres: MAX_LENGTH_M });
    this.#end();
  }

  #end(): void {
    this.#stopSampling?.();
    this.#stopSampling = undefined;
  }

  #pose(): TaughtPose | undefined {
    const location = this.#deps.location();
    if (!location || location.state === 'LOST') return undefined;
    const { xMm, yMm, headingDeg } = location;
    return { xMm, yMm, headingDeg, speedMmps: this.#deps.speedMmps() ?? 0 };
  }
}
