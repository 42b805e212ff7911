import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { ApproachRequest } from '../../../../src/navigation/approach/schema.js';
import { Approach } from '../../../../src/navigation/approach/service.js';
import type { Detection } from '../../../../src/navigation/markers/detector-service.js';
import type { Marker, Sighting } from '../../../../src/navigation/markers/model.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { CartMotion, MotionEnd } from '../../../../src/shared/ports/navigation/cart-motions.js';
import { Signal } from '../../../../src/shared/signal.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

const test = suite('driving to markers');

const MARKER: Marker = { id: 7, sizeMm: 150, xMm: 0, yMm: 0, headingDeg: 0, purpose: 'dock' };
const REQUEST: ApproachRequest = { markerId: 7, standoffMm: 500 };
const AHEAD = { rangeMm: 2000, bearingDeg: 0, yawDeg: 0 };
/** Lower left, lower right, upper right, upper left. */
const UPRIGHT = [
  { x: 300, y: 260 },
  { x: 340, y: 260 },
  { x: 340, y: 220 },
  { x: 300, y: 220 },
] as const;
const UPSIDE_DOWN = [UPRIGHT[2], UPRIGHT[3], UPRIGHT[0], UPRIGHT[1]] as const;

class Setup {
  readonly clock = new FakeClock();
  readonly #detections = new Signal<[Detection]>();
  readonly #interruptions = new Signal();
  readonly moves: CartMotion[] = [];
  odometer: { xMm: number; yMm: number; headingDeg: number } | undefined = { xMm: 0, yMm: 0, headingDeg: 0 };
  refusal = '';
  imageFault = '';
  rejection: GatewayError | undefined;
  resolution = { mm: 1, deg: 0.1 };
  maxDeg = 180;
  footprint: readonly { xMm: number; yMm: number }[] = [];
  detectorUsers = 0;
  stops = 0;
  onMove = (): void => undefined;
  /** Age of an image in ms when its detection is available. */
  latencyMs = 50;
  endMotion: (end: MotionEnd) => void = () => undefined;

  readonly approach = new Approach({
    cart: {
      cartID: 1,
      rules: () => ({
        resolution: this.resolution,
        maxMm: 5000,
        maxDeg: this.maxDeg,
        footprint: this.footprint,
        fault: '',
      }),
      odometer: () => this.odometer,
      refusal: () => this.refusal,
      onInterruption: (listener) => this.#interruptions.on(listener),
    },
    markers: {
      require: (id) => {
        if (id === '7') return MARKER;
        throw new GatewayError('NOT_FOUND', `there is no marker ${id}`);
      },
    },
    detector: {
      onDetection: (listener) => this.#detections.on(listener),
      acquire: () => {
        this.detectorUsers += 1;
        return () => (this.detectorUsers -= 1);
      },
    },
    camera: () => ({ xMm: 0, yMm: 0, headingDeg: 0 }),
    imageFault: () => this.imageFault,
    clock: this.clock,
    log: new RecordingLog(),
  });

  readonly sender = {
    name: 'anna',
    check: () => {
      if (this.rejection) throw this.rejection;
    },
    move: (motion: CartMotion, onEnd: (end: MotionEnd) => void) => {
      if (this.rejection) throw this.rejection;
      this.moves.push(motion);
      this.endMotion = onEnd;
      this.onMove();
      return () => (this.stops += 1);
    },
  };

  start(request = REQUEST): this {
    this.approach.start(request, this.sender);
    return this;
  }

  interrupt(): void {
    this.#interruptions.emit();
  }

  /** Emits detections in images that are taken every 100 ms. */
  images(count: number, sightings: Partial<Sighting>[] = [AHEAD]): this {
    for (let nth = 0; nth < count; nth += 1) {
      this.clock.advance(100);
      const seen = sightings.map((sighting) => ({
        id: 7,
        ...AHEAD,
        corners: UPRIGHT,
        reprojectionErrorPx: 0.1,
        imageAgeMs: this.latencyMs,
        ...sighting,
      }));
      const atMs = this.clock.now() - this.latencyMs;
      this.#detections.emit({ number: nth, atMs, imageAgeMs: this.latencyMs, sightings: seen });
    }
    return this;
  }

