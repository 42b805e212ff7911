import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import { moduleUrl } from '../../../src/shared/package-root.js';
import { fixtureFolder, renderedImages } from '../../helpers/marker-fixtures.js';

const test = suite('detect command');
const program = fileURLToPath(moduleUrl('cli/detect.js'));
const folder = fixtureFolder('480p');
const { images, camera } = renderedImages(folder);
const paths = images.slice(0, 3).map(({ file }) => join(folder, file));
const lens = `${camera.fPx},${camera.cxPx},${camera.cyPx}`;
const empty = join(fixtureFolder('none'), '00000.jpg');

const detect = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

test('the detect command prints one line of JSON for each image', () => {
  const { stdout, status } = detect('--size', '150', '--camera', lens, ...paths, empty);
  const lines = linesOf(stdout).map((line) => JSON.parse(line));
  assert.equal(status, 0);
  assert.deepEqual(
    lines.map(({ file, markers }) => [file, ...markers.map(({ id }: { id: number }) => id)]),
    [...paths.map((path, at) => [path, images[at]?.truth?.id]), [empty]],
  );
  const fields = ['id', 'rangeMm', 'bearingDeg', 'yawDeg', 'reprojectionErrorPx'];
  assert.deepEqual(Object.keys(lines[0].markers[0]), fields);
});

test('uses the given marker size and lens distortion', () => {
  const rangeOf = (size: string, k1: string): number =>
    JSON.parse(detect('--size', size, '--camera', `${lens}${k1}`, paths[0] ?? '').stdout).markers[0].rangeMm;
  const range = rangeOf('150', '');
  assert.ok(Math.abs(rangeOf('300', '') / range - 2) < 1e-6);
  assert.equal(rangeOf('150', ',0'), range);
  assert.ok(Math.abs(rangeOf('150', ',-0.1') - range) > 1);
});

test('the detect command accepts images of different sizes', () => {
  const large = fixtureFolder('720p');
  const path = join(large, renderedImages(large).images[0]?.file ?? '');
  const { stdout, status } = detect('--size', '150', '--camera', lens, path, paths[0] ?? '');
  assert.deepEqual([status, linesOf(stdout).length], [0, 2]);
});

test('reports unreadable files, continues with the other files and exits with status 1', () => {
  const dir = mkdtempSync(join(tmpdir(), 'detect-'));
  try {
    const text = join(dir, 'text.jpg');
    writeFileSync(text, 'not an image');
    const missing = join(dir, 'missing.jpg');
    const args = ['--size', '150', '--camera', lens, missing, text, dir, paths[0] ?? ''];
    const { stdout, stderr, status } = detect(...args);
    assert.equal(status, 1);
    assert.equal(linesOf(stdout).length, 1);
    for (const path of [missing, text, dir])
      assert.ok(
        linesOf(stderr).some((line) => line.startsWith(`${path}: `)),
        `${path} in ${stderr}`,
      );
  } finally {
    rmSync(dir, { recursive: true });
  }
});

for (const [what, args] of [
  ['no image', ['--size', '150', '--camera', lens]],
  ['no size', ['--camera', lens, empty]],
  ['a size that is not positive', ['--size', '0', '--camera', lens, empty]],
  ['no camera', ['--size', '150', empty]],
  ['two camera parameters', ['--size', '150', '--camera', '985,640', empty]],
  ['five camera parameters', ['--size', '150', '--camera', '985,640,360,0,0', empty]],
  ['a camera parameter that is not a number', ['--size', '150', '--camera', '985,640,x', empty]],
  ['an unknown option', ['--size', '150', '--camera', lens, '--fast', empty]],
] as const)
  test(`the detect command rejects a call with ${what}`, () => {
    const { stdout, status } = detect(...args);
    assert.deepEqual([stdout, status], ['', 2]);
  });

test.run();
