import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { classify } from '../../../../src/camera/capture/classify-fault.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { ProgramFault } from '../../../../src/shared/ports/camera.js';

const test = suite('camera faults');

const FAULTS: readonly ProgramFault[] = [
  'not-installed',
  'not-runnable',
  'permission',
  'busy',
  'legacy',
  'missing',
  'unsupported',
  'bad-option',
  'stalled',
  'output',
  'flood',
];

for (const fault of [...FAULTS, undefined]) {
  test(`describes ${fault ?? 'a crash'}, with a hint if an operator can fix it`, () => {
    const { code, text, hint } = classify({ code: 255, text: '', ...(fault && { fault }) });
    assert.equal(code, fault ?? 'crashed');
    assert.match(textOf(text), /^(the|another|no|this) [a-z].{10,}[^.]$/);
    if (!['unsupported', 'flood', 'crashed'].includes(code)) assert.match(textOf(hint ?? ''), /^[A-Z].{20,}/);
  });
}

for (const status of [139, 134, 0, 'SIGKILL']) {
  test(`describes a program that exited with ${status} as crashed`, () => {
    const { code, text } = classify({ code: status, text: '' });
    assert.equal(code, 'crashed');
    assert.match(textOf(text), /^the [a-z].{10,}[^.]$/);
  });
}

test('keeps the last five lines of output, shortened and without control characters', () => {
  const text = ['1', '2', '', '3', '4', '\u001b[31m5\u0007', '6'.repeat(900)].join('\n');
  const { lines } = classify({ code: 1, text });
  assert.deepEqual(lines, ['2', '3', '4', '[31m5', '6'.repeat(200)]);
});

test('reports a timeout unless the program reports a more specific reason', () => {
  const failure = { code: 'stalled' as const, text: 'the camera sent no image for 8 s' };
  assert.equal(classify({ code: 143, text: '' }, failure).text, failure.text);
  const known = classify({ code: 143, text: '', fault: 'missing' }, failure);
  assert.equal(known.code, 'missing');
  const ours = classify({ code: 134, text: '', fault: 'output' }, failure);
  assert.equal(ours.code, 'stalled', 'the gateway closed the connection');
});

test.run();
