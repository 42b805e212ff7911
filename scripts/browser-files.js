import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Leaves the Dutch texts out of the English page scripts, because they are two thirds of a script. */
const withoutDutch = {
  name: 'without Dutch',
  setup({ onLoad }) {
    onLoad({ filter: /\/locales\/nl\/.*\.ts$/ }, ({ path }) => {
      const names = [...readFileSync(path, 'utf8').matchAll(/^export const (\w+)/gm)];
      return { contents: names.map(([, name]) => `export const ${name} = {};`).join(''), loader: 'js' };
    });
  },
};

/** Components of Pico CSS that no page has: tooltips and drop-down lists, 4 % of the stylesheet. */
const UNUSED = /\[data-tooltip|details\.dropdown/;

/**
 * Removes unused rules from Pico CSS, and `@charset` from all stylesheets: Chromium parses a stylesheet that contains it
 * again for each page instead of reusing the result. The response's content type specifies the encoding.
 */
const smallerStyles = {
  name: 'smaller styles',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, ({ path }) => {
      const css = readFileSync(path, 'utf8').replace(/^@charset "UTF-8";/i, '');
      const contents = path.endsWith('/pico.min.css')
        ? css.replace(/([^{}]+)\{[^{}]*\}/g, withoutUnused)
        : css;
      return { contents, loader: 'css' };
    });
  },
};

/** Keeps a rule if it also applies to other elements. */
function withoutUnused(rule, selectors) {
  return selectors.split(',').every((selector) => UNUSED.test(selector)) ? '' : rule;
}

/**
 * Returns the esbuild options that bundle the stylesheets and the page scripts: English scripts into
 * `<code>/browser/`, Dutch scripts into `<code>/browser/nl/`. `assets` is the compiled module
 * `http/server/assets.js`.
 */
export function browserFiles({ PAGE_SCRIPTS, STYLESHEETS }, code) {
  const scripts = Object.entries(PAGE_SCRIPTS).map(([name, path]) => ({ in: `src/${path}.ts`, out: name }));
  const styles = Object.entries(STYLESHEETS).map(([name, path]) => ({ in: `views/${path}.css`, out: name }));
  const options = {
    absWorkingDir: dirname(import.meta.dirname),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    // Leaflet's stylesheet refers to images that no page uses.
    external: ['*.png', '#default*'],
    loader: { '.svg': 'dataurl' },
  };
  const outdir = join(code, 'browser');
  return [
    { ...options, entryPoints: [...scripts, ...styles], outdir, plugins: [withoutDutch, smallerStyles] },
    { ...options, entryPoints: scripts, outdir: join(outdir, 'nl') },
  ];
}
