import { send } from '../post.js';

/**
 * Values that are requested regularly are grey if the latest response is older than the interval by more than
 * this.
 */
const LATE_MS = 1000;
const TIMEOUT_MS = 5000;
const CHECK_MS = 250;

/**
 * Greys the values in an element if they are older than `greyMs`, or if their age is unknown.
 * @returns true if they are too old.
 */
export function markAge(element: HTMLElement | undefined, ageMs: number | null, greyMs: number): boolean {
  const isStale = ageMs === null || ageMs > greyMs;
  if (element && element.hasAttribute('data-stale') !== isStale)
    element.toggleAttribute('data-stale', isStale);
  return isStale;
}

interface PollOptions {
  address: string;
  everyMs: number;
  timeoutMs?: number;
  /** False if the page was rendered with the current values, so they need not be requested immediately. */
  atOnce?: boolean;
  /** False while nothing is requested, for example because the values are hidden. */
  isOn?: () => boolean;
  /** Receives the body of each response. */
  show: (body: unknown) => void;
  /** Called every 250 ms; `isStale` is true from a missed response until the next response. */
  drawStale: (isStale: boolean, ageMs: number) => void;
}

/**
 * Requests `address` regularly while the page is visible, one request at a time, so that the responses are in order.
 * Returns a function that requests it immediately.
 */
export function poll({
  address,
  everyMs,
  timeoutMs = TIMEOUT_MS,
  atOnce = true,
  isOn = () => true,
  show,
  drawStale,
}: PollOptions): () => Promise<void> {
  let receivedAt = performance.now();
  let isRequesting = false;
  /** After a logout, the values are requested again only when the page is shown again. */
  let isLoggedOut = false;
  const refresh = async (): Promise<void> => {
    if (isRequesting || !isOn() || document.visibilityState !== 'visible') return;
    isRequesting = true;
    const askedAt = performance.now();
    const { ok, status, body } = await send('GET', address, { timeoutMs });
    isRequesting = false;
    isLoggedOut = status === 401;
    if (!ok || !isOn()) return;
    // The response may be as old as the request, for example if the tablet slept in between.
    receivedAt = askedAt;
    show(body);
    drawStale(false, 0);
  };
  setInterval(() => {
    const ageMs = performance.now() - receivedAt;
    if (isOn()) drawStale(ageMs > everyMs + LATE_MS, ageMs);
  }, CHECK_MS);
  setInterval(() => {
    if (!isLoggedOut) void refresh();
  }, everyMs);
  document.addEventListener('visibilitychange', () => void refresh());
  if (atOnce) void refresh();
  return refresh;
}
