import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { Listing, type SearchPage, type SearchPlace } from '../../../../src/beacons/registry/listing.js';
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

/** A registry that is sorted by ID and read as the database reads it. */
function registryOf(beacons: readonly { id: string; description: string }[]): BeaconReads {
  type Query = Partial<Record<'after' | 'prefix' | 'end', string>> & { limit: number };
  const rows = beacons.map((beacon) => ({ id: beacon.id, json: JSON.stringify(beacon) }));
  const all = ({ after = '', prefix = '', end = '\u{10FFFF}', limit }: Query) =>
    rows.filter(({ id }) => id > after && id >= prefix && id < end).slice(0, limit);
  return new BeaconReads({
    prepare: () => ({ get: () => undefined, all, iterate: () => [].values() }),
  } as never);
}

const START = { after: '', isRest: false };

async function pagesOf(listing: Listing, text: string, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  for (let from: SearchPlace | undefined = START; from; ) {
    const page: SearchPage = await listing.search(text, from, limit);
    pages.push(page.jsons.map((json) => JSON.parse(json).id));
    from = page.next;
  }
  return pages;
}

const HALL = registryOf([
  { id: 'a-hall', description: 'Crème brûlée' },
  { id: 'b-dock', description: 'ÖSTLICHE   Halle' },
  { id: 'c-gate', description: 'o\u0308stliche Rampe' },
  { id: 'hall-1', description: 'West' },
  { id: 'hall-2', description: 'Österreich' },
]);

for (const [text, ids] of [
  ['hall', ['hall-1', 'hall-2', 'a-hall', 'b-dock']],
  ['östliche', ['b-dock', 'c-gate']],
  ['ÖSTLICHE HALLE', ['b-dock']],
  ['halle östliche', ['b-dock']],
  ['CRÈME', ['a-hall']],
  ['HALL-2', ['hall-2']],
  ['gate rampe', ['c-gate']],
  ['%', []],
  ['"description', []],
  ['', ['a-hall', 'b-dock', 'c-gate', 'hall-1', 'hall-2']],
] as const) {
  test(`a search for "${text}" finds ${ids.length} beacons by ID and description`, async () => {
    assert.deepEqual((await pagesOf(new Listing(HALL), text, 10)).flat(), ids);
  });
}

for (const limit of [1, 2, 3, 4]) {
  test(`the pages of a search contain each beacon once, with ${limit} per page`, async () => {
    for (const text of ['hall', 'e', '']) {
      const pages = await pagesOf(new Listing(HALL), text, limit);
      assert.deepEqual(pages.flat(), (await pagesOf(new Listing(HALL), text, 10)).flat());
      assert.ok(
        pages.slice(0, -1).every(({ length }) => length === limit),
        JSON.stringify(pages),
      );
    }
  });
}

test('a search of a large number of beacons ends early and continues on the next page', async () => {
  const id = (n: number): string => `beacon-${String(n).padStart(5, '0')}`;
  const many = Array.from({ length: 2000 }, (_, n) => ({ id: id(n), description: n === 1700 ? 'Yard' : '' }));
  const listing = new Listing(registryOf(many), { maxSearched: 500 });
  const first = await listing.search('yard', START, 50);
  assert.deepEqual(first, { jsons: [], next: { after: id(499), isRest: true }, isPartial: true });
  assert.deepEqual((await pagesOf(listing, 'yard', 50)).flat(), [id(1700)]);
});

test.run();
