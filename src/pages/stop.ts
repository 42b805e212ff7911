import { timeOfDay, upperFirst } from '../carts/words.js';
import { showAnswer } from './answer.js';
import { all, find } from './dom.js';
import { post } from './post.js';
import { TEXTS } from './texts.js';

const TRIES = 6;
const RETRY_MS = 400;
const TWICE_MS = 700;

/** A quicker way to stop than a request, where a page has one. */
export type QuickStop = (kind: 'stop' | 'estop', cartID: number | null) => void;

const quickStops: QuickStop[] = [];

/**
 * Stops go this way as well from now on. A browser opens six connections to one place at most, for all its pages
 * together, and a request that finds them busy waits.
 */
export function stopAlsoBy(quick: QuickStop): void {
  quickStops.push(quick);
}

/** Stop and E-stop act when the finger comes down; keyboards, screen readers and the keys Space and Esc Esc work too. */
export function armStops(): void {
  for (const form of all<HTMLFormElement>('[data-stop], [data-estop]')) {
    let pressedAt = Number.NEGATIVE_INFINITY;
    const press = (): void => {
      pressedAt = performance.now();
      void sendStop(form);
    };
    const button = find('button', form);
    button?.addEventListener('pointerdown', (event) => {
      if (event.button === 0) press();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      // The click that ends the same press says nothing new; one without a press is a key or a screen reader.
      if (performance.now() - pressedAt > 1000) press();
    });
  }
  armKeys();
}

function armKeys(): void {
  let escapedAt = Number.NEGATIVE_INFINITY;
  const onSpace = (event: KeyboardEvent): boolean => event.key === ' ' && !typesText(event.target);
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (onSpace(event)) {
        // Also on a focused button: Space must never press "Drive" once more.
        event.preventDefault();
        if (!event.repeat) pressForm('[data-stop]');
      } else if (event.key === 'Escape' && !event.repeat) {
        if (event.timeStamp - escapedAt < TWICE_MS) pressForm('[data-estop]');
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

function pressForm(selector: string): void {
  const form = find<HTMLFormElement>(selector);
  if (form) void sendStop(form);
}

/**
 * Sends a stop until the gateway has taken it, some seconds at most. A late stop does no harm, which is why only stops
 * are ever repeated.
 */
async function sendStop(form: HTMLFormElement): Promise<void> {
  const what = form.hasAttribute('data-estop') ? TEXTS.estop : TEXTS.stop;
  const address = form.action;
  const cartID = Number(/\/carts\/(\d+)\/stop$/.exec(address)?.[1] ?? 0) || null;
  for (const quick of quickStops) quick(form.hasAttribute('data-estop') ? 'estop' : 'stop', cartID);
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const reply = await post(address, new URLSearchParams(), { timeoutMs: 1500, keepalive: true });
    if (reply.ok) return showAnswer(TEXTS.stopSent(what, timeOfDay(Date.now())));
    if (reply.status !== 0)
      return showAnswer(`${what}: ${upperFirst(reply.message)}. ${reply.hint}`.trim(), 'stop');
    showAnswer(attempt < TRIES ? TEXTS.cannotReachTrying : TEXTS.cannotReach, 'stop');
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
