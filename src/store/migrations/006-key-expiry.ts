import type { Migration } from './migration.js';

/** Keys may expire; those from before do not. */
export const keyExpiry: Migration = {
  name: 'key-expiry',
  up(db) {
    db.exec('ALTER TABLE api_keys ADD COLUMN expires_at INTEGER');
  },
};
