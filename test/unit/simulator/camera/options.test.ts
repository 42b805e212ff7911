import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { readArguments } from '../../../../src/simulator/camera/options.js';

const test = suite('simulated camera options');

test('parses arguments in the same way as the real camera programs', () => {
  const args = readArguments(
    'vid',
    '--codec mjpeg --width 640 --height 480 --brightness -0.5 --hflip'.split(' '),
  );
  assert.deepEqual(
    [args.width, args.height, args.brightness, args.hflip, args.vflip],
    [640, 480, -0.5, true, false],
  );
  const turned = readArguments('still', ['--rotation', '180', '--hflip', '--roi', '0,0,1,1']);
  assert.deepEqual(
    [turned.hflip, turned.vflip],
    [false, true],
    'rotating and flipping horizontally is equivalent to flipping vertically',
  );
  assert.throws(() => readArguments('vid', ['--sparkle']), /unrecognised option '--sparkle'/);
  assert.throws(() => readArguments('vid', ['--width', 'x']), /the argument \('x'\) for option '--width'/);
});

test.run();
