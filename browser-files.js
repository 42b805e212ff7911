import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The Dutch texts are two thirds of a page script, and English pages do not need them. */
const withoutDutch = {
  name: 'without Dutch',
  setup({ onLoad }) {
    onLoad({ filter: /\/i18n\/nl\/.*\.ts$/ }, ({ path }) => {
      const names = [...readFileSync(path, 'utf8').matchAll(/^export const (\w+)/gm)];
      return { contents: names.map(([, name]) => `export const ${name} = {};`).join(''), loader: 'js' };
    });
  },
};

/**
 * Returns the esbuild options that bundle the stylesheets and the page scripts: English scripts into
 * `<code>/browser/`, Dutch scripts into `<code>/browser/nl/`. `assets` is the compiled module
 * `web/server/assets.js`.
 */
export function browserFiles({ PAGE_SCRIPTS, STYLESHEETS }, code) {
  const scripts = Object.entries(PAGE_SCRIPTS).map(([name, path]) => ({ in: `src/${path}.ts`, out: name }));
  const styles = Object.entries(STYLESHEETS).map(([name, path]) => ({ in: `views/${path}.css`, out: name }));
  const options = {
    absWorkingDir: import.meta.dirname,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    // Images of map controls and markers, which no page uses.
    external: ['*.png', '#default*'],
    loader: { '.svg': 'dataurl' },
  };
  const outdir = join(code, 'browser');
  return [
    { ...options, entryPoints: [...scripts, ...styles], outdir, plugins: [withoutDutch] },
    { ...options, entryPoints: scripts, outdir: join(outdir, 'nl') },
  ];
}
