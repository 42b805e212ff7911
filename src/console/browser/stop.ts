import { cartLabels, type StoppedCart } from '../../carts/pure.js';
import { timeOfDay, upperFirst } from '../../i18n/format.js';
import { showAnswer, showStopFailure, type UnconfirmedStop } from './answer.js';
import { newId } from './commands/new-id.js';
import { all, find, isPopoverOpen } from './dom.js';
import { field, post, type Reply } from './post.js';
import { stopTokenHeader } from './stop-token.js';
import { TEXTS } from './texts.js';

const TRIES = 6;
const RETRY_MS = 400;
const TWICE_MS = 700;
/**
 * Interval between requests that keep the connection open; less than the 65 s after which the gateway closes idle
 * connections.
 */
const KEEP_CONNECTION_MS = 20_000;
/** Maximum time in ms between the response and the event that reports the latched stop. */
const LATCH_EVENT_MS = 1000;
export const STOPS = '[data-stop], [data-estop]';
/** Input types that do not use Space; in these fields, Space stops the cart. */
const STOPS_ON_SPACE = ['number', 'radio', 'range'];

/** A faster path for stops than HTTP, such as the WebSocket of manual drive. */
type StopChannel = (kind: 'stop' | 'estop', cartID: number | null, pressId?: string) => void;

const stopChannels: StopChannel[] = [];
let lastPress: string | undefined;
let pendingListener = (): void => undefined;

/** Adds a second path for stops, because browsers delay requests beyond six connections per host. */
export function addStopChannel(channel: StopChannel): void {
  stopChannels.push(channel);
}

/**
 * Makes the stop buttons and keys send stops. A stop is sent on the press, not on the release, even with a keyboard
 * or a screen reader. Space triggers a stop; pressing Esc twice triggers Stop all.
 */
export function initStops(): void {
  const pressedAt = new WeakMap<HTMLFormElement, number>();
  const press = (form: HTMLFormElement): void => {
    pressedAt.set(form, performance.now());
    void sendStop(form);
  };
  // Listens on the document, because forms for other carts are added and removed.
  document.addEventListener('pointerdown', ({ button, target }) => {
    const form = target instanceof Element ? target.closest('button')?.form : undefined;
    if (button === 0 && form?.matches(STOPS)) press(form);
  });
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches(STOPS)) return;
    event.preventDefault();
    // A submit event within 1 s of a press belongs to the press; others come from a key or a screen reader.
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
        // An Esc that closes a popover does not count towards Stop all.
        if (isPopoverOpen()) return;
        if (event.timeStamp - escapedAt < TWICE_MS) pressEstop();
        escapedAt = event.timeStamp;
      } else if (event.key === '?' && !acceptsSpace(event.target)) {
        find('[data-keys]')?.togglePopover();
      }
    },
    true,
  );
  // Leaving full-screen mode counts as Esc, because Esc causes no keydown event in full-screen mode.
  document.addEventListener('fullscreenchange', ({ timeStamp }) => {
    if (!document.fullscreenElement) escapedAt = timeStamp;
  });
  // Firefox activates a focused button on keyup.
  document.addEventListener('keyup', (event) => onSpace(event) && event.preventDefault(), true);
}

/** Returns true if the element uses Space as input, as a text field or a checkbox does. */
function acceptsSpace(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !STOPS_ON_SPACE.includes(target.type);
}

function pressEstop(): void {
  const form = find<HTMLFormElement>('[data-estop]');
  if (form) void sendStop(form);
}

/** Stops the selected cart and, according to the gateway's list, all other carts that the operator is moving. */
function stopMine(): void {
  const form = find<HTMLFormElement>('[data-stop-selected]');
  const cartID = form ? cartOf(form) : null;
  if (cartID === null) return;
  for (const stopVia of stopChannels) stopVia('stop', cartID);
  void send('stop', '/stop/mine', { cartID }, [cartID, ...movedByMe()]);
}

