import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Request, RequestHandler } from 'express';
import * as t from '../../http/openapi/schema-helpers.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { sendFile } from '../../http/server/send-file.js';
import { SlicedWrites } from '../../http/server/sliced-writes.js';
import { settingsApi } from '../../settings/index.js';
import { GatewayError } from '../../shared/errors.js';

const SCRIPTS = ['text/css', 'text/javascript'];

const docsChapter = { name: 'Documents', description: 'API documents, and the static files of the pages.' };
export const docsApi = t.api(docsChapter, {
  'GET /docs': t.anyone('Shows this document as an HTML page', { ok: t.page }),
  'GET /docs/:file': t.anyone('Returns a script or style sheet for the `/docs` page', {
    ...t.downloadOf(t.contentOf(SCRIPTS, t.text)),
  }),
  'GET /openapi.json': t.anyone('Returns the OpenAPI document', { ok: t.json(t.object) }),
  'GET /asyncapi.json': t.anyone('Returns the AsyncAPI 3.0 document for MQTT, `/events` and `/drive`', {
    ok: t.json(t.object),
  }),
});

const VIEWER = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/**
 * Sends all documents in slices, because sending a whole document at once would delay the control loop and new
 * connections.
 */
const slices = new SlicedWrites();

type MakeDocument = () => Promise<object>;

interface DocsRoutesDeps {
  renderDocs: () => string;
  /** Each document is created when it is first requested. */
  openApi: MakeDocument;
  asyncApi: MakeDocument;
  settingsSchema: MakeDocument;
}

/** Serves the API documents. The routes are public, because the documents depend only on the gateway's version. */
export function docsRoutes({
  renderDocs,
  openApi,
  asyncApi,
  settingsSchema,
}: DocsRoutesDeps): DeclaredRouter {
  const router = routerOf(docsApi, settingsApi);
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  router.on('GET /openapi.json', documentOf('application/json', openApi));
  router.on('GET /asyncapi.json', documentOf('application/json', asyncApi));
  router.on('GET /settings/schema.json', documentOf('application/schema+json', settingsSchema));
  router.on('GET /docs', (_req, res) => void res.type('html').send(renderDocs()));
  router.on('GET /docs/:file', async (req, res) => {
    const { file } = req.params;
    const missing = `file ${file} does not exist`;
    if (!VIEWER.includes(file)) throw new GatewayError('NOT_FOUND', missing);
    res.setHeader('cache-control', 'no-cache');
    await sendFile(req as Request, res, { path: join(folder, file), missing });
  });
  return router;
}

function documentOf(type: string, make: MakeDocument): RequestHandler {
  let bytes: Promise<Buffer> | undefined;
  return async (req, res) => {
    bytes ??= make().then((document) => Buffer.from(JSON.stringify(document)));
    const body = await bytes;
    res.type(type).setHeader('content-length', body.length);
    if (req.method === 'HEAD') res.end();
    else slices.end(res, body);
  };
}
