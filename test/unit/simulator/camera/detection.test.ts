import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { AprilTagDetector } from '../../../../src/adapters/apriltag/apriltag.js';
import { measure } from '../../../../src/navigation/markers/measure.js';
import type { MeasuredMarker } from '../../../../src/navigation/markers/model.js';
import { MARKER_COUNT } from '../../../../src/shared/markers/tag36h11.js';
import { JpegEncoder } from '../../../../src/simulator/camera/jpeg/encoder.js';
import { lensModel } from '../../../../src/simulator/camera/render/lens.js';
import { Picture } from '../../../../src/simulator/camera/render/picture.js';
import { Renderer } from '../../../../src/simulator/camera/render/renderer.js';
import type { SceneState } from '../../../../src/simulator/camera/scene.js';
import { randomFrom } from '../../../helpers/random.js';
import { markerAt, SCENE } from './scenes.js';

const test = suite('markers in simulated images');

const detector = new AprilTagDetector();
const random = randomFrom(7);
const renderer = new Renderer({ width: 640, height: 480, random });
const encoder = new JpegEncoder(new Picture(640, 480), 85);

function detect(scene: Partial<SceneState>, sizeMm = 150): MeasuredMarker[] {
  const jpeg = encoder.encode(renderer.draw({ ...SCENE, ...scene }));
  const camera = lensModel(640, 480, scene.faults?.cameraDistortion ?? 0);
  return measure(detector.detect(jpeg).markers, { camera, sizesMm: {}, otherSizeMm: sizeMm });
}

for (const [title, faults] of [
  ['without faults', {}],
  ['with distortion', { cameraDistortion: -0.08 }],
  ['with noise', { cameraNoise: 5 }],
] as const) {
  test(`the detector measures markers 0.5 to 3 m away to within 0.5 % and 0.1 degrees ${title}`, () => {
    const worst = { range: 0, bearing: 0 };
    for (let turn = 0; turn < 30; turn++) {
      const id = Math.floor(random() * MARKER_COUNT);
      const rangeMm = 500 + 2500 * random();
      const bearingDeg = 50 * (random() - 0.5);
      const bearing = (bearingDeg * Math.PI) / 180;
      const headingDeg = 180 + 70 * (random() - 0.5);
      const place = { id, sizeMm: 150, headingDeg };
      const markers = [markerAt(rangeMm * Math.cos(bearing), rangeMm * Math.sin(bearing), place)];
      const [seen] = detect({ markers, faults });
      assert.equal(seen?.id, id);
      worst.range = Math.max(worst.range, Math.abs(seen.rangeMm / rangeMm - 1));
      worst.bearing = Math.max(worst.bearing, Math.abs(seen.bearingDeg - bearingDeg));
    }
    assert.ok(worst.range < 0.005 && worst.bearing < 0.1, JSON.stringify(worst));
  });
}

test("a marker's yaw is the angle between its normal and the optical axis", () => {
  for (const yawDeg of [-30, 30]) {
    const [seen] = detect({ markers: [markerAt(800, 0, { sizeMm: 150, headingDeg: 180 + yawDeg })] });
    assert.ok(Math.abs((seen?.yawDeg ?? 0) - yawDeg) < 1, `${seen?.yawDeg} instead of ${yawDeg}`);
  }
});

test('the detector does not find a marker that is covered or behind a cart, or in a black, overexposed or underexposed image', () => {
  const markers = [markerAt(1500, 0, { id: 3 })];
  assert.equal(detect({ markers }).length, 1);
  assert.equal(detect({ markers, carts: [{ xMm: 900, yMm: 0, headingDeg: 90 }] }).length, 0);
  for (const faults of [
    { markerCovered: 3 },
    { cameraBlack: 0 },
    { cameraExposure: 6 },
    { cameraExposure: -8 },
  ])
    assert.equal(detect({ markers, faults }).length, 0, JSON.stringify(faults));
});

test('a marker that is 25 % too large appears a fifth nearer', () => {
  const [seen] = detect({ markers: [markerAt(1500, 0)], faults: { markerSize: 1.25 } }, 160);
  assert.ok(Math.abs((seen?.rangeMm ?? 0) - 1200) < 6, `${seen?.rangeMm}`);
});

test.run();
