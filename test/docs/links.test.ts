import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../../src/shared/package-root.js';

const test = suite('links in the documents');

const root = packageRoot();
const under = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
const documents = [...readdirSync(root), ...under('docs')].filter((name) => name.endsWith('.md'));

/** Returns a file's Markdown without code blocks, because their lines could look like headings or links. */
const proseOf = (path: string): string =>
  readFileSync(join(root, path), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');

function anchorsOf(path: string): Set<string> {
  const headings = [...proseOf(path).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => text);
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function linksOf(path: string): string[] {
  const found = proseOf(path).matchAll(/(?:\]\(|src="|srcset=")([^)"\s]+)[)"]/g);
  return [...found].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));
}

function isValid(from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? from : relative(root, resolve(root, dirname(from), file));
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || statSync(join(root, target)).isDirectory() || anchorsOf(target).has(anchor);
}

test('every link points to an existing file and heading', () => {
  assert.ok(documents.length > 20);
  const broken = documents.flatMap((path) =>
    linksOf(path)
      .filter((link) => !isValid(path, link))
      .map((link) => `${path}: ${link}`),
  );
  assert.deepEqual(broken, []);
});

test('every document in docs/ can be reached from the README', () => {
  const reached = new Set<string>(['README.md']);
  for (const path of reached) {
    const targets = linksOf(path).map((link) =>
      relative(root, resolve(root, dirname(path), link.split('#')[0] ?? '')),
    );
    for (const target of targets) if (documents.includes(target)) reached.add(target);
  }
  const folders = new Set(['docs/decisions']);
  const lost = documents.filter(
    (path) => path.startsWith('docs/') && !reached.has(path) && !folders.has(dirname(path)),
  );
  assert.deepEqual(lost, []);
});

test.run();
