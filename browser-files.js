import { join } from 'node:path';

/**
 * Returns the esbuild options that bundle the page scripts and stylesheets into `<code>/browser/`.
 * `assets` is the compiled module `web/server/assets.js`.
 */
export function browserFiles({ PAGE_SCRIPTS, STYLESHEETS }, code) {
  const scripts = Object.entries(PAGE_SCRIPTS).map(([name, path]) => ({ in: `src/${path}.ts`, out: name }));
  const styles = Object.entries(STYLESHEETS).map(([name, path]) => ({ in: `views/${path}.css`, out: name }));
  return {
    absWorkingDir: import.meta.dirname,
    entryPoints: [...scripts, ...styles],
    outdir: join(code, 'browser'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    // Images of map controls and markers, which no page uses.
    external: ['*.png', '#default*'],
  };
}
