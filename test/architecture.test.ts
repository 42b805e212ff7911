import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'uvu';
import { packageRoot } from '../src/shared/package-root.js';

/**
 * The folders of `src` in their order, as described in docs/architecture.md: a folder imports only folders before
 * it. `i18n` and `locales`, which contain texts for all folders, import other folders only for types.
 */
const ORDER: readonly string[] = [
  'shared',
  'adapters',
  'store',
  'http',
  'access',
  'carts',
  'camera',
  'plan',
  'navigation',
  'beacons',
  'site',
  'shop',
  'alarms',
  'settings',
  'backups',
  'updates',
  'system',
  'simulator',
  'console',
  'app',
  'cli',
];

/** Other folders import these only through their entry points. */
const MODULES = [
  'access',
  'alarms',
  'backups',
  'beacons',
  'camera',
  'carts',
  'navigation',
  'plan',
  'settings',
  'shop',
  'site',
  'system',
  'updates',
];

/** `pure` contains code without Node's modules and packages, for page scripts, threads and the simulator. */
const DOORS = ['index', 'pure'];

/** Packages by the folder that imports them; a module's `http` folder is listed as `api`. */
const PACKAGES: Record<string, readonly string[]> = {
  shared: ['ajv'],
  store: ['better-sqlite3'],
  http: ['compression', 'express', 'mustache'],
  module: ['json-schema-to-ts', 'csv-parse', 'otpauth'],
  api: ['express', 'ws'],
  console: ['express', 'mustache', 'uqr', 'leaflet', 'uplot'],
  app: ['express', 'json-schema-to-ts'],
};

/** Vendor packages that each adapter is allowed to import, by folder or file. */
const VENDORS: Record<string, readonly string[]> = {
  'adapters/serialport': ['serialport', '@serialport'],
  'adapters/mqtt': ['mqtt', 'mqtt-packet'],
  'adapters/broker': ['aedes', 'mqemitter'],
  'adapters/payments': ['stripe'],
  'adapters/libcamera': ['node-libcamera'],
  'adapters/prometheus': ['prom-client'],
  'adapters/systemd': ['unix-dgram'],
  'adapters/mdns': ['bonjour-service'],
  'adapters/gpio': ['onoff'],
  'adapters/alarms': ['nodemailer'],
  'adapters/x509': ['@peculiar/asn1-schema', '@peculiar/asn1-x509'],
};

const root = join(packageRoot(), 'src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const isUnder = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

const rankOf = (folder: string): number => ORDER.indexOf(folder);

/** Returns the key of `PACKAGES` for a file. */
function kindOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  if (path === 'main') return 'app';
  if (!MODULES.includes(top)) return top;
  return second === 'http' ? 'api' : 'module';
}

