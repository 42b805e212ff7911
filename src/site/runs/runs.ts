import { randomUUID } from 'node:crypto';
import type { Authority, HeldMotion, Origin, Reason } from '../../carts/index.js';
import { type Actor, actorName, actorText, isSameActor } from '../../shared/actor.js';
import { signedDegrees } from '../../shared/angles.js';
import { errorText, GatewayError, messageOf } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { CartSender, MotionEnd } from '../../shared/ports/navigation/cart-motions.js';
import type { PlanPose } from '../../shared/ports/navigation/plan-pose.js';
import { Signal } from '../../shared/signal.js';
import { siteMessage } from '../messages.js';
import { requireReviewed, requireRoute, type SitePlanView } from '../plan-data/site-plan.js';
import type { LegCheck, RouteCheck } from '../routes/check.js';
import type { Route, RouteAction } from '../routes/route.js';
import { drives, headingOn } from '../routes/steps.js';
import { KEPT_RUNS, type RunJournal } from './journal.js';
import {
  hasEnded,
  MAX_TO_START_MM,
  newRun,
  type RunCode,
  type RunEffect,
  type RunInput,
  type RunPhase,
  type RunPose,
  type RunState,
  stepRun,
} from './run-machine.js';
import type { RunReason, RunView } from './run-view.js';

const TICK_MS = 50;
const FAILED: Reason = { code: 'FAILED', text: '' };
/** How far the cart may be from the pose at which a run starts. */
const MAX_START = { mm: MAX_TO_START_MM, deg: 30 };

/** The cart of this gateway. */
export interface RunCart {
  readonly cartID: number;
  /** Why the cart must not move; undefined if it may. */
  refusal(): Reason | undefined;
  /** Why no run can start, although the cart may move; undefined if one can. */
  startRefusal(): Reason | undefined;
  /** Called after a stop and after a command of others. Commands of a run's own docking are not reported. */
  onInterruption(listener: (reason: Reason) => void): Cancel;
  /** Called when an operator has taken control of the cart. */
  onTakeover(listener: (driver: Actor) => void): Cancel;
}

/** The operator who holds the control of a run. */
interface RunHolder {
  origin: Origin;
  /** Valid until the run ends. */
  authority: Authority;
}

interface RunsDeps {
  cart: RunCart;
  /** Returns the sender of the motions that this operator holds. */
  senderOf: (holder: RunHolder) => CartSender;
  maxSpeedMmps: () => number;
  location: () => PlanPose | undefined;
  sitePlan: { readonly current: Pick<SitePlanView, 'routes' | 'reviewReason'> };
  check: (route: Route) => RouteCheck;
  /** Performs an action; resolves when it is done. `signal` ends docking. */
  act: (action: RouteAction, holder: RunHolder, signal: AbortSignal) => Promise<void>;
  /** Switches the warning output. */
  warn: (isOn: boolean) => void;
  journal: Pick<RunJournal, 'load' | 'save'>;
  clock: Clock;
  log: Log;
}

export interface RunRequest {
  routeId: string;
  cartID: number;
  fromLeg?: number | undefined;
  loops?: number | undefined;
}

interface Run {
  readonly id: string;
  readonly by: Actor;
  readonly startedAt: string;
  readonly lengthMm: number;
  state: RunState;
  readonly fromLeg: number;
  holder: RunHolder | undefined;
  sender: CartSender | undefined;
  /** Why the run is paused or has failed, in more detail than its code. */
  reason: RunReason | undefined;
  endedAt: string | undefined;
  stopMotion: Cancel | undefined;
  docking: AbortController | undefined;
  /** Resolves when everything that has been journaled is durable and published. */
  journaled: Promise<void>;
  /** Number of entries that are not durable yet. */
  unsaved: number;
  stopTicking: Cancel;
}

/**
 * Runs of routes by this gateway's cart, one at a time. A run moves the cart only while an operator holds its control
 * on a page; `run-machine.ts` contains the rules. A run that was open when the gateway ended has failed.
 */
export class Runs implements HeldMotion {
  readonly #deps: RunsDeps;
  readonly #changed = new Signal<[RunView]>();
  readonly #stopListening: readonly Cancel[];
  #run: Run | undefined;
  /** The newest first, as published. */
  #views: RunView[];
  /** Stored at the start, because nothing of an earlier run may be shown as running. */
  readonly #recovered: Promise<void>;

