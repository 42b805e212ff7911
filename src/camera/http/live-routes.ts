import { type Request, type Response, Router } from 'express';
import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/ports.js';
import { wantsHtml } from '../../web/errors.js';
import { holderOf } from '../../web/guard/principal.js';
import type { Camera } from '../capture/camera.js';
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
    const after = wholeNumber('after', req.query.after, Number.MAX_SAFE_INTEGER, 0);
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

function streamOptions({ query }: Request): ViewerOptions {
  const fps = wholeNumber('fps', query.fps, MAX_FPS, 1);
  return {
    ...(query.fps === undefined ? {} : { fps }),
    layout: query.advance_headers === '1' ? 'headers-first' : 'plain',
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

/** A whole number of the query from `least` to `most`; `least` when it is left out. Throws `INVALID_INPUT`. */
function wholeNumber(field: string, value: unknown, most: number, least: number): number {
  if (value === undefined) return least;
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new GatewayError('INVALID_INPUT', `${field} must be a whole number from ${least} to ${most}`, {
    field,
    limit: most,
  });
}
