import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { userActor } from '../../../../src/shared/actor.js';
import type { PlanPose } from '../../../../src/shared/ports/navigation/plan-pose.js';
import { Teaching } from '../../../../src/site/routes/teaching.js';
import { quietLog } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { hasCode } from '../../../helpers/has-code.js';

const test = suite('recording of a route');

const ANNA = userActor('anna');

class Recording {
  readonly clock = new FakeClock();
  pose: Partial<PlanPose> | undefined = { xMm: 0, yMm: 0, headingDeg: 0, state: 'GOOD' };
  speedMmps = 0;
  readonly teaching = new Teaching({
    location: () => this.pose as PlanPose | undefined,
    speedMmps: () => this.speedMmps,
    clock: this.clock,
    log: quietLog,
  });

  drive(mm: number, speedMmps = 200): void {
    this.speedMmps = speedMmps;
    for (let driven = 0; driven < mm; driven += speedMmps / 10) {
      this.pose = { ...this.pose, xMm: (this.pose?.xMm ?? 0) + speedMmps / 10 };
      this.clock.advance(100);
    }
    this.speedMmps = 0;
    this.clock.advance(500);
  }
}

test('a recording contains the way between start and finish', () => {
  const recording = new Recording();
  const { teaching } = recording;
  assert.deepEqual(teaching.view, { isRecording: false, lengthMm: 0 });
  assert.throws(() => teaching.finish(), hasCode('CONFLICT'));
  assert.equal(teaching.start(ANNA).isRecording, true);
  recording.clock.advance(1000);
  recording.drive(2000);
  assert.deepEqual(teaching.view, { isRecording: true, by: 'anna', lengthMm: 2000 });
  const { legs } = teaching.finish();
  assert.deepEqual(legs, [
    { xMm: 0, yMm: 0, headingDeg: 0 },
    { xMm: 2000, yMm: 0, maxSpeedMmps: 200 },
  ]);
  assert.deepEqual(teaching.finish(), { legs });
  teaching.discard();
  assert.deepEqual(teaching.view, { isRecording: false, lengthMm: 0 });
});

test('there is one recording at a time, which can be discarded', () => {
  const { teaching } = new Recording();
  teaching.start(ANNA);
  assert.throws(() => teaching.start(userActor('bo')), hasCode('CONFLICT'));
  teaching.discard();
  assert.equal(teaching.start(userActor('bo')).by, 'bo');
});

test('needs a position from the beginning to the end', () => {
  const recording = new Recording();
  const { teaching } = recording;
  recording.pose = { ...recording.pose, state: 'LOST' };
  assert.throws(() => teaching.start(ANNA), hasCode('POSE_LOST'));
  recording.pose = { ...recording.pose, state: 'GOOD' };
  teaching.start(ANNA);
  recording.drive(500);
  recording.pose = undefined;
  recording.clock.advance(100);
  assert.equal(teaching.view.isRecording, false);
  assert.ok(teaching.view.fault);
  assert.throws(() => teaching.finish(), hasCode('POSE_LOST'));
  recording.pose = { xMm: 0, yMm: 0, headingDeg: 0, state: 'GOOD' };
  teaching.start(ANNA);
  recording.pose = { ...recording.pose, xMm: 900 };
  recording.clock.advance(100);
  assert.throws(() => teaching.finish(), hasCode('POSE_LOST'));
});

test('a cart that was not driven leaves no route, and a recording ends after 20 minutes', () => {
  const recording = new Recording();
  const { teaching } = recording;
  teaching.start(ANNA);
  recording.clock.advance(5000);
  assert.throws(() => teaching.finish(), hasCode('INVALID_INPUT'));
  teaching.start(ANNA);
  recording.clock.advance(20 * 60_000);
  assert.deepEqual(
    [teaching.view.isRecording, String(teaching.view.fault)],
    [false, 'the recording is longer than 20 minutes or 200 m'],
  );
});

test.run();
