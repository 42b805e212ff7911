import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { GatewayError } from '../../../../src/shared/errors.js';
import type { SitePlan, SitePlanView } from '../../../../src/site/plan-data/site-plan.js';
import { openPlain } from '../../../../src/store/connection.js';
import { hasCode } from '../../../helpers/has-code.js';
import { ANNA, CHARGER, DOOR, loseDatabase, type SiteSetup, SLOW, withSite } from '../site-setup.js';

const test = suite('site plan');

const editOf = ({ current }: SitePlan) => ({ by: ANNA, basis: current.etag });
const putZones = (sitePlan: SitePlan, zones: readonly unknown[]): Promise<SitePlanView> =>
  sitePlan.putZones({ zones }, editOf(sitePlan));
const putPlaces = (sitePlan: SitePlan, places: readonly unknown[]): Promise<SitePlanView> =>
  sitePlan.putPlaces({ places }, editOf(sitePlan));

/** Returns what a client reads. */
const contentOf = ({ etag: _etag, ...content }: SitePlanView) => content;

test(
  'has version 0 and no floor plan before zones are stored',
  withSite(async ({ sitePlan }) => {
    const empty = {
      version: 0,
      planHash: null,
      needsReview: false,
      reviewReason: null,
      zones: [],
      places: [],
      routes: [],
    };
    assert.deepEqual(contentOf(sitePlan.current), empty);
  }),
);

test(
  'zones and places have one version, which increases with each change',
  withSite(async ({ sitePlan, floorPlan }) => {
    await putZones(sitePlan, [DOOR, SLOW]);
    await putPlaces(sitePlan, [CHARGER]);
    const planHash = floorPlan.current?.version;
    const expected = {
      version: 2,
      planHash,
      needsReview: false,
      reviewReason: null,
      zones: [DOOR, SLOW],
      places: [CHARGER],
      routes: [],
    };
    assert.deepEqual(contentOf(sitePlan.current), expected);
  }),
);

test(
  'keeps the version when a request changes nothing',
  withSite(async ({ sitePlan, history }) => {
    await putZones(sitePlan, [DOOR]);
    assert.equal((await putZones(sitePlan, [DOOR])).version, 1);
    assert.equal(history.recentSafety().length, 1);
  }),
);

test(
  'accepts only one of two concurrent edits of the same version',
  withSite(async ({ sitePlan }) => {
    const edit = editOf(sitePlan);
    const [first, second] = await Promise.allSettled([
      sitePlan.putZones({ zones: [DOOR] }, edit),
      sitePlan.putPlaces({ places: [CHARGER] }, edit),
    ]);
    assert.equal(first.status, 'fulfilled');
    assert.ok(second.status === 'rejected' && hasCode('ETAG_MISMATCH')(second.reason));
    assert.deepEqual([sitePlan.current.zones, sitePlan.current.places], [[DOOR], []]);
  }),
);

for (const [title, kinematics, serial] of [
  ['has no footprint', { footprint: [] }, {}],
  ['is steered', { type: 'ackermann' }, {}],
  ['does not report how far it has driven', {}, { driver: 'sabertooth' }],
  ['receives plain JSON', {}, { driver: 'json-lines', legacyJson: true }],
] as const) {
  test(
    `rejects zones if the cart ${title}, but not places`,
    withSite(async (site) => {
      const { settings, sitePlan } = site;
      await putZones(sitePlan, [DOOR]);
      Object.assign(settings.kinematics, kinematics);
      Object.assign(settings.serial, serial);
      await assert.rejects(putZones(sitePlan, [DOOR, SLOW]), hasCode('CONFLICT'));
      assert.deepEqual(sitePlan.current.zones, [DOOR]);
      await putPlaces(sitePlan, [CHARGER]);
      assert.deepEqual((await putZones(sitePlan, [])).zones, [], 'zones can be deleted');
    }),
  );
}

test(
  'keeps zones, places and their version after a restart',
  withSite(async (site) => {
    await putZones(site.sitePlan, [DOOR]);
    const before = await putPlaces(site.sitePlan, [CHARGER]);
    await site.restart();
    assert.deepEqual(contentOf(site.sitePlan.current), contentOf(before));
  }),
);

test(
  'a database backup contains the zones and places',
  withSite(async ({ sitePlan, store }) => {
    await putZones(sitePlan, [DOOR]);
    const { path } = await store.backup();
    const db = openPlain(path, 1000);
    try {
      const row = db.prepare('SELECT version, zones FROM site_plan').get() as {
        version: number;
        zones: string;
      };
      assert.deepEqual([row.version, JSON.parse(row.zones)], [1, [DOOR]]);
    } finally {
      db.close();
    }
  }),
);

