import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { GatewayError } from '../../shared/errors.js';

/** What the page is drawn with: the files of swagger-ui that it needs, as they were installed. */
const VIEWER = ['swagger-ui.css', 'swagger-ui-bundle.js'];
const FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

interface DocsRoutesDeps {
  /** `web/docs.html`. */
  renderDocs: () => string;
}

/**
 * The documents of the API, and a page that shows them. They say what is the same on every gateway of this version and
 * nothing of this one, so everybody may read them.
 */
export function docsRoutes({ renderDocs }: DocsRoutesDeps): Router {
  const router = Router();
  // Thirty files that nothing else needs: read when somebody asks, not at every start.
  const openApi = async () => (await import('./openapi.js')).openApi();
  const asyncApi = async () => (await import('./asyncapi.js')).asyncApi();
  const settings = async () => (await import('../../settings/http/openapi.js')).settingsDocument;
  router.get('/openapi.json', documentOf('application/json', openApi));
  router.get('/asyncapi.json', documentOf('application/json', asyncApi));
  router.get('/settings/schema.json', documentOf('application/schema+json', settings));
  router.get('/docs', (_req, res) => void res.type('html').send(renderDocs()));
  router.get('/docs/:file', (req, res, next) => {
    const { file } = req.params;
    if (!VIEWER.includes(file)) throw new GatewayError('NOT_FOUND', `there is no file ${file}`);
    res.setHeader('cache-control', 'no-cache');
    res.sendFile(join(FOLDER, file), { cacheControl: false, dotfiles: 'allow' }, (error) => {
      if (error && !res.headersSent) next(error);
    });
  });
  return router;
}

/** A document that is made for the first request. All responses share its bytes. */
function documentOf(type: string, make: () => Promise<object>): RequestHandler {
  let bytes: Promise<Buffer> | undefined;
  return async (_req, res) => {
    bytes ??= make().then((document) => Buffer.from(JSON.stringify(document)));
    res.type(type).send(await bytes);
  };
}
