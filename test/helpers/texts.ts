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
  return [...source.matchAll(TEXT)].map(([, single, double = '']) =>
    (single ?? double).replace(/\\(.)/g, '$1'),
  );
}
