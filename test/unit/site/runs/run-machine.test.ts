import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { Leg } from '../../../../src/site/routes/route.js';
import {
  hasEnded,
  newRun,
  type RunEffect,
  type RunInput,
  type RunPose,
  type RunState,
  stepRun,
} from '../../../../src/site/runs/run-machine.js';
import { randomFrom, rounds, testSeed } from '../../../helpers/random.js';

const test = suite('state machine of runs');

const RAD = Math.PI / 180;
const START: Leg = { xMm: 1000, yMm: 1000, headingDeg: 0 };
const CORNER: Leg = { xMm: 3000, yMm: 1000, maxSpeedMmps: 200 };
const END: Leg = { xMm: 3000, yMm: 2000 };

/** A cart that executes each motion in 1 s, and the machine that drives it. */
class Cart {
  nowMs = 0;
  state: RunState;
  pose: RunPose = { ...START, headingDeg: 0, atMs: 0, isLost: false };
  /** The motion under way, and its share that has been driven. */
  motion: Extract<RunEffect, { kind: 'move' }> | undefined;
  readonly effects: RunEffect[] = [];
  isWarning = false;
  isSent = true;

  constructor(legs: readonly Leg[] = [START, CORNER, END], { fromLeg = 0, loops = 1 } = {}) {
    this.state = newRun({ id: 'r1', name: 'Round', legs }, { fromLeg, loops }, 0);
  }

  send(input: RunInput): readonly RunEffect[] {
    const before = this.state;
    const { state, effects } = stepRun(before, input, { nowMs: this.nowMs, pose: this.pose });
    this.state = state;
    for (const effect of effects) this.#apply(effect);
    this.effects.push(...effects);
    const isChanged = state.phase !== before.phase || state.leg !== before.leg || state.loop !== before.loop;
    assert.ok(!isChanged || effects.some(({ kind }) => kind === 'journal'), 'every transition is journaled');
    return effects;
  }

  #apply(effect: RunEffect): void {
    const { state } = this;
    if (effect.kind === 'warn') this.isWarning = effect.isOn;
    if (effect.kind === 'stop') this.motion = undefined;
    if (effect.kind !== 'move') return;
    assert.equal(this.motion, undefined, 'one motion at a time');
    assert.deepEqual([state.phase, state.isHeld, this.isWarning], ['RUNNING', true, true]);
    this.motion = effect;
    this.isSent = false;
  }

  /** Passes time in steps of 100 ms, in which the control is held or not. */
  pass(ms: number, isHeld = true): void {
    for (let end = this.nowMs + ms; this.nowMs < end; ) {
      this.nowMs += 100;
      this.#move();
      this.pose = { ...this.pose, atMs: this.nowMs };
      if (isHeld) this.send({ kind: 'hold' });
      this.send({ kind: 'tick' });
    }
  }

  #left = 10;

  #move(): void {
    if (!this.isSent) {
      this.isSent = true;
      this.send({ kind: 'motion-sent' });
    }
    if (!this.motion) {
      this.#left = 10;
      return;
    }
    const { turnDeg, distanceMm } = this.motion.step;
    const headingDeg = this.pose.headingDeg + (this.#left === 10 ? turnDeg : 0);
    const mm = distanceMm / 10;
    const [xMm, yMm] = [
      this.pose.xMm + mm * Math.cos(headingDeg * RAD),
      this.pose.yMm + mm * Math.sin(headingDeg * RAD),
    ];
    this.pose = { ...this.pose, xMm, yMm, headingDeg };
    this.#left -= 1;
    if (this.#left > 0) return;
    this.motion = undefined;
    this.send({ kind: 'motion-ended', outcome: 'finished' });
  }

  untilEnd(): void {
    for (let n = 0; n < 3000 && !hasEnded(this.state); n++) this.pass(100);
  }

  get outcome(): [string, string | undefined] {
    return [this.state.phase, this.state.reason];
  }

  count(kind: RunEffect['kind']): number {
    return this.effects.filter((effect) => effect.kind === kind).length;
  }
}

test('drives all legs in motions of at most 1 m and completes once', () => {
  const cart = new Cart();
  cart.untilEnd();
  assert.deepEqual(cart.outcome, ['COMPLETED', undefined]);
  assert.ok(Math.hypot(cart.pose.xMm - END.xMm, cart.pose.yMm - END.yMm) < 20);
  const moves = cart.effects.flatMap((effect) => (effect.kind === 'move' ? [effect] : []));
  assert.deepEqual(
    moves.map(({ step, maxSpeedMmps }) => [Math.round(step.turnDeg), step.distanceMm, maxSpeedMmps]),
    [
      [0, 1000, 200],
      [0, 1000, 200],
      [90, 1000, 200],
    ],
  );
  assert.equal(cart.isWarning, false);
  const effects = cart.effects.length;
  for (const kind of ['hold', 'tick', 'resume', 'cancel', 'release'] as const) cart.send({ kind });
  assert.equal(cart.effects.length, effects);
});

