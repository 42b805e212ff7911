import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'uvu';
import type { Order, Reason, Telemetry } from '../../../../src/carts/command/model.js';
import { initialState, isHeld, step } from '../../../../src/carts/control/command-machine.js';
import type {
  Accepted,
  Effect,
  MachineInput,
  MachineState,
} from '../../../../src/carts/control/machine-types.js';
import { END_CODES } from '../../../../src/carts/serial/codec/event-reasons.js';
import type { MotionReport } from '../../../../src/carts/serial/driver.js';
import { userActor } from '../../../../src/shared/actor.js';
import type { ErrorCode } from '../../../../src/shared/errors.js';
import { rounds, testSeed } from '../../../helpers/random.js';

const LIMITS = { maxSpeedMmps: 500, accelMmps2: 400, decelMmps2: 500 };
const SESSION = { acknowledges: true, measures: true, limits: LIMITS };
const REASON: Reason = { code: 'STOPPING', text: 'a reason' };
const STATUS: Telemetry = {
  state: 'IDLE',
  faults: [],
  progressMm: 120,
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

let lastId = 0;

function accepted(order: Partial<Order> = {}, acceptedAtMs = 0, principal = 'anna'): Accepted {
  lastId += 1;
  return {
    order: {
      commandId: `c${lastId}`,
      cartId: 1,
      kind: 'move',
      raw: { distanceID: 1000, angleID: 0 },
      distanceMm: 1000,
      angleDdeg: 0,
      maxSpeedMmps: 300,
      ttlMs: 2000,
      onBusy: 'replace',
      ...order,
    },
    origin: { source: 'http', gatewayId: 'g1', actor: userActor(principal) },
    acceptedAtMs,
  };
}

class Harness {
  state: MachineState = initialState();
  effects: Effect[] = [];
  nowMs = 0;

  feed(input: MachineInput): string[] {
    const next = step(this.state, input, this.nowMs);
    this.state = next.state;
    this.effects = next.effects;
    return next.effects.map(inShort);
  }

  static connected(session = SESSION): Harness {
    const machine = new Harness();
    machine.feed({ type: 'connected', session });
    return machine;
  }

  static moving(order: Partial<Order> = {}): { machine: Harness; command: Accepted } {
    const machine = Harness.connected();
    const command = accepted(order);
    machine.feed({ type: 'execute', command });
    return { machine, command };
  }

  report(event: MotionReport['event'], wireId = this.state.lastWireId, code = 0): string[] {
    return this.feed({ type: 'report', report: { wireId, event, code, finalMm: 990, finalDdeg: 0 } });
  }
}

function inShort(effect: Effect): string {
  switch (effect.type) {
    case 'advance':
      return effect.state;
    case 'end':
      return `${effect.state} ${effect.reason.code}`;
    case 'stop':
      return `stop ${effect.category}`;
    default:
      return effect.type;
  }
}

/** Each row contains a name, a function that applies an input, and the expected effects. */
const TABLE: readonly [name: string, run: (machine: Harness) => string[], effects: string[]][] = [
  ['sends a command', (m) => m.feed({ type: 'execute', command: accepted() }), ['start', 'SENT']],
  [
    'starts a jog as running',
    (m) => m.feed({ type: 'execute', command: accepted({ kind: 'jog' }) }),
    ['start', 'RUNNING'],
  ],
  [
    'sends a stop frame even when no motion is running',
    (m) => m.feed({ type: 'stop', category: 2, reason: REASON, state: 'CANCELLED' }),
    ['stop 2'],
  ],
];
for (const [name, run, effects] of TABLE) {
  test(`the idle machine ${name}`, () => assert.deepEqual(run(Harness.connected()), effects));
}

type MovingRow = [name: string, run: (machine: Harness, command: Accepted) => string[], effects: string[]];
const MOVING: readonly MovingRow[] = [
  [
    'changes the command to ACKNOWLEDGED when the controller acknowledges it',
    (m) => m.feed({ type: 'ack', wireId: 1 }),
    ['ACKNOWLEDGED'],
  ],
  ['ignores an acknowledgement for a different motion', (m) => m.feed({ type: 'ack', wireId: 9 }), []],
  [
    'treats a start report as the missing acknowledgement',
    (m) => m.report('started'),
    ['ACKNOWLEDGED', 'RUNNING'],
  ],
  [
    'finishes the command when the controller reports the end of the motion',
    (m) => m.report('finished'),
    ['finish'],
  ],
  [
    'fails the command when the controller reports a fault',
    (m) => m.report('fault'),
    ['measured', 'FAILED CONTROLLER_FAULT'],
  ],
  [
    'latches the E-stop when the controller reports that an emergency stop ended the motion',
    (m) => m.report('failed', 1, END_CODES.estop),
    ['measured', 'estop'],
  ],
  ...(
    [
      ['failed', 'none', 'FAILED CONTROLLER_FAILED'],
      ['failed', 'tooLong', 'FAILED TIMEOUT'],
      ['failed', 'linkLost', 'FAILED SERIAL_LOST'],
      ['failed', 'fault', 'FAILED CONTROLLER_FAULT'],
      ['failed', 'obstacle', 'FAILED OBSTACLE'],
      ['failed', 'sensorSilent', 'FAILED SENSOR_SILENT'],
      ['cancelled', 'stop', 'CANCELLED CONTROLLER_STOPPED'],
      ['cancelled', 'disarmed', 'CANCELLED CONTROLLER_DISARMED'],
      ['cancelled', 'lease', 'CANCELLED LEASE_ENDED'],
      ['cancelled', 'superseded', 'CANCELLED SUPERSEDED'],
    ] as const
  ).map(
    ([event, code, end]): MovingRow => [
      `${event} with the reason ${code} ends as ${end}`,
      (m) => m.report(event, 1, END_CODES[code]),
      ['measured', end],
    ],
  ),
  [
    'cancels the command when the controller reports a cancellation',
    (m) => m.report('cancelled'),
    ['measured', 'CANCELLED CONTROLLER_STOPPED'],
  ],
  [
    'expires the command when the controller reports an expiry',
    (m) => m.report('expired'),
    ['EXPIRED EXPIRED'],
  ],
  ['ignores a report for a different motion', (m) => m.report('finished', 9), []],
  [
    'fails the command when the controller rejects it',
    (m) => m.feed({ type: 'nack', wireId: 1, reason: { code: 'CONTROLLER_RANGE', text: '' } }),
    ['FAILED CONTROLLER_RANGE'],
  ],
  [
    "replaces a latched controller's error code with the gateway's own code",
    (m) => m.feed({ type: 'nack', wireId: 1, reason: { code: 'CONTROLLER_ESTOP_ACTIVE', text: '' } }),
    ['FAILED ESTOP_ACTIVE'],
  ],
  [
    'stops a motion that may have started although no acknowledgement arrived',
    (m) => m.feed({ type: 'nack', wireId: 1, reason: { code: 'SERIAL_ACK_TIMEOUT', text: '' } }),
    ['stop 2', 'FAILED SERIAL_ACK_TIMEOUT'],
  ],
  [
    'stops the motion on a stop request',
    (m) => m.feed({ type: 'stop', category: 1, reason: REASON, state: 'FAILED' }),
    ['stop 1', 'FAILED STOPPING'],
  ],
  [
    'stops the motion when its command is cancelled',
    (m, command) => m.feed({ type: 'cancel', command, reason: REASON }),
    ['stop 2', 'CANCELLED STOPPING'],
  ],
  [
    'fails the command and does not send a frame when the link is lost',
    (m) => m.feed({ type: 'lost', reason: REASON }),
    ['FAILED STOPPING'],
  ],
  [
    'brakes when a newer command arrives',
    (m) => m.feed({ type: 'execute', command: accepted() }),
    ['stop 2', 'CANCELLED SUPERSEDED', 'QUEUED'],
  ],
  [
    'queues a command that is sent with onBusy: queue',
    (m) => m.feed({ type: 'execute', command: accepted({ onBusy: 'queue' }) }),
    ['QUEUED'],
  ],
];
for (const [name, run, effects] of MOVING) {
  test(`the busy machine ${name}`, () => {
    const { machine, command } = Harness.moving();
    assert.deepEqual(run(machine, command), effects);
  });
}

test('a running motion times out at its deadline, not earlier', () => {
  const { machine } = Harness.moving();
  machine.nowMs = (machine.state.motion?.deadlineMs ?? 0) - 1;
  assert.deepEqual(machine.feed({ type: 'tick' }), []);
  machine.nowMs += 1;
  assert.deepEqual(machine.feed({ type: 'tick' }), ['stop 2', 'FAILED TIMEOUT']);
});

test('the deadline of a move is extended by the time that it loses because its speed is limited', () => {
  const { machine } = Harness.moving();
  const deadlineMs = machine.state.motion?.deadlineMs ?? 0;
  for (const pace of [0.2, 1]) {
    machine.nowMs += 1000;
    assert.deepEqual(machine.feed({ type: 'tick', pace }), []);
  }
  machine.nowMs = deadlineMs + 799;
  assert.deepEqual(machine.feed({ type: 'tick' }), []);
  machine.nowMs += 1;
  assert.deepEqual(machine.feed({ type: 'tick' }), ['stop 2', 'FAILED TIMEOUT']);
});

test('a running jog ends when its lease expires, and controls that are still held do not restart the cart', () => {
  const { machine } = Harness.moving({ kind: 'jog' });
  machine.nowMs = 500;
  assert.deepEqual(machine.feed({ type: 'tick' }), ['stop 2', 'CANCELLED LEASE_ENDED']);
  assert.ok(isHeld(machine.state, userActor('anna'), 999));
  assert.ok(!isHeld(machine.state, userActor('ben'), 999));
  machine.feed({ type: 'held' });
  assert.ok(isHeld(machine.state, userActor('anna'), 999));
  assert.ok(!isHeld(machine.state, userActor('anna'), 1000));
});

test("a renewal extends a running jog's deadline", () => {
  const { machine, command } = Harness.moving({ kind: 'jog' });
  machine.nowMs = 400;
  assert.deepEqual(machine.feed({ type: 'renew', order: command.order }), ['renew']);
  machine.nowMs = 899;
  assert.deepEqual(machine.feed({ type: 'tick' }), []);
});

test('a command fails with SERIAL_DOWN when there is no controller session', () => {
  const machine = new Harness();
  assert.deepEqual(machine.feed({ type: 'execute', command: accepted() }), ['FAILED SERIAL_DOWN']);
});

test('a command starts immediately and its result is estimated when the controller sends no acknowledgements', () => {
  const machine = Harness.connected({ ...SESSION, acknowledges: false, measures: false });
  machine.feed({ type: 'execute', command: accepted() });
  assert.deepEqual(machine.feed({ type: 'ack', wireId: 1 }), ['RUNNING']);
  assert.deepEqual(machine.report('started'), []);
  machine.report('finished');
  assert.deepEqual(machine.effects, [
    {
      type: 'finish',
      command: motionOf(machine.effects),
      result: { distanceMm: 990, angleDeg: 0, estimated: true },
    },
  ]);
});

function motionOf([effect]: Effect[]): Accepted | undefined {
  return effect && 'command' in effect ? effect.command : undefined;
}

test('reports the result of a motion only once after an E-stop, and does not latch the E-stop again', () => {
  const { machine, command } = Harness.moving();
  assert.deepEqual(machine.feed({ type: 'drop', reason: REASON }), ['FAILED STOPPING']);
  assert.deepEqual(machine.report('failed', 9, END_CODES.estop), []);
  assert.deepEqual(machine.report('started'), []);
  assert.deepEqual(machine.report('failed', 1, END_CODES.estop), ['measured']);
  assert.equal(motionOf(machine.effects), command);
  assert.deepEqual(machine.report('failed', 1, END_CODES.estop), []);
});

test('starts the next command only after a later status reports standstill', () => {
  const { machine } = Harness.moving();
  machine.nowMs = 300;
  const next = accepted({}, 300);
  machine.feed({ type: 'execute', command: next });
  machine.nowMs = 399;
  assert.deepEqual(machine.feed({ type: 'status', telemetry: STATUS }), [], 'sent before the stop arrived');
  machine.nowMs = 450;
  const rolling = { ...STATUS, speedMmps: 20 };
  assert.deepEqual(machine.feed({ type: 'status', telemetry: rolling }), []);
  assert.deepEqual(machine.feed({ type: 'status', telemetry: STATUS }), ['next']);
  assert.deepEqual(machine.feed({ type: 'next', refused: undefined }), ['start', 'SENT']);
  assert.equal(machine.state.motion?.command, next);
});

test('a released jog finishes at standstill', () => {
  const { machine, command } = Harness.moving({ kind: 'jog' });
  assert.deepEqual(machine.feed({ type: 'release', command }), ['stop 2']);
  machine.nowMs = 100;
  assert.deepEqual(machine.feed({ type: 'status', telemetry: STATUS }), ['finish']);
});

test('a stopping cart that does not come to rest is reported as a runaway', () => {
  const { machine } = Harness.moving();
  machine.feed({ type: 'stop', category: 2, reason: REASON, state: 'CANCELLED' });
  machine.nowMs = 2500;
  assert.deepEqual(machine.feed({ type: 'tick' }), ['runaway']);
  assert.equal(machine.state.motion, undefined);
});

/** The second command is a jog, which also expires while a command is ahead of it. */
function withWaiting(
  kinds: readonly [Order['kind'], Order['kind'], Order['kind']] = ['move', 'jog', 'move'],
): { machine: Harness; waiting: Accepted[] } {
  const { machine } = Harness.moving();
  const waiting = kinds.map((kind) => accepted({ kind, onBusy: 'queue', ttlMs: 100 }));
  for (const command of waiting) machine.feed({ type: 'execute', command });
  machine.nowMs = 100;
  return { machine, waiting };
}
const EXPIRED_WITH_FOLLOWER = ['EXPIRED EXPIRED', 'CANCELLED PREDECESSOR_FAILED'];

test('stops the cart when the controller rejects a jog', () => {
  const { machine } = Harness.moving({ kind: 'jog' });
  const reason: Reason = { code: 'CONTROLLER_FAULT', text: '' };
  assert.deepEqual(machine.feed({ type: 'nack', wireId: 1, reason }), ['stop 2', 'FAILED CONTROLLER_FAULT']);
  assert.equal(machine.state.motion?.phase, 'stopping');
});

test('an expired queued command cancels only the commands queued after it', () => {
  const { machine, waiting } = withWaiting();
  assert.deepEqual(machine.feed({ type: 'tick' }), EXPIRED_WITH_FOLLOWER);
  assert.deepEqual(
    machine.state.waiting.map(({ command }) => command),
    waiting.slice(0, 1),
  );
});

test('a command that expires before its start cancels the commands queued after it', () => {
  const { machine } = withWaiting(['jog', 'move', 'move']);
  assert.deepEqual(machine.report('finished'), ['finish', 'next']);
  assert.deepEqual(machine.feed({ type: 'next', refused: undefined }), [
    ...EXPIRED_WITH_FOLLOWER,
    'CANCELLED PREDECESSOR_FAILED',
  ]);
});

const QUEUED = { onBusy: 'queue', ttlMs: 2000 } as const;

test('queued moves do not expire while a preceding move is running', () => {
  const { machine } = Harness.moving();
  const waiting = [accepted(QUEUED), accepted(QUEUED)];
  for (const command of waiting) machine.feed({ type: 'execute', command });
  machine.nowMs = machine.state.motion?.deadlineMs ?? 0;
  assert.ok(machine.nowMs > QUEUED.ttlMs);
  machine.nowMs -= 1;
  assert.deepEqual(machine.feed({ type: 'tick' }), []);
  for (const command of waiting) {
    assert.deepEqual(machine.report('finished'), ['finish', 'next']);
    assert.deepEqual(machine.feed({ type: 'next', refused: undefined }), ['start', 'SENT']);
    assert.equal(machine.state.motion?.command, command);
    machine.nowMs += 2001;
  }
});

function startByMs(machine: Harness): number | undefined {
  return machine.effects.flatMap((effect) => (effect.type === 'start' ? [effect.startByMs] : []))[0];
}

test("a queued move's time to live includes the time before it is queued and after the preceding move ends", () => {
  const { machine } = Harness.moving();
  machine.nowMs = 1200;
  machine.feed({ type: 'execute', command: accepted(QUEUED, 700) });
  machine.nowMs = 5000;
  machine.report('finished');
  machine.nowMs = 5300;
  machine.feed({ type: 'next', refused: undefined });
  assert.equal(startByMs(machine), 5000 + 2000 - 500);
});

test('a queued move expires if it does not start in time after the preceding move ends', () => {
  const { machine } = Harness.moving();
  machine.feed({ type: 'execute', command: accepted(QUEUED) });
  machine.nowMs = 5000;
  machine.report('finished');
  machine.nowMs = 6999;
  assert.deepEqual(machine.feed({ type: 'tick' }), []);
  machine.nowMs = 7000;
  assert.deepEqual(machine.feed({ type: 'tick' }), ['EXPIRED EXPIRED']);
});

test('a move queued behind a rejected move starts with its full time to live', () => {
  const { machine } = Harness.moving();
  for (const command of [accepted(QUEUED), accepted(QUEUED)]) machine.feed({ type: 'execute', command });
  machine.nowMs = 5000;
  machine.report('finished');
  machine.feed({ type: 'next', refused: { state: 'FAILED', reason: REASON } });
  machine.feed({ type: 'next', refused: undefined });
  assert.equal(startByMs(machine), 7000);
});

test('a command that replaces a move can expire while the cart comes to rest', () => {
  const { machine } = Harness.moving();
  machine.feed({ type: 'execute', command: accepted({ onBusy: 'replace', ttlMs: 1000 }) });
  machine.nowMs = 1000;
  assert.deepEqual(machine.feed({ type: 'tick' }), ['EXPIRED EXPIRED']);
});

test("another user's queued command cancels the queue, but not the running move", () => {
  const { machine, command } = Harness.moving();
  for (let n = 0; n < 8; n++) machine.feed({ type: 'execute', command: accepted(QUEUED) });
  const next = accepted(QUEUED, 0, 'ben');
  const effects = machine.feed({ type: 'execute', command: next });
  assert.deepEqual(effects, [...Array<string>(8).fill('CANCELLED PASSED_ON'), 'QUEUED']);
  assert.equal(machine.state.motion?.command, command);
  assert.deepEqual(
    machine.state.waiting.map((waiting) => waiting.command),
    [next],
  );
});

test("a change of control cancels only other users' queued commands", () => {
  const { machine } = Harness.moving();
  machine.feed({ type: 'execute', command: accepted(QUEUED) });
  assert.deepEqual(machine.feed({ type: 'control', holder: userActor('anna') }), []);
  assert.deepEqual(machine.feed({ type: 'control', holder: userActor('ben') }), ['CANCELLED PASSED_ON']);
});

test('a motion that expires in the controller cancels the commands queued after it', () => {
  const expired: Reason = { code: 'CONTROLLER_EXPIRED', text: '' };
  for (const expire of [
    (m: Harness) => m.report('expired'),
    (m: Harness) => m.feed({ type: 'nack', wireId: 1, reason: expired }),
  ]) {
    const { machine } = Harness.moving();
    machine.feed({ type: 'execute', command: accepted({ onBusy: 'queue' }) });
    assert.deepEqual(expire(machine).toSorted(), EXPIRED_WITH_FOLLOWER.toSorted());
    assert.deepEqual(machine.state.waiting, []);
  }
});

test('a rejected queued command fails, and revoking a queued command cancels it and all later commands', () => {
  const { machine } = withWaiting(['move', 'move', 'move']);
  assert.deepEqual(machine.report('finished'), ['finish', 'next']);
  const refused = { state: 'FAILED' as const, reason: REASON };
  assert.deepEqual(machine.feed({ type: 'next', refused }), ['FAILED STOPPING', 'next']);
  const revoked = { state: 'CANCELLED' as const, reason: REASON };
  assert.deepEqual(machine.feed({ type: 'next', refused: revoked }), [
    'CANCELLED STOPPING',
    'CANCELLED PREDECESSOR_FAILED',
  ]);
});

test('rejects a ninth queued command, and commands with onBusy: "reject" while the cart is busy', () => {
  const { machine } = Harness.moving();
  assert.throws(() => machine.feed({ type: 'execute', command: accepted({ onBusy: 'reject' }) }), /busy/);
  for (let n = 0; n < 8; n++) machine.feed({ type: 'execute', command: accepted({ onBusy: 'queue' }) });
  assert.throws(
    () => machine.feed({ type: 'execute', command: accepted({ onBusy: 'queue' }) }),
    /8 commands/,
  );
  assert.equal(machine.state.waiting.length, 8);
});

const anyOrder = fc.record({
  kind: fc.constantFrom<Order['kind']>('move', 'jog'),
  onBusy: fc.constantFrom<Order['onBusy']>('replace', 'reject', 'queue'),
  ttlMs: fc.constantFrom(50, 2000),
});
const anyWireId = fc.integer({ min: 0, max: 2 });
/**
 * One event of a random walk. `back` selects one of the wire IDs used so far, and `nth` selects one of the
 * commands.
 */
const anyEvent = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('execute' as const),
      order: anyOrder,
      principal: fc.constantFrom('anna', 'anna', 'ben'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('ack' as const), back: anyWireId }) },
  fc.record({
    type: fc.constant('nack' as const),
    back: anyWireId,
    code: fc.constantFrom<ErrorCode>('SERIAL_ACK_TIMEOUT', 'CONTROLLER_EXPIRED', 'CONTROLLER_RANGE'),
  }),
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('report' as const),
      back: anyWireId,
      event: fc.constantFrom<MotionReport['event']>(
        ...(['started', 'finished', 'failed', 'cancelled', 'expired', 'fault'] as const),
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('status' as const), speedMmps: fc.constantFrom(0, 50) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('wait' as const),
      ms: fc.constantFrom<number>(1, 60, 600, 9000),
    }),
  },
  fc.record({ type: fc.constant('stop' as const), category: fc.constantFrom<1 | 2>(1, 2) }),
  fc.record({ type: fc.constantFrom('cancel' as const, 'release' as const), nth: fc.nat(5) }),
  fc.record({ type: fc.constantFrom('lost' as const, 'drop' as const, 'connected' as const) }),
  fc.record({ type: fc.constantFrom('renew' as const, 'held' as const) }),
  fc.record({ type: fc.constant('control' as const), holder: fc.constantFrom('anna', 'ben') }),
);
type Event = typeof anyEvent extends fc.Arbitrary<infer T> ? T : never;

