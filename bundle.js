// Joins the compiled program and its packages into a few files, so that a start reads twenty of them instead of 750:
//
//   node bundle.js [dist]
//
// Each of PROGRAMS gets a bundle in <dist>/src/bundle/, and <dist>/src/<name>.js then only loads that. The modules that
// tsc made stay beside it: tests import them, other programs run from them, and the pages' scripts are linked from them.
// The bundle lies as deep as a room, so that `new URL('../room/file.js', import.meta.url)` means the same in both. A
// package that is loaded with `import()` has its `default` in both, and no names in the bundle.
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

/** Somebody waits for their start: the gateway with its second thread, and what lets go of the motors after a crash. */
const PROGRAMS = ['main', 'writer', 'motors-off'];

/** What stays in node_modules: packages that look for their compiled parts beside themselves, */
const NATIVE = ['better-sqlite3', '@serialport/bindings-cpp', 'unix-dgram', 'onoff'];
/** and what a start does without: for those who have it, for the time after it, for character sets that nobody sends. */
const LATER = ['node-libcamera', 'stripe', 'bonjour-service', 'iconv-lite'];

const root = import.meta.dirname;
const code = resolve(process.argv[2] ?? 'dist', 'src');

const outdir = join(code, 'bundle');
rmSync(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: PROGRAMS.map((name) => `src/${name}.ts`),
  outdir,
  bundle: true,
  // What is loaded when it is needed stays a file of its own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: [...NATIVE, ...LATER],
  sourcemap: true,
  sourcesContent: false,
  // Packages that are no ES modules ask for Node's own with `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
});
for (const name of PROGRAMS)
  writeFileSync(join(code, `${name}.js`), `// Made by bundle.js.\nimport './bundle/${name}.js';\n`);
