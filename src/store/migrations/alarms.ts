import type { Migration } from './migration.js';

/**
 * The alarms, with one delivery per destination, and the users' subscriptions. A delivery is marked as
 * `sending` before the attempt, so that a crash before the result is known never causes a second message.
 */
export const alarms: Migration = {
  name: 'alarms',
  up(db) {
    db.exec(`
      CREATE TABLE alarms (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
        at INTEGER NOT NULL,
        alarm TEXT NOT NULL CHECK (json_valid(alarm))
      ) STRICT;
      CREATE INDEX alarms_at ON alarms (at);
      CREATE TABLE alarm_deliveries (
        alarm_id TEXT NOT NULL REFERENCES alarms (id) ON DELETE CASCADE,
        channel TEXT NOT NULL CHECK (channel IN ('mail', 'webhook', 'mqtt')),
        target TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'delivered', 'given_up')),
        attempts INTEGER NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (alarm_id, channel, target)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX alarm_deliveries_open ON alarm_deliveries (state) WHERE state IN ('waiting', 'sending');
      CREATE TABLE alarm_subscriptions (
        user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        address TEXT NOT NULL CHECK (length(address) BETWEEN 3 AND 254),
        kinds TEXT NOT NULL CHECK (json_valid(kinds))
      ) STRICT;
    `);
  },
};

/** The reasons are texts as JSON, so that they can be translated. Earlier versions stored their English text. */
export const alarmReasons: Migration = {
  name: 'alarm-reasons',
  up(db) {
    db.exec('UPDATE alarm_deliveries SET reason = json_quote(reason)');
  },
};
