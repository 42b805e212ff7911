import * as t from '../../http/openapi/schema-helpers.js';
import { declarePage, sendPage } from '../../http/pages.js';
import type { Assets } from '../../http/server/assets.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { packageVersion } from '../../shared/package-root.js';

const MANIFEST = 'application/manifest+json';
const SCRIPT = 'text/javascript';

const appChapter = { name: 'Documents' };
export const appApi = t.api(appChapter, {
  'GET /manifest.webmanifest': t.anyone(
    'Returns the web app manifest, which makes the pages installable as an app',
    {
      ok: { content: t.contentOf([MANIFEST], t.object) },
    },
  ),
  'GET /service-worker.js': t.anyone(
    'Returns the service worker, which caches styles, icons and the offline page',
    {
      ok: { content: t.contentOf([SCRIPT], t.text) },
    },
  ),
  'GET /offline': t.anyone('Returns the page that the service worker shows when there is no connection', {
    ok: t.page,
  }),
});

export const offlinePage = declarePage<object>('Offline');

interface AppRoutesDeps {
  assets: Pick<Assets, 'urls' | 'find'>;
  name: () => string;
}

/** Serves what a browser needs to install the pages as an app. */
export function appRoutes({ assets, name }: AppRoutesDeps): DeclaredRouter {
  const router = routerOf(appApi);
  const { appCss, faviconSvg, icon192Png = '', icon512Png = '', iconMaskable512Png = '' } = assets.urls.en;
  router.on('GET /manifest.webmanifest', (_req, res) => {
    const icon = (src: string, size: number, purpose = 'any') => ({
      src,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose,
    });
    const manifest = {
      id: '/',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      name: `${name()} – Cartwright`,
      short_name: name(),
      background_color: '#2a2f36',
      theme_color: '#2a2f36',
      icons: [icon(icon192Png, 192), icon(icon512Png, 512), icon(iconMaskable512Png, 512, 'maskable')],
    };
    res.type(MANIFEST).send(Buffer.from(JSON.stringify(manifest)));
  });
  const shell = ['/offline', appCss, faviconSvg, icon192Png];
  const constants = `const VERSION = ${JSON.stringify(packageVersion())};\nconst SHELL = ${JSON.stringify(shell)};\n`;
  router.on('GET /service-worker.js', (_req, res) => {
    const script = assets.find('js/service-worker.js')?.body ?? Buffer.alloc(0);
    res.setHeader('cache-control', 'no-cache');
    res.type(SCRIPT).send(Buffer.concat([Buffer.from(constants), script]));
  });
  router.on('GET /offline', (req, res) => sendPage(req, res, offlinePage, {}));
  return router;
}
