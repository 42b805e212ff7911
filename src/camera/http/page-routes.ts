import { type Request, Router } from 'express';
import type { SettingsRoom } from '../../settings/document/settings.js';
import { type FormRetry, saveForm } from '../../settings/http/save.js';
import { failureOf } from '../../web/errors.js';
import type { Notice } from '../../web/layout/context.js';
import { readBody } from '../../web/server/bodies.js';
import type { Camera } from '../capture/camera.js';
import type { Photo } from '../photos/gallery.js';
import type { CameraPage } from './context.js';
import { cameraApi } from './openapi.js';

const { routes } = cameraApi;

/** The one section of the settings that is on this page. */
export const CAMERA_SECTIONS = ['camera'];

interface CameraPageDeps {
  camera: Camera;
  settings: SettingsRoom;
  isIdle: () => boolean;
  /** `camera/cameraSettings.html`. */
  renderCamera: (req: Request, page: CameraPage) => string;
}

/** The camera's page with its form, and the routine that takes a photo and shows it. */
export function cameraPageRoutes({ camera, settings, isIdle, renderCamera }: CameraPageDeps): Router {
  const router = Router();
  const page = async (req: Request, shown: Partial<CameraPage> = {}): Promise<string> =>
    renderCamera(req, { state: camera.state(), photos: await camera.gallery.list(), ...shown });

  /** What became of the photo, in words: without a camera the page is still the answer. */
  const run = async (): Promise<{ notice: Notice; shown?: Photo }> => {
    try {
      const shown = await camera.photographer.take();
      return { notice: { ok: true, title: 'Photo taken' }, shown };
    } catch (error) {
      const { message, hint } = failureOf(error).body;
      return { notice: { ok: false, title: 'No photo taken', message, ...(hint ? { hint } : {}) } };
    }
  };

  router.get('/runCamera', async (req, res) => {
    const shown = isMeant(req) ? await run() : {};
    res.type('html').send(await page(req, shown));
  });
  router.get('/cameraSettings', async (req, res) => {
    const { photo } = req.query;
    const found = (await camera.gallery.list()).find(({ name }) => name === photo);
    const gone: Notice = { ok: false, title: 'This photo was deleted' };
    const shown = found ? { shown: found } : photo === undefined ? {} : { notice: gone };
    res.type('html').send(await page(req, shown));
  });
  const render = (req: Request, notice: Notice, retry?: FormRetry) =>
    page(req, { notice, ...(retry ? { retry } : {}) });
  const save = saveForm({ settings, isIdle, sections: CAMERA_SECTIONS, render });
  router.post('/cameraSettings', ...readBody(routes['POST /cameraSettings']), save);
  return router;
}

/**
 * Whether somebody asked for a photo: a browser that loads pages ahead did not, nor did the picture or frame that another
 * site's page pretends this to be.
 */
function isMeant({ method, headers }: Request): boolean {
  const ahead = [headers['sec-purpose'], headers.purpose, headers['x-moz']].flat().join();
  const isHidden = headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-dest'] !== 'document';
  return method === 'GET' && !ahead.includes('prefetch') && !isHidden;
}
