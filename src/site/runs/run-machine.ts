import type { ErrorCode } from '../../shared/errors.js';
import type { Leg, Route, RouteAction } from '../routes/route.js';
import { nextStep, offRouteMm, type RoutePose, type Step, stepsOf } from '../routes/steps.js';

export const RUN_PHASES = ['READY', 'RUNNING', 'PAUSED', 'COMPLETED', 'CANCELLED', 'FAILED'] as const;
export type RunPhase = (typeof RUN_PHASES)[number];

/** Why a run is paused. It continues when the control is held again, otherwise when a person resumes it. */
type PauseReason = 'HOLD_RELEASED' | 'PAUSED' | 'OBSTACLE' | 'WAIT_FOR_OPERATOR';

export type RunCode = PauseReason | ErrorCode;

/** A run without a hold for this long fails. */
const MAX_RELEASED_MS = 10_000;
/** A run that is paused or not started for this long fails, so that no run stays open unnoticed. */
const MAX_WAIT_MS = 15 * 60_000;
/** The warning output is switched on this long before a motion. */
const WARNING_MS = 2000;
const MAX_OFF_ROUTE_MM = 150;
/** How far the cart may be from the point at which a run or its next repetition starts. */
export const MAX_TO_START_MM = 500;
/** A leg that needs more corrections than this beyond its steps is not being followed. */
const MAX_CORRECTIONS = 4;
/** Maximum age of the pose while the cart moves. A stationary cart reports less often. */
const MAX_POSE_AGE_MS = 300;
/** Maximum time for a new pose after a motion, and for the end of a motion that was stopped. */
const MAX_MEASURING_MS = 3000;

export interface RunPose extends RoutePose {
  /** Monotonic time in ms at which the cart had this pose. */
  atMs: number;
  isLost: boolean;
}

/** What a running or paused run is doing. At most one motion is under way. */
type Activity =
  | { kind: 'standing' }
  /** The warning output is on, and the cart does not move yet. */
  | { kind: 'warning'; untilMs: number }
  /** `sentMs` is undefined until the motion has been sent. */
  | { kind: 'moving'; sentMs: number | undefined }
  /** Waits for a pose that was measured after the last motion. */
  | { kind: 'measuring'; sinceMs: number }
  | { kind: 'acting'; action: RouteAction; untilMs: number };

export interface RunState {
  phase: RunPhase;
  /** Why a run is paused, or the error code with which it failed. */
  reason: RunCode | undefined;
  route: Route;
  loops: number;
  /** Counted from 0. */
  loop: number;
  leg: number;
  /** Where the present leg begins; undefined on the way to the point at which the run starts. */
  from: Point | undefined;
  /** True if the action of the present leg has begun, or does not apply; an action is not repeated after a pause. */
  hasActed: boolean;
  activity: Activity;
  /** True until the last motion has been reported as ended. */
  isInMotion: boolean;
  isHeld: boolean;
  /** When the phase, or the hold, was last changed; monotonic, in ms. */
  sinceMs: number;
  /** Motions on the present leg that have finished. */
  steps: number;
}

export type RunInput =
  /** The operator holds the control. Repeated while it is held. */
  | { kind: 'hold' }
  | { kind: 'release' }
  | { kind: 'tick' }
  | { kind: 'motion-sent' }
  | { kind: 'motion-ended'; outcome: 'finished' | 'stopped' | 'blocked' }
  | { kind: 'motion-ended'; outcome: 'failed'; code: ErrorCode }
  | { kind: 'action-ended' }
  | { kind: 'pause' }
  | { kind: 'resume' }
  | { kind: 'cancel' }
  /** Something that ends a run: an emergency stop, a lost link, a hand-over, a motion or action that failed. */
  | { kind: 'interrupted'; code: ErrorCode };

export type RunEffect =
  /** Must be stored before the state is published and before any later effect except a stop. */
  | { kind: 'journal' }
  | { kind: 'move'; step: Step; maxSpeedMmps: number | undefined }
  | { kind: 'stop' }
  | { kind: 'act'; action: RouteAction }
  | { kind: 'warn'; isOn: boolean };

export interface RunStep {
  state: RunState;
  effects: readonly RunEffect[];
}

type Point = Pick<Leg, 'xMm' | 'yMm'>;

/** @param fromLeg the first leg to drive; the cart first drives to the point where this leg begins */
export function newRun(
  route: Route,
  { fromLeg, loops }: { fromLeg: number; loops: number },
  nowMs: number,
): RunState {
  return {
    phase: 'READY',
    reason: undefined,
    route,
    loops,
    loop: 0,
    leg: Math.max(0, fromLeg - 1),
    from: undefined,
    hasActed: fromLeg > 0,
    activity: { kind: 'standing' },
    isInMotion: false,
    isHeld: false,
    sinceMs: nowMs,
    steps: 0,
  };
}

