import type { Request, Response } from 'express';
import { wantsPage } from '../../http/errors.js';
import { leaseHolderOf } from '../../http/guard/principal.js';
import { queryNumber } from '../../http/server/bodies.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { etagOf, sendBytes, sendFile } from '../../http/server/send-file.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Camera } from '../capture/camera.js';
import { cameraMessage } from '../messages.js';
import { STREAM_TYPE } from '../streaming/multipart-frame.js';
import type { Sink, ViewerOptions } from '../streaming/viewer.js';
import { cameraApi } from './openapi.js';

const MAX_FPS = 30;
/** A client that does not read its image within this time is disconnected. */
const READ_TIMEOUT_MS = 15_000;

/** A stream continues for at most this long after its session has ended. */
const ACCESS_CHECK_MS = 2000;

interface CameraLiveDeps {
  camera: Camera;
  isAuthorised: (req: Request) => boolean;
  clock: Clock;
}

/** Serves the live images. HEAD requests never start the camera. */
export function cameraLiveRoutes({ camera, isAuthorised, clock }: CameraLiveDeps): DeclaredRouter {
  const { broadcaster, source, photoService } = camera;
  const router = routerOf(cameraApi);

  router.on('GET /camera/stream.mjpg', (req, res) => {
    const options = streamOptions(req);
    if (req.method === 'HEAD') return void res.type(STREAM_TYPE).end();
    const leave = broadcaster.stream(sinkOf(res), { ...options, holder: leaseHolderOf(req) });
    const cancelCheck = clock.every(ACCESS_CHECK_MS, () => {
      if (!isAuthorised(req)) res.destroy();
    });
    res.on('close', () => {
      leave();
      cancelCheck();
    });
    // A write error on a closing connection needs no other handling, because `close` follows.
    res.on('error', leave);
  });

  router.on('GET /camera/frame', async (req, res) => {
    const after = queryNumber(req, 'after', [0, Number.MAX_SAFE_INTEGER]) ?? 0;
    if (req.method === 'HEAD') return void res.type('jpeg').end();
    const abort = new AbortController();
    res.on('close', () => abort.abort());
    const requestedMs = clock.now();
    const image = await broadcaster.next(after, abort.signal, leaseHolderOf(req));
    if (!image) return void res.status(204).end();
    res.setTimeout(READ_TIMEOUT_MS, () => res.destroy());
    sendJpeg(res, image.jpeg, {
      'x-frame': image.number,
      'x-age-ms': Math.round(clock.now() - image.atMs),
      'x-waited-ms': Math.round(clock.now() - requestedMs),
    });
  });

  router.on('GET /camera/snapshot.jpg', async (req, res) => {
    if (req.method === 'HEAD') return void res.type('jpeg').end();
    sendJpeg(res, await photoService.snapshot({ full: req.query.full === '1' }));
  });

  router.on('GET /camera/state.json', (_req, res) => void res.json(camera.state()));

  router.on('POST /camera/retry', (req, res) => {
    source.retry();
    if (wantsPage(req)) res.redirect(303, '/cameraSettings');
    else res.json(camera.state());
  });
  return router;
}

function streamOptions(req: Request): ViewerOptions {
  const fps = queryNumber(req, 'fps', [1, MAX_FPS]);
  return {
    ...(fps === undefined ? {} : { fps }),
    layout: req.query.advance_headers === '1' ? 'headers-first' : 'plain',
  };
}

/** Sends an endless response without content length, chunking or buffering. */
function sinkOf(res: Response): Sink {
  const { socket } = res;
  return {
    write(bytes, flushed) {
      if (!res.headersSent) {
        res.removeHeader('transfer-encoding');
        socket?.setNoDelay(true);
        res.writeHead(200, { 'content-type': STREAM_TYPE, connection: 'close', 'x-accel-buffering': 'no' });
        res.flushHeaders();
      }
      // Writes directly to the socket, because the response object would delay each image by one tick.
      socket?.write(bytes, (error) => {
        if (!error) flushed();
      });
    },
    destroy: () => void res.destroy(),
  };
}

function sendJpeg(res: Response, jpeg: Buffer, headers: Record<string, number> = {}): void {
  res.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': jpeg.length, ...headers });
  res.end(jpeg);
}

export function cameraPhotoRoutes({ gallery, photoService }: Camera): DeclaredRouter {
  const router = routerOf(cameraApi);
  router.on('POST /camera/photo', async (_req, res) => void res.status(201).json(await photoService.take()));
  router.on('GET /camera/photos', async (_req, res) => void res.json({ photos: await gallery.list() }));

  const sendPhoto = async (req: Request<{ name: string }>, res: Response): Promise<void> => {
    const path = await gallery.pathOf(req.params.name);
    await sendFile(req as Request, res, { path, missing: cameraMessage('photo-deleted-now') });
  };
  router.on('GET /camera/photos/:name', async (req, res) => {
    if (req.query.download === '1') res.attachment(req.params.name);
    await sendPhoto(req, res);
  });
  router.on('GET /camera/photos/:name/thumbnail', async (req, res) => {
    const jpeg = await gallery.thumbnail(req.params.name);
    if (!jpeg) return sendPhoto(req, res);
    const headers = { 'content-type': 'image/jpeg' };
    sendBytes(req as Request, res, { body: jpeg, etag: etagOf(jpeg), headers });
  });

  router.on('DELETE /camera/photos/:name', async (req, res) => {
    await gallery.remove(req.params.name);
    res.json({ success: true });
  });
  router.on('POST /camera/photos/:name/delete', async (req, res) => {
    await gallery.remove(req.params.name);
    res.redirect(303, '/cameraSettings#photos');
  });
  return router;
}
