import { PAGE_LANGUAGE_HEADER } from '../../shared/messages/message.js';

/**
 * Requests the camera's images and draws them on the page's canvas. This is done in a worker, because 25
 * images per second would keep the main thread of a slow tablet busy and delay the buttons. The worker draws
 * bitmaps, because the browser keeps hundreds of MB of decoded images if each image has its own URL.
 */

const RETRY_MS = 2000;
/** Decoding takes at most a quarter of one core, which leaves a slow device the time to respond to presses. */
const PAUSE_PER_DECODING = 3;
/** One long decoding, for example of the first image, must not stop the view. */
const MAX_PAUSE_MS = 250;

/** The first request contains the canvas. */
export interface CameraRequest {
  canvas?: OffscreenCanvas;
  isOpen: boolean;
  language: string;
}

export type CameraReport =
  /** `takenAt` is Unix time in ms. */
  | { state: 'live'; takenAt: number; decodingMs: number }
  | { state: 'waiting' }
  /** `reason` is undefined if the gateway did not respond. */
  | { state: 'down'; reason?: { message?: string; hint?: string } };

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

/**
 * Requests an image only after drawing the previous one. On a slow connection, images are skipped, but the
 * view does not lag.
 */
async function poll(signal: AbortSignal, language: string): Promise<void> {
  while (!signal.aborted) {
    const report = await next(signal, language).catch((): CameraReport => ({ state: 'down' }));
    if (signal.aborted) return;
    if (report) postMessage(report);
    if (report?.state === 'down') await pause(RETRY_MS, signal);
    if (report?.state === 'live')
      await pause(Math.min(report.decodingMs * PAUSE_PER_DECODING, MAX_PAUSE_MS), signal);
  }
}

/** Returns undefined if the image cannot be decoded. */
async function next(signal: AbortSignal, language: string): Promise<CameraReport | undefined> {
  const response = await fetch(`/camera/frame?after=${number}`, {
    signal,
    cache: 'no-store',
    headers: { [PAGE_LANGUAGE_HEADER]: language },
  });
  if (response.status === 204) return { state: 'waiting' };
  if (response.status !== 200) return { state: 'down', reason: await response.json() };
  const takenAt = performance.timeOrigin + performance.now() - Number(response.headers.get('x-age-ms'));
  const blob = await response.blob();
  const receivedAt = performance.now();
  const image = await createImageBitmap(blob).catch(() => undefined);
  const decodingMs = performance.now() - receivedAt;
  number = Number(response.headers.get('x-frame'));
  if (!image || !canvas) return undefined;
  if (canvas.width !== image.width) canvas.width = image.width;
  if (canvas.height !== image.height) canvas.height = image.height;
  context?.transferFromImageBitmap(image);
  return { state: 'live', takenAt, decodingMs };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
