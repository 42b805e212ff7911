import { ageText, upperFirst } from '../../i18n/format.js';
import { language } from '../../i18n/language.js';
import { PAGE_LANGUAGE_HEADER } from '../../shared/messages/message.js';
import { find, showText } from '../../web/browser/dom.js';
import { TEXTS } from '../../web/browser/texts.js';

const STALE_MS = 1000;
const DRAW_MS = 250;
const RATE_WINDOW_MS = 2000;
const RETRY_MS = 2000;

/** `down`: the view shows an error instead of an image. */
export type ViewState = 'live' | 'waiting' | 'down';

/**
 * Requests an image only after showing the previous one. On a slow connection, images are skipped, but the
 * view does not lag.
 */
export class CameraView {
  readonly #box: HTMLElement;
  readonly #image: HTMLImageElement;
  readonly #onState: (state: ViewState) => void;
  #polling: AbortController | undefined;
  #number = 0;
  /** `performance.now()` when the image was taken; undefined before the first image. */
  #takenAt: number | undefined;
  #shownAt: number[] = [];
  #url = '';
  #message: string = TEXTS.cameraStarting;

  /** @param box contains `[data-camera-picture]`, `[data-camera-words]` and `[data-camera-age]`. */
  constructor(box: HTMLElement, onState: (state: ViewState) => void = () => undefined) {
    this.#box = box;
    this.#image = find<HTMLImageElement>('[data-camera-picture]', box) ?? new Image();
    this.#onState = onState;
  }

  start(): void {
    const follow = (): void => (this.#isVisible() ? this.#open() : this.#close());
    document.addEventListener('visibilitychange', follow);
    this.#box.closest('details')?.addEventListener('toggle', follow);
    addEventListener('pagehide', () => this.#close());
    addEventListener('pageshow', follow);
    setInterval(() => this.#draw(), DRAW_MS);
    follow();
  }

  retry(): void {
    this.#close();
    if (this.#isVisible()) this.#open();
  }

  #isVisible(): boolean {
    return document.visibilityState === 'visible' && this.#box.closest('details')?.open !== false;
  }

  #open(): void {
    if (this.#polling) return;
    this.#polling = new AbortController();
    void this.#poll(this.#polling.signal);
  }

  #close(): void {
    this.#polling?.abort();
    this.#polling = undefined;
    this.#shownAt = [];
    this.#draw();
  }

  async #poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isGood = await this.#next(signal).catch(() => this.#showError(TEXTS.cameraNoAnswer, signal));
      if (!isGood) await pause(RETRY_MS, signal);
    }
  }

  /** Returns true if the next image may be requested immediately. */
  async #next(signal: AbortSignal): Promise<boolean> {
    const response = await fetch(`/camera/frame?after=${this.#number}`, {
      signal,
      cache: 'no-store',
      headers: { [PAGE_LANGUAGE_HEADER]: language() },
    });
    if (response.status === 200) {
      await this.#show(response);
      return true;
    }
    if (response.status === 204) {
      this.#message = TEXTS.cameraStarting;
      this.#onState('waiting');
      return true;
    }
    const { message = '', hint = '' } = (await response.json()) as { message?: string; hint?: string };
    return this.#showError([upperFirst(message), hint].filter(Boolean).join('. '), signal);
  }

  async #show(response: Response): Promise<void> {
    const takenAt = performance.now() - Number(response.headers.get('x-age-ms'));
    const number = Number(response.headers.get('x-frame'));
    const url = URL.createObjectURL(await response.blob());
    this.#image.src = url;
    const isDecoded = await this.#image.decode().then(
      () => true,
      () => false,
    );
    URL.revokeObjectURL(this.#url);
    this.#url = url;
    this.#number = number;
    if (!isDecoded) return;
    this.#takenAt = takenAt;
    this.#shownAt.push(performance.now());
    this.#draw();
    this.#onState('live');
  }

  #showError(message: string, signal: AbortSignal): false {
    if (signal.aborted) return false;
    this.#message = message;
    this.#draw();
    this.#onState('down');
    return false;
  }

  #draw(): void {
    const now = performance.now();
    const ageMs = this.#takenAt === undefined ? undefined : now - this.#takenAt;
    const isStale = ageMs === undefined || ageMs > STALE_MS;
    this.#image.hidden = ageMs === undefined;
    this.#box.toggleAttribute('data-stale', isStale);
    showText(find('[data-camera-words]', this.#box), isStale ? this.#staleText(ageMs) : '');
    showText(find('[data-camera-age]', this.#box), isStale ? '' : TEXTS.cameraLive(this.#rate(now), ageMs));
  }

  /** Images per second over the last 2 s; 0 if there were fewer than two images. */
  #rate(now: number): number {
    this.#shownAt = this.#shownAt.filter((at) => now - at < RATE_WINDOW_MS);
    const [first = now, ...others] = this.#shownAt;
    const last = others.at(-1) ?? now;
    return last > first ? Math.round((others.length * 1000) / (last - first)) : 0;
  }

  #staleText(ageMs: number | undefined): string {
    return ageMs === undefined ? this.#message : `${TEXTS.cameraOld(ageText(ageMs))} ${this.#message}`;
  }
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
