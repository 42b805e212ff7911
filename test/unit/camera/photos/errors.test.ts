import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { FaultCode } from '../../../../src/camera/capture/classify-fault.js';
import { photoError } from '../../../../src/camera/photos/errors.js';
import { failureOf } from '../../../../src/http/errors.js';

const test = suite('photo errors');

for (const [fault, code] of [
  ['not-installed', 'CAMERA_NOT_INSTALLED'],
  ['busy', 'CAMERA_BUSY'],
  ['bad-option', 'CAMERA_BAD_OPTION'],
  ['crashed', 'CAMERA_CRASHED'],
] as const satisfies [FaultCode, string][]) {
  test(`the camera fault ${fault} has the error code ${code} and status 503`, () => {
    const { status, body } = failureOf(photoError({ code: fault, text: 'why', lines: [] }));
    assert.deepEqual([status, body.code], [503, code]);
  });
}

test.run();