  constructor(deps: RunsDeps) {
    this.#deps = deps;
    this.#views = deps.journal.load();
    this.#recovered = this.#failOpenRuns();
    this.#stopListening = [
      deps.cart.onInterruption((reason) => this.#interrupt(reason)),
      deps.cart.onTakeover((driver) => this.#requireHolder(driver)),
    ];
  }

  /** Called with each state of a run, after it is durable. */
  readonly onChange = this.#changed.on.bind(this.#changed);

  /** The newest first. */
  get list(): readonly RunView[] {
    return this.#views;
  }

  /** The run that has not ended; undefined if there is none. */
  get open(): RunView | undefined {
    const [newest] = this.#views;
    return newest && !hasEnded({ phase: newest.state }) ? newest : undefined;
  }

  /** Throws NOT_FOUND. */
  require(runId: string): RunView {
    const view = this.#views.find((each) => each.runId === runId);
    if (view) return view;
    throw new GatewayError('NOT_FOUND', siteMessage('no-run', { id: runId }));
  }

  /**
   * Prepares a run, which begins when an operator holds its control. Rejects with INVALID_INPUT, NOT_FOUND, ROUTE_BUSY
   * if another run is open, POSE_LOST, OFF_ROUTE if the cart is not at the start, the zone that blocks the route, and
   * the errors of an ordinary command.
   */
  async start({ routeId, cartID, fromLeg = 0, loops = 1 }: RunRequest, by: Actor): Promise<RunView> {
    const { cart, check, clock, log, sitePlan } = this.#deps;
    await this.#recovered;
    const route = requireRoute(sitePlan.current, routeId);
    requireReviewed(sitePlan.current);
    const ownOnly = siteMessage('other-cart', { cartID: cart.cartID });
    if (cartID !== cart.cartID) throw new GatewayError('INVALID_INPUT', ownOnly, { field: 'cartID' });
    if (route.cartID !== undefined && route.cartID !== cartID) {
      throw new GatewayError('CONFLICT', siteMessage('route-of-cart', { cartID: route.cartID }));
    }
    if (fromLeg >= route.legs.length) {
      const limit = route.legs.length - 1;
      const text = siteMessage('no-leg', { leg: fromLeg, limit });
      throw new GatewayError('INVALID_INPUT', text, { field: 'fromLeg', limit });
    }
    if (this.#run && !hasEnded(this.#run.state)) {
      throw new GatewayError('ROUTE_BUSY', siteMessage('run-open'), { hint: siteMessage('run-open-hint') });
    }
    const refusal = cart.refusal() ?? cart.startRefusal();
    if (refusal) throw new GatewayError(refusal.code, refusal.text);
    this.#requireStart(route, fromLeg);
    if (loops > 1) requireClosed(route);
    const { legs, lengthM } = check(route);
    // A repetition begins with the first leg.
    const first = loops > 1 ? 0 : fromLeg;
    const blocked = legs.find((leg, nth) => !leg.ok && nth >= first);
    if (blocked && !blocked.ok) throw blockedLeg(blocked, legs.indexOf(blocked));
    const run: Run = {
      id: randomUUID(),
      by,
      startedAt: new Date(clock.wallTime()).toISOString(),
      fromLeg,
      lengthMm: Math.round(lengthM * 1000),
      state: newRun(route, { fromLeg, loops }, clock.now()),
      holder: undefined,
      sender: undefined,
      reason: undefined,
      endedAt: undefined,
      stopMotion: undefined,
      docking: undefined,
      journaled: Promise.resolve(),
      unsaved: 0,
      stopTicking: clock.every(TICK_MS, () => this.#tick()),
    };
    this.#run = run;
    log.info('run.started', { runId: run.id, routeId, fromLeg, loops, by: actorName(by) });
    try {
      await this.#journal(run);
    } catch (error) {
      // A run that is not durable has not been accepted.
      run.stopTicking();
      if (this.#run === run) this.#run = undefined;
      throw error;
    }
    return this.#viewOf(run);
  }

  /**
   * Ignores a run that has just ended. Throws NOT_FOUND or CONFLICT for another run, after the open run has been
   * released, because its control is no longer held.
   */
  hold(runId: string, origin: Origin): void {
    const run = this.#run;
    if (run?.id !== runId) {
      this.release();
      throw endedError(this.require(runId).state);
    }
    this.#requireHolder(origin.actor);
    if (run.state.phase === 'READY') this.#requireReady(run);
    if (hasEnded(run.state)) return;
    run.holder ??= { origin, authority: { id: `run ${run.id}`, isGood: () => !hasEnded(run.state) } };
    run.sender ??= this.#deps.senderOf(run.holder);
    this.#feed(run, { kind: 'hold' });
  }

  release(): void {
    if (this.#run) this.#feed(this.#run, { kind: 'release' });
  }

  /** Each rejects with NOT_FOUND, or CONFLICT if the run has ended. */
  pause(runId: string, by: Actor): Promise<RunView> {
    const text = siteMessage('run-paused', { name: actorText(by) });
    return this.#control(runId, { kind: 'pause' }, { code: 'PAUSED', text });
  }

  resume(runId: string): Promise<RunView> {
    return this.#control(runId, { kind: 'resume' });
  }

  cancel(runId: string, by: Actor): Promise<RunView> {
    const text = siteMessage('run-cancelled', { name: actorText(by) });
    return this.#control(runId, { kind: 'cancel' }, { code: 'CANCELLED', text });
  }

  /** Ends an open run and waits until this is stored. */
  async close(): Promise<void> {
    this.#interrupt({ code: 'STOPPING', text: siteMessage('run-shutdown') });
    for (const stop of this.#stopListening) stop();
    this.#run?.stopTicking();
    await this.#run?.journaled.catch(() => undefined);
    await this.#recovered;
  }

  async #control(runId: string, input: RunInput, reason?: RunReason): Promise<RunView> {
    const { state } = this.require(runId);
    const run = this.#run;
    if (run?.id !== runId || hasEnded({ phase: state }) || hasEnded(run.state)) throw endedError(state);
    this.#feed(run, input, reason);
    await run.journaled;
    return this.#viewOf(run);
  }

  /** Another operator's control ends a run. */
  #requireHolder(driver: Actor): void {
    const holder = this.#run?.holder;
    if (!holder || isSameActor(holder.origin.actor, driver)) return;
    this.#interrupt({
      code: 'HANDED_OVER',
      text: siteMessage('run-handed-over', { name: actorText(driver) }),
    });
  }

  #interrupt(reason: Reason): void {
    const run = this.#run;
    if (run) this.#feed(run, { kind: 'interrupted', code: reason.code }, reason);
  }

