import express, { type Request, type RequestHandler } from 'express';
import { isExcel } from '../../http/server/csv-format.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { sendBytes } from '../../http/server/send-file.js';
import type { FloorPlan } from '../../plan/floor-plan/floor-plan.js';
import type { LatLong } from '../../plan/frame/geodesy.js';
import { EXCEL_CSV, PLAIN_CSV } from '../../shared/csv.js';
import { GatewayError } from '../../shared/errors.js';
import {
  csvEncoding,
  csvTemplate,
  type Encoding,
  excelEncoding,
  geoJsonEncoding,
  jsonEncoding,
} from '../formats/formats.js';
import type { Beacons } from '../registry/beacons.js';
import { sendAll } from './answers.js';
import { mapApi } from './openapi.js';

const FILES: Record<string, Encoding> = {
  'beacons.csv': csvEncoding,
  'beacons.geojson': geoJsonEncoding,
  'beacons.json': jsonEncoding,
};

const TEMPLATE = 'template.csv';

interface MapRoutesDeps {
  beacons: Beacons;
  floorPlan: FloorPlan;
  origin: () => LatLong;
}

const { routes } = mapApi;

/** Serves the files and the floor plan of the Beacons page. */
export function mapRoutes({ beacons, floorPlan, origin }: MapRoutesDeps): DeclaredRouter {
  const router = routerOf(mapApi);
  router.on('GET /map/export/:name', exporter(beacons));
  router.on('GET /map/plan', (_req, res) => void res.json({ plan: floorPlan.current ?? null }));
  router.on('GET /map/plan/picture', async (req, res) => {
    const { bytes, type, version } = await floorPlan.image();
    sendBytes(req, res, { body: bytes, etag: `"${version}"`, headers: { 'content-type': type } });
  });

  // Accepts every declared media type, because the image format is determined from the bytes.
  const readImage = express.raw({ type: () => true, limit: routes['PUT /map/plan'].body.maxBytes });
  router.onRawBody('PUT /map/plan', readImage, async (req, res) => {
    if (!Buffer.isBuffer(req.body) || req.body.length === 0) {
      throw new GatewayError('INVALID_INPUT', 'the request body contains no image', { field: 'image' });
    }
    res.json({ plan: await floorPlan.replace(req.body) });
  });
  router.on('PUT /map/plan/line', async (req, res) => {
    res.json({ plan: await floorPlan.setLine(req.body, origin()) });
  });
  router.on('PUT /map/plan/points', async (req, res) => {
    res.json({ plan: await floorPlan.setPoints(req.body) });
  });
  router.on('DELETE /map/plan', async (_req, res) => {
    await floorPlan.remove();
    res.json({ plan: null });
  });
  return router;
}

function exporter({ listing }: Beacons): RequestHandler<{ name: string }> {
  return async (req, res) => {
    const { name } = req.params;
    const isForExcel = isExcel(req);
    const known = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
    const encoding = known === csvEncoding && isForExcel ? excelEncoding : known;
    if (name === TEMPLATE) {
      res.attachment(name).type('text/csv');
      res.send(csvTemplate(isForExcel ? EXCEL_CSV : PLAIN_CSV));
      return;
    }
    if (!encoding) throw new GatewayError('NOT_FOUND', `there is no file named ${name}`);
    res.attachment(name);
    await sendAll(req as Request, res, {
      listing,
      encoding,
      etag: `W/"${listing.version}.${encoding.name}"`,
    });
  };
}
