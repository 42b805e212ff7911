import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { Listing } from '../../../../src/beacons/registry/listing.js';
import { BeaconReads } from '../../../../src/beacons/registry/reads.js';

const test = suite('beacon list');

test('reads the list of beacons again after a failed read', async () => {
  let failures = 1;
  const all = (): never[] => {
    if (failures-- > 0) throw new Error('disk I/O error');
    return [];
  };
  const listing = new Listing(
    new BeaconReads({ prepare: () => ({ get: () => undefined, all, iterate: () => all().values() }) }),
  );
  await assert.rejects(listing.whole(), /disk I\/O error/);
  assert.equal((await listing.whole())?.body.toString(), '[]');
});

test.run();