interface Import {
  from: string;
  to: string;
  isPackage: boolean;
  isType?: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?[^'";]*?from\s*'([^']+)'/gm);
  const others = text.matchAll(/(?:import\(|^import)(\s*)'([^']+)'/gm);
  const from = file.replace(/\.ts$/, '');
  return [...statements, ...others].map(([, type = '', name = '']) => {
    const isType = type.trim() !== '';
    if (!name.startsWith('.')) return { from, to: name, isPackage: true, isType };
    const to = relative(root, resolve(join(root, dirname(file)), name)).replace(/\.js$/, '');
    return { from, to, isPackage: false, isType };
  });
}

function isAllowed({ from, to, isPackage, isType = false }: Import): boolean {
  if (isPackage) {
    const vendors = Object.entries(VENDORS).flatMap(([folder, names]) =>
      isUnder(from, folder) ? names : [],
    );
    const allowed = [...(PACKAGES[kindOf(from)] ?? []), ...vendors];
    return to.startsWith('node:') || allowed.some((name) => to === name || to.startsWith(`${name}/`));
  }
  const [importer = '', imported = ''] = [from, to].map((path) => path.split('/')[0] ?? '');
  // These two folders contain texts for all folders and check the texts against the types of their keys.
  if (isTexts(importer)) return isType || imported === 'shared' || isTexts(imported);
  if (isTexts(imported)) return true;
  // `index` also exports everything that `pure` exports.
  if (from === `${importer}/index` && to === `${importer}/pure`) return true;
  if (importer === imported) return !DOORS.some((door) => to === `${imported}/${door}`);
  if (MODULES.includes(imported) && !DOORS.some((door) => to === `${imported}/${door}`)) return false;
  // A module accesses adapters and the store only through ports. Only its API and its entry point use HTTP.
  if (MODULES.includes(importer) && ['adapters', 'store'].includes(imported)) return false;
  if (kindOf(from) === 'module' && imported === 'http') return isPort(to);
  return importer === 'main' || rankOf(importer) > rankOf(imported);
}

/** Declarations of `http` for the modules. */
const isPort = (path: string): boolean =>
  ['http/guard/authenticator', 'http/guard/private-address'].includes(path);

const isTexts = (folder: string): boolean => folder === 'i18n' || folder === 'locales';

test('every source file is in a folder of the declared import order', () => {
  const known = (file: string): boolean => {
    const [top = ''] = file.split('/');
    return file === 'main.ts' || isTexts(top) || rankOf(top) >= 0;
  };
  assert.deepEqual(
    files.filter((file) => !known(file)),
    [],
  );
});

test('a folder imports only from earlier folders, and from modules only through their entry points', () => {
  const forbidden = files.flatMap(importsOf).filter((found) => !isAllowed(found));
  assert.deepEqual(
    forbidden.map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

test('code exported by a pure entry point uses neither Node APIs nor packages', () => {
  const edges = new Map(files.map((file) => [file.replace(/\.ts$/, ''), importsOf(file)]));
  const reached = new Set(MODULES.map((module) => `${module}/pure`).filter((door) => edges.has(door)));
  const impure: string[] = [];
  for (const file of reached) {
    for (const { to, isPackage, isType } of edges.get(file) ?? []) {
      if (isType) continue;
      if (isPackage) impure.push(`${file} -> ${to}`);
      else reached.add(to);
    }
  }
  assert.ok(reached.size > 20);
  assert.deepEqual(impure, []);
});

test('the composition root imports only types from Express', () => {
  const routers = files.filter(
    (file) =>
      isUnder(file, 'app') &&
      /^import (?!type\b)[^;]*'express'/m.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(routers, []);
});

test('the modules contain no import cycles', () => {
  const edges = new Map<string, string[]>();
  for (const file of files) {
    const own = importsOf(file).filter(({ isPackage }) => !isPackage);
    edges.set(
      file.replace(/\.ts$/, ''),
      own.map(({ to }) => to),
    );
  }
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (done.has(file) || path.includes(file)) return;
    for (const next of edges.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of edges.keys()) walk(file, []);
  assert.deepEqual(cycles, []);
});

test('no module resolves paths relative to its own URL', () => {
  const named = files.filter((file) =>
    /new URL\([`'][^`']+[`'], import\.meta\.url\)/.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(named, []);
});

test('only the module that declares routes creates routers', () => {
  const creates = (text: string): boolean =>
    [...text.matchAll(/import (?!type )([^;]*?) from 'express'/g)].some(([, names = '']) =>
      /(?<!type )\bRouter\b/.test(names),
    ) || text.includes('express.Router');
  const creating = files.filter((file) => creates(readFileSync(join(root, file), 'utf8')));
  assert.deepEqual(creating, ['http/server/declared-router.ts']);
  assert.ok(creates("import express from 'express';\nexpress.Router()"));
  assert.ok(creates("import { type Request, Router } from 'express';"));
});

test('the import check detects a forbidden import', () => {
  const isFound = (from: string, to: string, isPackage = false): boolean =>
    !isAllowed({ from, to, isPackage });
  assert.ok(isFound('carts/control/cart', 'adapters/serialport/serialport'));
  assert.ok(isFound('carts/control/cart', 'http/errors'), 'HTTP in a topic');
  assert.ok(isFound('carts/control/cart', 'express', true), 'express in a topic');
  assert.ok(isFound('beacons/registry/beacons', 'carts/control/cart'), 'not through a door');
  assert.ok(isFound('carts/control/cart', 'beacons/index'), 'a later module');
  assert.ok(isFound('carts/http/fleet-routes', 'console/fleet/context'), 'the console');
  assert.ok(isFound('carts/control/cart', 'carts/index'), 'the own door');
  assert.ok(isFound('carts/pure', 'carts/index'), 'the other door');
  assert.ok(isFound('shared/json', 'carts/pure'));
  assert.ok(isFound('i18n/format', 'carts/pure'));
  assert.ok(!isFound('beacons/registry/beacons', 'carts/index'));
  assert.ok(!isFound('carts/control/cart', 'carts/control/motion'));
  assert.ok(!isFound('carts/http/command-routes', 'express', true));
});

test.run();
