import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { DetectorHost } from '../../../../src/navigation/markers/detector-host.js';
import { systemClock } from '../../../../src/shared/clock.js';
import { moduleUrl } from '../../../../src/shared/package-root.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { hasCode } from '../../../helpers/has-code.js';
import { fixtureFolder, renderedImages } from '../../../helpers/marker-fixtures.js';

const test = suite('detector host');
const script = moduleUrl('app/detector-worker.js');
const { images, camera, sizeMm, jpegOf } = renderedImages(fixtureFolder('480p'));
const { file = '', truth } = images[0] ?? {};
const options = { camera, sizesMm: {}, otherSizeMm: sizeMm };
const request = { jpeg: jpegOf(file), size: camera, options };

/** A thread program that runs `code` for each message. */
const programOf = (code: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort } from 'node:worker_threads'; parentPort.on('message', (request) => { ${code} });`,
    )}`,
  );

async function withHost(
  run: (host: DetectorHost, clock: FakeClock) => Promise<void>,
  program = script,
): Promise<void> {
  const clock = new FakeClock();
  const host = new DetectorHost({ script: program, clock });
  try {
    await run(host, clock);
  } finally {
    host.close();
  }
  assert.equal(clock.timers, 0);
}

test('the detector measures the markers in an image', () =>
  withHost(async (host) => {
    const [marker] = await host.measure(request);
    assert.equal(marker?.id, truth?.id);
    assert.ok(Math.abs((marker?.rangeMm ?? 0) - (truth?.rangeMm ?? 0)) < 10);
  }));

test('the detector does not change the bytes of the image', () =>
  withHost(async (host) => {
    const jpeg = Buffer.from(request.jpeg);
    await host.measure({ ...request, jpeg });
    assert.deepEqual(jpeg, request.jpeg);
  }));

test('uses the size of a listed marker, and ignores other markers when their size is null', () =>
  withHost(async (host) => {
    const id = truth?.id ?? 0;
    const [whole] = await host.measure(request);
    const listed = { ...options, sizesMm: { [id]: sizeMm / 2 }, otherSizeMm: null };
    const [half] = await host.measure({ ...request, options: listed });
    assert.ok(Math.abs((half?.rangeMm ?? 0) / (whole?.rangeMm ?? 1) - 0.5) < 1e-6);
    const none = { ...options, sizesMm: { [id + 1]: sizeMm }, otherSizeMm: null };
    assert.deepEqual(await host.measure({ ...request, options: none }), []);
  }));

test('rejects an unusable image and measures the next one', () =>
  withHost(async (host) => {
    const cut = request.jpeg.subarray(0, 5000);
    await assert.rejects(host.measure({ ...request, jpeg: cut }), hasCode('IMAGE_UNUSABLE'));
    const size = { width: 1280, height: 720 };
    await assert.rejects(host.measure({ ...request, size }), hasCode('IMAGE_UNUSABLE'));
    assert.equal((await host.measure(request)).length, 1);
  }));

test('terminates a thread that does not finish within the time limit', () =>
  withHost(async (host, clock) => {
    const result = host.measure(request);
    clock.advance(9999);
    clock.advance(1);
    await assert.rejects(result, hasCode('DETECTOR_FAILED'));
    await assert.rejects(host.measure(request), hasCode('DETECTOR_FAILED'));
  }, programOf('for (;;) {}')));

test('uses a shorter time limit for the images after the first', () =>
  withHost(async (host, clock) => {
    await host.measure(request);
    const result = host.measure(request);
    clock.advance(2000);
    await assert.rejects(result, hasCode('DETECTOR_FAILED'));
  }, programOf(
    'if (globalThis.isSecond) for (;;) {}; globalThis.isSecond = true; parentPort.postMessage({ markers: [] });',
  )));

for (const [what, code] of [
  ['crashes', "throw new WebAssembly.RuntimeError('unreachable');"],
  ['exits', 'process.exit(3);'],
  ['exceeds its memory limit', 'const list = []; for (;;) list.push(new Array(1e5).fill(0.5));'],
] as const)
  test(`rejects the image when the thread ${what}`, () =>
    withHost(async (host) => {
      await assert.rejects(host.measure(request), hasCode('DETECTOR_FAILED'));
    }, programOf(code)));

test('close() rejects the pending image', async () => {
  const host = new DetectorHost({ script: programOf('for (;;) {}'), clock: systemClock });
  const result = host.measure(request);
  host.close();
  await assert.rejects(result, hasCode('DETECTOR_FAILED'));
});

test.run();
