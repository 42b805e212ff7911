// Joins the compiled program and its packages into a few files, so that a start reads twenty of them instead of 750:
//
//   node bundle.js [dist]
//
// Each of PROGRAMS gets a bundle in <dist>/src/bundle/, and <dist>/src/<name>.js then only loads that. The modules that
// tsc made stay beside it: tests import them, and other programs run from them.
// A package that is loaded with `import()` has its `default` in both, and no names in the bundle.
//
// The scripts of the pages are joined as well, in <dist>/src/scripts/, so that a page costs one request for its code.
//
// Nothing is done while the inputs are those of the last run, whose hash is in <dist>/bundle.sha256.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Somebody waits for their start: the gateway with its second thread, and what lets go of the motors after a crash. */
const PROGRAMS = ['main', 'gateway/writer', 'cli/motors-off'];

/** What stays in node_modules: packages that look for their compiled parts beside themselves, */
const NATIVE = ['better-sqlite3', '@serialport/bindings-cpp', 'unix-dgram', 'onoff'];
/** and what a start does without: for those who have it, for the time after it, for character sets that nobody sends. */
const LATER = ['node-libcamera', 'stripe', 'bonjour-service', 'iconv-lite'];

const root = import.meta.dirname;
const dist = resolve(process.argv[2] ?? 'dist');
const code = join(dist, 'src');
const stamp = join(dist, 'bundle.sha256');
const inputs = hashOf(['bundle.js', 'package-lock.json', ...sourcesIn('src')]);
const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
// A compiler run that failed leaves its own output in the place of a loader.
const isBundled = PROGRAMS.every((name) => textOf(join(code, `${name}.js`)) === loaderOf(name));
if (textOf(stamp) === inputs && isBundled) process.exit();
rmSync(stamp, { force: true });

const { default: standaloneCode } = await import('ajv/dist/standalone/index.js');
const { build, transform } = await import('esbuild');
const load = (module) => import(pathToFileURL(join(code, module)));

/** What stands in the place of a compiled program. */
function loaderOf(name) {
  const up = name.includes('/') ? '..' : '.';
  return `// Made by bundle.js.\nimport '${up}/bundle/${name}.js';\n`;
}

function sourcesIn(folder) {
  const names = readdirSync(join(root, folder), { recursive: true }).filter((name) => name.endsWith('.ts'));
  return names.toSorted().map((name) => join(folder, name));
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

/** In the place of the compiler of schemas stand the functions that it makes; each is found by the text of its schema. */
const schemasAhead = {
  name: 'schemas ahead',
  setup({ onLoad }) {
    onLoad({ filter: /\/validation\/compile-schema\.ts$/ }, async () => {
      // Whoever needs a schema compiles it when he is loaded.
      await Promise.all(['gateway/config.js', 'gateway/gateway.js', 'gateway/build-gateway.js'].map(load));
      const { compiledSchemas, schemaCompiler } = await load('shared/validation/compile-schema.js');
      const tables = Object.entries(compiledSchemas).map(([manner, texts]) => {
        const ajv = schemaCompiler(manner, { code: { source: true } });
        const named = [...texts].map((text, index) => [`check${index}`, text]);
        for (const [name, text] of named) ajv.addSchema(JSON.parse(text), name);
        const functions = standaloneCode(ajv, Object.fromEntries(named.map(([name]) => [name, name])));
        const byText = named.map(([name, text]) => `${JSON.stringify(text)}: exports.${name}`);
        return `${manner}: (() => { const exports = {}; ${functions}; return { ${byText} }; })()`;
      });
      const contents = `const compiled = { ${tables} };
        export function compileSchema(schema, manner) {
          const text = JSON.stringify(schema);
          if (!(text in compiled[manner])) throw new Error('bundle.js did not find this schema: ' + text);
          return compiled[manner][text];
        }`;
      return { contents: (await transform(contents, { minify: true })).code, resolveDir: root };
    });
  },
};

/**
 * One character beyond Latin-1 makes V8 keep the whole text with two bytes for each. esbuild writes them as `\u…`, but for
 * those in regular expressions and tagged templates, where it means the same as well.
 */
const narrowText = {
  name: 'narrow text',
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

/** Joins what each of these files of src/ imports with it, into a folder that is made anew. */
function joinInto(folder, modules, options) {
  const outdir = join(code, folder);
  rmSync(outdir, { recursive: true, force: true });
  const entryPoints = Object.fromEntries(
    Object.entries(modules).map(([name, path]) => [name, `src/${path}.ts`]),
  );
  return build({ absWorkingDir: root, entryPoints, outdir, bundle: true, format: 'esm', ...options });
}

const { PAGE_SCRIPTS } = await load('web/server/assets.js');
await joinInto('scripts', PAGE_SCRIPTS, { platform: 'browser', target: 'es2022', minify: true });
await joinInto('bundle', Object.fromEntries(PROGRAMS.map((name) => [name, name])), {
  // What is loaded when it is needed stays a file of its own.
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  external: [...NATIVE, ...LATER],
  plugins: [schemasAhead, narrowText],
  sourcemap: true,
  sourcesContent: false,
  // The text of a program stays in memory for as long as it runs.
  minifyWhitespace: true,
  // Packages that are no ES modules ask for Node's own with `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
});
for (const name of PROGRAMS) writeFileSync(join(code, `${name}.js`), loaderOf(name));
writeFileSync(stamp, inputs);
