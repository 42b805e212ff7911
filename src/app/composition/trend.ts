import type { Cart, CartView, Command, CommandDispatcher } from '../../carts/index.js';
import { type ProcessMonitor, Trend, type TrendSample } from '../../system/index.js';
import type { AppContext } from '../context.js';

/** Telemetry older than this is stale: a controller reports at least twice a second. */
const STALE_MS = 1500;

interface TrendDeps {
  cart: Pick<Cart, 'view'>;
  dispatcher: Pick<CommandDispatcher, 'onOwnCommand'>;
  processMonitor: Pick<ProcessMonitor, 'takeLagMs'>;
}

export function startTrend(trend: Trend, { cart, dispatcher, processMonitor }: TrendDeps): void {
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

export function openTrend(
  { clock, processMonitor }: AppContext,
  { ownCart: { cart, dispatcher } }: { ownCart: Omit<TrendDeps, 'processMonitor'> },
): Trend {
  const trend = new Trend({ clock });
  startTrend(trend, { cart, dispatcher, processMonitor });
  return trend;
}

/** Returns the time in ms from sending a command to its acknowledgement; undefined if it has not been acknowledged. */
function answerTimeOf({ transitions }: Pick<Command, 'transitions'>): number | undefined {
  const sent = transitions.find(({ state }) => state === 'SENT');
  const acknowledged = transitions.find(({ state }) => state === 'ACKNOWLEDGED');
  return sent && acknowledged ? acknowledged.atMs - sent.atMs : undefined;
}

function motionOf({
  ageMs,
  telemetry,
}: Pick<CartView, 'ageMs' | 'telemetry'>): Pick<TrendSample, 'speedMmps' | 'batteryMv'> {
  if (ageMs === null || ageMs > STALE_MS || !telemetry) return { speedMmps: null, batteryMv: null };
  return { speedMmps: telemetry.speedMmps, batteryMv: telemetry.batteryMv };
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
