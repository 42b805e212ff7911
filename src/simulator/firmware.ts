import type { Frame, FrameBody, FrameHead, FrameOf, NackCode } from '../carts/codec.js';
import type { Cancel, Clock } from '../ports.js';
import { type BrokenFrame, createDialect, type Dialect, type DialectName } from './dialects.js';
import { EstopLatch } from './estop-latch.js';
import type { FaultPanel } from './faults.js';
import { Health } from './health.js';
import { type Boot, helloReply } from './hello.js';
import { judge } from './judge.js';
import type { Line } from './line.js';
import { type MotionNews, Motors } from './motors.js';
import { obey } from './obey.js';
import { Outbox } from './outbox.js';
import { type Parts, RecentIds } from './parts.js';
import type { Body } from './physics.js';
import { Session } from './session.js';
import { motionEvent, stateOf, statusOf } from './status.js';

const STATUS_MS = { moving: 100, idle: 500 };

/** What outlives a restart of the firmware. */
export interface World {
  clock: Clock;
  body: Body;
  faults: FaultPanel;
  line: Line;
  random: () => number;
  dialect: DialectName;
  estopPressed: () => boolean;
  /** `commandsSeen`: MOVE and JOG frames, repeated and refused ones included. `motions`: those that really began. */
  counters: { framesReceived: number; commandsSeen: number; motions: number };
  onChange: () => void;
}

/** The controller's program from one start to the next: everything in here is forgotten by a reset. */
export class Firmware implements Parts {
  readonly session = new Session();
  readonly recent = new RecentIds();
  readonly estop: EstopLatch;
  readonly health: Health;
  readonly motors: Motors;
  readonly #world: World;
  readonly #boot: Boot;
  readonly #startedMs: number;
  readonly #dialect: Dialect;
  readonly #outbox: Outbox;
  #seq = 0;
  #knownFaults = 0;
  #status: Cancel = () => undefined;
  #watchdog: Cancel = () => undefined;