test(
  'an entity tag from before a restore does not match the same version with other content',
  withSite(async (site) => {
    const lost = await putZones(site.sitePlan, [DOOR]);
    // Simulates a restore of the database from before the change, followed by a different change.
    const mmPerPixel = (site.floorPlan.current?.placement?.metresPerPixel ?? 0) * 1000;
    const { version, planHash } = lost;
    const plan = { planHash, mmPerPixel, zones: '[]', places: '[]', routes: '[]', isShared: 0 };
    await site.store.write('site.save', { version, ...plan });
    assert.equal(site.sitePlan.current.version, lost.version);
    assert.notEqual(site.sitePlan.current.etag, lost.etag);
  }),
);

for (const [title, change] of [
  ['the image is replaced', (site) => site.drawFloor(200)],
  ['the scale is changed', (site) => site.drawFloor(240, 11)],
  ['the floor plan is removed', ({ floorPlan }) => floorPlan.remove()],
] as [string, (site: SiteSetup) => Promise<void>][]) {
  test(
    `needs a review when ${title}`,
    withSite(async (site) => {
      const before = await putZones(site.sitePlan, [DOOR]);
      await change(site);
      const after = site.sitePlan.current;
      assert.deepEqual(contentOf(after), {
        ...contentOf(before),
        needsReview: true,
        reviewReason: 'FLOOR_PLAN',
      });
      await site.restart();
      assert.equal(site.sitePlan.current.needsReview, true, 'after a restart');
    }),
  );
}

test(
  'rejects an edit that is based on the previous floor plan',
  withSite(async ({ sitePlan, drawFloor }) => {
    const edit = editOf(sitePlan);
    await drawFloor(200);
    await assert.rejects(sitePlan.putZones({ zones: [DOOR] }, edit), hasCode('ETAG_MISMATCH'));
  }),
);

test(
  'rejects zones when the floor plan is replaced while they are checked',
  withSite(async ({ drawFloor, floorPlan, sitePlan }) => {
    await drawFloor(200);
    const other = floorPlan.current;
    await drawFloor();
    const door = {
      ...DOOR,
      get name() {
        Object.defineProperty(floorPlan, 'current', { value: other });
        return 'Door';
      },
    };
    await assert.rejects(putZones(sitePlan, [door]), hasCode('ETAG_MISMATCH'));
    assert.equal(sitePlan.current.version, 0);
  }),
);

test(
  'needs no review after a restart or when the same scale is set again',
  withSite(async (site) => {
    await putZones(site.sitePlan, [DOOR]);
    await site.drawFloor();
    await site.restart();
    assert.equal(site.sitePlan.current.needsReview, false);
  }),
);

test(
  'keeps the need for a review when zones are edited, until an administrator confirms',
  withSite(async ({ sitePlan, drawFloor, floorPlan, history }) => {
    await putZones(sitePlan, [DOOR]);
    await drawFloor(200);
    assert.equal((await putZones(sitePlan, [DOOR, SLOW])).needsReview, true);
    const confirmed = await sitePlan.confirm(editOf(sitePlan));
    assert.deepEqual(
      [confirmed.needsReview, confirmed.planHash, confirmed.version, confirmed.zones],
      [false, floorPlan.current?.version, 3, [DOOR, SLOW]],
    );
    assert.equal(history.lastChange('site.changed')?.values?.[0]?.path, '/planHash');
  }),
);

test(
  'does not confirm a zone that is outside the new floor plan',
  withSite(async ({ sitePlan, drawFloor }) => {
    await putZones(sitePlan, [DOOR]);
    await drawFloor(240, 1.5);
    await assert.rejects(sitePlan.confirm(editOf(sitePlan)), hasCode('INVALID_INPUT'));
    assert.equal(sitePlan.current.needsReview, true);
  }),
);

test(
  'rejects zones and places when there is no floor plan, but allows their removal',
  withSite(async ({ sitePlan, floorPlan }) => {
    await putZones(sitePlan, [DOOR]);
    await floorPlan.remove();
    await assert.rejects(putZones(sitePlan, [DOOR, SLOW]), hasCode('CONFLICT'));
    await assert.rejects(putPlaces(sitePlan, [CHARGER]), hasCode('CONFLICT'));
    assert.deepEqual(contentOf(await putZones(sitePlan, [])), {
      version: 2,
      planHash: null,
      needsReview: false,
      reviewReason: null,
      zones: [],
      places: [],
      routes: [],
    });
  }),
);

