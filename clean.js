import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Deletes compiled files in dist/ that no longer have a source file; otherwise a renamed test would run
 * twice. Run by `npm run build`.
 */
const root = import.meta.dirname;
const OUTPUT = /\.js(\.map)?$/;
/** These files are written by bundle.js. */
const BUNDLES = /^src\/(bundle|browser)\//;

for (const folder of ['src', 'test', 'bench']) {
  const compiled = join(root, 'dist', folder);
  if (!existsSync(compiled)) continue;
  for (const name of readdirSync(compiled, { recursive: true })) {
    const path = join(folder, name);
    if (!OUTPUT.test(path) || BUNDLES.test(path)) continue;
    if (!existsSync(join(root, path.replace(OUTPUT, '.ts')))) rmSync(join(root, 'dist', path));
  }
}
