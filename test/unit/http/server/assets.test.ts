import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import express from 'express';
import { test } from 'uvu';
import { errorHandler } from '../../../../src/http/errors.js';
import { assetsRouter, loadAssets, STYLESHEETS } from '../../../../src/http/server/assets.js';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { handlersOf } from '../../../helpers/handlers-of.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

const assets = loadAssets();
const app = express()
  .use(handlersOf(assetsRouter(assets)))
  .use(errorHandler(new RecordingLog(), () => ''));
const server = createServer(app);
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

test('prefers brotli to gzip, and does not compress when the client accepts neither', async () => {
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

test('a range request resumes only the encoding whose ETag it contains', async () => {
  const tags = new Set<string>();
  for (const encoding of ['br', 'gzip', 'identity']) {
    const whole = await get('/assets/app.css', { 'accept-encoding': encoding });
    const etag = whole.headers.get('etag') ?? '';
    tags.add(etag);
    const ranged = { range: 'bytes=10-', 'if-range': etag };
    const own = await get('/assets/app.css', { 'accept-encoding': encoding, ...ranged });
    assert.equal(own.status, 206);
    assert.equal(own.headers.get('content-encoding'), encoding === 'identity' ? null : encoding);
    const length = Number(whole.headers.get('content-length'));
    assert.equal(own.headers.get('content-range'), `bytes 10-${length - 1}/${length}`);
    await own.body?.cancel();
    const other = encoding === 'br' ? 'gzip' : 'br';
    assert.equal((await get('/assets/app.css', { 'accept-encoding': other, ...ranged })).status, 200);
  }
  assert.equal(tags.size, 3);
});

test("rejects failed preconditions and ranges beyond the end, and omits the asset's headers", async () => {
  for (const name of ['app.css', 'js/drive.js', 'favicon.svg', 'icon-192.png']) {
    for (const [header, value, status] of [
      ['if-match', '"x"', 412],
      ['range', 'bytes=99999999-', 416],
    ] as const) {
      const response = await get(`/assets/${name}`, { [header]: value, 'accept-encoding': 'br' });
      assert.equal(response.status, status, name);
      assert.equal(response.headers.get('content-encoding'), null);
      const { code } = (await response.json()) as { code: string };
      assert.equal(code, status === 412 ? 'PRECONDITION_FAILED' : 'RANGE_NOT_SATISFIABLE');
      const contentRange = response.headers.get('content-range') ?? '';
      assert.equal(/^bytes \*\/\d+$/.test(contentRange), status === 416);
    }
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

test('no stylesheet contains @charset, which would make Chromium parse it again for each page', () => {
  for (const name of Object.keys(STYLESHEETS))
    assert.doesNotMatch(assets.find(`${name}.css`)?.body.toString() ?? '@charset', /@charset/, name);
});

test('icons.css specifies the row of each icon in icons.svg', () => {
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
