import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of this package: where `package.json`, `views/` and `node_modules/` are. Found by walking up from this
 * file, so that it is the same from the sources, from `dist/` and from any other output folder.
 */
export function packageRoot(from: string = fileURLToPath(import.meta.url)): string {
  let folder = dirname(from);
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`no package.json above ${from}`);
    folder = parent;
  }
  return folder;
}

/**
 * The URL of a compiled module, by its path below `src/` (`gateway/writer.js`): the same from the module itself and from
 * the bundle that it is joined into.
 */
export function moduleUrl(path: string): URL {
  const { url } = import.meta;
  return new URL(path, url.slice(0, url.lastIndexOf('/src/') + '/src/'.length));
}
