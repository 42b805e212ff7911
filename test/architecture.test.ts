import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'uvu';
import { packageRoot } from '../src/util/package-root.js';

/**
 * The house rules as data. A place is a folder or file of `src/`; it may import itself, its own vendor packages, and
 * the places named. What is on no list is forbidden.
 */
interface Rule {
  places?: string[];
  vendors?: string[];
}

const SCHEMAS = ['camera/schema', 'carts/schema', 'settings/schema'];
const PURE = ['camera/jpeg', 'carts/codec', 'carts/lines-messages'];
const GROUND = ['ports', 'util', 'language'];
const ROOMS = ['access', 'beacons', 'camera', 'carts', 'ops', 'settings', 'shop'];

const RULES: Record<string, Rule> = {
  ports: {},
  language: {},
  util: { places: ['ports'], vendors: ['ajv'] },
  'carts/schema': { vendors: ['json-schema-to-ts'] },
  'settings/schema': { places: SCHEMAS, vendors: ['json-schema-to-ts'] },
  'carts/codec': { places: ['util/errors'] },
  'carts/safety': { places: ['carts/model', 'util/errors', 'util/span'] },
  'access/schema': { vendors: ['json-schema-to-ts'] },
  'access/totp': { places: [...GROUND, 'access'], vendors: ['otpauth'] },
  access: { places: GROUND },
  'beacons/schema': { vendors: ['json-schema-to-ts'] },
  'beacons/ranging': { places: ['util/errors'] },
  'beacons/georeference': { places: ['beacons/ranging', 'util/errors'] },
  'beacons/formats': { places: [...GROUND, 'beacons'], vendors: ['csv-parse'] },
  beacons: { places: GROUND },
  'camera/schema': { vendors: ['json-schema-to-ts'] },
  'camera/jpeg': {},
  camera: { places: GROUND },
  carts: { places: GROUND },
  settings: { places: [...GROUND, ...SCHEMAS] },
  ops: { places: GROUND },
  simulator: { places: [...GROUND, ...PURE] },
  'shop/money': {},
  'shop/provider': {},
  'shop/schema': { places: ['shop/money'], vendors: ['json-schema-to-ts'] },
  shop: { places: GROUND },
  store: { places: GROUND, vendors: ['better-sqlite3'] },
  'adapters/serial': { places: [...GROUND, 'adapters/serial'], vendors: ['serialport', '@serialport'] },
  'adapters/mqtt': { places: [...GROUND, 'adapters/mqtt'], vendors: ['mqtt', 'mqtt-packet'] },
  'adapters/broker': {
    places: [
      ...GROUND,
      'adapters/broker',
      'adapters/mqtt-bus',
      'adapters/mqtt-packets',
      'adapters/mqtt-reasons',
    ],
    vendors: ['aedes', 'mqemitter'],
  },
  'adapters/sandbox': { places: [...GROUND, 'adapters/sandbox', 'shop/provider'] },
  'adapters/stripe': { places: [...GROUND, 'adapters/stripe', 'shop/provider'], vendors: ['stripe'] },
  'adapters/libcamera': {
    places: [...GROUND, 'adapters/libcamera', 'camera/device'],
    vendors: ['node-libcamera'],
  },
  'adapters/prometheus': { places: GROUND, vendors: ['prom-client'] },
  'adapters/time-sync': { places: GROUND },
  'adapters/systemd': { places: GROUND, vendors: ['unix-dgram'] },
  'adapters/supervisor': { places: [...GROUND, 'adapters/systemd'] },
  'adapters/mdns': { places: GROUND, vendors: ['bonjour-service'] },
  'adapters/pins': { places: [...GROUND, 'adapters/pins'] },
  'adapters/pins-onoff': { places: [...GROUND, 'adapters/pins'], vendors: ['onoff'] },
  'http/drive': { places: [...GROUND, ...ROOMS, 'http'], vendors: ['express', 'ws'] },
  'http/qr-code': { vendors: ['uqr'] },
  http: { places: [...GROUND, ...ROOMS, ...SCHEMAS], vendors: ['express', 'mustache'] },
  'pages/leaflet': { vendors: ['leaflet'] },
  'pages/uplot': { vendors: ['uplot'] },
  'pages/trend': { places: ['pages', 'language', 'carts/words', 'ops/trend-columns'] },
  'pages/beacon': {
    places: [
      ...['pages', 'language', 'carts/model', 'carts/words'],
      ...[
        'beacons/schema',
        'beacons/observation',
        'beacons/ranging',
        'beacons/georeference',
        'beacons/plan-schema',
      ],
    ],
  },
  pages: {
    places: [
      ...['language', 'carts/model', 'carts/words', 'carts/rows', 'carts/wire'],
      ...['http/context', 'http/frame-context'],
    ],
  },
  config: { places: [...GROUND, 'shop/schema'], vendors: ['json-schema-to-ts'] },
  compose: {
    places: [...GROUND, ...ROOMS, ...SCHEMAS, 'adapters', 'store', 'simulator', 'http', 'config', 'compose'],
  },
  writer: { places: [...ROOMS, 'store', 'adapters/sandbox-writes'] },
  gateway: { places: [...GROUND, ...ROOMS, ...SCHEMAS, 'adapters', 'store', 'http', 'config', 'compose'] },
  main: { places: ['util', 'config', 'gateway', 'settings/boot'] },
  'motors-off': { places: [...GROUND, 'settings', 'config', 'compose'] },
  user: { places: [...GROUND, 'access', 'store', 'config'] },
  'simulate-camera': { places: [...GROUND, 'simulator'] },
  'simulate-controller': { places: [...GROUND, 'simulator', 'adapters'] },
  'simulate-fleet': { places: ['util', 'compose'] },
  trace: { places: ['util'] },
};

