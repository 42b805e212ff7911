import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'uvu';
import { packageRoot } from '../src/shared/package-root.js';

/** The layers described in docs/architecture.md. Imports that are not listed are forbidden. */

const MODULES = [
  'access',
  'alarms',
  'beacons',
  'camera',
  'carts',
  'navigation',
  'settings',
  'shop',
  'system',
];

interface Layer {
  /** Layers and folders that this layer is allowed to import; `own` means other topics of the same module. */
  imports: readonly string[];
  packages?: readonly string[];
}

const LAYERS: Record<string, Layer> = {
  shared: { imports: [], packages: ['ajv'] },
  locales: { imports: ['*'] },
  i18n: { imports: ['locales', 'settings/schema/setting-text', 'shared'] },
  topics: { imports: ['shared', 'i18n'], packages: ['json-schema-to-ts', 'csv-parse', 'otpauth'] },
  api: {
    imports: ['own', 'http', 'console', 'shared', 'i18n'],
    packages: ['express', 'mustache', 'ws'],
  },
  http: {
    imports: ['shared', 'i18n'],
    packages: ['compression', 'express', 'mustache'],
  },
  console: { imports: ['*'], packages: ['express', 'mustache', 'uqr', 'leaflet', 'uplot'] },
  adapters: { imports: ['shared', 'i18n'] },
  store: { imports: ['shared', 'i18n'], packages: ['better-sqlite3'] },
  simulator: { imports: ['shared', 'i18n', 'carts/serial/codec', 'camera/streaming'] },
  app: { imports: ['*'], packages: ['express', 'json-schema-to-ts'] },
  cli: { imports: ['*'] },
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

/** Permitted imports across layers: from, to and reason. Do not add entries. */
const EXCEPTIONS: readonly (readonly [from: string, to: string, reason: string])[] = [
  // The settings schema is made up of sections that the modules define.
  ['settings/schema/schema', 'alarms/settings-schema', 'the section alarms'],
  ['settings/schema/schema', 'beacons/settings-schema', 'the section beacons'],
  ['settings/schema/schema', 'camera/capture/schema', 'the section camera'],
  ['settings/schema/schema', 'carts', 'the sections of carts'],
  ['settings/schema/schema', 'navigation/markers/settings-schema', 'the section navigation'],
  ['http/guard', 'access', 'sessions, API keys and roles'],
  ['carts/http', 'access/access', 'type: the drive socket outlives the check of its request'],
  ['carts/http', 'access/sessions/stop-tokens', 'type: a stream hands its page a stop token'],
  ['system/http', 'carts', 'health, safety and commissioning of the cart'],
];

const root = join(packageRoot(), 'src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const isUnder = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** Returns `api` or `topics` for a module's file, and the file's folder for any other file. */
function layerOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  if (path === 'main') return 'app';
  if (MODULES.includes(top)) return second === 'http' ? 'api' : 'topics';
  const nested = `${top}/${second}`;
  return nested in LAYERS ? nested : top;
}

interface Import {
  from: string;
  to: string;
  isPackage: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = [...text.matchAll(/(?:[\s}]from|import\(|^import)\s*'([^']+)'/gm)].map(
    (match) => match[1] ?? '',
  );
  const from = file.replace(/\.ts$/, '');
  return found.map((name) => {
    if (!name.startsWith('.')) return { from, to: name, isPackage: true };
    const to = relative(root, resolve(join(root, dirname(file)), name)).replace(/\.js$/, '');
    return { from, to, isPackage: false };
  });
}

function isAllowed({ from, to, isPackage }: Import): boolean {
  const layer = layerOf(from);
  const { imports = [], packages = [] } = LAYERS[layer] ?? {};
  if (isPackage) {
    const vendors = Object.entries(VENDORS).flatMap(([folder, names]) =>
      isUnder(from, folder) ? names : [],
    );
    const allowed = [...packages, ...vendors];
    return to.startsWith('node:') || allowed.some((name) => to === name || to.startsWith(`${name}/`));
  }
  const target = layerOf(to);
  const module = from.split('/')[0] ?? '';
  const isOwn = isUnder(to, module);
  if (imports.includes('*')) return true;
  if (!MODULES.includes(module)) {
    return target === layer || imports.some((name) => name === target || isUnder(to, name));
  }
  if (target === layer) return isOwn;
  if (target === 'topics') return isOwn && imports.includes('own');
  return imports.some((name) => name === target);
}

const isException = ({ from, to }: Import): boolean =>
  EXCEPTIONS.some(([importer, imported]) => isUnder(from, importer) && isUnder(to, imported));

test('every file belongs to a layer', () => {
  const strays = files.map((file) => file.replace(/\.ts$/, '')).filter((file) => !(layerOf(file) in LAYERS));
  assert.deepEqual(strays, []);
});

test('no import crosses a layer or module boundary, except for the listed exceptions', () => {
  const forbidden = files.flatMap(importsOf).filter((found) => !isAllowed(found) && !isException(found));
  assert.deepEqual(
    forbidden.map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

test('every listed exception to the import rules is needed', () => {
  const crossing = files.flatMap(importsOf).filter((found) => !isAllowed(found));
  const unused = EXCEPTIONS.filter(
    ([importer, imported]) =>
      !crossing.some(({ from, to }) => isUnder(from, importer) && isUnder(to, imported)),
  );
  assert.deepEqual(unused, []);
});

test('the translations import only types, so that page scripts do not load the modules', () => {
  const loading = files.filter(
    (file) =>
      layerOf(file) === 'locales' && /^import (?!type\b)/m.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(loading, []);
});

test('the composition root imports only types from express', () => {
  const routers = files.filter(
    (file) =>
      layerOf(file) === 'app' &&
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

test('no module resolves paths relative to its own URL, because the bundle changes that URL', () => {
  const named = files.filter((file) =>
    /new URL\([`'][^`']+[`'], import\.meta\.url\)/.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(named, []);
});

test('routers are created only where routes are recorded by name', () => {
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
  assert.ok(isFound('carts/control/cart', 'express', true), 'express in a topic');
  assert.ok(isFound('beacons/registry/beacons', 'carts/control/cart'), 'another module');
  assert.ok(isFound('beacons/http/routes', 'shop/http/routes'), 'another module');
  assert.ok(isFound('shared/json', 'i18n/language'));
  assert.ok(isFound('http/guard/guard', 'carts/control/cart'));
  assert.ok(!isFound('carts/control/cart', 'carts/control/motion'));
  assert.ok(!isFound('carts/http/command-routes', 'express', true));
});

test.run();
