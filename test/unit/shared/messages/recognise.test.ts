import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { cartFaultMessage } from '../../../../src/carts/faults/messages.js';
import { cartMessage } from '../../../../src/carts/messages.js';
import { safetyMessage } from '../../../../src/carts/safety/messages.js';
import { withLanguage } from '../../../../src/i18n/language.js';
import { translated } from '../../../../src/i18n/messages.js';
import { capitalised, type Text, textOf } from '../../../../src/shared/messages/message.js';
import { joined, principalText, span } from '../../../../src/shared/messages/messages.js';
import { recognised } from '../../../../src/shared/messages/recognise.js';

const test = suite('known messages in received texts');

const dutch = (text: Text): string => withLanguage('nl', () => translated(text));

const SAMPLES: Readonly<Record<string, Text>> = {
  'a sentence without parameters': safetyMessage('button-pressed'),
  'a duration in milliseconds': safetyMessage('loop-late', { time: span(360) }),
  'a duration in seconds': safetyMessage('loop-late', { time: span(1500) }),
  'a sentence that begins with a capital': capitalised(safetyMessage('loop-late', { time: span(360) })),
  'a user of another gateway': cartMessage('stopped-by', {
    by: principalText('anna (gateway cartwright-1)'),
  }),
  'an API key': cartMessage('stopped-by', { by: principalText('key receivers') }),
  numbers: safetyMessage('battery-low', { mv: 10_200, limit: 10_500 }),
  'a nested message': safetyMessage('stopped-but', { reason: safetyMessage('latch-not-saved-yet') }),
  'a list of faults': safetyMessage('controller-fault', {
    faults: joined([cartFaultMessage('stall'), cartFaultMessage('encoder')], 'list'),
  }),
};

for (const [name, message] of Object.entries(SAMPLES)) {
  test(`translates a text with ${name}`, () => {
    const received = recognised(textOf(message));
    assert.equal(dutch(received), dutch(message));
    assert.notEqual(dutch(received), textOf(message));
    assert.equal(textOf(received), textOf(message));
  });
}

for (const unknown of ['wheel 3 squeaks', 'stopped by ', 'on', '']) {
  test(`keeps "${unknown}" as it was received`, () => assert.equal(recognised(unknown), unknown));
}

test('keeps the name of a user that is also the text of a message', () => {
  const received = recognised('stopped by undervolt');
  assert.deepEqual(typeof received === 'string' ? {} : received.params, { by: 'undervolt' });
});

test('keeps a list with an unknown member as it was received', () => {
  assert.equal(recognised('wheels blocked, wheel 3 squeaks'), 'wheels blocked, wheel 3 squeaks');
});

test('limits the number of nested messages in a text that repeats the beginning of a template', () => {
  const text = 'stopped by '.repeat(46);
  let depth = 0;
  for (let part = recognised(`${text}anna`); typeof part !== 'string'; depth += 1) {
    const by = part.params.by ?? '';
    part = typeof by === 'object' ? by : String(by);
  }
  assert.ok(depth > 1 && depth < 20, `${depth} levels`);
});

test.run();
