// Watch mode, started by `npm run dev`. Compiles into dist-dev/ and restarts the gateway when a file in src/,
// views/ or config/ is saved. esbuild compiles only the saved file; tsc reports type errors in parallel.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, context } from 'esbuild';
import { browserFiles } from './browser-files.js';
import { copyDetector } from './detector-files.js';

const root = dirname(import.meta.dirname);
const out = join(root, 'dist-dev', 'src');
/** The delay is necessary because editors save a file in several steps. */
const SETTLE_MS = 30;
const MODULES = {
  absWorkingDir: root,
  outdir: out,
  outbase: 'src',
  format: 'esm',
  platform: 'node',
  sourcemap: true,
};

const print = (text) => process.stdout.write(`dev: ${text}\n`);
const secondsSince = (startMs) => `${((performance.now() - startMs) / 1000).toFixed(2)} s`;

function sources() {
  const names = readdirSync(join(root, 'src'), { recursive: true });
  return names.filter((name) => name.endsWith('.ts')).map((name) => join('src', name));
}

rmSync(out, { recursive: true, force: true });
await build({ ...MODULES, entryPoints: sources() });
copyDetector(out);
const assets = await import(pathToFileURL(join(out, 'http/server/assets.js')));
const pages = await Promise.all(browserFiles(assets, out).map((options) => context(options)));
const rebuildPages = () => Promise.all(pages.map((page) => page.rebuild()));
await rebuildPages();

let gateway;

/**
 * If a gateway is running, terminates it and waits until it has stopped its cart and exited; then starts a
 * new gateway.
 */
async function restart() {
  if (gateway && gateway.exitCode === null && gateway.signalCode === null) {
    gateway.kill('SIGTERM');
    await once(gateway, 'exit');
  }
  const env = { ...process.env, NODE_ENV: 'development' };
  gateway = spawn(process.execPath, ['--enable-source-maps', join(out, 'main.js')], {
    stdio: 'inherit',
    env,
  });
}

const saved = new Set();
let isBusy = false;

/** Compiles the saved files and restarts the gateway; repeats if files were saved in the meantime. */
async function update() {
  if (isBusy) return;
  isBusy = true;
  while (saved.size > 0) {
    const startMs = performance.now();
    const paths = [...saved];
    saved.clear();
    try {
      const modules = paths.filter((path) => path.endsWith('.ts') && existsSync(join(root, path)));
      await Promise.all([build({ ...MODULES, entryPoints: modules }), rebuildPages()]);
      await restart();
      print(`restarted ${secondsSince(startMs)} after a change to ${paths.join(', ')}`);
    } catch {
      print('not restarted because of the errors above');
    }
  }
  isBusy = false;
}

for (const folder of ['src', 'views', 'config']) {
  watch(join(root, folder), { recursive: true }, (_event, name) => {
    saved.add(join(folder, name));
    setTimeout(update, SETTLE_MS);
  });
}

const types = ['tsconfig.json', 'test/tsconfig.json', 'tsconfig.pages.json'].map((project) =>
  spawn('npx', ['tsc', '--project', project, '--noEmit', '--watch', '--preserveWatchOutput'], {
    // npx starts more processes, so it runs in its own process group, which receives the signals.
    ...{ cwd: root, stdio: ['ignore', 'inherit', 'inherit'], detached: true },
  }),
);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    for (const { pid } of types) process.kill(-pid, 'SIGTERM');
    gateway?.kill('SIGTERM');
    if (gateway?.exitCode === null) await once(gateway, 'exit');
    process.exit();
  });
}
await restart();
