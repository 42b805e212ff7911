// Bundles the compiled program and its packages, so that startup reads 20 files instead of 750.
// Usage: node scripts/bundle.js [dist]
// Creates a bundle in <dist>/src/bundle/ for each program in PROGRAMS, and replaces <dist>/src/<name>.js with
// a loader for the bundle. The modules compiled by tsc remain, because tests and other programs import them.
// In the bundle, a package loaded with `import()` always has a `default` export, but no named exports.
// Page scripts are bundled in <dist>/src/browser/, one for each language, so that a page loads its code in one
// request.
// Does nothing if the inputs are unchanged; their hash is stored in <dist>/bundle.sha256.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { browserFiles } from './browser-files.js';
import { copyDetector } from './detector-files.js';

/**
 * Programs that must start quickly: the gateway with its writer thread, and the program that disables the
 * motors after a crash.
 */
const PROGRAMS = ['main', 'app/writer-worker', 'cli/motors-off'];

/** Packages that are not bundled, because they load addons from their own folder. */
const NATIVE = ['better-sqlite3', '@serialport/bindings-cpp', 'unix-dgram', 'onoff'];
/**
 * Packages that are not bundled, because startup does not need them (optional hardware and services, mDNS,
 * mail, rare character sets).
 */
const LATER = ['node-libcamera', 'stripe', 'bonjour-service', 'iconv-lite', 'nodemailer'];

const root = dirname(import.meta.dirname);
const dist = resolve(process.argv[2] ?? 'dist');
const code = join(dist, 'src');
copyDetector(code);
const stamp = join(dist, 'bundle.sha256');
const inputs = hashOf([
  ...['scripts/bundle.js', 'scripts/browser-files.js', 'package-lock.json'],
  ...[...sourcesIn('src', '.ts'), ...sourcesIn('views', '.css'), 'views/assets/icons.svg'],
]);
const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
// A failed compiler run may have replaced the loaders with compiled files.
const isBundled = PROGRAMS.every((name) => textOf(join(code, `${name}.js`)) === loaderOf(name));
if (textOf(stamp) === inputs && isBundled) process.exit();
rmSync(stamp, { force: true });

const { default: standaloneCode } = await import('ajv/dist/standalone/index.js');
const { build, transform } = await import('esbuild');
const load = (module) => import(pathToFileURL(join(code, module)));

function loaderOf(name) {
  const up = name.includes('/') ? '..' : '.';
  return `// Written by scripts/bundle.js.\nimport '${up}/bundle/${name}.js';\n`;
}

function sourcesIn(folder, extension) {
  const names = readdirSync(join(root, folder), { recursive: true }).filter((name) =>
    name.endsWith(extension),
  );
  return names.toSorted().map((name) => join(folder, name));
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

/**
 * Replaces the schema compiler with its generated functions, keyed by each schema's JSON text. The functions are
 * stored as strings and created when they are first called, because reading 600 kB of code takes V8 12 ms longer.
 */
async function schemaModule() {
  // Importing these modules compiles their schemas.
  await Promise.all(['app/config.js', 'app/gateway.js', 'app/modules.js'].map(load));
  const { compiledSchemas, schemaCompiler } = await load('shared/validation/compile-schema.js');
  const sources = {};
  const runtime = new Set();
  for (const [mode, texts] of Object.entries(compiledSchemas)) {
    sources[mode] = {};
    for (const text of texts) {
      const ajv = schemaCompiler(mode, { code: { source: true } });
      const source = standaloneCode(ajv, ajv.compile(JSON.parse(text)));
      const { code } = await transform(source, { minify: true });
      sources[mode][text] = code;
      for (const [, name] of code.matchAll(/\brequire\("([^"]+)"\)/g)) runtime.add(name);
    }
  }
  const required = [...runtime].map((name) => `'${name}': require('${name}')`);
  return `const sources = ${JSON.stringify(sources)};
    const runtime = { ${required} };
    function created(source) {
      const module = { exports: {} };
      new Function('module', 'exports', 'require', source)(module, module.exports, (name) => runtime[name]);
      return module.exports;
    }
    export function compileSchema(schema, mode) {
      const text = JSON.stringify(schema);
      const source = sources[mode][text];
      if (source === undefined) throw new Error('bundle.js did not find this schema: ' + text);
      let check;
      return function validate(value) {
        check ??= created(source);
        const isValid = check(value);
        validate.errors = check.errors;
        return isValid;
      };
    }`;
}

const schemaContents = await schemaModule();
const precompiledSchemas = {
  name: 'precompiled schemas',
  setup({ onLoad }) {
    onLoad({ filter: /\/validation\/compile-schema\.ts$/ }, () => ({
      contents: schemaContents,
      resolveDir: root,
    }));
  },
};

/**
 * Escapes the characters outside Latin-1 as `\u…`: V8 stores source code with two bytes per character if any
 * character is outside Latin-1, and esbuild does not escape such characters in regular expressions.
 */
const latin1Source = {
  name: 'latin1 source',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        /[^\0-\xff]/g,
        (wide) => `\\u${wide.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
      loader: 'ts',
    }));
  },
};

/**
 * Replaces imported JSON with strings, because V8 parses a JSON string twice as fast as the same object in source
 * code.
 */
const jsonStrings = {
  name: 'JSON strings',
  setup({ onLoad }) {
    onLoad({ filter: /\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `module.exports = JSON.parse(${JSON.stringify(text)});` };
    });
  },
};

/** Node searches the source of an imported CommonJS package for its exports; it does not search required packages. */
const requiredPackages = {
  name: 'required packages',
  setup({ onResolve, onLoad }) {
    const filter = new RegExp(`^(${NATIVE.join('|')})$`);
    onResolve({ filter }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'required' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

for (const folder of ['browser', 'bundle']) rmSync(join(code, folder), { recursive: true, force: true });
for (const options of browserFiles(await load('http/server/assets.js'), code))
  await build({ ...options, minify: true });
// Each program is built separately, because shared code would be split into small files that each take 2 ms to load.
for (const name of PROGRAMS)
  await build({
    absWorkingDir: root,
    entryPoints: { [name]: `src/${name}.ts` },
    outdir: join(code, 'bundle'),
    bundle: true,
    format: 'esm',
    // Keeps modules that are loaded on demand in separate files.
    splitting: true,
    platform: 'node',
    target: 'node20.19',
    external: [...NATIVE, ...LATER],
    plugins: [precompiledSchemas, latin1Source, jsonStrings, requiredPackages],
    sourcemap: true,
    sourcesContent: false,
    // V8 keeps the source code in memory, so whitespace is removed.
    minifyWhitespace: true,
    // CommonJS packages load Node's built-in modules with `require`.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  });
for (const name of PROGRAMS) writeFileSync(join(code, `${name}.js`), loaderOf(name));
writeFileSync(stamp, inputs);
