import type { Request, RequestHandler } from 'express';
import { isExcel } from '../../http/server/csv-format.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
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

/** Serves the files of the Map page. */
export function mapRoutes({ beacons }: { beacons: Beacons }): DeclaredRouter {
  const router = routerOf(mapApi);
  router.on('GET /map/export/:name', exporter(beacons));
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
