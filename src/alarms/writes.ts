import type { Alarm } from '../shared/ports/alarms.js';
import type { WriteDatabase } from '../shared/ports/database.js';
import type { Target } from './alarm.js';

export interface DeliveryRow extends Target {
  alarmId: string;
  state: 'waiting' | 'sending' | 'delivered' | 'given_up';
  attempts: number;
  /** Why the last attempt failed, from `textJson`; an empty text before the first attempt. */
  reason: string;
}

export interface PutDelivery {
  alarm: Alarm;
  row: DeliveryRow;
}

/** Saves the state of deliveries, and their alarms if they are not saved yet. Idempotent. */
function put(db: WriteDatabase, deliveries: readonly PutDelivery[]): void {
  const addAlarm = db.prepare(
    'INSERT INTO alarms (id, at, alarm) VALUES (@id, @at, @alarm) ON CONFLICT (id) DO NOTHING',
  );
  const putRow = db.prepare(`
    INSERT INTO alarm_deliveries (alarm_id, channel, target, state, attempts, reason)
    VALUES (@alarmId, @channel, @target, @state, @attempts, @reason)
    ON CONFLICT (alarm_id, channel, target)
    DO UPDATE SET state = @state, attempts = @attempts, reason = @reason`);
  for (const { alarm, row } of deliveries) {
    addAlarm.run({ id: alarm.id, at: alarm.at, alarm: JSON.stringify(alarm) });
    putRow.run({ ...row });
  }
}

/** Abandons the deliveries that a crash interrupted, and returns them. */
function abandon(db: WriteDatabase, { reason }: { reason: string }): (Target & { alarm: string })[] {
  const interrupted = db
    .prepare<Target & { alarm: string }>(`
      SELECT alarm, channel, target FROM alarm_deliveries JOIN alarms ON id = alarm_id
      WHERE state = 'sending'`)
    .all();
  db.prepare(`
    UPDATE alarm_deliveries SET state = 'given_up', reason = @reason WHERE state = 'sending'`).run({
    reason,
  });
  return interrupted;
}

/** Alarms are kept for this long. */
export const ALARM_RETENTION_MS = 30 * 86_400_000;

function prune(
  db: WriteDatabase,
  { before, keep, limit }: { before: number; keep: number; limit: number },
): number {
  return db
    .prepare(`
      DELETE FROM alarms WHERE seq IN (
        SELECT seq FROM alarms WHERE at < @before AND seq <= (SELECT max(seq) FROM alarms) - @keep
        ORDER BY at LIMIT @limit)`)
    .run({ before, keep, limit }).changes;
}

export interface SubscriptionRow {
  userId: number;
  address: string;
  kinds: string;
}

function subscribe(db: WriteDatabase, row: SubscriptionRow): void {
  db.prepare(`
    INSERT INTO alarm_subscriptions (user_id, address, kinds) VALUES (@userId, @address, @kinds)
    ON CONFLICT (user_id) DO UPDATE SET address = @address, kinds = @kinds`).run({ ...row });
}

function unsubscribe(db: WriteDatabase, { userId }: { userId: number }): void {
  db.prepare('DELETE FROM alarm_subscriptions WHERE user_id = @userId').run({ userId });
}

export const alarmWrites = {
  'alarms.put': put,
  'alarms.abandon': abandon,
  'alarms.prune': prune,
  'alarms.subscribe': subscribe,
  'alarms.unsubscribe': unsubscribe,
};