test('the warning is on for 2 s before the first motion', () => {
  const cart = new Cart();
  cart.send({ kind: 'hold' });
  cart.pass(1900);
  assert.deepEqual([cart.isWarning, cart.count('move')], [true, 0]);
  cart.pass(200);
  assert.equal(cart.count('move'), 1);
});

test('does not start unless the control is held', () => {
  const cart = new Cart();
  cart.pass(5000, false);
  assert.deepEqual([cart.state.phase, cart.count('move')], ['READY', 0]);
});

test('stops at once when the control is released, and continues after the warning when it is held again', () => {
  const cart = new Cart();
  cart.pass(2500);
  const effects = cart.send({ kind: 'release' });
  assert.deepEqual(
    effects.map(({ kind }) => kind),
    ['stop', 'warn', 'journal'],
  );
  assert.deepEqual(cart.outcome, ['PAUSED', 'HOLD_RELEASED']);
  cart.send({ kind: 'motion-ended', outcome: 'stopped' });
  cart.pass(5000, false);
  const moves = cart.count('move');
  cart.pass(1900);
  assert.equal(cart.count('move'), moves);
  cart.untilEnd();
  assert.equal(cart.state.phase, 'COMPLETED');
});

test('fails when the control is not held for 10 s', () => {
  const cart = new Cart();
  cart.pass(2500);
  cart.send({ kind: 'release' });
  cart.pass(9900, false);
  assert.equal(cart.state.phase, 'PAUSED');
  cart.pass(200, false);
  assert.deepEqual(cart.outcome, ['FAILED', 'HOLD_LOST']);
});

test('an obstacle pauses the run, and only a person resumes it', () => {
  const cart = new Cart();
  cart.pass(2500);
  cart.motion = undefined;
  cart.send({ kind: 'motion-ended', outcome: 'blocked' });
  assert.deepEqual(cart.outcome, ['PAUSED', 'OBSTACLE']);
  const moves = cart.count('move');
  cart.pass(20_000);
  assert.equal(cart.count('move'), moves);
  cart.send({ kind: 'resume' });
  cart.untilEnd();
  assert.equal(cart.state.phase, 'COMPLETED');
});

test('a pause by a person ends only with a resume, and a resumed run waits for the hold', () => {
  const cart = new Cart();
  cart.pass(2500);
  cart.send({ kind: 'pause' });
  cart.send({ kind: 'motion-ended', outcome: 'stopped' });
  cart.pass(3000);
  assert.deepEqual(cart.outcome, ['PAUSED', 'PAUSED']);
  cart.send({ kind: 'release' });
  cart.send({ kind: 'resume' });
  assert.deepEqual(cart.outcome, ['PAUSED', 'HOLD_RELEASED']);
  cart.untilEnd();
  assert.equal(cart.state.phase, 'COMPLETED');
});

test('a run that no operator continues fails after 15 minutes', () => {
  const paused = new Cart();
  paused.pass(2500);
  paused.send({ kind: 'pause' });
  for (const cart of [new Cart(), paused]) {
    cart.nowMs += 15 * 60_000;
    cart.send({ kind: 'tick' });
    assert.deepEqual(cart.outcome, ['FAILED', 'TIMEOUT']);
  }
});

for (const code of ['ESTOP_ACTIVE', 'SERIAL_LOST', 'HANDED_OVER', 'ZONE_BLOCKED'] as const) {
  for (const [phase, prepare] of [
    ['READY', () => undefined],
    ['RUNNING', (cart) => cart.pass(2500)],
    [
      'PAUSED',
      (cart) => {
        cart.pass(2500);
        cart.send({ kind: 'pause' });
      },
    ],
  ] as [string, (cart: Cart) => void][]) {
    test(`${code} ends a run that is ${phase}`, () => {
      const cart = new Cart();
      prepare(cart);
      assert.equal(cart.state.phase, phase);
      cart.send({ kind: 'interrupted', code });
      assert.deepEqual([cart.outcome, cart.motion, cart.isWarning], [['FAILED', code], undefined, false]);
    });
  }
}

test('fails when the pose is lost, and when it becomes older than 300 ms', () => {
  for (const lose of [
    (cart: Cart) => ({ ...cart.pose, isLost: true }),
    (cart: Cart) => {
      cart.nowMs += 301;
      return cart.pose;
    },
  ]) {
    const cart = new Cart();
    cart.pass(2500);
    cart.pose = lose(cart);
    cart.send({ kind: 'tick' });
    assert.deepEqual(cart.outcome, ['FAILED', 'POSE_LOST']);
  }
});