/** Returns the carts that this operator is moving: those with a Stop button beside the status line. */
function movedByMe(): number[] {
  return all('[data-moving-cart]').map(({ dataset }) => Number(dataset.movingCart));
}

/** Returns the ID of the cart that a form stops, or null if the form stops all carts. */
function cartOf({ action }: HTMLFormElement): number | null {
  return Number(/\/carts\/(\d+)\/stop$/.exec(action)?.[1] ?? 0) || null;
}

async function sendStop(form: HTMLFormElement): Promise<void> {
  const kind = form.hasAttribute('data-estop') ? 'estop' : 'stop';
  // All requests of a press contain the same ID, so that the gateway records the press once.
  const press = kind === 'estop' ? newId() : undefined;
  const cartID = cartOf(form);
  for (const stopVia of stopChannels) stopVia(kind, cartID, press);
  if (!press) return void send('stop', form.action, {}, cartID === null ? [] : [cartID]);
  setLastPress(press);
  const isAccepted = await send('estop', form.action, { pressId: press }, []);
  setTimeout(() => lastPress === press && setLastPress(undefined), isAccepted ? LATCH_EVENT_MS : 0);
}

/** Returns true from a press of Stop all until the page has shown the latched stop or the request has failed. */
export function isEstopPending(): boolean {
  return lastPress !== undefined;
}

export function endEstopPending(): void {
  lastPress = undefined;
}

/** Calls the listener when `isEstopPending` changes. */
export function onEstopPending(listener: () => void): void {
  pendingListener = listener;
}

function setLastPress(press: string | undefined): void {
  lastPress = press;
  pendingListener();
}

/**
 * Sends a stop request up to 6 times, until the gateway responds; a late stop is harmless. Returns true if
 * the gateway has accepted the stop.
 * @param cartIDs the carts to stop; all carts if it is empty.
 */
async function send(
  kind: 'stop' | 'estop',
  address: string,
  body: object,
  cartIDs: readonly number[],
): Promise<boolean> {
  const isEstop = kind === 'estop';
  const action = isEstop ? TEXTS.stopAll : TEXTS.stop;
  const stop = { action, isEstop, cartIDs, pressedAt: performance.now(), isAnswered: false };
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const headers = stopTokenHeader();
    const reply = await post(address, body, { timeoutMs: 2500, keepalive: true, headers });
    if (reply.status !== 0) return showResponse(stop, reply);
    if (attempt < TRIES) showStopFailure(TEXTS.stopUnansweredTrying(action));
    else showStopFailure(TEXTS.stopUnanswered(action), stop);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  return false;
}

function showResponse(stop: UnconfirmedStop, { ok, body, message, hint }: Reply): boolean {
  const { action, isEstop } = stop;
  const stopped = stoppedCarts(body);
  const missing = stopped.filter(({ confirmed }) => !confirmed);
  const time = timeOfDay(Date.now());
  if (missing.length > 0) {
    const cartIDs = missing.map(({ cartID }) => cartID);
    showStopFailure(TEXTS.stopMissing(action, time, cartLabels(missing)), {
      ...stop,
      cartIDs,
      isAnswered: true,
    });
    return true;
  }
  showStopFailure(ok ? '' : TEXTS.stopNotSent(action, `${upperFirst(message)}. ${hint}`.trim()));
  // The message names the carts, because the operator may have selected another cart since the press.
  if (ok && !isEstop) showAnswer(TEXTS.stopSent(cartLabels(stopped), time), 'quiet', 'stop');
  if (ok && isEstop) showAnswer(TEXTS.stopAllSent(time), 'quiet', 'estop');
  return ok;
}

/**
 * Returns the carts that the stop was sent to. The gateway keeps sending the stop to those that have not confirmed
 * it.
 */
function stoppedCarts(body: unknown): StoppedCart[] {
  const carts = field(body, 'carts');
  return Array.isArray(carts) ? carts : [];
}
