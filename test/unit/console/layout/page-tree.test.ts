import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { layoutContext } from '../../../../src/console/layout/layout-context.js';
import { locationOf, menuEntries } from '../../../../src/console/layout/page-tree.js';
import { cart, layout } from '../../app/api/samples.js';

const test = suite('the page tree');

test("lists a nested page's parents, starting with the top-level page", () => {
  const { title, section, parents } = locationOf('commissioning', 'Camera');
  assert.deepEqual([title, section], ['Camera', 'system']);
  assert.deepEqual(
    parents.map(({ href }) => href),
    ['/system', '/commissioning'],
  );
});

test('a page is not listed among its own parents', () => {
  const { title, parents } = locationOf('https', undefined);
  assert.deepEqual([title, parents.map(({ href }) => href)], ['HTTPS', ['/system']]);
});

test('top-level pages and pages outside the tree do not have breadcrumbs', () => {
  const crumbsOf = (options: Parameters<typeof layoutContext>[1]) => layoutContext(layout(), options).crumbs;
  assert.equal(crumbsOf({ page: 'system' }), null);
  assert.equal(crumbsOf({ title: 'Not found' }), null);
  assert.notEqual(crumbsOf({ page: 'https' }), null);
});

test('the window title ends with the titles of the parent pages', () => {
  const { windowTitle } = layoutContext(layout(), { page: 'statistics' });
  assert.equal(windowTitle, 'Statistics – History');
});

test('the menu marks the section to which a nested page belongs', () => {
  const { nav } = layoutContext(layout(), { page: 'keys' });
  assert.deepEqual(
    nav.filter(({ current }) => current).map(({ text }) => text),
    ['System'],
  );
});

test('breadcrumbs keep the selected cart', () => {
  const data = { ...layout([cart(1), cart(2)]), selectedID: 2 };
  const { crumbs } = layoutContext(data, { page: 'https' });
  assert.deepEqual(
    crumbs?.parents.map(({ href }) => href),
    ['/system?cart=2'],
  );
});

test('an anonymous visitor does not see breadcrumbs', () => {
  const data = layout([cart(1)], { visitor: undefined });
  assert.equal(layoutContext(data, { page: 'shop', title: 'Pay' }).crumbs, null);
});

test('the menu contains the pages for drivers only if the user is a driver', () => {
  const titles = (isDriver: boolean) => menuEntries(isDriver).map(({ title }) => title);
  assert.deepEqual(titles(false), ['Drive', 'Fleet', 'Map', 'Shop']);
  assert.equal(titles(true).length, 8);
});

test.run();
