import type { StoppedCart } from '../../carts/command/model.js';
import { cartLabels } from '../../carts/labels/stop-labels.js';
import { timeOfDay, upperFirst } from '../../i18n/format.js';
import { showAnswer } from './answer.js';
import { find } from './dom.js';
import { field, post } from './post.js';
import { stopTokenHeader } from './stop-token.js';
import { TEXTS } from './texts.js';

const TRIES = 6;
const RETRY_MS = 400;
const TWICE_MS = 700;
/** Below the 65 s after which the gateway closes an idle connection. */
const KEEP_CONNECTION_MS = 20_000;
const STOPS = '[data-stop], [data-estop]';

/** A quicker way to stop than a request, where a page has one. */
type QuickStop = (kind: 'stop' | 'estop', cartID: number | null) => void;

const quickStops: QuickStop[] = [];

/**
 * Stops go this way as well from now on. A browser opens six connections to one place at most, for all its pages
 * together, and a request that finds them busy waits.
 */
export function stopAlsoBy(quick: QuickStop): void {
  quickStops.push(quick);
}

/** Stop and E-stop act when the finger comes down; keyboards, screen readers and the keys Space and Esc Esc work too. */
export function initStops(): void {
  const pressedAt = new WeakMap<HTMLFormElement, number>();
  const press = (form: HTMLFormElement): void => {
    pressedAt.set(form, performance.now());
    void sendStop(form);
  };
  // On the document: forms for further carts come and go.
  document.addEventListener('pointerdown', ({ button, target }) => {
    const form = target instanceof Element ? target.closest('button')?.form : undefined;
    if (button === 0 && form?.matches(STOPS)) press(form);
  });
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches(STOPS)) return;
    event.preventDefault();
    // The click that ends the same press is the same stop; one without a press comes from a key or a screen reader.
    if (performance.now() - (pressedAt.get(form) ?? Number.NEGATIVE_INFINITY) > 1000) press(form);
  });
  initKeys();
  setInterval(keepConnection, KEEP_CONNECTION_MS);
}

/** Keeps a connection open for the next stop: while the gateway is flooded, a new one may wait for a second or two. */
function keepConnection(): void {
  fetch('/livez', { cache: 'no-store' })
    .then((response) => response.arrayBuffer())
    .catch(() => undefined);
}

function initKeys(): void {
  let escapedAt = Number.NEGATIVE_INFINITY;
  const onSpace = (event: KeyboardEvent): boolean => event.key === ' ' && !typesText(event.target);
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (onSpace(event)) {
        // Also on a focused button: Space must never press "Drive" once more.
        event.preventDefault();
        if (!event.repeat) stopMine();
      } else if (event.key === 'Escape' && !event.repeat) {
        if (event.timeStamp - escapedAt < TWICE_MS) pressEstop();
        escapedAt = event.timeStamp;
      } else if (event.key === '?' && !typesText(event.target)) {
        const keys = find<HTMLDetailsElement>('[data-keys]');
        if (keys) keys.open = true;
        keys?.scrollIntoView({ block: 'center' });
      }
    },
    true,
  );
  // Firefox presses a focused button when the key comes up.
  document.addEventListener('keyup', (event) => onSpace(event) && event.preventDefault(), true);
}

/** Whether Space belongs to the control: text is typed there, or it ticks a box. Numbers hold no spaces. */
function typesText(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && target.type !== 'number';
}

function pressEstop(): void {
  const form = find<HTMLFormElement>('[data-estop]');
  if (form) void sendStop(form);
}

/** Space: the selected cart, and every other one that this operator moves. The gateway knows which these are. */
function stopMine(): void {
  const form = find<HTMLFormElement>('[data-stop-selected]');
  const cartID = form ? cartOf(form) : null;
  if (cartID === null) return;
  for (const quick of quickStops) quick('stop', cartID);
  void send(TEXTS.stop, '/stop/mine', { cartID });
}

/** The cart that a form stops; null: every cart. */
function cartOf({ action }: HTMLFormElement): number | null {
  return Number(/\/carts\/(\d+)\/stop$/.exec(action)?.[1] ?? 0) || null;
}

function sendStop(form: HTMLFormElement): Promise<void> {
  const kind = form.hasAttribute('data-estop') ? 'estop' : 'stop';
  for (const quick of quickStops) quick(kind, cartOf(form));
  return send(kind === 'estop' ? TEXTS.estop : TEXTS.stop, form.action, {});
}

/**
 * Sends a stop until the gateway has taken it, some seconds at most. A late stop does no harm, which is why only stops
 * are ever repeated.
 */
async function send(what: string, address: string, body: object): Promise<void> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const headers = stopTokenHeader();
    const reply = await post(address, body, { timeoutMs: 2500, keepalive: true, headers });
    const missing = unconfirmed(reply.body);
    const time = timeOfDay(Date.now());
    if (missing.length > 0)
      return showAnswer(TEXTS.stopMissing(what, time, cartLabels(missing)), 'stop', 'stop');
    if (reply.ok) return showAnswer(TEXTS.stopSent(what, time));
    if (reply.status !== 0)
      return showAnswer(`${what}: ${upperFirst(reply.message)}. ${reply.hint}`.trim(), 'stop');
    showAnswer(attempt < TRIES ? TEXTS.cannotReachTrying : TEXTS.cannotReach, 'stop');
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** The carts in the answer that did not confirm; the gateway goes on sending the stop to them. */
function unconfirmed(body: unknown): StoppedCart[] {
  const carts = field(body, 'carts');
  return Array.isArray(carts) ? carts.filter((cart: StoppedCart) => !cart.confirmed) : [];
}