const RANK = ['ACCEPTED', 'QUEUED', 'SENT', 'ACKNOWLEDGED', 'RUNNING', 'ended'];

/** A random walk through the machine that checks the invariants after every input. */
class Walk {
  readonly machine = Harness.connected();
  readonly commands: Accepted[] = [];
  readonly progress = new Map<Accepted, string>();
  /** Wire ID of the motion that the controller may be executing. */
  onWire: number | undefined;

  take(event: Event, isRefused: boolean): void {
    for (const input of this.#inputsOf(event)) this.#feed(input, isRefused);
  }

  #inputsOf(event: Event): MachineInput[] {
    const { machine, commands } = this;
    const nth = (n: number): Accepted[] => commands.slice(-1 - n, commands.length - n);
    switch (event.type) {
      case 'execute': {
        const command = accepted(event.order, machine.nowMs, event.principal);
        commands.push(command);
        this.progress.set(command, 'ACCEPTED');
        return [{ type: 'execute', command }];
      }
      case 'ack':
        return [{ type: 'ack', wireId: machine.state.lastWireId - event.back }];
      case 'nack': {
        const reason: Reason = { code: event.code, text: '' };
        return [{ type: 'nack', wireId: machine.state.lastWireId - event.back, reason }];
      }
      case 'report': {
        const wireId = machine.state.lastWireId - event.back;
        return [
          { type: 'report', report: { wireId, event: event.event, code: 0, finalMm: 1, finalDdeg: 1 } },
        ];
      }
      case 'status':
        return [{ type: 'status', telemetry: { ...STATUS, speedMmps: event.speedMmps } }];
      case 'wait':
        machine.nowMs += event.ms;
        return [{ type: 'tick' }];
      case 'stop':
        return [{ type: 'stop', category: event.category, reason: REASON, state: 'CANCELLED' }];
      case 'cancel':
        return nth(event.nth).map((command) => ({ type: 'cancel', command, reason: REASON }));
      case 'release':
        return nth(event.nth).map((command) => ({ type: 'release', command }));
      case 'lost':
      case 'drop':
        return [{ type: event.type, reason: REASON }];
      case 'connected':
        return [{ type: 'connected', session: SESSION }];
      case 'control':
        return [{ type: 'control', holder: userActor(event.holder) }];
      case 'renew':
        // Only a running jog is renewed.
        return machine.state.motion?.command.order.kind === 'jog' && machine.state.motion.phase === 'moving'
          ? [{ type: 'renew', order: machine.state.motion.command.order }]
          : [];
      default:
        return [{ type: 'held' }];
    }
  }