test(
  'zones that follow on a removal refer to the current floor plan',
  withSite(async ({ sitePlan, floorPlan, drawFloor }) => {
    await putZones(sitePlan, [DOOR]);
    await putZones(sitePlan, []);
    await drawFloor(200);
    const { planHash, needsReview } = await putZones(sitePlan, [DOOR]);
    assert.deepEqual([planHash, needsReview], [floorPlan.current?.version, false]);
  }),
);

test(
  'records each change in the history with its author, its hash and the changed zones',
  withSite(async ({ sitePlan, history }) => {
    await putZones(sitePlan, [DOOR, SLOW]);
    const wider = { ...SLOW, maxSpeedMmps: 400 };
    await putZones(sitePlan, [wider]);
    const { entries } = await history.search.page({ outcome: 'change' }, { limit: 9 });
    assert.deepEqual(
      entries.map(({ kind, outcome, person }) => [kind, outcome, person]),
      [
        ['site.changed', 'change', 'anna'],
        ['site.changed', 'change', 'anna'],
      ],
    );
    const { version, sha256, values } = history.lastChange('site.changed') ?? {};
    assert.equal(version, '2');
    assert.match(sha256 ?? '', /^[0-9a-f]{64}$/);
    assert.deepEqual(values, [
      { path: '/zones/door', from: DOOR },
      { path: '/zones/slow', from: SLOW, to: wider },
    ]);
  }),
);

test(
  'stores a change and its entry of the history in one transaction',
  withSite(async ({ sitePlan, store }) => {
    const commits: (readonly string[])[] = [];
    store.onCommit(({ names }) => commits.push(names));
    await putZones(sitePlan, [DOOR]);
    assert.deepEqual(commits, [['site.save', 'ops.appendSafety']]);
  }),
);

// Fault case 81
test(
  'needs a review when the database is replaced with an empty one, until an administrator confirms',
  withSite(async (site) => {
    await putZones(site.sitePlan, [DOOR]);
    await site.restart({ between: loseDatabase });
    for (const when of ['at first', 'after a restart']) {
      const { version, zones, needsReview, reviewReason } = site.sitePlan.current;
      assert.deepEqual([version, zones, needsReview, reviewReason], [0, [], true, 'DATA_LOST'], when);
      await site.restart();
    }
    const seen: unknown[] = [];
    site.sitePlan.onChange(() => seen.push(site.sitePlan.current.needsReview));
    assert.equal((await site.sitePlan.confirm(editOf(site.sitePlan))).needsReview, false);
    assert.deepEqual(seen, [true, false]);
    const { values } = site.history.lastChange('site.changed') ?? {};
    assert.deepEqual(values?.[0], { path: '/lost', from: true, to: false });
    await site.restart();
    assert.equal(site.sitePlan.current.needsReview, false);
  }),
);

test(
  'the loss of all zones can also be confirmed without a floor plan',
  withSite(async (site) => {
    await putZones(site.sitePlan, [DOOR]);
    await site.floorPlan.remove();
    await site.restart({ between: loseDatabase });
    assert.equal(site.sitePlan.current.needsReview, true);
    const { needsReview, planHash } = await site.sitePlan.confirm(editOf(site.sitePlan));
    assert.deepEqual([needsReview, planHash], [false, null]);
    await site.restart();
    assert.equal(site.sitePlan.current.needsReview, false);
  }),
);

// Fault case 81
test(
  'needs a review when an older database is restored, also after its zones are edited',
  withSite(async (site) => {
    await putZones(site.sitePlan, [DOOR]);
    await site.restart({ between: (dir) => copyFileSync(join(dir, 'cartwright.db'), join(dir, 'old')) });
    await putZones(site.sitePlan, [DOOR, SLOW]);
    await site.restart({
      between: (dir) => {
        loseDatabase(dir);
        copyFileSync(join(dir, 'old'), join(dir, 'cartwright.db'));
      },
    });
    assert.deepEqual(site.sitePlan.current.zones, [DOOR]);
    assert.equal(site.sitePlan.current.reviewReason, 'DATA_LOST');
    assert.equal((await putZones(site.sitePlan, [SLOW])).reviewReason, 'DATA_LOST');
    await site.restart();
    assert.equal((await site.sitePlan.confirm(editOf(site.sitePlan))).reviewReason, null);
  }),
);

