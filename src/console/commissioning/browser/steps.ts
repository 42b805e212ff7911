import type { CartView } from '../../../carts/pure.js';
import { metres } from '../../../i18n/format.js';
import { field, post, type Reply, send, textField } from '../../browser/post.js';
import { COMMISSIONING_TEXTS } from './texts.js';

/** Numbers for the steps' commands; the server computes these numbers from the settings. */
export interface TestOrders {
  short?: { id: number };
  long?: { id: number };
  turn?: { id: number };
  tooLong?: { id: number };
  maxSpeed: number;
  timeoutMs: number;
  decelMmps2: number;
  /** Result of `unitsFingerprint` for the settings that the numbers are based on. */
  meaning: string;
}

interface StepContext {
  cartID: number;
  orders: TestOrders;
  show(text: string): void;
}

/** Resolves with the observation for the record, or rejects with `StepFailed`. */
type Action = (context: StepContext) => Promise<string>;

const POLL_MS = 200;
/** While the cart is moving, its controller sends a report every 100 ms. */
const REPORT_MS = 100;
const MOVE_MS = 120_000;

/** An expected failure whose message is shown to the operator. */
export class StepFailed extends Error {}

export const ACTIONS: Readonly<Record<string, Action>> = {
  forward: (context) => drive(context, context.orders.short?.id, 0),
  turn: (context) => drive(context, 0, context.orders.turn?.id),
  limits: exceedLimit,
  estop: watchButton,
  deadman: unplugCable,
  broker: checkBroker,
};

async function drive(
  context: StepContext,
  distanceID: number | undefined,
  angleID: number | undefined,
): Promise<string> {
  const reply = await command(context, distanceID, angleID, 'done');
  const { distanceMm = 0, angleDeg = 0 } = (field(reply.body, 'result') ?? {}) as Record<string, number>;
  return COMMISSIONING_TEXTS.done(angleID ? `${Math.round(angleDeg)}°` : metres(distanceMm));
}

async function exceedLimit(context: StepContext): Promise<string> {
  const { cartID, orders } = context;
  if (!orders.tooLong) throw new StepFailed(COMMISSIONING_TEXTS.noOrder);
  const { maxSpeed, meaning } = orders;
  const body = { cartID, distanceID: orders.tooLong.id, angleID: 0, maxSpeed, meaning };
  const reply = await post('/', body, { timeoutMs: 5000 });
  if (field(reply.body, 'code') === 'RANGE') return COMMISSIONING_TEXTS.refused(reply.message);
  await post(`/carts/${cartID}/stop`, {}, { timeoutMs: 5000 });
  throw new StepFailed(
    reply.ok ? COMMISSIONING_TEXTS.notRefused : COMMISSIONING_TEXTS.notDone(failureText(reply)),
  );
}

async function watchButton(context: StepContext): Promise<string> {
  context.show(COMMISSIONING_TEXTS.press);
  await until(context, ({ safety }) => safety.emergencyStop === 'MANUAL');
  context.show(COMMISSIONING_TEXTS.pressed);
  await until(context, ({ safety }) => safety.emergencyStop === 'NONE');
  return COMMISSIONING_TEXTS.released;
}

async function unplugCable(context: StepContext): Promise<string> {
  const { orders, cartID } = context;
  const reply = await command(context, orders.long?.id, 0, 'ack');
  const commandId = String(field(reply.body, 'commandId'));
  context.show(COMMISSIONING_TEXTS.pull);
  let last: CartView | undefined;
  let seenAt = performance.now();
  await until(context, (cart) => {
    if (cart.telemetry) {
      last = cart;
      seenAt = performance.now();
    }
    return !cart.online || (cart.commandId === commandId && !cart.moving);
  });
  const unobservedMs = performance.now() - seenAt;
  const ended = await send('GET', `/commands/${commandId}`, { timeoutMs: 5000 });
  if (field(ended.body, 'state') !== 'FAILED') throw new StepFailed(COMMISSIONING_TEXTS.neverPulled);
  context.show(COMMISSIONING_TEXTS.pulled);
  const back = await until(
    context,
    ({ link, telemetry }) => link?.state === 'READY' && telemetry !== undefined,
  );
  await post(`/carts/${cartID}/stop`, {}, { timeoutMs: 5000 });
  return COMMISSIONING_TEXTS.back(travelAfterLoss(last, back, unobservedMs, orders));
}

/**
 * Compares the distance travelled since the last report before the connection loss with the maximum distance
 * that the controller's timeout allows.
 * @param unobservedMs time from that report to the detection of the loss.
 */
function travelAfterLoss(
  before: CartView | undefined,
  after: CartView,
  unobservedMs: number,
  { maxSpeed, timeoutMs, decelMmps2 }: TestOrders,
): string {
  const [from, to] = [before?.telemetry, after.telemetry];
  if (!from || !to || from.odoLeftMm > to.odoLeftMm) return COMMISSIONING_TEXTS.notCounted;
  const maxMs = timeoutMs + unobservedMs + REPORT_MS;
  const maxMm = Math.ceil((maxSpeed * maxMs) / 1000 + maxSpeed ** 2 / (2 * decelMmps2));
  return COMMISSIONING_TEXTS.rolled(Math.round(to.odoLeftMm - from.odoLeftMm), maxMm);
}

async function checkBroker(): Promise<string> {
  const { body } = await send('GET', '/health', { timeoutMs: 5000 });
  const broker = field(field(body, 'links'), 'broker');
  if (field(broker, 'connected') === true) return COMMISSIONING_TEXTS.brokerUp(String(field(broker, 'url')));
  throw new StepFailed(
    COMMISSIONING_TEXTS.brokerDown(textField(broker, 'reason') || COMMISSIONING_TEXTS.noAnswer),
  );
}

/** Sends a command at low speed and waits until it is acknowledged (`ack`) or has ended (`done`). */
async function command(
  { cartID, orders, show }: StepContext,
  distanceID: number | undefined,
  angleID: number | undefined,
  wait: 'ack' | 'done',
): Promise<Reply> {
  if (distanceID === undefined || angleID === undefined) throw new StepFailed(COMMISSIONING_TEXTS.noOrder);
  show(COMMISSIONING_TEXTS.driving);
  const { maxSpeed, meaning } = orders;
  const body = { cartID, distanceID, angleID, maxSpeed, meaning };
  const reply = await post(`/?wait=${wait}`, body, { timeoutMs: MOVE_MS });
  if (!reply.ok) throw new StepFailed(COMMISSIONING_TEXTS.notDone(failureText(reply)));
  return reply;
}

/** Waits until `isMet` returns true or the operator leaves the page; there is no timeout. */
async function until({ cartID }: StepContext, isMet: (cart: CartView) => boolean): Promise<CartView> {
  for (;;) {
    const { ok, body } = await send('GET', `/carts/${cartID}`, { timeoutMs: 5000 });
    if (ok && isMet(body as CartView)) return body as CartView;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function failureText({ status, message, hint }: Reply): string {
  return status === 0 ? COMMISSIONING_TEXTS.noAnswer : [message, hint].filter(Boolean).join('. ');
}
