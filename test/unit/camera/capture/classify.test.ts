import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { classify } from '../../../../src/camera/capture/classify.js';
import { textOf } from '../../../../src/shared/messages/message.js';

const test = suite('why the camera program ended');

/** Words of rpicam-apps and libcamera around the ones that matter. */
const CHATTER = [
  '[0:12:01.101] [1234] INFO Camera camera_manager.cpp:327 libcamera v0.5.0',
  'Preview window unavailable',
];
const said = (...lines: string[]) => [...CHATTER, ...lines].join('\n');

const ENDS: [string, number | string, string][] = [
  ['not-installed', 127, '/bin/sh: 1: libcamera-vid: not found'],
  ['not-runnable', 126, '/bin/sh: 1: libcamera-vid: Permission denied'],
  ['missing', 255, said('ERROR: *** no cameras available ***')],
  ['missing', 255, said('ERROR: *** selected camera is not available ***')],
  [
    'busy',
    255,
    said(
      'ERROR V4L2 v4l2_device.cpp:390: Pipeline handler in use by another process',
      'ERROR: *** failed to acquire camera /base/soc/i2c0mux/i2c@1/imx708@1a ***',
    ),
  ],
  [
    'permission',
    255,
    said('ERROR DmaBuf: Could not open any dmaHeap device', 'ERROR: *** no cameras available ***'),
  ],
  ['legacy', 255, said('ERROR: the system appears to be configured for the legacy camera stack')],
  ['unsupported', 255, said('ERROR: rpicam-apps currently only supports the Raspberry Pi platforms.')],
  ['bad-option', 255, said("ERROR: *** unrecognised option '--sparkle' ***")],
  ['bad-option', 255, said("ERROR: *** the argument ('x') for option '--width' is invalid ***")],
  ['bad-option', 'CAMERA_BAD_OPTION', 'the camera option roi must be 4 numbers'],
  ['stalled', 143, said('ERROR: Device timeout detected, attempting a restart!!!')],
  ['output', 255, said('ERROR: *** failed to open output file ***')],
  ['flood', 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER', said('ERROR: *** no cameras available ***')],
  ['crashed', 139, said()],
  ['crashed', 134, said('WARN IPA: Invalid tuning value')],
  ['crashed', 0, ''],
  ['crashed', 'SIGKILL', ''],
];

for (const [code, status, text] of ENDS) {
  test(`${status} with "${text.split('\n').at(-1)?.slice(0, 60)}" is ${code}, in words`, () => {
    const fault = classify({ code: status, text });
    assert.equal(fault.code, code);
    assert.match(textOf(fault.text), /^(the|another|no|this) [a-z].{10,}[^.]$/);
  });
}

test('faults that people can mend come with a hint', () => {
  for (const [code, status, text] of ENDS) {
    if (['unsupported', 'flood', 'crashed'].includes(code)) continue;
    assert.match(textOf(classify({ code: status, text }).hint ?? ''), /^[A-Z].{20,}/, code);
  }
});

test('the last five lines are kept, without control characters and not too long', () => {
  const text = ['1', '2', '', '3', '4', '\u001b[31m5\u0007', '6'.repeat(900)].join('\n');
  const { lines } = classify({ code: 1, text });
  assert.deepEqual(lines, ['2', '3', '4', '[31m5', '6'.repeat(200)]);
});

test('a limit of ours is the reason unless the program knows a better one', () => {
  const failure = { code: 'stalled' as const, text: 'the camera shows nothing for 8 s' };
  assert.equal(classify({ code: 143, text: said() }, failure).text, failure.text);
  const known = classify({ code: 143, text: said('ERROR: *** no cameras available ***') }, failure);
  assert.equal(known.code, 'missing');
  const ours = classify({ code: 134, text: said('failed to send data on socket') }, failure);
  assert.equal(ours.code, 'stalled', 'its connection was lost by our own doing');
});

test.run();