test('fails when the cart is more than 150 mm beside the leg', () => {
  const cart = new Cart();
  cart.pass(2500);
  cart.pose = { ...cart.pose, yMm: 1149 };
  cart.send({ kind: 'tick' });
  assert.equal(cart.state.phase, 'RUNNING');
  cart.pose = { ...cart.pose, yMm: 1151 };
  cart.send({ kind: 'tick' });
  assert.deepEqual(cart.outcome, ['FAILED', 'OFF_ROUTE']);
});

test('a run ends when its motion was stopped by another program', () => {
  const cart = new Cart();
  cart.pass(2500);
  cart.send({ kind: 'motion-ended', outcome: 'stopped' });
  assert.deepEqual(cart.outcome, ['FAILED', 'STOPPED']);
});

test('repeats the route as often as requested', () => {
  const square: Leg[] = [
    START,
    { xMm: 2000, yMm: 1000 },
    { xMm: 2000, yMm: 2000 },
    { xMm: 1000, yMm: 2000 },
    START,
  ];
  const cart = new Cart(square, { loops: 3 });
  cart.untilEnd();
  assert.equal(cart.state.phase, 'COMPLETED');
  assert.equal(cart.count('move'), 3 * 4);
});

test('starts at a later leg from the point where this leg begins', () => {
  const cart = new Cart([START, { ...CORNER, action: { kind: 'PHOTO' } }, END], { fromLeg: 2 });
  cart.pose = { ...cart.pose, xMm: 2900, yMm: 1100 };
  cart.untilEnd();
  assert.equal(cart.state.phase, 'COMPLETED');
  assert.equal(cart.count('act'), 0);
  assert.ok(Math.hypot(cart.pose.xMm - END.xMm, cart.pose.yMm - END.yMm) < 20);
});

test('waits without a hold, and warns again before it drives on', () => {
  const cart = new Cart([START, { ...CORNER, action: { kind: 'WAIT', seconds: 30 } }, END]);
  while (cart.state.activity.kind !== 'acting') cart.pass(100);
  assert.equal(cart.isWarning, false);
  cart.send({ kind: 'release' });
  cart.pass(29_900, false);
  assert.equal(cart.state.phase, 'RUNNING');
  cart.pass(200, false);
  assert.deepEqual(cart.outcome, ['PAUSED', 'HOLD_RELEASED']);
  const moves = cart.count('move');
  cart.pass(1900);
  assert.deepEqual([cart.count('move'), cart.isWarning], [moves, true]);
  cart.untilEnd();
  assert.equal(cart.state.phase, 'COMPLETED');
});

test('waits for an operator once', () => {
  const cart = new Cart([START, { ...CORNER, action: { kind: 'WAIT_FOR_OPERATOR' } }, END]);
  while (cart.state.phase !== 'PAUSED') cart.pass(100);
  assert.equal(cart.state.reason, 'WAIT_FOR_OPERATOR');
  cart.send({ kind: 'resume' });
  cart.untilEnd();
  assert.equal(cart.state.phase, 'COMPLETED');
});

test('performs an action once, also when the run is paused during it', () => {
  const cart = new Cart([START, { ...CORNER, action: { kind: 'PHOTO' } }, END]);
  while (cart.state.activity.kind !== 'acting') cart.pass(100);
  cart.send({ kind: 'pause' });
  cart.send({ kind: 'action-ended' });
  cart.send({ kind: 'resume' });
  cart.untilEnd();
  assert.deepEqual([cart.state.phase, cart.count('act')], ['COMPLETED', 1]);
});

test('docking stops when the control is released, and begins again', () => {
  const cart = new Cart([START, { ...CORNER, action: { kind: 'DOCK', markerId: 12 } }]);
  while (cart.state.activity.kind !== 'acting') cart.pass(100);
  assert.equal(cart.isWarning, true);
  assert.ok(cart.send({ kind: 'release' }).some(({ kind }) => kind === 'stop'));
  cart.send({ kind: 'motion-ended', outcome: 'stopped' });
  cart.pass(3000);
  assert.deepEqual([cart.state.activity.kind, cart.count('act')], ['acting', 2]);
  cart.send({ kind: 'action-ended' });
  assert.deepEqual(cart.outcome, ['COMPLETED', undefined]);
});

