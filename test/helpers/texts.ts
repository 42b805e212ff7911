import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textsOf } from '../../src/i18n/template.js';
import { packageRoot } from '../../src/shared/package-root.js';
import { TEMPLATES } from './templates.js';

const SOURCES = join(packageRoot(), 'src');
/** The first argument of a call of `t`. */
const TEXT = /\bt\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g;

export interface SourceText {
  text: string;
  file: string;
}

/** Returns every translatable string in the templates, except those of English-only pages. */
export function templateTexts(): SourceText[] {
  return [...TEMPLATES].flatMap(([name, template]) => {
    if (template.includes('<html lang="en">')) return [];
    return textsOf(template).map((text) => ({ text, file: `views/${name}.html` }));
  });
}

/** Returns every string in the code that is passed to `t`. */
export function codeTexts(): SourceText[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return files.flatMap((file) =>
    textsIn(readFileSync(join(SOURCES, file), 'utf8')).map((text) => ({ text, file: `src/${file}` })),
  );
}

export function textsIn(source: string): string[] {
  const calls = [...source.matchAll(TEXT)].map(([, single, double = '']) =>
    (single ?? double).replace(/\\(.)/g, '$1'),
  );
  const tags = [...source.matchAll(/\bt`/g)].map(({ index }) => templateKey(source, index + 2));
  return [...calls, ...tags];
}

function templateKey(source: string, start: number): string {
  let key = '';
  let values = 0;
  for (let at = start; source[at] !== '`'; at += 1) {
    if (source.startsWith('${', at)) {
      at = endOfValue(source, at + 2);
      key += `{${values}}`;
      values += 1;
    } else key += source[at];
  }
  return key;
}

function endOfValue(source: string, start: number): number {
  let depth = 1;
  let at = start - 1;
  while (depth > 0) {
    at += 1;
    if (source[at] === '{') depth += 1;
    if (source[at] === '}') depth -= 1;
  }
  return at;
}
