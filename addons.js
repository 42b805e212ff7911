import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Compiles those packages in `allowScripts` in package.json that do not have an addon yet. `ignore-scripts`
 * in .npmrc disables the scripts of all other packages, and the scripts of all packages during `npm ci`. `npm
 * run build` runs this program.
 */
const root = dirname(fileURLToPath(import.meta.url));
const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const namesIn = (folder) => (existsSync(folder) ? readdirSync(folder) : []);

/**
 * Returns true if a package is installed but has neither a compiled addon nor a prebuilt one for this
 * platform.
 */
function isMissing(name) {
  const folder = join(root, 'node_modules', name);
  const compiled = namesIn(join(folder, 'build/Release')).some((file) => file.endsWith('.node'));
  return (
    existsSync(folder) &&
    !compiled &&
    !existsSync(join(folder, `prebuilds/${process.platform}-${process.arch}`))
  );
}

const missing = Object.keys(allowScripts).filter((name) => allowScripts[name] && isMissing(name));
if (missing.length > 0) {
  process.stderr.write(`Compiling ${missing.join(', ')} ...\n`);
  const { status } = spawnSync('npm', ['rebuild', '--ignore-scripts=false', ...missing], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const failed = missing.filter(isMissing);
  if (status !== 0 || failed.length > 0) {
    process.stderr.write(`Not compiled: ${failed.join(', ')}. Install g++, make and python3.\n`);
    process.exit(1);
  }
}