// Fault case 81
test(
  'accepts only zones and a confirmation after a loss of data',
  withSite(async (site) => {
    await putZones(site.sitePlan, [DOOR]);
    await site.restart({ between: loseDatabase });
    const { sitePlan } = site;
    for (const attempt of [
      () => putPlaces(sitePlan, [CHARGER]),
      () => sitePlan.putRoute('round', ROUND, editOf(sitePlan)),
      () => sitePlan.removeRoute('round', editOf(sitePlan)),
    ]) {
      await assert.rejects(attempt(), (error: GatewayError) => {
        assert.match(error.message, /differ from those that were saved last/);
        return hasCode('CONFLICT')(error);
      });
    }
    assert.equal((await putZones(sitePlan, [DOOR])).reviewReason, 'DATA_LOST');
    await sitePlan.confirm(editOf(sitePlan));
    assert.deepEqual((await putPlaces(sitePlan, [CHARGER])).zones, [DOOR]);
  }),
);

// Fault case 81
test(
  'another floor plan does not hide a loss of data',
  withSite(async (site) => {
    await putPlaces(site.sitePlan, [CHARGER]);
    await site.restart({ between: (dir) => copyFileSync(join(dir, 'cartwright.db'), join(dir, 'old')) });
    await putZones(site.sitePlan, [DOOR]);
    await site.drawFloor(100);
    assert.equal(site.sitePlan.current.reviewReason, 'FLOOR_PLAN');
    await site.restart({
      between: (dir) => {
        loseDatabase(dir);
        copyFileSync(join(dir, 'old'), join(dir, 'cartwright.db'));
      },
    });
    assert.equal(site.sitePlan.current.reviewReason, 'DATA_LOST');
  }),
);

test(
  'a loss of data needs no review if there have never been zones or places, or the last ones were deleted',
  withSite(async (site) => {
    await site.restart({ between: loseDatabase, isIncomplete: true });
    assert.equal(site.sitePlan.current.needsReview, false);
    await putZones(site.sitePlan, [DOOR]);
    await putZones(site.sitePlan, []);
    await site.restart({ between: loseDatabase, isIncomplete: true });
    assert.equal(site.sitePlan.current.needsReview, false);
  }),
);

for (const [title, record] of [
  ['missing from a restored data directory', undefined],
  ['unreadable', '{'],
] as const)
  test(
    `needs a review when the record of the last saved plan is ${title}`,
    withSite(async (site) => {
      await putZones(site.sitePlan, [DOOR]);
      const between = (dir: string) => {
        rmSync(join(dir, 'site-plan.json'));
        if (record !== undefined) writeFileSync(join(dir, 'site-plan.json'), record);
      };
      await site.restart({ between, isIncomplete: true });
      await site.restart();
      assert.equal(site.sitePlan.current.reviewReason, 'DATA_LOST');
      await site.sitePlan.confirm(editOf(site.sitePlan));
      await site.restart({ isIncomplete: true });
      assert.equal(site.sitePlan.current.needsReview, false);
    }),
  );

test(
  'reads a record of the last saved plan without a version',
  withSite(async (site) => {
    await putZones(site.sitePlan, [DOOR]);
    await site.restart({
      between: (dir) => {
        const path = join(dir, 'site-plan.json');
        const { sha256 } = JSON.parse(readFileSync(path, 'utf8')) as { sha256: string };
        writeFileSync(path, JSON.stringify({ sha256 }));
      },
    });
    assert.equal(site.sitePlan.current.needsReview, false);
  }),
);

test(
  'a change that the store rejects does not need a review after a restart',
  withSite(async (site) => {
    await putZones(site.sitePlan, [DOOR]);
    const { store } = site;
    const { write } = store;
    store.write = () => Promise.reject(new Error('disk full'));
    await assert.rejects(putZones(site.sitePlan, [SLOW]));
    store.write = write;
    await site.restart();
    assert.equal(site.sitePlan.current.needsReview, false);
  }),
);

test(
  'calls listeners after a change of the zones or the floor plan, when it can be read',
  withSite(async ({ sitePlan, floorPlan }) => {
    const seen: unknown[] = [];
    sitePlan.onChange(() => seen.push([sitePlan.current.version, sitePlan.current.needsReview]));
    await putZones(sitePlan, [DOOR]);
    await floorPlan.remove();
    assert.deepEqual(seen, [
      [1, false],
      [1, true],
    ]);
  }),
);