  /** Lets time pass in steps of 100 ms without a new image. */
  noImages(count: number): this {
    for (let nth = 0; nth < count; nth += 1) this.clock.advance(100);
    return this;
  }

  get summary(): unknown[] {
    const { phase, code } = this.approach.view() ?? {};
    return [phase, ...(code ? [code] : []), this.moves.length];
  }
}

function code(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as GatewayError).code;
  }
  return '';
}

test('rejects a goal where the front of the cart would be beyond the marker', () => {
  const setup = new Setup();
  setup.footprint = [
    { xMm: 550, yMm: 300 },
    { xMm: -200, yMm: 300 },
    { xMm: -200, yMm: -300 },
    { xMm: 550, yMm: -300 },
  ];
  assert.throws(
    () => setup.start(),
    (error) => error instanceof GatewayError && error.code === 'INVALID_INPUT' && error.info.limit === 550,
  );
  // Turned, a corner is closer to the marker than the front.
  assert.equal(
    code(() => setup.start({ ...REQUEST, standoffMm: 560, headingDeg: 20 })),
    'INVALID_INPUT',
  );
  assert.deepEqual(setup.start({ ...REQUEST, standoffMm: 550 }).summary, ['LOOKING', 0]);
});

test('sends a command at a limited speed after it has detected the marker', () => {
  const setup = new Setup().start().images(3);
  assert.deepEqual(setup.moves, [{ distanceMm: 1000, angleDeg: 0, maxSpeedMmps: 300 }]);
});

test('the approach drives at 100 mm/s near the marker', () => {
  const setup = new Setup().start().images(10, [{ rangeMm: 700 }]);
  assert.deepEqual(setup.moves, [{ distanceMm: 200, angleDeg: 0, maxSpeedMmps: 100 }]);
});

test('sends a turn without a distance when the turn exceeds the limit of one command', () => {
  const setup = new Setup();
  setup.maxDeg = 15;
  setup.start().images(3, [{ bearingDeg: 25, yawDeg: null }]);
  assert.deepEqual(setup.moves, [{ distanceMm: 0, angleDeg: 15, maxSpeedMmps: 300 }]);
});

test('finishes with the measured residual and releases the detector', async () => {
  const setup = new Setup().start();
  const ended = setup.approach.whenEnded();
  assert.equal(setup.detectorUsers, 1);
  setup.images(10, [{ rangeMm: 502 }]);
  await ended;
  const { phase, residual, commands, by } = setup.approach.view() ?? {};
  assert.deepEqual([phase, commands, by, setup.detectorUsers], ['FINISHED', 0, 'anna', 0]);
  assert.equal(Math.round(residual?.alongMm ?? 0), 2);
  assert.equal(setup.clock.timers, 0);
});

const REFUSALS: readonly [title: string, code: string, change: (setup: Setup) => Partial<ApproachRequest>][] =
  [
    ['the marker is not registered', 'NOT_FOUND', () => ({ markerId: 8 })],
    ['the request specifies another cart', 'INVALID_INPUT', () => ({ cartID: 2 })],
    [
      'the cart does not measure its movement',
      'CONFLICT',
      (setup) => {
        setup.odometer = undefined;
        return {};
      },
    ],
    [
      'the configured unit of distance is 1 m',
      'CONFLICT',
      (setup) => {
        setup.resolution = { mm: 1000, deg: 1 };
        return {};
      },
    ],
    [
      "the sender's commands are rejected",
      'CONTROL_HELD',
      (setup) => {
        setup.rejection = new GatewayError('CONTROL_HELD', 'controlled by bert');
        return {};
      },
    ],
  ];
