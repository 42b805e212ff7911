import { type Request, type RequestHandler, type Response, Router } from 'express';
import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/ports.js';
import { wantsHtml } from '../../web/errors.js';
import { holderOf } from '../../web/guard/principal.js';
import { queryNumber } from '../../web/server/bodies.js';
import type { Camera } from '../capture/camera.js';
import { cameraMessage } from '../messages.js';
import { STREAM_TYPE } from '../streaming/multipart-frame.js';
import type { Sink, ViewerOptions } from '../streaming/viewer.js';

const MAX_FPS = 30;
/** A page that does not read its picture for this long is not looking. */
const UNREAD_MS = 15_000;

/** A stream whose session has ended goes on for no longer than this. */
const ADMIT_MS = 2000;

interface CameraLiveDeps {
  camera: Camera;
  /** Whether whoever asked for the stream may have it still. */
  mayStay: (req: Request) => boolean;
  clock: Clock;
}

/** The live picture: as a stream, one by one, as a single one; and how the camera is. HEAD never starts it. */
export function cameraLiveRoutes({ camera, mayStay, clock }: CameraLiveDeps): Router {
  const { broadcaster, source, photographer } = camera;
  const router = Router();

  router.get('/camera/stream.mjpg', (req, res) => {
    const options = streamOptions(req);
    if (req.method === 'HEAD') return void res.type(STREAM_TYPE).end();
    const leave = broadcaster.stream(sinkOf(res), { ...options, holder: holderOf(req) });
    const stopAsking = clock.every(ADMIT_MS, () => {
      if (!mayStay(req)) res.destroy();
    });
    res.on('close', () => {
      leave();
      stopAsking();
    });
    // A write that a closing connection refuses is no news: `close` follows.
    res.on('error', leave);
  });

  router.get('/camera/frame', async (req, res) => {
    const after = queryNumber(req, 'after', [0, Number.MAX_SAFE_INTEGER]) ?? 0;
    if (req.method === 'HEAD') return void res.type('jpeg').end();
    const cut = new AbortController();
    res.on('close', () => cut.abort());
    const frame = await broadcaster.next(after, cut.signal, holderOf(req));
    if (!frame) return void res.status(204).end();
    res.setTimeout(UNREAD_MS, () => res.destroy());
    const ageMs = Math.round(clock.now() - frame.atMs);
    sendJpeg(res, frame.jpeg, { 'x-frame': frame.number, 'x-age-ms': ageMs });
  });

  router.get('/camera/snapshot.jpg', async (req, res) => {
    if (req.method === 'HEAD') return void res.type('jpeg').end();
    sendJpeg(res, await photographer.snapshot({ full: req.query.full === '1' }));
  });

  router.get('/camera/state.json', (_req, res) => void res.json(camera.state()));

  router.post('/camera/retry', (req, res) => {
    source.retry();
    if (wantsHtml(req)) res.redirect(303, '/cameraSettings');
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

/** A response without an end: no length, no chunks, nothing that holds a picture back. */
function sinkOf(res: Response): Sink {
  const { socket } = res;
  return {
    write(bytes, taken) {
      if (!res.headersSent) {
        res.removeHeader('transfer-encoding');
        socket?.setNoDelay(true);
        res.writeHead(200, { 'content-type': STREAM_TYPE, connection: 'close', 'x-accel-buffering': 'no' });
        res.flushHeaders();
      }
      // A body without chunks is the socket's own bytes: the response would hold each picture back by a tick.
      socket?.write(bytes, (error) => {
        if (!error) taken();
      });
    },
    destroy: () => void res.destroy(),
  };
}

function sendJpeg(res: Response, jpeg: Buffer, headers: Record<string, number> = {}): void {
  res.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': jpeg.length, ...headers });
  res.end(jpeg);
}

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
      if (error && !res.headersSent) next(new GatewayError('NOT_FOUND', cameraMessage('photo-deleted-now')));
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