  /** The cart may have been moved, and the plan changed, since the run was prepared. */
  #requireReady({ state: { route }, fromLeg }: Run): void {
    try {
      requireReviewed(this.#deps.sitePlan.current);
      this.#requireStart(route, fromLeg);
    } catch (error) {
      this.#interrupt(reasonFrom(error));
    }
  }

  #tick(): void {
    const refusal = this.#deps.cart.refusal();
    if (refusal) this.#interrupt(refusal);
    else if (this.#run) this.#feed(this.#run, { kind: 'tick' });
  }

  /** @param reason why the state changes, in more detail than its code */
  #feed(run: Run, input: RunInput, reason?: RunReason): void {
    const { clock } = this.#deps;
    const before = run.state;
    const { state, effects } = stepRun(before, input, { nowMs: clock.now(), pose: this.#pose });
    run.state = state;
    if (state.phase !== before.phase || state.reason !== before.reason) {
      run.reason = state.reason === reason?.code ? reason : undefined;
    }
    if (hasEnded(state)) run.endedAt ??= new Date(clock.wallTime()).toISOString();
    this.#apply(run, effects);
    if (!hasEnded(state) || hasEnded(before)) return;
    run.stopTicking();
    const { phase, reason: code } = state;
    this.#deps.log.info('run.ended', { runId: run.id, state: phase, ...(code && { reason: code }) });
  }

  /** Stops and warns immediately; motions and actions wait until everything that was journaled is durable. */
  #apply(run: Run, effects: readonly RunEffect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'stop') this.#stop(run);
      else if (effect.kind === 'warn') this.#deps.warn(effect.isOn);
      else if (effect.kind === 'journal') {
        void this.#journal(run).catch((error: unknown) => {
          this.#deps.log.error('run.not_stored', { runId: run.id, reason: messageOf(error) });
          if (this.#run === run) this.#interrupt({ code: 'WRITE_FAILED', text: errorText(error) });
          if (hasEnded(run.state)) this.#publish(this.#viewOf(run));
        });
      } else if (run.unsaved > 0) {
        void run.journaled.then(() => this.#perform(run, effect)).catch(() => undefined);
      } else this.#perform(run, effect);
    }
  }

  #perform(run: Run, effect: Extract<RunEffect, { kind: 'move' | 'act' }>): void {
    if (effect.kind === 'move') return this.#move(run, effect);
    void this.#act(run, effect.action);
  }

  #move(run: Run, { step, maxSpeedMmps }: Extract<RunEffect, { kind: 'move' }>): void {
    // The run may have been paused or ended while its state was being stored.
    if (run.state.activity.kind !== 'moving' || !run.sender) return this.#onMotionEnd(run, 'stopped');
    const mostMmps = this.#deps.maxSpeedMmps();
    const motion = {
      distanceMm: step.distanceMm,
      angleDeg: step.turnDeg,
      maxSpeedMmps: Math.min(maxSpeedMmps ?? mostMmps, mostMmps),
    };
    try {
      const stop = run.sender.move(motion, ({ outcome, code = 'FAILED', reason: text }) => {
        run.stopMotion = undefined;
        this.#onMotionEnd(run, outcome, { code, text });
      });
      run.stopMotion = stop;
      this.#feed(run, { kind: 'motion-sent' });
      // Accepting the command can itself end the run.
      if (run.state.activity.kind !== 'moving') stop();
    } catch (error) {
      const reason = reasonFrom(error);
      this.#onMotionEnd(run, reason.code === 'OBSTACLE' ? 'blocked' : 'failed', reason);
    }
  }

  /** @param reason why the motion has not finished */
  #onMotionEnd(run: Run, outcome: MotionEnd['outcome'], reason: Reason = FAILED): void {
    if (outcome === 'interrupted' || outcome === 'failed') {
      return this.#feed(run, { kind: 'motion-ended', outcome: 'failed', code: reason.code }, reason);
    }
    this.#feed(run, { kind: 'motion-ended', outcome }, { ...reason, code: 'OBSTACLE' });
  }

  #stop(run: Run): void {
    run.docking?.abort();
    run.stopMotion?.();
  }

  async #act(run: Run, action: RouteAction): Promise<void> {
    const { holder } = run;
    const { activity } = run.state;
    const isDocking = action.kind === 'DOCK';
    const stopped = () => isDocking && this.#feed(run, { kind: 'motion-ended', outcome: 'stopped' });
    // The run may have been paused or ended while its state was being stored.
    if (!holder || activity.kind !== 'acting' || activity.action !== action) return void stopped();
    // A late end of this action must not end a later one.
    const isCurrent = () => run.state.activity === activity;
    const docking = new AbortController();
    if (isDocking) run.docking = docking;
    try {
      await this.#deps.act(action, holder, docking.signal);
      if (isCurrent()) this.#feed(run, { kind: 'action-ended' });
    } catch (error) {
      if (isCurrent()) this.#interrupt(reasonFrom(error));
    } finally {
      if (run.docking === docking) run.docking = undefined;
      if (docking.signal.aborted) stopped();
    }
  }

  /** Stores the present state, then publishes it. Stores and publishes all states in order. */
  #journal(run: Run): Promise<void> {
    const view = this.#viewOf(run);
    const saved = this.#deps.journal.save(view);
    // Its rejection is handled only after the earlier entries.
    saved.catch(() => undefined);
    run.unsaved += 1;
    const done = run.journaled
      .catch(() => undefined)
      .then(() => saved)
      .then(() => this.#publish(view))
      .finally(() => {
        run.unsaved -= 1;
      });
    run.journaled = done;
    return done;
  }

  #publish(view: RunView): void {
    const others = this.#views.filter(({ runId }) => runId !== view.runId);
    this.#views = [view, ...others].slice(0, KEPT_RUNS);
    this.#changed.emit(view);
  }

  async #failOpenRuns(): Promise<void> {
    const { clock, journal, log } = this.#deps;
    const endedAt = new Date(clock.wallTime()).toISOString();
    const reason: Reason = { code: 'GATEWAY_RESTART', text: siteMessage('run-restarted') };
    const open = this.#views.filter(({ state }) => !hasEnded({ phase: state }));
    this.#views = this.#views.map((view) =>
      open.includes(view) ? { ...view, state: 'FAILED', reason, endedAt } : view,
    );
    for (const view of this.#views.filter(({ reason: why }) => why === reason)) {
      try {
        await journal.save(view);
      } catch (error) {
        log.error('run.not_stored', { runId: view.runId, reason: messageOf(error) });
      }
    }
  }

  /** Throws POSE_LOST or OFF_ROUTE. */
  #requireStart({ legs }: Route, fromLeg: number): void {
    const location = this.#deps.location();
    if (!location || location.state === 'LOST') {
      throw new GatewayError('POSE_LOST', siteMessage('pose-lost'), { hint: siteMessage('pose-lost-hint') });
    }
    const start = legs[Math.max(0, fromLeg - 1)];
    const leg = legs[fromLeg];
    if (!start || !leg) return;
    const mm = Math.round(Math.hypot(location.xMm - start.xMm, location.yMm - start.yMm));
    const headingDeg = fromLeg === 0 ? start.headingDeg : headingOn(start, leg);
    const deg = Math.round(
      Math.abs(signedDegrees(location.headingDeg - (headingDeg ?? location.headingDeg))),
    );
    if (mm <= MAX_START.mm && deg <= MAX_START.deg) return;
    const text = siteMessage('not-at-start', { mm, deg, maxMm: MAX_START.mm, maxDeg: MAX_START.deg });
    throw new GatewayError('OFF_ROUTE', text, { hint: siteMessage('not-at-start-hint') });
  }

  get #pose(): RunPose | undefined {
    const location = this.#deps.location();
    if (!location) return undefined;
    const { xMm, yMm, headingDeg, state, ageMs } = location;
    const atMs = this.#deps.clock.now() - (ageMs.odometry ?? Number.POSITIVE_INFINITY);
    return { xMm, yMm, headingDeg, atMs, isLost: state === 'LOST' };
  }

  #viewOf(run: Run): RunView {
    const { phase, reason: code, route, leg, loop, loops } = run.state;
    const reason = run.reason ?? (code && reasonOf(code));
    return {
      runId: run.id,
      routeId: route.id,
      routeName: route.name,
      cartID: this.#deps.cart.cartID,
      state: phase,
      ...(reason && { reason }),
      leg,
      legs: route.legs.length,
      loop,
      loops,
      progressMm: phase === 'COMPLETED' ? run.lengthMm : Math.round(drivenMm(route, leg)),
      lengthMm: run.lengthMm,
      by: actorText(run.by),
      ...(run.holder && { holder: actorText(run.holder.origin.actor) }),
      startedAt: run.startedAt,
      ...(run.endedAt !== undefined && { endedAt: run.endedAt }),
    };
  }
}

