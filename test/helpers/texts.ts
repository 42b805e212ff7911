import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textsOf } from '../../src/i18n/template.js';
import { packageRoot } from '../../src/shared/package-root.js';
import { TEMPLATES } from './templates.js';

const SOURCES = join(packageRoot(), 'src');
/** Matches the start of a translatable string: t`…` or t('…'). */
const TEXT_START = /\bt(?:`|\('((?:[^'\\]|\\.)*)'\))/g;

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

/** Returns every string in the code that `i18n/<vocabulary>` translates. */
export function codeTexts(vocabulary: 'shared-text' | 'page-text'): SourceText[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return files.flatMap((file) => {
    const source = readFileSync(join(SOURCES, file), 'utf8');
    const isOurs = new RegExp(
      `import \\{[^}]*\\bt\\b[^}]*\\} from '[./]*/(?:i18n/)?${vocabulary}\\.js'`,
    ).test(source);
    return isOurs ? textsIn(source).map((text) => ({ text, file: `src/${file}` })) : [];
  });
}

/** Returns the keys of a source file's strings as `translator` builds them, with `{0}` for the first value. */
export function textsIn(source: string): string[] {
  return [...source.matchAll(TEXT_START)].map((found) => {
    const [, quoted] = found;
    return quoted?.replaceAll("\\'", "'") ?? templateKey(source, found.index + 2);
  });
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
