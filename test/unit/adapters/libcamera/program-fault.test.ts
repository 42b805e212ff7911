import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { withFault } from '../../../../src/adapters/libcamera/program-fault.js';
import type { ProgramFault } from '../../../../src/shared/ports/camera.js';

const test = suite('camera program faults');

const USUAL_OUTPUT = [
  '[0:12:01.101] [1234] INFO Camera camera_manager.cpp:327 libcamera v0.5.0',
  'Preview window unavailable',
];
const output = (...lines: string[]) => [...USUAL_OUTPUT, ...lines].join('\n');

const ENDS: [ProgramFault | undefined, number | string, string][] = [
  ['not-installed', 127, '/bin/sh: 1: libcamera-vid: not found'],
  ['not-runnable', 126, '/bin/sh: 1: libcamera-vid: Permission denied'],
  ['missing', 255, output('ERROR: *** no cameras available ***')],
  ['missing', 255, output('ERROR: *** selected camera is not available ***')],
  [
    'busy',
    255,
    output(
      'ERROR V4L2 v4l2_device.cpp:390: Pipeline handler in use by another process',
      'ERROR: *** failed to acquire camera /base/soc/i2c0mux/i2c@1/imx708@1a ***',
    ),
  ],
  [
    'permission',
    255,
    output('ERROR DmaBuf: Could not open any dmaHeap device', 'ERROR: *** no cameras available ***'),
  ],
  ['legacy', 255, output('ERROR: the system appears to be configured for the legacy camera stack')],
  ['unsupported', 255, output('ERROR: rpicam-apps currently only supports the Raspberry Pi platforms.')],
  ['bad-option', 255, output("ERROR: *** unrecognised option '--sparkle' ***")],
  ['bad-option', 255, output("ERROR: *** the argument ('x') for option '--width' is invalid ***")],
  ['bad-option', 'CAMERA_BAD_OPTION', 'the camera option roi must be 4 numbers'],
  ['stalled', 143, output('ERROR: Device timeout detected, attempting a restart!!!')],
  ['output', 255, output('ERROR: *** failed to open output file ***')],
  ['flood', 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER', output('ERROR: *** no cameras available ***')],
  [undefined, 139, output()],
  [undefined, 134, output('WARN IPA: Invalid tuning value')],
  [undefined, 0, ''],
  [undefined, 'SIGKILL', ''],
];

for (const [fault, code, text] of ENDS) {
  const what = fault ?? 'no known fault';
  test(`recognises ${code} with "${text.split('\n').at(-1)?.slice(0, 60)}" as ${what}`, () => {
    assert.deepEqual(withFault({ code, text }), { code, text, ...(fault && { fault }) });
  });
}

test.run();