export function hasEnded({ phase }: Pick<RunState, 'phase'>): boolean {
  return phase === 'COMPLETED' || phase === 'CANCELLED' || phase === 'FAILED';
}

/**
 * Returns the next state of a run and what must be done. The cart moves only while the run is RUNNING, which it is only
 * while the control is held. A run ends once and never starts again. `tick` must be sent at least every 100 ms.
 */
export function stepRun(
  state: RunState,
  input: RunInput,
  { nowMs, pose }: { nowMs: number; pose: RunPose | undefined },
): RunStep {
  if (hasEnded(state)) {
    return { state: input.kind === 'motion-ended' ? { ...state, isInMotion: false } : state, effects: [] };
  }
  const run = new Draft(state, nowMs, pose);
  run.take(input);
  return { state: run.state, effects: run.effects };
}

class Draft {
  state: RunState;
  readonly effects: RunEffect[] = [];
  readonly #nowMs: number;
  readonly #pose: RunPose | undefined;

  constructor(state: RunState, nowMs: number, pose: RunPose | undefined) {
    this.state = state;
    this.#nowMs = nowMs;
    this.#pose = pose;
  }

  take(input: RunInput): void {
    const { phase, reason } = this.state;
    switch (input.kind) {
      case 'hold':
        this.#change({ isHeld: true });
        if (phase === 'READY' || reason === 'HOLD_RELEASED') this.#run();
        return;
      case 'release':
        this.#change({ isHeld: false });
        if (phase === 'RUNNING' && !this.#isActingAtRest) this.#pause('HOLD_RELEASED');
        return;
      case 'pause':
        if (phase !== 'PAUSED' || reason === 'HOLD_RELEASED') this.#pause('PAUSED');
        return;
      case 'resume':
        if (phase !== 'PAUSED' || reason === 'HOLD_RELEASED') return;
        if (this.state.isHeld) this.#run();
        else this.#pause('HOLD_RELEASED');
        return;
      case 'cancel':
        return this.#end('CANCELLED', 'CANCELLED');
      case 'interrupted':
        return this.#end('FAILED', input.code);
      case 'motion-sent':
        if (this.state.activity.kind === 'moving')
          this.#change({ activity: { kind: 'moving', sentMs: this.#nowMs } });
        return;
      case 'motion-ended':
        return this.#onMotionEnded(input);
      case 'action-ended':
        return this.#onActionEnded();
      case 'tick':
        return this.#tick();
    }
  }

  #tick(): void {
    const { activity, phase, reason, sinceMs } = this.state;
    const waitedMs = this.#nowMs - sinceMs;
    if (phase !== 'RUNNING') {
      if (reason === 'HOLD_RELEASED' && waitedMs >= MAX_RELEASED_MS) this.#end('FAILED', 'HOLD_LOST');
      else if (waitedMs >= MAX_WAIT_MS) this.#end('FAILED', 'TIMEOUT');
      return;
    }
    if (activity.kind === 'acting') {
      if (this.#nowMs >= activity.untilMs) this.#onActionEnded();
      return;
    }
    const fault = this.#poseFault();
    if (fault) return this.#end('FAILED', fault);
    if (activity.kind === 'warning' && this.#nowMs >= activity.untilMs) this.#drive();
    else if (activity.kind === 'measuring' && (this.#pose?.atMs ?? 0) > activity.sinceMs) this.#drive();
  }

  #onMotionEnded(end: Extract<RunInput, { kind: 'motion-ended' }>): void {
    this.#change({ isInMotion: false });
    const { activity, phase } = this.state;
    if (phase !== 'RUNNING' || activity.kind !== 'moving') return;
    if (end.outcome === 'failed') return this.#end('FAILED', end.code);
    // A motion that this run has not stopped was stopped by a person or another program.
    if (end.outcome === 'stopped') return this.#end('FAILED', 'STOPPED');
    if (end.outcome === 'blocked') return this.#pause('OBSTACLE');
    this.#change({ steps: this.state.steps + 1 });
    this.#change({ activity: { kind: 'measuring', sinceMs: this.#nowMs } });
  }

  /** Starts or continues, with the warning first. */
  #run(): void {
    this.#change({
      phase: 'RUNNING',
      reason: undefined,
      sinceMs: this.#nowMs,
      activity: { kind: 'warning', untilMs: this.#nowMs + WARNING_MS },
    });
    this.#journal();
    this.effects.push({ kind: 'warn', isOn: true });
  }

  #pause(reason: PauseReason): void {
    this.#halt();
    this.#change({ phase: 'PAUSED', reason, sinceMs: this.#nowMs, activity: { kind: 'standing' } });
    this.#journal();
  }

