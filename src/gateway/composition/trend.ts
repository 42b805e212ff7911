import type { Command } from '../../carts/command/command.js';
import type { CommandDispatcher } from '../../carts/command/dispatcher.js';
import type { CartView } from '../../carts/command/model.js';
import type { Cart } from '../../carts/control/cart.js';
import type { ProcessMonitor } from '../../system/health/process-monitor.js';
import type { TrendSample } from '../../system/trends/columns.js';
import type { Trend } from '../../system/trends/trend.js';

/** A controller reports twice a second at rest: what is older is not how the cart is now. */
const OLD_MS = 1500;

interface TrendParts {
  cart: Pick<Cart, 'view'>;
  dispatcher: Pick<CommandDispatcher, 'onOwnCommand'>;
  processMonitor: Pick<ProcessMonitor, 'takeLagMs'>;
}

/** Follows the event loop, the line and the own cart from now on. */
export function startTrend(trend: Trend, { cart, dispatcher, processMonitor }: TrendParts): void {
  const seen = new WeakSet<Command>();
  let slowestMs: number | null = null;
  dispatcher.onOwnCommand((command) => {
    const answerMs = answerTimeOf(command);
    if (answerMs === undefined || seen.has(command)) return;
    seen.add(command);
    slowestMs = Math.max(slowestMs ?? 0, tenths(answerMs));
  });
  trend.start(() => {
    const [lagMs, answerMs] = [processMonitor.takeLagMs(), slowestMs];
    slowestMs = null;
    return { lagMs: lagMs === null ? null : tenths(lagMs), answerMs, ...motionOf(cart.view()) };
  });
}

/** From being handed to the line to the controller's acknowledgement, ms; undefined while there is none. */
function answerTimeOf({ transitions }: Pick<Command, 'transitions'>): number | undefined {
  const sent = transitions.find(({ state }) => state === 'SENT');
  const acknowledged = transitions.find(({ state }) => state === 'ACKNOWLEDGED');
  return sent && acknowledged ? acknowledged.atMs - sent.atMs : undefined;
}

/** What the cart says of itself; nothing when it has not spoken lately. */
function motionOf({
  ageMs,
  telemetry,
}: Pick<CartView, 'ageMs' | 'telemetry'>): Pick<TrendSample, 'speedMmps' | 'batteryMv'> {
  if (ageMs === null || ageMs > OLD_MS || !telemetry) return { speedMmps: null, batteryMv: null };
  return { speedMmps: telemetry.speedMmps, batteryMv: telemetry.batteryMv };
}

/** A tenth of a ms is finer than any of it can be told. */
function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
