import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'uvu';
import { errorContext } from '../../src/http/context.js';
import { Pages } from '../../src/http/pages.js';
import { packageRoot } from '../../src/util/package-root.js';
import { cart, frame } from './samples.js';

test('33: a page says in one sentence that the clock was never set, and nothing when it was or that is unknown', () => {
  const pages = new Pages({ viewsDir: join(packageRoot(), 'views') });
  const says = (clockSynced: boolean | undefined): boolean => {
    const context = errorContext(frame([cart(1)], { clockSynced }), {
      ...{ status: 404, title: 'Not found', message: 'Nothing.' },
    });
    return pages.render('error', context).includes('has not been set by a time server');
  };
  assert.deepEqual([says(false), says(true), says(undefined)], [true, false, false]);
});

test.run();