for (const [title, expected, change] of REFUSALS) {
  test(`fails with ${expected} without starting the detector when ${title}`, () => {
    const setup = new Setup();
    const request = { ...REQUEST, ...change(setup) };
    assert.equal(
      code(() => setup.start(request)),
      expected,
    );
    assert.deepEqual([setup.approach.view(), setup.detectorUsers], [undefined, 0]);
  });
}

test('ends when a stop or another command arrives during the search for the marker, and never resumes', () => {
  const setup = new Setup().start();
  setup.interrupt();
  setup.images(20);
  assert.deepEqual(setup.summary, ['FAILED', 'STOPPED', 0]);
});

test('the approach stops its own command and ends when another command is sent', () => {
  const setup = new Setup().start().images(3);
  setup.interrupt();
  setup.images(20);
  assert.deepEqual([setup.stops, ...setup.summary], [1, 'FAILED', 'STOPPED', 1]);
});

test('ends with the reason when an interlock forbids motion', () => {
  const setup = new Setup().start().images(1);
  setup.refusal = 'the E-stop is latched';
  setup.clock.advance(25);
  assert.deepEqual(setup.summary, ['FAILED', 'STOPPED', 0]);
  assert.equal(textOf(setup.approach.view()?.reason ?? ''), 'the E-stop is latched');
});

test('ends with BLOCKED and the obstacle as the reason when a command is rejected because of an obstacle', () => {
  const setup = new Setup().start().images(2);
  setup.rejection = new GatewayError('OBSTACLE', 'obstacle 320 mm ahead');
  setup.images(1);
  assert.deepEqual(setup.summary, ['FAILED', 'BLOCKED', 0]);
  assert.equal(textOf(setup.approach.view()?.reason ?? ''), 'obstacle 320 mm ahead');
});

test('ends an earlier drive when a new one starts', () => {
  const setup = new Setup().start().images(3);
  const first = setup.approach.view()?.runId;
  setup.start();
  assert.deepEqual([setup.stops, setup.detectorUsers], [1, 1]);
  assert.notEqual(setup.approach.view()?.runId, first);
});

test('ends with STOPPED and the reason when a stop ends its command', () => {
  const setup = new Setup().start().images(3);
  setup.endMotion({ outcome: 'interrupted', distanceMm: 0, angleDeg: 0, reason: 'stopped by bert' });
  assert.deepEqual(setup.summary, ['FAILED', 'STOPPED', 1]);
  assert.equal(textOf(setup.approach.view()?.reason ?? ''), 'stopped by bert');
});

test('stops a command if the drive is interrupted while the command is accepted', () => {
  const setup = new Setup();
  setup.onMove = () => setup.interrupt();
  setup.start().images(3);
  assert.deepEqual([setup.stops, ...setup.summary], [1, 'FAILED', 'STOPPED', 1]);
});

// Fault case 46
test('ends with IMAGE_STALE after one short command when the camera image freezes at standstill', () => {
  const setup = new Setup().start().images(8, [{ rangeMm: 508 }]);
  setup.endMotion({ outcome: 'finished', distanceMm: 8, angleDeg: 0, reason: '' });
  setup.noImages(40);
  assert.deepEqual(setup.summary, ['FAILED', 'IMAGE_STALE', 1]);
});

test('whenEnded resolves with the failed drive when another drive replaces it', async () => {
  const setup = new Setup().start();
  const ended = setup.approach.whenEnded();
  setup.start();
  assert.equal((await ended)?.code, 'STOPPED');
});

const stopsAfterMs = (setup: Setup, fault: () => void): number => {
  setup.start().images(3);
  // For 0.5 s, the cart drives straight ahead, and the images match its motion.
  for (let nth = 1; nth <= 5; nth += 1) {
    setup.odometer = { xMm: 30 * nth, yMm: 0, headingDeg: 0 };
    setup.images(1, [{ rangeMm: 2000 - 30 * nth }]);
  }
  assert.equal(setup.stops, 0);
  const sinceMs = setup.clock.now();
  for (let nth = 1; nth <= 20 && setup.stops === 0; nth += 1) {
    setup.odometer = { xMm: 150 + 30 * nth, yMm: 0, headingDeg: 0 };
    fault();
  }
  return setup.clock.now() - sinceMs;
};

