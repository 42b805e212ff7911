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
/** Less than 65 s, after which the gateway closes idle connections. */
const KEEP_CONNECTION_MS = 20_000;
/** Selector of the forms of all stop buttons. */
export const STOPS = '[data-stop], [data-estop]';
/** Types of input that do not use Space; pressing Space in such an input stops the cart. */
const STOPS_ON_SPACE = ['number', 'radio', 'range'];

/** A faster path for stops than HTTP, such as the WebSocket of manual drive. */
type StopChannel = (kind: 'stop' | 'estop', cartID: number | null) => void;

const stopChannels: StopChannel[] = [];

/**
 * Adds a second path for stops, because browsers open at most six connections per host and delay further
 * requests.
 */
export function addStopChannel(channel: StopChannel): void {
  stopChannels.push(channel);
}

/**
 * The Stop and E-stop buttons take effect when pressed rather than when released, and can be used with a
 * keyboard or screen reader. Space triggers a stop; pressing Esc twice triggers an E-stop.
 */
export function initStops(): void {
  const pressedAt = new WeakMap<HTMLFormElement, number>();
  const press = (form: HTMLFormElement): void => {
    pressedAt.set(form, performance.now());
    void sendStop(form);
  };
  // The listeners are on the document, because forms for other carts are added and removed.
  document.addEventListener('pointerdown', ({ button, target }) => {
    const form = target instanceof Element ? target.closest('button')?.form : undefined;
    if (button === 0 && form?.matches(STOPS)) press(form);
  });
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches(STOPS)) return;
    event.preventDefault();
    // A submit event within 1 s of a press belongs to that press; any other submit event comes from a key or
    // a screen reader.
    if (performance.now() - (pressedAt.get(form) ?? Number.NEGATIVE_INFINITY) > 1000) press(form);
  });
  initKeys();
  setInterval(keepConnection, KEEP_CONNECTION_MS);
}

/** Keeps a connection open, because under overload a new connection can take 1-2 s. */
function keepConnection(): void {
  fetch('/livez', { cache: 'no-store' })
    .then((response) => response.arrayBuffer())
    .catch(() => undefined);
}

function initKeys(): void {
  let escapedAt = Number.NEGATIVE_INFINITY;
  const onSpace = (event: KeyboardEvent): boolean => event.key === ' ' && !acceptsSpace(event.target);
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (onSpace(event)) {
        // Space must not activate the focused button, such as "Drive".
        event.preventDefault();
        if (!event.repeat) stopMine();
      } else if (event.key === 'Escape' && !event.repeat) {
        // An Esc that closes a popover does not count.
        if (find('[popover]:popover-open')) return;
        if (event.timeStamp - escapedAt < TWICE_MS) pressEstop();
        escapedAt = event.timeStamp;
      } else if (event.key === '?' && !acceptsSpace(event.target)) {
        find('[data-keys]')?.togglePopover();
      }
    },
    true,
  );
  // The page receives no keydown event for the Esc that ends full-screen mode, so leaving this mode counts as
  // pressing Esc.
  document.addEventListener('fullscreenchange', ({ timeStamp }) => {
    if (!document.fullscreenElement) escapedAt = timeStamp;
  });
  // Firefox activates a focused button on keyup.
  document.addEventListener('keyup', (event) => onSpace(event) && event.preventDefault(), true);
}

/** Returns true if the element uses Space as input, as text fields and checkboxes do. */
function acceptsSpace(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !STOPS_ON_SPACE.includes(target.type);
}

function pressEstop(): void {
  const form = find<HTMLFormElement>('[data-estop]');
  if (form) void sendStop(form);
}

/** Stops the selected cart and all other carts that, according to the gateway, this operator is moving. */
function stopMine(): void {
  const form = find<HTMLFormElement>('[data-stop-selected]');
  const cartID = form ? cartOf(form) : null;
  if (cartID === null) return;
  for (const stopVia of stopChannels) stopVia('stop', cartID);
  void send(TEXTS.stop, '/stop/mine', { cartID });
}

/** Returns the ID of the cart that a form stops, or null if the form stops all carts. */
function cartOf({ action }: HTMLFormElement): number | null {
  return Number(/\/carts\/(\d+)\/stop$/.exec(action)?.[1] ?? 0) || null;
}

function sendStop(form: HTMLFormElement): Promise<void> {
  const kind = form.hasAttribute('data-estop') ? 'estop' : 'stop';
  for (const stopVia of stopChannels) stopVia(kind, cartOf(form));
  return send(kind === 'estop' ? TEXTS.estop : TEXTS.stop, form.action, {});
}

/**
 * Sends a stop request up to 6 times, until the gateway responds. Only stops are repeated, because a late
 * stop is harmless.
 */
async function send(action: string, address: string, body: object): Promise<void> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const headers = stopTokenHeader();
    const reply = await post(address, body, { timeoutMs: 2500, keepalive: true, headers });
    const missing = unconfirmed(reply.body);
    const time = timeOfDay(Date.now());
    if (missing.length > 0)
      return showAnswer(TEXTS.stopMissing(action, time, cartLabels(missing)), 'stop', 'stop');
    if (reply.ok) return showAnswer(TEXTS.stopSent(action, time));
    if (reply.status !== 0)
      return showAnswer(`${action}: ${upperFirst(reply.message)}. ${reply.hint}`.trim(), 'stop');
    showAnswer(attempt < TRIES ? TEXTS.cannotReachTrying : TEXTS.cannotReach, 'stop');
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Returns the carts that have not confirmed the stop. The gateway keeps sending the stop to them. */
function unconfirmed(body: unknown): StoppedCart[] {
  const carts = field(body, 'carts');
  return Array.isArray(carts) ? carts.filter((cart: StoppedCart) => !cart.confirmed) : [];
}
