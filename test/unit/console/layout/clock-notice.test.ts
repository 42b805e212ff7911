import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'uvu';
import { errorContext } from '../../../../src/console/layout/context.js';
import { Pages } from '../../../../src/console/layout/pages.js';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { cart, layout } from '../../app/api/samples.js';

// Fault case 33
test('pages show a notice when the clock is not synchronised, but not if the synchronisation status is unknown', () => {
  const pages = new Pages({ viewsDir: join(packageRoot(), 'views') });
  const showsNotice = (clockSynced: boolean | undefined): boolean => {
    const context = errorContext(layout([cart(1)], { clockSynced }), {
      status: 404,
      title: 'Not found',
      message: 'Nothing.',
    });
    return pages.render('layout/error', context).includes('is not synchronised');
  };
  assert.deepEqual([showsNotice(false), showsNotice(true), showsNotice(undefined)], [true, false, false]);
});

test.run();
