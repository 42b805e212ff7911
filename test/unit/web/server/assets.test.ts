import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import express from 'express';
import { test } from 'uvu';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { assetsRouter, loadAssets, STYLESHEETS } from '../../../../src/web/server/assets.js';

const assets = loadAssets();
const server = createServer(express().use('/assets', assetsRouter(assets)));
let base = '';

test.before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.after(() => void server.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(base + path, { headers });

test('serves URLs with a content hash as immutable, and requires revalidation for all other URLs', async () => {
  const hashed = await get(assets.urls.en.appCss ?? '');
  assert.equal(hashed.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.equal(hashed.headers.get('content-type'), 'text/css; charset=utf-8');
  const plain = await get('/assets/app.css?v=old');
  assert.equal(plain.headers.get('cache-control'), 'no-cache');
  const revalidated = await get('/assets/app.css', { 'if-none-match': plain.headers.get('etag') ?? '' });
  assert.equal(revalidated.status, 304);
});

test('prefers brotli to gzip, and compresses nothing when the client accepts neither', async () => {
  for (const [accepted, expected] of [
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const response = await get('/assets/app.css', { 'accept-encoding': accepted });
    assert.equal(response.headers.get('content-encoding'), expected);
    assert.ok((await response.text()).includes('Pico CSS'));
  }
});

for (const [language, script, limit] of [
  ['English', 'js/drive.js', 50_000],
  ['Dutch', 'js/nl/drive.js', 70_000],
] as const) {
  test(`the ${language} Drive page's styles and scripts are smaller than ${limit / 1000} kB`, async () => {
    let bytes = 0;
    for (const name of ['app.css', script, 'favicon.svg']) {
      const response = await get(`/assets/${name}`, { 'accept-encoding': 'br' });
      bytes += Number(response.headers.get('content-length'));
    }
    assert.ok(bytes < limit, `${bytes} bytes`);
  });
}

test('each language has its own scripts, and only the Dutch scripts contain Dutch texts', () => {
  assert.match(assets.urls.en.driveJs ?? '', /^\/assets\/js\/drive\.js\?v=/);
  assert.match(assets.urls.nl.driveJs ?? '', /^\/assets\/js\/nl\/drive\.js\?v=/);
  assert.equal(assets.urls.nl.appCss, assets.urls.en.appCss);
  const isDutch = (name: string): boolean => assets.find(name)?.body.includes('noodstop') ?? false;
  assert.deepEqual([isDutch('js/drive.js'), isDutch('js/nl/drive.js')], [false, true]);
});

test('every stylesheet in views/ is bundled', () => {
  const views = join(packageRoot(), 'views');
  const bundled = new Set<string>();
  const add = (path: string): void => {
    bundled.add(path);
    for (const [, imported = ''] of readFileSync(join(views, path), 'utf8').matchAll(/@import "(\.[^"]+)"/g))
      add(join(dirname(path), imported));
  };
  for (const path of Object.values(STYLESHEETS)) add(`${path}.css`);
  const paths = readdirSync(views, { recursive: true, encoding: 'utf8' });
  assert.deepEqual(paths.filter((path) => path.endsWith('.css')).toSorted(), [...bundled].toSorted());
});

test('no stylesheet contains @charset, with which Chromium would parse it again for each page', () => {
  for (const name of Object.keys(STYLESHEETS))
    assert.doesNotMatch(assets.find(`${name}.css`)?.body.toString() ?? '@charset', /@charset/, name);
});

test('icons.css numbers the rows of icons.svg', () => {
  const read = (name: string): string => readFileSync(join(packageRoot(), 'views/assets', name), 'utf8');
  const [svg, css] = [read('icons.svg'), read('icons.css')];
  const rows = [...svg.matchAll(/<g id="([\w-]+)"(?: transform="translate\(0 (\d+)\)")?>/g)];
  assert.deepEqual(
    rows.map(([, name, y = '0']) => [name, Number(y) / 24]),
    [...css.matchAll(/--icon-([\w-]+): (\d+);/g)].map(([, name, row]) => [name, Number(row)]),
  );
  assert.ok(svg.includes(`viewBox="0 0 24 ${24 * rows.length}"`));
  assert.ok(css.includes(`calc(var(--icon) / ${rows.length - 1} * 100%) / 100% ${100 * rows.length}%`));
});

test('passes unknown names and paths outside the assets folder to the next handler', async () => {
  for (const path of ['/assets/nothing.js', '/assets/..%2f..%2fpackage.json', '/assets/js/live.js']) {
    assert.equal((await get(path)).status, 404);
  }
});

test('serves each page script as one bundle without imports', () => {
  for (const entry of ['drive', 'layout', 'settings']) {
    const text = assets.find(`js/${entry}.js`)?.body.toString() ?? '';
    assert.doesNotMatch(text, /^(?:import|export)\b/m);
    assert.ok(text.includes('/events'));
  }
});

test.run();