for (const [title, interrupt] of [
  [
    'the control is released in the turn',
    (cart) => {
      cart.pose = { ...cart.pose, headingDeg: 10 };
      cart.motion = undefined;
      cart.send({ kind: 'release' });
      cart.send({ kind: 'motion-ended', outcome: 'stopped' });
    },
  ],
  [
    'an obstacle prevents the turn',
    (cart) => {
      cart.motion = undefined;
      cart.send({ kind: 'motion-ended', outcome: 'blocked' });
      cart.send({ kind: 'resume' });
    },
  ],
] as [string, (cart: Cart) => void][]) {
  test(`after ${title}, the cart turns completely before it drives`, () => {
    const cart = new Cart([START, END]);
    cart.pose = { ...cart.pose, xMm: 3000, yMm: 1000 };
    cart.state = { ...cart.state, leg: 1, from: CORNER, route: { ...cart.state.route, legs: [CORNER, END] } };
    while (!cart.motion) cart.pass(100);
    assert.equal(Math.round(cart.motion.step.turnDeg), 90);
    interrupt(cart);
    const left = 90 - cart.pose.headingDeg;
    const before = cart.count('move');
    while (cart.count('move') === before) cart.pass(100);
    const again = cart.effects.findLast((effect) => effect.kind === 'move');
    assert.ok(again?.kind === 'move');
    assert.equal(Math.round(again.step.turnDeg), left);
    cart.untilEnd();
    assert.equal(cart.state.phase, 'COMPLETED');
  });
}

test('a control that is released often does not end the run', () => {
  const cart = new Cart();
  for (let n = 0; n < 20; n++) {
    cart.pass(2300);
    cart.motion = undefined;
    cart.send({ kind: 'release' });
    cart.send({ kind: 'motion-ended', outcome: 'stopped' });
  }
  cart.untilEnd();
  assert.equal(cart.state.phase, 'COMPLETED');
});

test('a stopped motion whose end is not reported ends the run', () => {
  const cart = new Cart();
  cart.pass(2500);
  cart.send({ kind: 'release' });
  cart.pass(5300);
  assert.deepEqual(cart.outcome, ['FAILED', 'TIMEOUT']);
});

test('a cart that is far from the start does not drive there', () => {
  const cart = new Cart();
  cart.pose = { ...cart.pose, xMm: 4000 };
  cart.pass(2500);
  assert.deepEqual([cart.outcome, cart.count('move')], [['FAILED', 'OFF_ROUTE'], 0]);
});

test('a paused run that has not started needs a person who resumes it', () => {
  const cart = new Cart();
  cart.send({ kind: 'pause' });
  cart.pass(5000);
  assert.deepEqual([cart.outcome, cart.count('move')], [['PAUSED', 'PAUSED'], 0]);
  cart.send({ kind: 'resume' });
  cart.untilEnd();
  assert.equal(cart.state.phase, 'COMPLETED');
});

const INPUTS: readonly RunInput[] = [
  { kind: 'hold' },
  { kind: 'hold' },
  { kind: 'hold' },
  { kind: 'tick' },
  { kind: 'release' },
  { kind: 'pause' },
  { kind: 'resume' },
  { kind: 'resume' },
  { kind: 'action-ended' },
  { kind: 'motion-ended', outcome: 'finished' },
  { kind: 'motion-ended', outcome: 'stopped' },
  { kind: 'motion-ended', outcome: 'blocked' },
  { kind: 'cancel' },
  { kind: 'interrupted', code: 'ESTOP_ACTIVE' },
];

test('random inputs in any order never move a cart that is not held, and end each run at most once', () => {
  const random = randomFrom(testSeed());
  for (let n = 0; n < rounds(2000, 200_000); n++) {
    const legs: Leg[] = [
      START,
      { ...CORNER, action: { kind: 'WAIT', seconds: 1 } },
      { ...END, action: { kind: 'DOCK', markerId: 3 } },
    ];
    const cart = new Cart(legs, { loops: 2 });
    let ends = 0;
    for (let inputs = 0; inputs < 60; inputs++) {
      if (random() < 0.6) cart.pass(Math.ceil(random() * 10) * 100, random() < 0.8);
      const input = INPUTS[Math.floor(random() * (random() < 0.9 ? INPUTS.length - 2 : INPUTS.length))];
      if (!input) continue;
      const isOver = hasEnded(cart.state);
      if (input.kind === 'motion-ended') {
        if (!cart.state.isInMotion || cart.state.activity.kind === 'acting') continue;
        cart.motion = undefined;
      }
      const effects = cart.send(input);
      if (isOver) assert.equal(effects.length, 0);
      else if (hasEnded(cart.state)) ends += 1;
      const { activity, phase } = cart.state;
      if (phase !== 'RUNNING')
        assert.deepEqual([cart.motion, activity.kind, cart.isWarning], [undefined, 'standing', false]);
    }
    assert.ok(ends <= 1);
  }
});

test.run();
