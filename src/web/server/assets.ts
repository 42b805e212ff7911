import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { type Request, type Response, Router } from 'express';
import { moduleUrl, packageRoot } from '../../shared/package-root.js';

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
};

/** Entry modules; `bundle.js` bundles all other modules into them. */
export const PAGE_SCRIPTS: Record<string, string> = {
  beacons: 'beacons/browser/beacons',
  camera: 'camera/browser/camera',
  commissioning: 'carts/browser/commissioning/commissioning',
  docs: 'web/browser/docs',
  drive: 'carts/browser/drive',
  fleet: 'carts/browser/fleet/fleet',
  layout: 'web/browser/layout',
  settings: 'settings/browser/settings',
  system: 'system/browser/system',
};

/** Served files and their sources in `views/`, which are concatenated in this order. */
const OWN: Record<string, readonly string[]> = {
  'app.css': [
    ...[
      'web/tokens.css',
      'web/base.css',
      'web/controls.css',
      'web/panels.css',
      'web/tables.css',
      'web/forms.css',
    ],
    ...['page', 'top', 'nav', 'bands', 'stops'].map((part) => `web/layout/${part}.css`),
    ...['drive', 'drive-map', 'command-form', 'commands', 'manual-drive'].map((part) => `carts/${part}.css`),
    ...['camera/camera.css', 'settings/settings.css', 'settings/history.css', 'access/access.css'],
  ],
  'docs.css': ['web/docs.css'],
  'favicon.svg': ['web/favicon.svg'],
  'fleet.css': ['carts/fleet.css'],
  'map.css': ['beacons/beacons.css', 'beacons/map.css', 'beacons/table.css', 'beacons/floor-plan.css'],
  'shop.css': ['shop/shop.css'],
  'system.css': ['system/system.css', 'carts/commissioning.css'],
};

/** Served files from installed packages. */
const PACKAGED: Record<string, string> = {
  'pico.css': '@picocss/pico/css/pico.min.css',
  'leaflet.css': 'leaflet/dist/leaflet.css',
  'leaflet.js': 'leaflet/dist/leaflet.js',
  'uplot.css': 'uplot/dist/uPlot.min.css',
  'uplot.js': 'uplot/dist/uPlot.iife.min.js',
};
const YEAR_S = 31_536_000;

type Encoding = 'br' | 'gzip';

/** A file in memory, compressed at most once per encoding, off the main thread. */
class Asset {
  readonly type: string;
  readonly body: Buffer;
  /** Content hash for the ETag and for `v=` in immutable URLs. */
  readonly hash: string;
  #encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(name: string, text: string | Buffer) {
    this.type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    this.body = Buffer.from(text);
    this.hash = createHash('sha256').update(this.body).digest('base64url').slice(0, 12);
  }

  encoded(encoding: Encoding): Promise<Buffer> {
    const ready = this.#encoded.get(encoding) ?? compress(encoding, this.body);
    this.#encoded.set(encoding, ready);
    return ready;
  }
}

function compress(encoding: Encoding, body: Buffer): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(body, { level: 9 });
  // At quality 9, the size is within 3 % of that at quality 11, and compression is many times faster.
  return promisify(brotliCompress)(body, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } });
}

/** Files below `/assets/`. `urls` maps template names to URLs with content hashes. */
class Assets {
  readonly urls: Readonly<Record<string, string>>;
  readonly #byName: ReadonlyMap<string, Asset>;

  constructor(files: ReadonlyMap<string, string | Buffer>) {
    this.#byName = new Map([...files].map(([name, text]) => [name, new Asset(name, text)]));
    this.urls = Object.fromEntries(
      [...this.#byName].map(([name, { hash }]) => [urlKey(name), `/assets/${name}?v=${hash}`]),
    );
  }

  find(name: string): Asset | undefined {
    return this.#byName.get(name);
  }
}

/** `js/drive.js` becomes `driveJs`, because mustache reads dots as member access. */
function urlKey(name: string): string {
  return basename(name).replace(/[.-](\w)/g, (_all, letter: string) => letter.toUpperCase());
}

/** Throws if the page scripts have not been built. */
export function loadAssets(): Assets {
  const files = new Map<string, string | Buffer>();
  const views = join(packageRoot(), 'views');
  for (const [name, paths] of Object.entries(OWN)) {
    files.set(name, Buffer.concat(paths.map((path) => readFileSync(join(views, path)))));
  }
  const { resolve } = createRequire(import.meta.url);
  for (const [name, path] of Object.entries(PACKAGED)) files.set(name, readFileSync(resolve(path)));
  for (const name of Object.keys(PAGE_SCRIPTS)) {
    const path = fileURLToPath(moduleUrl(`scripts/${name}.js`));
    if (!existsSync(path))
      throw new Error(`page scripts are missing: ${path} does not exist; run npm run build`);
    files.set(`js/${name}.js`, readFileSync(path));
  }
  return new Assets(files);
}

/** Must be mounted at `/assets`, before middleware that reads bodies or sessions. */
export function assetsRouter(assets: Assets = loadAssets()): Router {
  const router = Router();
  router.get('/{*name}', async (req: Request, res: Response, next) => {
    const asset = assets.find(req.path.slice(1));
    if (!asset) return next();
    await send(asset, req, res);
  });
  return router;
}

async function send(asset: Asset, req: Request, res: Response): Promise<void> {
  const etag = `"${asset.hash}"`;
  const caching = req.query.v === asset.hash ? `public, max-age=${YEAR_S}, immutable` : 'no-cache';
  const headers: Record<string, string | number> = {
    'cache-control': caching,
    etag,
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
  };
  if (req.headers['if-none-match'] === etag) {
    res.writeHead(304, headers).end();
    return;
  }
  // Encodings are checked one at a time, because Express would use the browser's order, in which gzip is
  // first.
  const encoding = (['br', 'gzip'] as const).find((name) => req.acceptsEncodings(name));
  const body = encoding ? await asset.encoded(encoding) : asset.body;
  if (encoding) headers['content-encoding'] = encoding;
  res.writeHead(200, { ...headers, 'content-type': asset.type, 'content-length': body.length });
  res.end(req.method === 'HEAD' ? undefined : body);
}
