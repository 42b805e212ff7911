import { PAGE_LANGUAGE_HEADER } from '../../../shared/messages/message.js';

/**
 * Requests the camera's images and draws them on the page's canvas. This is done in a worker, because 25 images per
 * second would keep the main thread of a slow tablet busy and delay the buttons. The worker draws bitmaps, because
 * the browser keeps hundreds of MB of decoded images if each image has its own URL.
 */

const RETRY_MS = 2000;
/** The gateway responds within 5 s. A lost connection may never report an error. */
const ANSWER_WITHIN_MS = 15_000;
/** Decoding takes at most a quarter of one core, which leaves a slow device time to respond to presses. */
const PAUSE_PER_DECODING = 3;
/** Maximum pause, so that one slow decoding, for example of the first image, does not stop the view for longer. */
const MAX_PAUSE_MS = 250;

/** The first request contains the canvas. */
export interface CameraRequest {
  canvas?: OffscreenCanvas;
  isOpen: boolean;
  language: string;
}

interface ErrorBody {
  message?: string;
  hint?: string;
}

export type CameraReport =
  /** `takenAt` is Unix time in ms. */
  | { state: 'live'; takenAt: number }
  | { state: 'waiting' }
  /** `reason` is undefined if the gateway did not respond. */
  | { state: 'down'; reason: ErrorBody | undefined };

let canvas: OffscreenCanvas | undefined;
let context: ImageBitmapRenderingContext | null = null;
let polling: AbortController | undefined;
let number = 0;

addEventListener('message', ({ data }: MessageEvent<CameraRequest>) => {
  if (data.canvas) {
    canvas = data.canvas;
    context = canvas.getContext('bitmaprenderer');
  }
  polling?.abort();
  polling = data.isOpen ? new AbortController() : undefined;
  if (polling) void poll(polling.signal, data.language);
});

/** The report is undefined if the image cannot be decoded. */
interface Poll {
  report: CameraReport | undefined;
  /** Time until the next request; undefined after a logout, when every request would be rejected. */
  pauseMs: number | undefined;
}

/**
 * Requests an image only after drawing the previous one. On a slow connection, images are skipped, but the
 * view does not lag.
 */
async function poll(signal: AbortSignal, language: string): Promise<void> {
  while (!signal.aborted) {
    const { report, pauseMs } = await next(signal, language);
    if (signal.aborted) return;
    if (report) postMessage(report);
    if (pauseMs === undefined) return;
    if (pauseMs > 0) await pause(pauseMs, signal);
  }
}

/** Never rejects. */
async function next(loop: AbortSignal, language: string): Promise<Poll> {
  const request = new AbortController();
  const abort = (): void => request.abort();
  const timer = setTimeout(abort, ANSWER_WITHIN_MS);
  loop.addEventListener('abort', abort);
  try {
    return await draw(request.signal, language);
  } catch {
    return down();
  } finally {
    clearTimeout(timer);
    loop.removeEventListener('abort', abort);
  }
}

async function draw(signal: AbortSignal, language: string): Promise<Poll> {
  const requestedAt = performance.now();
  const response = await fetch(`/camera/frame?after=${number}`, {
    signal,
    cache: 'no-store',
    headers: { [PAGE_LANGUAGE_HEADER]: language },
  });
  if (response.status === 204) return { report: { state: 'waiting' }, pauseMs: 0 };
  if (response.status === 401) return { ...down(await response.json()), pauseMs: undefined };
  if (response.status !== 200) return down(await response.json());
  // The transfer, which is slow on some connections, takes at most the time since the request minus the time that the
  // gateway waited for the image.
  const waitedMs = Number(response.headers.get('x-waited-ms'));
  const transitMs = Math.max(0, performance.now() - requestedAt - waitedMs);
  const ageMs = Number(response.headers.get('x-age-ms')) + transitMs;
  const takenAt = performance.timeOrigin + performance.now() - ageMs;
  const blob = await response.blob();
  const receivedAt = performance.now();
  const image = await createImageBitmap(blob).catch(() => undefined);
  const decodingMs = performance.now() - receivedAt;
  number = Number(response.headers.get('x-frame'));
  if (!image || !canvas) return { report: undefined, pauseMs: 0 };
  if (canvas.width !== image.width) canvas.width = image.width;
  if (canvas.height !== image.height) canvas.height = image.height;
  context?.transferFromImageBitmap(image);
  const pauseMs = Math.min(decodingMs * PAUSE_PER_DECODING, MAX_PAUSE_MS);
  return { report: { state: 'live', takenAt }, pauseMs };
}

function down(reason?: ErrorBody): Poll {
  return { report: { state: 'down', reason }, pauseMs: RETRY_MS };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      // The listener is removed, because the signal outlives the pause.
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
