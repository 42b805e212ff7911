import { ageText, upperFirst } from '../../i18n/format.js';
import { language } from '../../i18n/language.js';
import { PAGE_LANGUAGE_HEADER } from '../../shared/messages/message.js';
import { find, say } from '../../web/browser/dom.js';
import { TEXTS } from '../../web/browser/texts.js';

/** An older picture is greyed and says how old it is. */
const STALE_MS = 1000;
const DRAW_MS = 250;
const RATE_MS = 2000;
const RETRY_MS = 2000;

/** What a view found out, for whoever shows more of it. `down`: there is no picture, and the sentence says why. */
export type Sight = 'live' | 'waiting' | 'down';

/**
 * The live picture in a box of the page. It asks for the next picture when it has shown the last one, so that a slow
 * line makes it miss pictures and never lag behind. Nothing is asked while the page or the box cannot be seen.
 */
export class CameraView {
  readonly #box: HTMLElement;
  readonly #image: HTMLImageElement;
  readonly #onSight: (sight: Sight) => void;
  #cut: AbortController | undefined;
  #number = 0;
  /** On the page's own clock; undefined before the first picture. */
  #takenAt: number | undefined;
  #shown: number[] = [];
  #url = '';
  #words: string = TEXTS.cameraStarting;

  /** @param box holds `[data-camera-picture]`, `[data-camera-words]` and `[data-camera-age]`. */
  constructor(box: HTMLElement, onSight: (sight: Sight) => void = () => undefined) {
    this.#box = box;
    this.#image = find<HTMLImageElement>('[data-camera-picture]', box) ?? new Image();
    this.#onSight = onSight;
  }

  /** From now on, whenever somebody can see it. */
  start(): void {
    const follow = (): void => (this.#canBeSeen() ? this.#open() : this.#close());
    document.addEventListener('visibilitychange', follow);
    this.#box.closest('details')?.addEventListener('toggle', follow);
    addEventListener('pagehide', () => this.#close());
    addEventListener('pageshow', follow);
    setInterval(() => this.#draw(), DRAW_MS);
    follow();
  }

  /** Asks now instead of after the pause. */
  again(): void {
    this.#close();
    if (this.#canBeSeen()) this.#open();
  }

  #canBeSeen(): boolean {
    return document.visibilityState === 'visible' && this.#box.closest('details')?.open !== false;
  }

  #open(): void {
    if (this.#cut) return;
    this.#cut = new AbortController();
    void this.#follow(this.#cut.signal);
  }

  #close(): void {
    this.#cut?.abort();
    this.#cut = undefined;
    this.#shown = [];
    this.#draw();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isGood = await this.#next(signal).catch(() => this.#miss(TEXTS.cameraNoAnswer, signal));
      if (!isGood) await pause(RETRY_MS, signal);
    }
  }

  /** One picture, or the reason why there is none. True when the next one may be asked for at once. */
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
      this.#words = TEXTS.cameraStarting;
      this.#onSight('waiting');
      return true;
    }
    const { message = '', hint = '' } = (await response.json()) as { message?: string; hint?: string };
    return this.#miss([upperFirst(message), hint].filter(Boolean).join('. '), signal);
  }

  async #show(response: Response): Promise<void> {
    const takenAt = performance.now() - Number(response.headers.get('x-age-ms'));
    const number = Number(response.headers.get('x-frame'));
    const url = URL.createObjectURL(await response.blob());
    this.#image.src = url;
    const isPicture = await this.#image.decode().then(
      () => true,
      () => false,
    );
    URL.revokeObjectURL(this.#url);
    this.#url = url;
    this.#number = number;
    if (!isPicture) return;
    this.#takenAt = takenAt;
    this.#shown.push(performance.now());
    this.#draw();
    this.#onSight('live');
  }

  #miss(words: string, signal: AbortSignal): false {
    if (signal.aborted) return false;
    this.#words = words;
    this.#draw();
    this.#onSight('down');
    return false;
  }

  #draw(): void {
    const now = performance.now();
    const ageMs = this.#takenAt === undefined ? undefined : now - this.#takenAt;
    const isStale = ageMs === undefined || ageMs > STALE_MS;
    this.#image.hidden = ageMs === undefined;
    this.#box.toggleAttribute('data-stale', isStale);
    say(find('[data-camera-words]', this.#box), isStale ? this.#staleWords(ageMs) : '');
    say(find('[data-camera-age]', this.#box), isStale ? '' : TEXTS.cameraLive(this.#rate(now), ageMs));
  }

  /** Pictures a second, over the last two; 0 before there are two of them. */
  #rate(now: number): number {
    this.#shown = this.#shown.filter((at) => now - at < RATE_MS);
    const [first = now, ...others] = this.#shown;
    const last = others.at(-1) ?? now;
    return last > first ? Math.round((others.length * 1000) / (last - first)) : 0;
  }

  #staleWords(ageMs: number | undefined): string {
    return ageMs === undefined ? this.#words : `${TEXTS.cameraOld(ageText(ageMs))} ${this.#words}`;
  }
}

/** Ends early when it is called off. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
