import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { DetectorHost, MeasureRequest } from '../../../../src/navigation/markers/detector-host.js';
import { DetectorService } from '../../../../src/navigation/markers/detector-service.js';
import type { MeasuredMarker } from '../../../../src/navigation/markers/model.js';
import { type ErrorCode, GatewayError } from '../../../../src/shared/errors.js';
import type { CameraImage } from '../../../../src/shared/ports/camera.js';
import { Signal } from '../../../../src/shared/signal.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

const test = suite('detector service');
const camera = { width: 640, height: 480, fPx: 493, cxPx: 319.5, cyPx: 239.5, k1: 0 };
const point = { x: 0, y: 0 };
const marker: MeasuredMarker = {
  id: 7,
  rangeMm: 1000,
  bearingDeg: 0,
  yawDeg: 0,
  reprojectionErrorPx: 0.1,
  corners: [point, point, point, point],
};

class FakeHost implements Pick<DetectorHost, 'measure' | 'close'> {
  readonly requests: MeasureRequest[] = [];
  isClosed = false;
  answer: (markers: MeasuredMarker[]) => void = () => undefined;
  fail: (error: Error) => void = () => undefined;

  measure(request: MeasureRequest): Promise<MeasuredMarker[]> {
    this.requests.push(request);
    return new Promise((resolve, reject) => {
      this.answer = resolve;
      this.fail = reject;
    });
  }

  close(): void {
    this.isClosed = true;
  }
}

class Setup {
  readonly clock = new FakeClock();
  readonly log = new RecordingLog();
  readonly hosts: FakeHost[] = [];
  readonly #images = new Signal<[CameraImage]>();
  cameraUsers = 0;
  #number = 0;
  readonly service = new DetectorService({
    images: {
      onImage: (listener) => this.#images.on(listener),
      acquire: () => {
        this.cameraUsers += 1;
        return () => (this.cameraUsers -= 1);
      },
    },
    openHost: () => {
      const host = new FakeHost();
      this.hosts.push(host);
      return host;
    },
    options: () => ({ camera, sizesMm: { 7: 150 }, otherSizeMm: null }),
    clock: this.clock,
    log: this.log,
  });

  get host(): FakeHost {
    const host = this.hosts.at(-1);
    assert.ok(host);
    return host;
  }

