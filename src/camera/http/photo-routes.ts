import { type Request, type RequestHandler, type Response, Router } from 'express';
import { GatewayError } from '../../shared/errors.js';
import type { Camera } from '../capture/camera.js';

/** The photos: take one, list, look, download and delete. */
export function cameraPhotoRoutes({ gallery, photographer }: Camera): Router {
  const router = Router();
  router.post('/camera/photo', async (_req, res) => void res.status(201).json(await photographer.take()));
  router.get('/camera/photos', async (_req, res) => void res.json({ photos: await gallery.list() }));

  const photo: RequestHandler<{ name: string }> = async (req, res, next) => {
    if (req.query.download === '1') res.attachment(req.params.name);
    await sendPhoto(req, res, next);
  };
  const thumbnail: RequestHandler<{ name: string }> = async (req, res, next) => {
    const small = await gallery.thumbnail(req.params.name);
    if (small) res.type('jpeg').send(small);
    else await sendPhoto(req, res, next);
  };
  const sendPhoto = async (
    { params }: Request<{ name: string }>,
    res: Response,
    next: (error: unknown) => void,
  ): Promise<void> => {
    const path = await gallery.pathOf(params.name);
    // The data directory may well lie below a hidden one; the name has been looked at.
    res.sendFile(path, { cacheControl: false, dotfiles: 'allow' }, (error) => {
      if (error && !res.headersSent) next(new GatewayError('NOT_FOUND', 'this photo was deleted just now'));
    });
  };
  router.get('/camera/photos/:name', photo);
  router.get('/camera/photos/:name/thumbnail', thumbnail);

  router.delete('/camera/photos/:name', async (req, res) => {
    await gallery.remove(req.params.name);
    res.json({ success: true });
  });
  // The same for a form without scripts.
  router.post('/camera/photos/:name/delete', async (req, res) => {
    await gallery.remove(req.params.name);
    res.redirect(303, '/cameraSettings#photos');
  });
  return router;
}
