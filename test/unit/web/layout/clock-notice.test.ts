import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'uvu';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { errorContext } from '../../../../src/web/layout/context.js';
import { Pages } from '../../../../src/web/layout/pages.js';
import { cart, layout } from '../../gateway/api/samples.js';

// Fault case 33
test('a page says in one sentence that the clock was never set, and nothing when it was or that is unknown', () => {
  const pages = new Pages({ viewsDir: join(packageRoot(), 'views') });
  const says = (clockSynced: boolean | undefined): boolean => {
    const context = errorContext(layout([cart(1)], { clockSynced }), {
      ...{ status: 404, title: 'Not found', message: 'Nothing.' },
    });
    return pages.render('web/error', context).includes('is not synchronised');
  };
  assert.deepEqual([says(false), says(true), says(undefined)], [true, false, false]);
});

test.run();
