import {
  Deframer,
  encodeFrame,
  type Frame,
  type FrameBody,
  type FrameHead,
  type FrameOf,
  type FrameType,
} from '../../../src/carts/serial/codec/codec.js';
import { type ControllerOptions, SimulatedController } from '../../../src/simulator/controller/controller.js';
import { FakeClock } from '../../helpers/fake-clock.js';

const NO_ACK: FrameType[] = ['HEARTBEAT', 'JOG', 'ACK'];

export class Host {
  readonly clock = new FakeClock();
  readonly controller: SimulatedController;
  readonly frames: Frame[] = [];
  /** All received bytes as latin1 text. */
  text = '';
  session = 60;
  broken = 0;
  #seq = 0;
  #ackEvents = true;
  #deframer = new Deframer(
    (frame) => this.#onFrame(frame),
    () => {
      this.broken += 1;
    },
  );

  constructor(options: Partial<ControllerOptions> = {}) {
    this.controller = new SimulatedController({ clock: this.clock, dialect: 'cgw1', ...options });
    this.controller.onSend((bytes) => {
      this.text += Buffer.from(bytes).toString('latin1');
      this.#deframer.push(bytes);
    });
  }

  ignoreEvents(): void {
    this.#ackEvents = false;
  }

  send(body: FrameBody, head: Partial<FrameHead> = {}): number {
    const seq = head.seq ?? this.#seq++ & 0xff;
    const own = { session: this.session, ackReq: !NO_ACK.includes(body.type), reply: false, retry: false };
    this.controller.receive(encodeFrame({ ...own, ...head, seq, ...body }));
    return seq;
  }

  hello(hostNonce = 0x5eed1234): FrameOf<'HELLO_R'> | undefined {
    this.send({ type: 'HELLO', protoMin: 1, protoMax: 1, heartbeatTimeoutMs: 500, hostNonce });
    return this.last('HELLO_R');
  }

  heartbeat(armed = true): void {
    this.send({ type: 'HEARTBEAT', armed, timeoutMs: 500 });
  }

  /** Starts a session, sends the limits and arms the controller. */
  ready(): this {
    this.hello();
    this.send({ type: 'LIMITS', maxSpeedMmps: 300, accelMmps2: 500, decelMmps2: 500, omegaMaxDdegps: 900 });
    this.heartbeat();
    return this;
  }

  move(
    wireId: number,
    distanceMm: number,
    angleDdeg = 0,
    rest: Partial<FrameOf<'MOVE'>> = {},
  ): Frame | undefined {
    const { type: _, ...overrides } = rest;
    const defaults = { maxSpeedMmps: 300, ttlMs: 1500, maxDurationDs: 0 };
    const seq = this.send({ type: 'MOVE', wireId, distanceMm, angleDdeg, ...defaults, ...overrides });
    return this.replyTo(seq);
  }

  jog(wireId: number, speedMmps: number, omegaDdegps = 0, leaseMs = 500): Frame | undefined {
    return this.replyTo(this.send({ type: 'JOG', wireId, speedMmps, omegaDdegps, leaseMs }));
  }

  stop(category: 0 | 1 | 2, wireId = 0): Frame | undefined {
    return this.replyTo(this.send({ type: 'STOP', category, wireId }));
  }

  /** Advances the clock by `ms` and sends a heartbeat every 100 ms. */
  heartbeatFor(ms: number): void {
    for (let left = ms; left > 0; left -= 100) {
      this.clock.advance(Math.min(100, left));
      this.heartbeat();
    }
  }

  untilStopped(): void {
    for (let beat = 0; beat < 1000 && this.controller.snapshot().wireId !== 0; beat++) this.heartbeatFor(100);
  }

  last<T extends FrameType>(type: T): FrameOf<T> | undefined {
    return this.all(type).at(-1);
  }

  all<T extends FrameType>(type: T): FrameOf<T>[] {
    return this.frames.filter((frame): frame is FrameOf<T> => frame.type === type);
  }

  replyTo(seq: number): Frame | undefined {
    return this.frames.findLast((frame) => frame.reply && frame.seq === seq);
  }

  /** Returns each event as `event:wireId:code`, omitting repeated events and faults. */
  eventCodes(): string[] {
    const events = this.all('EVENT').filter((frame) => !frame.retry && frame.event !== 'fault');
    return events.map(({ event, wireId, code }) => `${event}:${wireId}:${code}`);
  }

  #onFrame(frame: Frame): void {
    this.frames.push(frame);
    if (frame.type !== 'EVENT' || !this.#ackEvents) return;
    const answer = { type: 'ACK', ofType: 'EVENT', code: 0, wireId: frame.wireId } as const;
    this.send(answer, { seq: frame.seq, reply: true, ackReq: false });
  }
}