  #feed(input: MachineInput, isRefused: boolean): void {
    const { machine } = this;
    const before = machine.state;
    try {
      machine.feed(input);
    } catch (error) {
      assert.equal(input.type, 'execute', String(error));
      assert.equal(machine.state, before, 'a rejected command changes nothing');
      if (input.type === 'execute') this.progress.set(input.command, 'ended');
      return;
    }
    const { effects } = machine;
    if (input.type === 'stop')
      assert.equal(effects[0]?.type, 'stop', 'every stop yields a stop frame, first');
    this.#checkFrames(effects, before);
    this.#checkTransitions(effects);
    this.#checkQueue(input, before);
    if (input.type === 'lost' || input.type === 'drop') {
      assert.deepEqual(this.open(), [], 'nothing is left open');
      assert.equal(machine.state.motion, undefined);
    }
    for (const effect of effects) {
      if (effect.type !== 'next') continue;
      const refused = isRefused ? { state: 'FAILED' as const, reason: REASON } : undefined;
      this.#feed({ type: 'next', refused }, isRefused);
    }
  }

  #checkFrames(effects: readonly Effect[], before: MachineState): void {
    const firstTransition = effects.findIndex(({ type }) => ['advance', 'end', 'finish'].includes(type));
    effects.forEach((effect, at) => {
      if (effect.type !== 'start' && effect.type !== 'stop' && effect.type !== 'renew') return;
      assert.ok(firstTransition < 0 || at < firstTransition, 'frames come before transitions');
      if (effect.type !== 'start') return;
      assert.equal(before.motion, undefined, 'at most one motion on the wire');
      assert.ok(effect.wireId > before.lastWireId, 'a wireId is never used again');
    });
  }

  /** A queued move ends only for a named reason and never because a command ahead of it took too long. */
  #checkQueue(input: MachineInput, before: MachineState): void {
    const { effects, nowMs } = this.machine;
    const isMotionOpen = before.motion?.phase === 'moving' || before.motion?.released;
    for (const [at, { command }] of before.waiting.entries()) {
      const { kind, onBusy, ttlMs } = command.order;
      for (const effect of effects) {
        if (!('command' in effect) || effect.command !== command) continue;
        if (effect.type === 'start') {
          assert.deepEqual([input.type, at], ['next', 0]);
          assert.ok(effect.startByMs > nowMs && effect.startByMs <= nowMs + ttlMs);
        }
        if (effect.type !== 'end') continue;
        assert.notEqual(effect.reason.code, '');
        if (effect.state !== 'EXPIRED' || kind !== 'move' || onBusy !== 'queue') continue;
        assert.ok(at === 0 && !isMotionOpen, 'a move expired behind a command that had not ended');
      }
    }
  }

  #checkTransitions(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.type !== 'advance' && effect.type !== 'end' && effect.type !== 'finish') continue;
      const was = this.progress.get(effect.command) ?? '';
      const now = effect.type === 'advance' ? effect.state : 'ended';
      assert.ok(RANK.indexOf(now) > RANK.indexOf(was), `${was} is followed by ${now}`);
      this.progress.set(effect.command, now);
    }
  }

  open(): Accepted[] {
    return this.commands.filter((command) => this.progress.get(command) !== 'ended');
  }

  checkHeld(): void {
    const { motion } = this.machine.state;
    const waiting = this.machine.state.waiting.map(({ command }) => command);
    assert.ok(motion || waiting.length === 0, 'a queued command starts as soon as nothing is ahead of it');
    const running = motion && (motion.phase === 'moving' || motion.released) ? [motion.command] : [];
    assert.deepEqual(new Set(this.open()), new Set([...running, ...waiting]));
  }
}

test('runs one motion at a time and sends a stop frame for every stop in random walks', () => {
  const walk = fc.property(fc.array(anyEvent, { maxLength: 60 }), fc.boolean(), (events, isRefused) => {
    const walker = new Walk();
    for (const event of events) {
      walker.take(event, isRefused);
      walker.checkHeld();
    }
    // Every motion must end within two deadlines: the first for the motion, the second for the standstill.
    for (let n = 0; n < 2; n++) walker.take({ type: 'wait', ms: 100_000 }, false);
    assert.equal(walker.machine.state.motion, undefined);
    walker.take({ type: 'lost' }, isRefused);
    assert.deepEqual(walker.open(), []);
  });
  fc.assert(walk, { numRuns: rounds(3000, 100_000), seed: testSeed() });
});

test.run();
