import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { classify } from '../../../../src/camera/capture/classify-fault.js';
import { textOf } from '../../../../src/shared/messages/message.js';

const test = suite('camera program faults');

const USUAL_OUTPUT = [
  '[0:12:01.101] [1234] INFO Camera camera_manager.cpp:327 libcamera v0.5.0',
  'Preview window unavailable',
];
const output = (...lines: string[]) => [...USUAL_OUTPUT, ...lines].join('\n');

const ENDS: [string, number | string, string][] = [
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
  ['crashed', 139, output()],
  ['crashed', 134, output('WARN IPA: Invalid tuning value')],
  ['crashed', 0, ''],
  ['crashed', 'SIGKILL', ''],
];

for (const [code, status, text] of ENDS) {
  test(`classifies ${status} with "${text.split('\n').at(-1)?.slice(0, 60)}" as ${code}`, () => {
    const fault = classify({ code: status, text });
    assert.equal(fault.code, code);
    assert.match(textOf(fault.text), /^(the|another|no|this) [a-z].{10,}[^.]$/);
  });
}

test('adds a hint to each fault that an operator can fix', () => {
  for (const [code, status, text] of ENDS) {
    if (['unsupported', 'flood', 'crashed'].includes(code)) continue;
    assert.match(textOf(classify({ code: status, text }).hint ?? ''), /^[A-Z].{20,}/, code);
  }
});

test('keeps the last five lines of output, shortened and with control characters removed', () => {
  const text = ['1', '2', '', '3', '4', '\u001b[31m5\u0007', '6'.repeat(900)].join('\n');
  const { lines } = classify({ code: 1, text });
  assert.deepEqual(lines, ['2', '3', '4', '[31m5', '6'.repeat(200)]);
});

test('reports the timeout unless the program gives a more specific reason', () => {
  const failure = { code: 'stalled' as const, text: 'the camera sent no image for 8 s' };
  assert.equal(classify({ code: 143, text: output() }, failure).text, failure.text);
  const known = classify({ code: 143, text: output('ERROR: *** no cameras available ***') }, failure);
  assert.equal(known.code, 'missing');
  const ours = classify({ code: 134, text: output('failed to send data on socket') }, failure);
  assert.equal(ours.code, 'stalled', 'the gateway closed the connection');
});

test.run();
