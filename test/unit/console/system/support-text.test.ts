import assert from 'node:assert/strict';
import { test } from 'uvu';
import { supportText } from '../../../../src/console/system/context.js';

test('the System page states the last day of support until the end of that day', () => {
  const lastMoment = Date.parse('2031-11-30T23:59:59');
  assert.equal(supportText('2031-11-30', lastMoment), 'Security fixes until 30 Nov 2031');
  assert.match(supportText('2031-11-30', lastMoment + 1000), /^Support ended on 30 Nov 2031\./);
});

test.run();
