import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { layoutContext } from '../../../../src/console/layout/layout-context.js';
import { layout } from '../../app/api/samples.js';

const test = suite('the shop in the menu');

test('the menu contains the shop unless the gateway hides it', () => {
  const pages = (hasShop: boolean): string[] =>
    layoutContext({ ...layout(), hasShop }, { page: 'drive' }).nav.map(({ href }) => href);
  assert.ok(pages(true).some((href) => href.startsWith('/shop')));
  assert.ok(!pages(false).some((href) => href.startsWith('/shop')));
});

test.run();
