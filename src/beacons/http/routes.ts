import type { Request, RequestHandler, Response } from 'express';
import { nameUtf8, readBody, readJson, readShortJson, readText } from '../../http/server/bodies.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { SlicedWrites } from '../../http/server/sliced-writes.js';
import type { LatLong } from '../../plan/pure.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { readCsv } from '../formats/csv.js';
import { jsonEncoding } from '../formats/formats.js';
import { type Candidate, MAX_IMPORT } from '../formats/import.js';
import { readJsonImport } from '../formats/json.js';
import type { Beacons } from '../registry/beacons.js';
import { encodingOf, sendAll, sendCached, sendJson, sendNotModified, sendSome } from './answers.js';
import { beaconApi } from './openapi.js';
import { type ListQuery, listQueryOf, upsertOf } from './queries.js';

const JSON_TYPES = ['application/json', 'application/*+json'];

interface BeaconRoutesDeps {
  beacons: Beacons;
  /** The origin of imported positions in metres. */
  origin: () => LatLong;
}

const { routes } = beaconApi;

export function beaconRoutes({ beacons, origin }: BeaconRoutesDeps): DeclaredRouter {
  const router = routerOf(beaconApi);
  readRoutes(router, beacons);
  writeRoutes(router, beacons);
  bulkRoutes(router, { beacons, origin });
  return router;
}

function readRoutes(router: DeclaredRouter, beacons: Beacons): void {
  router.onRawBody('GET /beacon', ...withId((id, res) => sendJson(res, beacons.json(id))));
  const slices = new SlicedWrites();
  router.on('GET /beacons', (req, res) => list(beacons, slices, req, res));
}

function writeRoutes(router: DeclaredRouter, beacons: Beacons): void {
  const readBeacon = readShortJson(routes['POST /beacon']);
  router.onRawBody('POST /beacon', ...readBeacon, async (req, res) => {
    sendJson(res, await beacons.create(req.body, { upsert: upsertOf(req) }));
  });
  const put: RequestHandler<{ id: string }> = async (req, res) => {
    sendJson(res, await beacons.put(req.params.id, req.body));
  };
  router.onRawBody('PUT /beacon/:id', ...readBeacon, put);
  router.onRawBody('DELETE /beacon', ...withId(async (id, res) => sendJson(res, await beacons.remove(id))));
}

function bulkRoutes(router: DeclaredRouter, { beacons, origin }: BeaconRoutesDeps): void {
  router.onRawBody('POST /beacons/import', ...readImport(), async (req, res) => {
    const upsert = upsertOf(req);
    const rows = await rowsOf(req, origin());
    sendJson(res, JSON.stringify(await beacons.importMany(rows, { upsert })));
  });
  router.on('POST /beacons/observed', (req, res) => {
    sendJson(res, JSON.stringify(beacons.observe(req.body)));
  });
}

async function list(beacons: Beacons, slices: SlicedWrites, req: Request, res: Response): Promise<void> {
  const { listing } = beacons;
  const query = listQueryOf(req);
  const encoding = encodingOf(req);
  if (query.kind === 'all' && encoding === jsonEncoding) {
    const whole = listing.cached ?? (await listing.whole());
    if (whole) return sendCached(req, res, { list: whole, slices });
  }
  const etag = `W/"${listing.version}.${encoding.name}"`;
  if (sendNotModified(req, res, etag)) return;
  if (query.kind === 'all') return await sendAll(req, res, { listing, encoding, etag });
  const body = await listing.encoded(await select(beacons, query), encoding);
  sendSome(req, res, { body, encoding, etag, slices });
}

function select(beacons: Beacons, query: Exclude<ListQuery, { kind: 'all' }>): string[] | Promise<string[]> {
  switch (query.kind) {
    case 'page':
      return beacons.page(query.after, query.limit);
    case 'near':
      return beacons.near(query.position, query.limit);
    case 'box':
      return beacons.inBox(query.box);
  }
}

/** Takes the ID from the query or, if the query has none, from a JSON body. */
function withId(handle: (id: unknown, res: Response) => void | Promise<void>): RequestHandler[] {
  const fromQuery: RequestHandler = (req, res, next) => {
    const id = plainId(req.url) ?? req.query.id;
    return id === undefined && hasBody(req) ? next() : handle(id, res);
  };
  const fromBody: RequestHandler = (req, res) =>
    handle(isJsonObject(req.body) ? req.body.id : undefined, res);
  return [
    fromQuery,
    nameUtf8,
    readJson({ limit: routes['GET /beacon'].body.maxBytes, type: JSON_TYPES }),
    fromBody,
  ];
}

/** Reads an unescaped ID from the URL, because parsing a query takes as long as reading a beacon. */
function plainId(url: string): string | undefined {
  return /^[^?]*\?id=([\w.~-]+)$/.exec(url)?.[1];
}

function hasBody({ headers }: Request): boolean {
  return 'transfer-encoding' in headers || (headers['content-length'] ?? '0') !== '0';
}

function readImport(): RequestHandler[] {
  const route = routes['POST /beacons/import'];
  const type = ['text/csv', ...JSON_TYPES];
  return [nameUtf8, readText({ type, limit: route.body.maxBytes }), ...readBody(route)];
}

async function rowsOf(req: Request, origin: LatLong): Promise<readonly Candidate[]> {
  const text = String(req.body);
  if (req.is('text/csv')) return await readCsv(text, { maxRows: MAX_IMPORT + 1, origin });
  return await readJsonImport(text, { maxBytes: routes['POST /beacons/import'].body.maxBytes, origin });
}
