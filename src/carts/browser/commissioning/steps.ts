import { metres, upperFirst } from '../../../i18n/format.js';
import { field, post, type Reply, send, sentence } from '../../../web/browser/post.js';
import type { CartView } from '../../command/model.js';
import { TOUR_TEXTS } from './texts.js';

/** What the page knows of the numbers to drive with; the server made them from the settings. */
export interface Orders {
  short?: { id: number };
  long?: { id: number };
  turn?: { id: number };
  tooLong?: { id: number };
  maxSpeed: number;
  timeoutMs: number;
  decelMmps2: number;
  /** Stands for the settings that the numbers were made from. */
  meaning: string;
}

/** What a step needs of the page: the cart, its numbers, and a place to say what happens. */
interface Tour {
  cartID: number;
  orders: Orders;
  say(text: string): void;
}

/** Does the real thing. Answers what was seen, for the record, or throws the sentence that says why not. */
type Action = (tour: Tour) => Promise<string>;

const LOOK_MS = 200;
/** A moving controller reports every 100 ms. */
const REPORT_MS = 100;
const MOVE_MS = 120_000;

/** A sentence for people, not a fault of the program. */
export class NotSeen extends Error {}

export const ACTIONS: Readonly<Record<string, Action>> = {
  forward: (tour) => drive(tour, tour.orders.short?.id, 0),
  turn: (tour) => drive(tour, 0, tour.orders.turn?.id),
  limits: askTooMuch,
  estop: watchButton,
  deadman: pullPlug,
  broker: lookAtBroker,
};

async function drive(
  tour: Tour,
  distanceID: number | undefined,
  angleID: number | undefined,
): Promise<string> {
  const reply = await command(tour, distanceID, angleID, 'done');
  const { distanceMm = 0, angleDeg = 0 } = (field(reply.body, 'result') ?? {}) as Record<string, number>;
  return TOUR_TEXTS.done(angleID ? `${Math.round(angleDeg)}°` : metres(distanceMm));
}

async function askTooMuch(tour: Tour): Promise<string> {
  const { cartID, orders } = tour;
  if (!orders.tooLong) throw new NotSeen(TOUR_TEXTS.noOrder);
  const { maxSpeed, meaning } = orders;
  const body = { cartID, distanceID: orders.tooLong.id, angleID: 0, maxSpeed, meaning };
  const reply = await post('/', body, { timeoutMs: 5000 });
  if (field(reply.body, 'code') === 'RANGE') return TOUR_TEXTS.refused(reply.message);
  await post(`/carts/${cartID}/stop`, {}, { timeoutMs: 5000 });
  throw new NotSeen(reply.ok ? TOUR_TEXTS.notRefused : TOUR_TEXTS.notDone(whyNot(reply)));
}

async function watchButton(tour: Tour): Promise<string> {
  tour.say(TOUR_TEXTS.press);
  await until(tour, ({ safety }) => safety.emergencyStop === 'MANUAL');
  tour.say(TOUR_TEXTS.pressed);
  await until(tour, ({ safety }) => safety.emergencyStop === 'NONE');
  return TOUR_TEXTS.released;
}

async function pullPlug(tour: Tour): Promise<string> {
  const { orders, cartID } = tour;
  const reply = await command(tour, orders.long?.id, 0, 'ack');
  const commandId = String(field(reply.body, 'commandId'));
  tour.say(TOUR_TEXTS.pull);
  let last: CartView | undefined;
  let seenAt = performance.now();
  await until(tour, (cart) => {
    if (cart.telemetry) {
      last = cart;
      seenAt = performance.now();
    }
    return !cart.online || (cart.commandId === commandId && !cart.moving);
  });
  const unseenMs = performance.now() - seenAt;
  const ended = await send('GET', `/commands/${commandId}`, { timeoutMs: 5000 });
  if (field(ended.body, 'state') !== 'FAILED') throw new NotSeen(TOUR_TEXTS.neverPulled);
  tour.say(TOUR_TEXTS.pulled);
  const back = await until(tour, ({ link, telemetry }) => link?.state === 'READY' && telemetry !== undefined);
  await post(`/carts/${cartID}/stop`, {}, { timeoutMs: 5000 });
  return TOUR_TEXTS.back(rolledOn(last, back, unseenMs, orders));
}

/**
 * How far the wheels went on after the last word, by the controller's own count, against what the timeout allows.
 * @param unseenMs between the last report that the page saw and the moment at which it saw the loss.
 */
function rolledOn(
  before: CartView | undefined,
  after: CartView,
  unseenMs: number,
  { maxSpeed, timeoutMs, decelMmps2 }: Orders,
): string {
  const [from, to] = [before?.telemetry, after.telemetry];
  if (!from || !to || from.odoLeftMm > to.odoLeftMm) return TOUR_TEXTS.notCounted;
  const mostMs = timeoutMs + unseenMs + REPORT_MS;
  const mostMm = Math.ceil((maxSpeed * mostMs) / 1000 + maxSpeed ** 2 / (2 * decelMmps2));
  return TOUR_TEXTS.rolled(Math.round(to.odoLeftMm - from.odoLeftMm), mostMm);
}

async function lookAtBroker(): Promise<string> {
  const { body } = await send('GET', '/health', { timeoutMs: 5000 });
  const broker = field(field(body, 'links'), 'broker');
  if (field(broker, 'connected') === true) return TOUR_TEXTS.brokerUp(String(field(broker, 'url')));
  throw new NotSeen(TOUR_TEXTS.brokerDown(sentence(broker, 'reason') || TOUR_TEXTS.noAnswer));
}

/** Sends a command, slowly, and answers when it has got as far as `wait`. */
async function command(
  { cartID, orders, say }: Tour,
  distanceID: number | undefined,
  angleID: number | undefined,
  wait: 'ack' | 'done',
): Promise<Reply> {
  if (distanceID === undefined || angleID === undefined) throw new NotSeen(TOUR_TEXTS.noOrder);
  say(TOUR_TEXTS.driving);
  const { maxSpeed, meaning } = orders;
  const body = { cartID, distanceID, angleID, maxSpeed, meaning };
  const reply = await post(`/?wait=${wait}`, body, { timeoutMs: MOVE_MS });
  if (!reply.ok) throw new NotSeen(TOUR_TEXTS.notDone(whyNot(reply)));
  return reply;
}

/** Looks at the cart until it is as wanted. The page may be left at any time: then nobody waits any more. */
async function until({ cartID }: Tour, isSo: (cart: CartView) => boolean): Promise<CartView> {
  for (;;) {
    const { ok, body } = await send('GET', `/carts/${cartID}`, { timeoutMs: 5000 });
    if (ok && isSo(body as CartView)) return body as CartView;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function whyNot({ status, message, hint }: Reply): string {
  return status === 0 ? TOUR_TEXTS.noAnswer : [upperFirst(message), hint].filter(Boolean).join('. ');
}