test(
  'rejects members that do not match the schema',
  withSite(async ({ sitePlan }) => {
    const half: unknown = {
      ...DOOR,
      polygon: [
        [0, 0],
        [0.5, 1],
        [3, 3],
      ],
    };
    for (const [saving, field] of [
      [putZones(sitePlan, [half]), 'zones/0/polygon/1/0'],
      [putPlaces(sitePlan, [{ ...CHARGER, purpose: 'WASH' }]), 'places/0/purpose'],
    ] as const) {
      await assert.rejects(saving, (error: GatewayError) => {
        assert.equal(error.info.field, field);
        return hasCode('INVALID_INPUT')(error);
      });
    }
  }),
);

const ROUND = {
  name: 'Round',
  legs: [
    { xMm: 1000, yMm: 1000, headingDeg: 0 },
    { xMm: 3000, yMm: 1000, maxSpeedMmps: 200 },
    { xMm: 3000, yMm: 2000, action: { kind: 'WAIT', seconds: 5 } },
  ],
};

test(
  'routes share the version of the zones and places, and are kept after a restart',
  withSite(async (site) => {
    await putZones(site.sitePlan, [DOOR]);
    const { version, routes, zones } = await site.sitePlan.putRoute('round', ROUND, by(site));
    assert.deepEqual([version, zones.length, routes], [2, 1, [{ id: 'round', ...ROUND }]]);
    await site.restart();
    assert.deepEqual(site.sitePlan.current.routes, routes);
    const renamed = await site.sitePlan.putRoute('round', { ...ROUND, name: 'Lap' }, by(site));
    assert.deepEqual(renamed.routes, [{ id: 'round', ...ROUND, name: 'Lap' }]);
    const stale = by(site);
    await site.sitePlan.removeRoute('round', by(site));
    assert.deepEqual(site.sitePlan.current.routes, []);
    await assert.rejects(site.sitePlan.putRoute('round', ROUND, stale), hasCode('ETAG_MISMATCH'));
    await assert.rejects(site.sitePlan.removeRoute('round', by(site)), hasCode('NOT_FOUND'));
  }),
);

test(
  'a route needs a review when the floor plan is replaced',
  withSite(async (site) => {
    await site.sitePlan.putRoute('round', ROUND, by(site));
    await site.drawFloor(200);
    assert.equal(site.sitePlan.current.needsReview, true);
    await site.sitePlan.confirm(by(site));
    assert.equal(site.sitePlan.current.needsReview, false);
  }),
);

for (const [title, id, route, field] of [
  ['an ID with a space', 'a b', ROUND, 'id'],
  ['a single leg', 'a', { ...ROUND, legs: ROUND.legs.slice(0, 1) }, 'legs'],
  ['a leg outside the floor plan', 'a', withLeg({ xMm: 10_001, yMm: 0 }), 'legs/3/xMm'],
  [
    'a wait without a time',
    'a',
    withLeg({ xMm: 0, yMm: 0, action: { kind: 'WAIT' } }),
    'legs/3/action/seconds',
  ],
  [
    'a photo with a marker',
    'a',
    withLeg({ xMm: 0, yMm: 0, action: { kind: 'PHOTO', markerId: 3 } }),
    'legs/3/action/markerId',
  ],
  ['an unknown action', 'a', withLeg({ xMm: 0, yMm: 0, action: { kind: 'DANCE' } }), 'legs/3/action/kind'],
  ['too many legs', 'a', { ...ROUND, legs: Array.from({ length: 501 }, () => ROUND.legs[0]) }, 'legs'],
] as const) {
  test(
    `rejects a route with ${title}`,
    withSite(async (site) => {
      await assert.rejects(site.sitePlan.putRoute(id, route, by(site)), (error) => {
        assert.ok(error instanceof GatewayError);
        assert.deepEqual([error.code, error.info.field], ['INVALID_INPUT', field]);
        return true;
      });
      assert.deepEqual(site.sitePlan.current.routes, []);
    }),
  );
}

test(
  'there can be at most 50 routes with 2,000 legs in all',
  withSite(async (site) => {
    const long = { ...ROUND, legs: Array.from({ length: 500 }, () => ({ xMm: 10, yMm: 10 })) };
    for (const id of ['a', 'b', 'c', 'd']) await site.sitePlan.putRoute(id, long, by(site));
    await assert.rejects(
      site.sitePlan.putRoute('e', ROUND, by(site)),
      /2003 legs in all; the maximum is 2000/,
    );
  }),
);

function withLeg(leg: object) {
  return { ...ROUND, legs: [...ROUND.legs, leg] };
}

function by({ sitePlan }: SiteSetup) {
  return editOf(sitePlan);
}

test.run();
