import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { AprilTagDetector } from '../../../../src/adapters/apriltag/apriltag.js';
import { measure } from '../../../../src/navigation/markers/measure.js';
import { MarkerFigures } from '../../../helpers/marker-figures.js';
import { fixtureFolder, type MarkerFixture, renderedImages } from '../../../helpers/marker-fixtures.js';

/** The images are from a renderer that shares no code with the gateway; see bench/markers/render.py. */
const test = suite('detection in rendered images');

function figuresOf(fixture: MarkerFixture): MarkerFigures['summary'] {
  const { sizeMm, camera, images, jpegOf } = renderedImages(fixtureFolder(fixture));
  const detector = new AprilTagDetector();
  const figures = new MarkerFigures();
  for (const { file, truth } of images) {
    const { markers } = detector.detect(jpegOf(file), camera);
    figures.add(truth, measure(markers, { camera, sizesMm: {}, otherSizeMm: sizeMm }));
  }
  return figures.summary;
}

for (const [fixture, limits] of [
  ['720p', { rangePercent: 0.5, bearingDeg: 0.05, yawDeg: 1 }],
  ['480p', { rangePercent: 1, bearingDeg: 0.05, yawDeg: 2 }],
] as const) {
  test(`meets the accuracy targets in ${fixture} images`, () => {
    const figures = figuresOf(fixture);
    assert.equal(figures.foundPercent, 100);
    assert.deepEqual(figures.falseIds, []);
    assert.equal(figures.wrongYaws, 0);
    assert.ok(figures.unknownYawPercent <= 10, `${figures.unknownYawPercent} % unknown yaws`);
    assert.ok(figures.rangeP95Percent <= limits.rangePercent, `range ${figures.rangeP95Percent} %`);
    assert.ok(figures.bearingP95Deg <= limits.bearingDeg, `bearing ${figures.bearingP95Deg}`);
    assert.ok(figures.yawP95Deg <= limits.yawDeg, `yaw ${figures.yawP95Deg}`);
  });
}

test('does not find markers in images without markers', () => {
  assert.deepEqual(figuresOf('none').falseIds, []);
});

test.run();
