import { ageText, upperFirst } from '../../../i18n/format.js';
import { language } from '../../../i18n/language.js';
import { find, setHidden, showText } from '../../browser/dom.js';
import { TEXTS } from '../../browser/texts.js';
import type { CameraReport, CameraRequest } from './camera-worker.js';

const STALE_MS = 1000;
const DRAW_MS = 250;
const RATE_WINDOW_MS = 2000;

/** `down`: the view shows an error instead of an image. */
export type ViewState = CameraReport['state'];

/** Shows the state and the age of the images that the worker draws on the canvas. */
export class LiveImage {
  readonly #box: HTMLElement;
  readonly #onState: (state: ViewState) => void;
  #worker: Worker | undefined;
  #canvas: HTMLCanvasElement | undefined;
  #isOpen = false;
  #isDown = false;
  /** `performance.now()` when the image was taken; undefined before the first image. */
  #takenAt: number | undefined;
  #shownAt: number[] = [];
  #message: string = TEXTS.cameraStarting;

  /** @param box contains `[data-camera-picture]`, `[data-camera-words]` and `[data-camera-age]`. */
  constructor(box: HTMLElement, onState: (state: ViewState) => void = () => undefined) {
    this.#box = box;
    this.#onState = onState;
  }

  /**
   * Starts after the first frame, because taking over the canvas makes the browser compute the layout. In a
   * hidden tab, there is no frame until the tab is shown.
   */
  start(): void {
    requestAnimationFrame(() => setTimeout(() => this.#start()));
  }

  #start(): void {
    const { worker = '' } = this.#box.dataset;
    this.#canvas = find<HTMLCanvasElement>('[data-camera-picture]', this.#box);
    this.#worker = new Worker(worker, { type: 'module' });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<CameraReport>) => this.#take(data));
    const canvas = this.#canvas?.transferControlToOffscreen();
    if (canvas) this.#send({ canvas, isOpen: false, language: language() }, [canvas]);
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
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#send({ isOpen: true, language: language() });
  }

  #close(): void {
    this.#isOpen = false;
    this.#send({ isOpen: false, language: language() });
    this.#shownAt = [];
    this.#draw();
  }

  #send(request: CameraRequest, transferred: Transferable[] = []): void {
    this.#worker?.postMessage(request, transferred);
  }

  /** Reports that were sent before the view was closed are ignored. */
  #take(report: CameraReport): void {
    if (!this.#isOpen) return;
    if (report.state !== 'waiting') this.#isDown = report.state === 'down';
    if (report.state === 'live') {
      this.#message = '';
      this.#takenAt = report.takenAt - performance.timeOrigin;
      this.#shownAt.push(performance.now());
      if (this.#canvas?.hidden || this.#box.hasAttribute('data-stale')) this.#draw();
    } else if (report.state === 'down') {
      this.#message = messageOf(report);
      this.#draw();
    }
    this.#onState(report.state);
  }

  /**
   * Also greys the image out while the page is hidden, because the first frame after the page is shown again contains
   * the old image.
   */
  #draw(): void {
    const now = performance.now();
    const ageMs = this.#takenAt === undefined ? undefined : now - this.#takenAt;
    const isStale = !this.#isOpen || this.#isDown || ageMs === undefined || ageMs > STALE_MS;
    setHidden(this.#canvas, ageMs === undefined);
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
    return ageMs === undefined ? this.#message : `${TEXTS.cameraOld(ageText(ageMs))} ${this.#message}`.trim();
  }
}

function messageOf({ reason }: Extract<CameraReport, { state: 'down' }>): string {
  if (!reason) return TEXTS.cameraNoAnswer;
  const { message = '', hint = '' } = reason;
  return [upperFirst(message), hint].filter(Boolean).join('. ');
}