const root = join(packageRoot(), 'src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const isUnder = (file: string, place: string): boolean =>
  file === place ||
  file.startsWith(`${place}/`) ||
  file.startsWith(`${place}-`) ||
  (place.includes('/') && file.startsWith(place));

/** The longest place that a file belongs to: `carts/codec` before `carts`. */
function placeOf(file: string): string {
  const places = Object.keys(RULES).filter((place) => isUnder(file, place));
  return places.toSorted((a, b) => b.length - a.length)[0] ?? file;
}

interface Import {
  from: string;
  to: string;
  vendor: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = [...text.matchAll(/(?:from|import\(|^import)\s*'([^']+)'/gm)].map((match) => match[1] ?? '');
  const from = file.replace(/\.ts$/, '');
  return found.map((name) => {
    if (!name.startsWith('.')) return { from, to: name, vendor: true };
    const to = relative(root, resolve(join(root, dirname(file)), name)).replace(/\.js$/, '');
    return { from, to, vendor: false };
  });
}

function isAllowed({ from, to, vendor }: Import): boolean {
  const place = placeOf(from);
  const { places = [], vendors = [] } = RULES[place] ?? {};
  if (vendor)
    return to.startsWith('node:') || vendors.some((name) => to === name || to.startsWith(`${name}/`));
  // A room owns its schema and its pure machines: all that lies under its own name.
  return isUnder(to, place) || places.some((allowed) => isUnder(to, allowed));
}

test('every file belongs to a place of the house', () => {
  const strays = files.map((file) => file.replace(/\.ts$/, '')).filter((file) => !(placeOf(file) in RULES));
  assert.deepEqual(strays, []);
});

test('no import climbs a floor, crosses into another room or reaches for a foreign package', () => {
  const forbidden = files.flatMap(importsOf).filter((found) => !isAllowed(found));
  assert.deepEqual(
    forbidden.map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

test('no import goes round in a circle', () => {
  const edges = new Map<string, string[]>();
  for (const file of files) {
    const from = file.replace(/\.ts$/, '');
    edges.set(
      from,
      importsOf(file)
        .filter(({ vendor }) => !vendor)
        .map(({ to }) => to),
    );
  }
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (done.has(file) || path.includes(file)) return;
    for (const next of edges.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of edges.keys()) walk(file, []);
  assert.deepEqual(circles, []);
});

test('what a module looks for beside itself is in the same place seen from the bundle', () => {
  const named = files.flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(/new URL\([`']([^`']+)[`'], import\.meta\.url\)/g),
    ].map(([, path = '']) => ({ file, path })),
  );
  assert.ok(named.length > 0);
  const fromRoom = ({ file, path }: { file: string; path: string }): boolean =>
    file.split('/').length === 2 && path.startsWith('../');
  assert.deepEqual(
    named.filter((found) => !fromRoom(found)),
    [],
  );
});

test('a forbidden import would be found', () => {
  assert.equal(isAllowed({ from: 'carts/cart', to: 'adapters/serial', vendor: false }), false);
  assert.equal(isAllowed({ from: 'carts/cart', to: 'express', vendor: true }), false);
  assert.equal(isAllowed({ from: 'settings/settings', to: 'carts/cart', vendor: false }), false);
  assert.equal(isAllowed({ from: 'http/app', to: 'adapters/mqtt', vendor: false }), false);
  assert.equal(isAllowed({ from: 'carts/cart', to: 'carts/motion', vendor: false }), true);
});

test.run();
