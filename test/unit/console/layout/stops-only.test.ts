import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'uvu';
import { errorContext } from '../../../../src/console/layout/context.js';
import { Pages } from '../../../../src/console/layout/pages.js';
import { userActor } from '../../../../src/shared/actor.js';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { cart, layout } from '../../app/api/samples.js';

test('pages state that a session permits only stops', () => {
  const pages = new Pages({ viewsDir: join(packageRoot(), 'views') });
  const showsNotice = (stopsOnly: boolean): boolean => {
    const visitor = {
      name: 'anna',
      role: 'operator',
      isPerson: true,
      mayDrive: false,
      actor: userActor('anna'),
      stopsOnly,
    };
    const error = { status: 404, title: 'Not found', message: 'Nothing.' };
    const page = pages.render('layout/error', errorContext(layout([cart(1)], { visitor }), error));
    return page.includes('You can view pages and stop carts.');
  };
  assert.deepEqual([showsNotice(true), showsNotice(false)], [true, false]);
});

test.run();