  constructor(world: World, boot: Boot) {
    const { clock, body, faults, random, estopPressed } = world;
    this.#world = world;
    this.#boot = boot;
    this.#startedMs = clock.now();
    this.#dialect = createDialect(world.dialect, {
      onFrame: (frame) => this.#onFrame(frame),
      onBroken: (broken) => this.#onBroken(broken),
    });
    this.#outbox = new Outbox(clock, (event, seq, retry) => this.#send(event, { seq, retry, ackReq: true }));
    this.estop = new EstopLatch(estopPressed, random);
    this.health = new Health({ body, faults, clock });
    const onTick = (nowMs: number) => this.#watch(nowMs);
    const onNews = (news: MotionNews) => this.#onNews(news);
    this.motors = new Motors({ clock, body, faults, health: this.health, onTick, onNews });
  }

  /** Its first words. */
  start(): void {
    this.#world.line.send(this.#dialect.opening);
    this.report();
  }

  get state(): FrameOf<'STATUS'>['state'] {
    return stateOf(this);
  }

  receive(bytes: Uint8Array): void {
    this.#dialect.push(bytes);
  }

  /** Sends a STATUS now, and the next ones in their rhythm. */
  report(): void {
    const { clock, body, onChange } = this.#world;
    this.#status();
    const everyMs = this.motors.phase === 'standing' ? STATUS_MS.idle : STATUS_MS.moving;
    this.#status = clock.after(everyMs, () => this.report());
    this.motors.settle();
    this.#tellNewFaults();
    this.#send(statusOf(this, body, clock.now() - this.#startedMs));
    onChange();
  }

  /** Power off at once, and no motion until it is reset on purpose. */
  emergencyStop(): void {
    this.estop.latch();
    this.motors.stop(0, { event: 'failed', reason: 'estop' });
    this.report();
  }

  /** The power is gone: nothing more is sent, no timer is left. */
  kill(): void {
    this.#status();
    this.#watchdog();
    this.#outbox.clear();
    this.motors.kill();
  }

  #onFrame(frame: Frame): void {
    const { clock, counters } = this.#world;
    counters.framesReceived += 1;
    if (frame.type === 'MOVE' || frame.type === 'JOG') counters.commandsSeen += 1;
    if (frame.type === 'HELLO') return this.#onHello(frame);
    const ours = this.session.hears(frame.session, clock.now());
    if (frame.reply) return ours ? this.#outbox.settle(frame.seq) : undefined;
    const refusal = judge(frame, ours, this);
    // The answer goes first: nothing that follows from a frame may overtake it.
    if (refusal || frame.ackReq) this.#answer(frame, refusal);
    if (!refusal) this.#obey(frame);
  }

  #obey(frame: Frame): void {
    const { timeoutMs } = this.session;
    const then = obey(frame, this);
    if (then === 'emergency') this.emergencyStop();
    if (then === 'report') this.report();
    if (this.session.timeoutMs < timeoutMs) this.#guard();
  }

  #onHello(frame: FrameOf<'HELLO'>): void {
    const { clock } = this.#world;
    const { proto } = this.#boot;
    const fits = frame.protoMin <= proto && proto <= frame.protoMax;
    const fresh = fits && this.session.begin(frame, clock.now());
    if (fresh) {
      this.#outbox.clear();
      this.recent.clear();
      this.motors.disown();
      this.#guard();
    }
    this.#send(helloReply(this.#boot, frame), { seq: frame.seq, session: frame.session, reply: true });
    if (fresh) this.report();
  }

  #onBroken({ head, refusal }: BrokenFrame): void {
    if (!head || !refusal) return this.health.countBroken();
    const ours = this.session.open && head.session === this.session.id;
    const code = ours ? refusal : 'BAD_SESSION';
    this.#send({ type: 'NACK', ofType: 'UNKNOWN', code, wireId: 0 }, { ...head, reply: true });
  }

  #answer(frame: Frame, refusal: NackCode | undefined): void {
    if (this.#world.faults.spend('dropAck')) return;
    const about = { ofType: frame.type, wireId: 'wireId' in frame ? frame.wireId : 0 };
    const head = { seq: frame.seq, session: frame.session, reply: true };
    if (refusal) this.#send({ type: 'NACK', code: refusal, ...about }, head);
    else this.#send({ type: 'ACK', code: 0, ...about }, head);
  }

  #onNews(news: MotionNews): void {
    if (news.event === 'started') this.#world.counters.motions += 1;
    else this.recent.add(news.wireId);
    if (this.session.open) this.#outbox.post(motionEvent(news, this.motors), this.#nextSeq());
    this.report();
  }

  /** Before every step of a motion: is the host still there, are the motors still well? */
  #watch(nowMs: number): void {
    if (this.session.patienceMs(nowMs) <= 0) this.#loseHost();
    if (this.health.critical) this.motors.stop(1, { event: 'failed', reason: 'fault' });
  }

  /** Wakes when the host has been silent for too long; a frame in between only makes it sleep again. */
  #guard(): void {
    this.#watchdog();
    const patienceMs = this.session.patienceMs(this.#world.clock.now());
    if (patienceMs <= 0) return this.#loseHost();
    if (!this.session.open) return;
    this.#watchdog = this.#world.clock.after(patienceMs, () => this.#guard());
  }

  #loseHost(): void {
    this.#watchdog();
    this.session.lose();
    this.motors.stop(1, { event: 'failed', reason: 'linkLost' });
    this.report();
  }

  #tellNewFaults(): void {
    const faults = this.health.faults(this.session.lost);
    const risen = faults & ~this.#knownFaults;
    this.#knownFaults = faults;
    if (!this.session.open) return;
    for (let bit = 0; bit < 16; bit++) {
      if ((risen & (1 << bit)) === 0) continue;
      const event = {
        type: 'EVENT',
        wireId: 0,
        event: 'fault',
        code: bit,
        finalMm: 0,
        finalDdeg: 0,
      } as const;
      this.#outbox.post(event, this.#nextSeq());
    }
  }

  #send(body: FrameBody, head: Partial<FrameHead> = {}): void {
    const seq = head.seq ?? this.#nextSeq();
    const own = { session: this.session.id, ackReq: false, reply: false, retry: false };
    this.#world.line.send(this.#dialect.encode({ ...own, ...head, seq, ...body }));
  }

  #nextSeq(): number {
    const seq = this.#seq;
    this.#seq = (seq + 1) & 0xff;
    return seq;
  }
}
