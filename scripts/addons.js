import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Compiles missing addons of the packages that `allowScripts` in package.json lists. `ignore-scripts` in
 * .npmrc disables all other package scripts and, during `npm ci`, every package script. `npm run build` runs
 * this program.
 */
const root = dirname(import.meta.dirname);
const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const namesIn = (folder) => (existsSync(folder) ? readdirSync(folder) : []);

/** Returns true if an installed package has neither a compiled nor a prebuilt addon for this platform. */
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