/** Reasons that the state machine finds by itself. */
const REASONS: Readonly<Partial<Record<RunCode, Text>>> = {
  HOLD_RELEASED: siteMessage('run-hold-released'),
  OBSTACLE: siteMessage('run-obstacle'),
  WAIT_FOR_OPERATOR: siteMessage('run-waits'),
  HOLD_LOST: siteMessage('run-hold-lost'),
  TIMEOUT: siteMessage('run-timeout'),
  OFF_ROUTE: siteMessage('run-off-route'),
  POSE_LOST: siteMessage('run-pose-lost'),
  STOPPED: siteMessage('run-stopped'),
};

function reasonOf(code: RunCode): RunReason {
  return { code, text: REASONS[code] ?? code };
}

function endedError(state: RunPhase): GatewayError {
  return new GatewayError('CONFLICT', siteMessage('run-ended', { state }));
}

function reasonFrom(error: unknown): Reason {
  const text = errorText(error);
  if (!(error instanceof GatewayError)) return { code: 'FAILED', text };
  const { zoneId, freeDistanceMm = 0 } = error.info;
  return { code: error.code, text, ...(zoneId !== undefined && { zoneId, freeDistanceMm }) };
}

/** The next repetition of a route begins where the previous one ends. Throws CONFLICT. */
function requireClosed({ legs }: Route): void {
  const [first, last] = [legs[0], legs.at(-1)];
  if (!first || !last) return;
  const mm = Math.round(Math.hypot(last.xMm - first.xMm, last.yMm - first.yMm));
  if (mm <= MAX_START.mm) return;
  const text = siteMessage('route-not-closed', { mm, maxMm: MAX_START.mm });
  throw new GatewayError('CONFLICT', text, { field: 'loops' });
}

function blockedLeg({ code, zoneId, atMm }: Extract<LegCheck, { ok: false }>, leg: number): GatewayError {
  const text = siteMessage('leg-blocked', { leg, mm: atMm });
  return new GatewayError(code, text, {
    ...(zoneId !== undefined && { zoneId, freeDistanceMm: atMm }),
    hint: siteMessage('leg-blocked-hint'),
  });
}

/** Returns the length of the legs before this one. */
function drivenMm({ legs }: Route, leg: number): number {
  return legs.slice(1, leg).reduce((sum, each, nth) => {
    const from = legs[nth] ?? each;
    return sum + (drives(from, each) ? Math.hypot(each.xMm - from.xMm, each.yMm - from.yMm) : 0);
  }, 0);
}