  #end(phase: 'COMPLETED' | 'CANCELLED' | 'FAILED', reason: ErrorCode | undefined): void {
    this.#halt();
    this.#change({ phase, reason, sinceMs: this.#nowMs, activity: { kind: 'standing' } });
    this.#journal();
  }

  /** One entry with the final state is enough for all transitions of one input. */
  #journal(): void {
    if (!this.effects.some(({ kind }) => kind === 'journal')) this.effects.push({ kind: 'journal' });
  }

  #halt(): void {
    this.effects.push({ kind: 'stop' }, { kind: 'warn', isOn: false });
  }

  /** Sends the next motion, or performs what follows the leg. */
  #drive(): void {
    const { from, isInMotion, route, steps } = this.state;
    const leg = this.#leg;
    // A stopped cart may still be rolling.
    if (isInMotion) {
      const { activity } = this.state;
      const isStuck = activity.kind === 'warning' && this.#nowMs - activity.untilMs > MAX_MEASURING_MS;
      return isStuck ? this.#end('FAILED', 'TIMEOUT') : undefined;
    }
    if (!leg || !this.#pose) return this.#end('FAILED', leg ? 'POSE_LOST' : 'FAILED');
    const step = nextStep(from, leg, this.#pose);
    if (!step) return this.#onArrived(leg);
    if (steps > stepsOf(from, leg) + MAX_CORRECTIONS) return this.#end('FAILED', 'OFF_ROUTE');
    this.#change({ activity: { kind: 'moving', sentMs: undefined }, isInMotion: true });
    this.effects.push({ kind: 'move', step, maxSpeedMmps: leg.maxSpeedMmps ?? slowest(route) });
  }

  #onArrived(leg: Leg): void {
    const { action } = leg;
    if (!action || this.state.hasActed) {
      this.#nextLeg(leg);
      if (!hasEnded(this.state)) this.#drive();
      return;
    }
    if (action.kind === 'WAIT_FOR_OPERATOR') {
      this.#change({ hasActed: true });
      return this.#pause('WAIT_FOR_OPERATOR');
    }
    const isDocking = action.kind === 'DOCK';
    const untilMs = action.kind === 'WAIT' ? this.#nowMs + action.seconds * 1000 : Number.POSITIVE_INFINITY;
    this.#change({
      activity: { kind: 'acting', action, untilMs },
      // Docking that was interrupted must begin again.
      hasActed: !isDocking,
      isInMotion: isDocking,
    });
    if (!isDocking) this.effects.push({ kind: 'warn', isOn: false });
    if (action.kind !== 'WAIT') this.effects.push({ kind: 'act', action });
  }

  #onActionEnded(): void {
    const { activity, isHeld } = this.state;
    const leg = this.#leg;
    if (activity.kind !== 'acting' || !leg) return;
    const isDocked = activity.action.kind === 'DOCK';
    this.#change({ hasActed: true, ...(isDocked && { isInMotion: false }) });
    // The dock is beside the end of the leg.
    this.#nextLeg(isDocked ? (this.#pose ?? leg) : leg);
    if (hasEnded(this.state)) return;
    if (isHeld) this.#run();
    else this.#pause('HOLD_RELEASED');
  }

  #nextLeg(from: Point): void {
    const { leg, loop, loops, route } = this.state;
    const next = { from, steps: 0, hasActed: false };
    if (leg + 1 < route.legs.length) this.#change({ ...next, leg: leg + 1 });
    else if (loop + 1 < loops) this.#change({ ...next, leg: 0, from: undefined, loop: loop + 1 });
    else return this.#end('COMPLETED', undefined);
    this.#journal();
  }

  #poseFault(): 'POSE_LOST' | 'OFF_ROUTE' | undefined {
    const pose = this.#pose;
    const { activity, from } = this.state;
    if (!pose || pose.isLost) return 'POSE_LOST';
    if (activity.kind === 'moving' && activity.sentMs !== undefined) {
      if (this.#nowMs - Math.max(activity.sentMs, pose.atMs) > MAX_POSE_AGE_MS) return 'POSE_LOST';
    }
    if (activity.kind === 'measuring' && this.#nowMs - activity.sinceMs > MAX_MEASURING_MS)
      return 'POSE_LOST';
    const leg = this.#leg;
    if (!leg) return undefined;
    const maxMm = from ? MAX_OFF_ROUTE_MM : MAX_TO_START_MM + MAX_OFF_ROUTE_MM;
    return offRouteMm(from ?? leg, leg, pose) > maxMm ? 'OFF_ROUTE' : undefined;
  }

  get #leg(): Leg | undefined {
    return this.state.route.legs[this.state.leg];
  }

  /** True during an action of the stationary cart, for which the control need not be held. */
  get #isActingAtRest(): boolean {
    const { activity } = this.state;
    return activity.kind === 'acting' && activity.action.kind !== 'DOCK';
  }

  #change(changes: Partial<RunState>): void {
    this.state = { ...this.state, ...changes };
  }
}

function slowest({ legs }: Route): number | undefined {
  const speeds = legs.flatMap(({ maxSpeedMmps }) => maxSpeedMmps ?? []);
  return speeds.length > 0 ? Math.min(...speeds) : undefined;
}