// Fault case 46
test('stops within 300 ms when the camera image freezes', () => {
  const setup = new Setup();
  assert.ok(stopsAfterMs(setup, () => setup.noImages(1)) <= 300);
});

test('stops and ends with IMAGE_STALE and the reason as soon as the camera reports unusable images', () => {
  const setup = new Setup().start().images(3);
  setup.imageFault = 'the camera repeats old images';
  setup.clock.advance(25);
  assert.deepEqual([setup.stops, ...setup.summary], [1, 'FAILED', 'IMAGE_STALE', 1]);
  assert.equal(textOf(setup.approach.view()?.reason ?? ''), 'the camera repeats old images');
});

// Fault case 47
test('stops within 300 ms when the images are 400 ms late', () => {
  const setup = new Setup();
  const late = (): void => {
    setup.latencyMs = 400;
    setup.images(1);
  };
  assert.ok(stopsAfterMs(setup, late) <= 300);
});

// Fault case 48
test('ends with MISMATCH when the images are 600 ms older than their timestamps', () => {
  const setup = new Setup();
  let nth = 0;
  const late = (): void => {
    nth += 1;
    setup.images(1, [{ rangeMm: 2000 - 30 * Math.max(0, nth - 1) }]);
  };
  stopsAfterMs(setup, late);
  assert.deepEqual(setup.summary, ['FAILED', 'MISMATCH', 1]);
});

// Fault case 49
test('stops within 300 ms when the camera image is black or the marker is covered', () => {
  const setup = new Setup();
  assert.ok(stopsAfterMs(setup, () => setup.images(1, [])) <= 300);
  setup.endMotion({ outcome: 'stopped', distanceMm: 250, angleDeg: 0, reason: '' });
  setup.images(40, []);
  assert.deepEqual(setup.summary, ['FAILED', 'MARKER_LOST', 1]);
});

// Fault case 50
test('neither starts nor continues for more than 300 ms while the image shows two markers with the same ID', () => {
  const two = [AHEAD, { ...AHEAD, bearingDeg: 10 }];
  const setup = new Setup();
  assert.ok(stopsAfterMs(setup, () => setup.images(1, two)) <= 300);
  const other = new Setup().start().images(40, two);
  assert.deepEqual(other.summary, ['FAILED', 'MARKER_LOST', 0]);
});

// Fault case 51
test('does not start when the marker is upside down', () => {
  const setup = new Setup().start().images(40, [{ ...AHEAD, corners: UPSIDE_DOWN }]);
  assert.deepEqual(setup.summary, ['FAILED', 'MARKER_LOST', 0]);
});

for (const share of [0.8, 1.33]) {
  // Fault case 52
  test(`ends with MISMATCH when the marker size is wrong and all ranges are ${share} times the true ranges`, () => {
    const setup = new Setup().start().images(3, [{ rangeMm: 2000 * share }]);
    const [motion] = setup.moves;
    assert.ok(motion);
    setup.odometer = { xMm: motion.distanceMm, yMm: 0, headingDeg: 0 };
    setup.endMotion({ outcome: 'finished', distanceMm: motion.distanceMm, angleDeg: 0, reason: '' });
    setup.images(12, [{ rangeMm: (2000 - motion.distanceMm) * share }]);
    assert.deepEqual(setup.summary, ['FAILED', 'MISMATCH', 1]);
  });
}

// Fault case 53
test('stops within 300 ms when the camera is unplugged', () => {
  const setup = new Setup();
  assert.ok(stopsAfterMs(setup, () => setup.clock.advance(100)) <= 300);
});

test.run();