  /** The jpeg contains the image's number. */
  image(): void {
    this.#number += 1;
    const jpeg = Buffer.from([this.#number]);
    this.#images.emit({ number: this.#number, jpeg, atMs: this.clock.now() });
  }

  /** Numbers of the images that the current thread has received. */
  get measured(): (number | undefined)[] {
    return this.host.requests.map(({ jpeg }) => jpeg[0]);
  }

  async answer(markers: MeasuredMarker[] = []): Promise<void> {
    this.host.answer(markers);
    await settled();
  }

  async fail(code: ErrorCode): Promise<void> {
    this.host.fail(new GatewayError(code, 'reason'));
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('uses neither the camera nor a thread until the detector is acquired', () => {
  const { service, hosts, cameraUsers } = new Setup();
  assert.deepEqual([hosts.length, cameraUsers, service.state().phase], [0, 0, 'stopped']);
});

test('the detector runs until the last caller has released it', () => {
  const setup = new Setup();
  const [first, second] = [setup.service.acquire('idle'), setup.service.acquire('approach')];
  assert.deepEqual([setup.hosts.length, setup.cameraUsers], [1, 1]);
  first();
  first();
  assert.deepEqual([setup.service.state().phase, setup.cameraUsers], ['running', 1]);
  second();
  assert.deepEqual([setup.service.state().phase, setup.cameraUsers], ['stopped', 0]);
  assert.ok(setup.host.isClosed);
  setup.image();
  assert.deepEqual(setup.measured, []);
});

test('the detector starts again when it is acquired again', () => {
  const setup = new Setup();
  setup.service.acquire('idle')();
  setup.service.acquire('idle');
  setup.image();
  assert.equal(setup.hosts.length, 2);
  assert.deepEqual(setup.measured, [1]);
});

test('reports the markers with the time and age of their image', async () => {
  const setup = new Setup();
  setup.service.acquire('idle');
  const found: unknown[] = [];
  setup.service.onDetection((detection) => found.push(detection));
  const atMs = setup.clock.now();
  setup.image();
  setup.clock.advance(40);
  await setup.answer([marker]);
  const expected = {
    number: 1,
    atMs,
    imageAgeMs: 40,
    sightings: [{ ...marker, imageAgeMs: 40 }],
  };
  assert.deepEqual(found, [expected]);
  assert.deepEqual(setup.service.newest(), expected);
});

test('measures unregistered markers only while a caller requests them', async () => {
  const setup = new Setup();
  setup.service.acquire('approach');
  const release = setup.service.acquire('approach', 40);
  for (let nth = 0; nth < 2; nth++) {
    setup.image();
    await setup.answer();
    setup.clock.advance(100);
    release();
  }
  const sizes = setup.host.requests.map(({ options }) => [options.sizesMm, options.otherSizeMm]);
  assert.deepEqual(sizes, [
    [{ 7: 150 }, 40],
    [{ 7: 150 }, null],
  ]);
});

test('discards the latest result when the detector stops', async () => {
  const setup = new Setup();
  const release = setup.service.acquire('idle');
  setup.image();
  await setup.answer([marker]);
  release();
  assert.equal(setup.service.newest(), undefined);
});

test('requires the image size to match the camera model', () => {
  const setup = new Setup();
  setup.service.acquire('idle');
  setup.image();
  assert.deepEqual(setup.host.requests[0]?.size, { width: 640, height: 480 });
});

test('measures only the latest of the images that arrive during a detection', async () => {
  const setup = new Setup();
  setup.service.acquire('approach');
  for (let nth = 0; nth < 5; nth++) {
    setup.image();
    setup.clock.advance(33);
  }
  assert.deepEqual(setup.measured, [1]);
  await setup.answer();
  assert.deepEqual(setup.measured, [1, 5]);
});

for (const [use, perSecond] of [
  ['idle', 5],
  ['approach', 10],
] as const)
  test(`measures at most ${perSecond} images a second when acquired for ${use}`, async () => {
    const setup = new Setup();
    setup.service.acquire(use);
    for (let ms = 0; ms < 10_000; ms += 10) {
      setup.image();
      await setup.answer();
      setup.clock.advance(10);
    }
    const rate = setup.measured.length / 10;
    assert.ok(rate <= perSecond + 0.1 && rate >= perSecond * 0.95, `${rate} a second`);
  });

test('measures at the lower rate again after the approach has released the detector', async () => {
  const setup = new Setup();
  setup.service.acquire('idle');
  setup.service.acquire('approach')();
  for (let nth = 0; nth < 4; nth++) {
    setup.image();
    await setup.answer();
    setup.clock.advance(100);
  }
  assert.deepEqual(setup.measured, [1, 3]);
});

test('continues with the next image after an unusable image', async () => {
  const setup = new Setup();
  setup.service.acquire('idle');
  setup.image();
  await setup.fail('IMAGE_UNUSABLE');
  assert.deepEqual(setup.service.state(), { phase: 'running', fault: 'reason', restarts: 0 });
  setup.clock.advance(200);
  setup.image();
  await setup.answer();
  assert.deepEqual(setup.measured, [1, 2]);
  assert.equal(setup.service.state().fault, '');
});

test('the detector logs a repeated failure once', async () => {
  const setup = new Setup();
  setup.service.acquire('idle');
  for (let nth = 0; nth < 5; nth++) {
    setup.image();
    await setup.fail('IMAGE_UNUSABLE');
    setup.clock.advance(200);
  }
  setup.image();
  await setup.answer();
  assert.deepEqual(setup.log.events(), ['markers.detection_failed', 'markers.detection_resumed']);
});

test('replaces a failed thread after a delay that grows with each failure', async () => {
  const setup = new Setup();
  setup.service.acquire('idle');
  const delays: number[] = [];
  for (let nth = 1; nth <= 4; nth++) {
    setup.image();
    await setup.fail('DETECTOR_FAILED');
    assert.ok(setup.host.isClosed);
    assert.equal(setup.service.state().phase, 'backoff');
    let waitedMs = 0;
    for (; setup.hosts.length === nth; waitedMs += 10) setup.clock.advance(10);
    delays.push(waitedMs);
  }
  assert.deepEqual(
    delays,
    delays.toSorted((a, b) => a - b),
  );
  assert.ok((delays[0] ?? 0) <= 310 && (delays[3] ?? 0) >= 1600, delays.join());
  setup.image();
  await setup.answer([marker]);
  assert.equal(setup.service.newest()?.sightings.length, 1);
  assert.equal(setup.service.state().restarts, 4);
});

test('does not restart a failed thread after the last caller has released it', async () => {
  const setup = new Setup();
  const release = setup.service.acquire('idle');
  setup.image();
  await setup.fail('DETECTOR_FAILED');
  release();
  setup.clock.advance(60_000);
  assert.equal(setup.hosts.length, 1);
  assert.equal(setup.clock.timers, 0);
});

test('ignores a result that arrives after the detector has stopped', async () => {
  const setup = new Setup();
  const release = setup.service.acquire('idle');
  setup.image();
  release();
  setup.service.acquire('idle');
  setup.hosts[0]?.answer([marker]);
  await settled();
  assert.equal(setup.service.newest(), undefined);
});

test('the detector stops when it is closed, and cannot be acquired afterwards', () => {
  const setup = new Setup();
  setup.service.acquire('idle');
  setup.service.close();
  setup.service.acquire('idle');
  assert.deepEqual([setup.cameraUsers, setup.hosts.length, setup.host.isClosed], [0, 1, true]);
});

test('look() returns the latest detection and stops the detector 3 s after the last request', async () => {
  const setup = new Setup();
  assert.equal(setup.service.look(), undefined);
  setup.clock.advance(2000);
  setup.image();
  await setup.answer([marker]);
  assert.deepEqual(
    setup.service.look(100)?.sightings.map(({ id }) => id),
    [7],
  );
  setup.clock.advance(2900);
  assert.deepEqual([setup.cameraUsers, setup.service.state().phase], [1, 'running']);
  setup.clock.advance(200);
  assert.deepEqual([setup.cameraUsers, setup.clock.timers], [0, 0]);
});

test('close() releases the camera that a look() request uses', () => {
  const setup = new Setup();
  setup.service.look();
  setup.service.close();
  assert.deepEqual([setup.cameraUsers, setup.clock.timers], [0, 0]);
});

test.run();
