import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { SHOWN } from '../../bench/screenshots-scenes.js';
import { packageRoot } from '../../src/shared/package-root.js';

const test = suite('images in the documents');

const docs = join(packageRoot(), 'docs');
const images = readdirSync(join(docs, 'images')).toSorted();

test('docs/images contains exactly the images that the documents use', () => {
  const pages = readdirSync(docs).filter((name) => name.endsWith('.md'));
  const files = [join(packageRoot(), 'README.md'), ...pages.map((name) => join(docs, name))];
  const texts = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const shown = [...texts.matchAll(/images\/([\w-]+\.png)/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(shown)].toSorted(), images);
});

test('`npm run screenshots` creates every image', () => {
  assert.deepEqual(SHOWN.map(([name, width, scheme]) => `${name}-${width}-${scheme}.png`).toSorted(), images);
});

test.run();
