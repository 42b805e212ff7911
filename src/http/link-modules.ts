import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const IMPORT = /^import (?:\{([^}]*)\} from )?'(\.[^']+)';\n/gm;
const EXPORT = /^export (?=(?:async )?(?:function|const|let|class) (\w+))/gm;

/**
 * Joins a compiled page module and everything that it imports into one script, so that a page costs one request for
 * its code instead of one for every file. It understands what our own compiler writes and nothing more: named imports
 * of relative paths and exported declarations. Anything else, and a cycle of imports, throws at start.
 * @param entry path of the compiled module.
 * @returns the text of one ES module without imports or exports.
 */
export function linkModules(entry: string): string {
  const order: string[] = [];
  const texts = new Map<string, string>();
  const open = new Set<string>();
  const nameOf = (file: string): string => `m${order.indexOf(file)}`;

  const visit = (file: string): void => {
    if (texts.has(file)) return;
    if (open.has(file)) throw new Error(`page modules import each other in a circle: ${file}`);
    open.add(file);
    const source = readFileSync(file, 'utf8');
    for (const [, , path = ''] of source.matchAll(IMPORT)) visit(resolve(dirname(file), path));
    texts.set(file, wrap(file, source, nameOf));
    order.push(file);
  };
  visit(resolve(entry));
  return order.map((file) => `const ${nameOf(file)} = ${texts.get(file) ?? ''};\n`).join('');
}

function wrap(file: string, source: string, nameOf: (file: string) => string): string {
  const exported: string[] = [];
  const body = source
    .replace(IMPORT, (_all, names: string | undefined, path: string) => {
      if (!names) return '';
      return `const {${names.replace(/ as /g, ': ')}} = ${nameOf(resolve(dirname(file), path))};\n`;
    })
    .replace(EXPORT, (_all, name: string) => {
      exported.push(name);
      return '';
    })
    .replace(/^export \{\s*\};\n?/gm, '')
    .replace(/^\/\/# sourceMappingURL=.*\n?/gm, '');
  const left = /^(?:import|export)\b.*/m.exec(body);
  if (left) throw new Error(`cannot link this line of ${file}: ${left[0]}`);
  return `(() => {\n${body}return { ${exported.join(', ')} };\n})()`;
}
