import type { ReadDatabase, Statement } from '../shared/ports/database.js';
import type { Target } from './alarm.js';
import type { SubscriptionRow } from './writes.js';

/** A delivery that was waiting when the gateway stopped. */
export interface WaitingRow extends Target {
  alarm: string;
  attempts: number;
  /** See `textJson`. */
  reason: string;
}

export class AlarmReads {
  readonly #waiting: Statement<WaitingRow>;
  readonly #interrupted: Statement<unknown>;
  readonly #subscription: Statement<SubscriptionRow>;
  readonly #subscriptions: Statement<SubscriptionRow>;

  constructor(db: ReadDatabase) {
    this.#waiting = db.prepare(`
      SELECT alarm, channel, target, attempts, reason FROM alarm_deliveries JOIN alarms ON id = alarm_id
      WHERE state = 'waiting' ORDER BY seq`);
    this.#interrupted = db.prepare("SELECT 1 FROM alarm_deliveries WHERE state = 'sending' LIMIT 1");
    this.#subscription = db.prepare(
      'SELECT user_id AS userId, address, kinds FROM alarm_subscriptions WHERE user_id = @userId',
    );
    // Customers must not receive alarms, because alarms can name users. A user has at most one row.
    this.#subscriptions = db.prepare(`
      SELECT user_id AS userId, address, kinds FROM alarm_subscriptions JOIN users ON users.id = user_id
      WHERE disabled_at IS NULL AND role IN ('operator', 'admin') ORDER BY user_id`);
  }

  waiting(): WaitingRow[] {
    return this.#waiting.all();
  }

  /** Returns true if a crash interrupted an attempt. */
  hasInterrupted(): boolean {
    return this.#interrupted.get() !== undefined;
  }

  subscription(userId: number): SubscriptionRow | undefined {
    return this.#subscription.get({ userId });
  }

  /** Returns the subscriptions of users who are currently permitted to receive alarms. */
  subscriptions(): SubscriptionRow[] {
    return this.#subscriptions.all();
  }
}
