import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'uvu';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { errorContext } from '../../../../src/web/layout/context.js';
import { Pages } from '../../../../src/web/layout/pages.js';
import { cart, layout } from '../../gateway/api/samples.js';

test('pages state that a session permits only stops', () => {
  const pages = new Pages({ viewsDir: join(packageRoot(), 'views') });
  const showsNotice = (stopsOnly: boolean): boolean => {
    const visitor = {
      name: 'anna',
      role: 'operator',
      isPerson: true,
      mayDrive: false,
      principal: 'anna',
      stopsOnly,
    };
    const error = { status: 404, title: 'Not found', message: 'Nothing.' };
    const page = pages.render('web/error', errorContext(layout([cart(1)], { visitor }), error));
    return page.includes('You can view pages and stop carts.');
  };
  assert.deepEqual([showsNotice(true), showsNotice(false)], [true, false]);
});

test.run();
