import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { Observation } from '../../../../src/beacons/positioning/observation.js';
import { haversineM } from '../../../../src/plan/frame/geodesy.js';
import { type Answer, assertError, type TestApp, withTestApp } from '../test-app.js';

/** The corners of a 22 x 33 m hall on the antimeridian. */
const HALL = [
  { id: 'corner-1', lat: 0, long: 179.9999, txPower: -59 },
  { id: 'corner-2', lat: 0, long: -179.9999, txPower: -59 },
  { id: 'corner-3', lat: 0.0003, long: 179.9999, txPower: -59 },
  { id: 'corner-4', lat: 0.0003, long: -179.9999, txPower: -59 },
];

const observe = (testApp: TestApp, body: unknown): Promise<Answer> =>
  testApp.call('POST', '/beacons/observed', { body });

async function observation(testApp: TestApp, body: unknown): Promise<Observation> {
  const answer = await observe(testApp, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.json as Observation;
}

test(
  'returns the nearest beacons first, each with its estimated distance and uncertainty',
  withTestApp(async (testApp) => {
    await testApp.add({ id: 'far-one', txPower: -59 }, { id: 'near-one', txPower: -59 });
    const { beacons, position, reason } = await observation(testApp, [
      { id: 'far-one', rssi: -72 },
      { id: 'near-one', rssi: -59 },
    ]);
    assert.deepEqual(beacons, [
      {
        id: 'near-one',
        samples: 1,
        rssi: -59,
        distanceM: 1,
        minM: 0.5,
        maxM: 2,
        confidence: 0.68,
        zone: 'near',
      },
      {
        id: 'far-one',
        samples: 1,
        rssi: -72,
        distanceM: 4.47,
        minM: 2.24,
        maxM: 8.91,
        confidence: 0.68,
        zone: 'far',
      },
    ]);
    assert.deepEqual([position, reason], [null, 'too-few']);
  }),
);

test(
  'returns a reason instead of a distance when the strength, the beacon or its txPower is missing',
  withTestApp(async (testApp) => {
    await testApp.add({ id: 'silent', txPower: -59 }, { id: 'powerless' });
    const { beacons } = await observation(testApp, [
      { id: 'silent', rssi: 0 },
      { id: 'silent', rssi: 127 },
      { id: 'powerless', rssi: -60 },
      { id: 'stranger', rssi: -60 },
    ]);
    assert.deepEqual(
      beacons.map(({ id, distanceM, reason }) => [id, distanceM, reason]),
      [
        ['silent', null, 'no-signal'],
        ['powerless', null, 'no-tx-power'],
        ['stranger', null, 'unknown-beacon'],
      ],
    );
  }),
);

test(
  'uses the median when a beacon has several samples',
  withTestApp(async (testApp) => {
    await testApp.add({ id: 'often-heard', txPower: -59 });
    const samples = [-72, -30, -72, 127, -90].map((rssi) => ({ id: 'often-heard', rssi }));
    const { beacons } = await observation(testApp, samples);
    assert.deepEqual([beacons[0]?.samples, beacons[0]?.rssi, beacons.length], [4, -72, 1]);
    const many = await observation(testApp, [...samples, { id: 'often-heard', rssi: -71 }]);
    assert.equal(many.beacons[0]?.rssi, -72);
  }),
);

test(
  'treats txPower as Eddystone power if txPowerAt is 0m, and warns if Eddystone power is used as power at 1 m',
  withTestApp(async (testApp) => {
    await testApp.add({ id: 'eddystone', txPower: -18 });
    const at0 = await observation(testApp, [{ id: 'eddystone', rssi: -72, txPowerAt: '0m' }]);
    assert.deepEqual([at0.beacons[0]?.distanceM, at0.beacons[0]?.warning], [4.47, undefined]);
    const at1 = await observation(testApp, [{ id: 'eddystone', rssi: -72 }]);
    assert.equal(at1.beacons[0]?.distanceM, 100);
    assert.match(at1.beacons[0]?.warning ?? '', /0m/);
  }),
);

test(
  'computes a position with an uncertainty ellipse from three or more beacons',
  withTestApp(async (testApp) => {
    await testApp.add(...HALL);
    const truth = { lat: 0.0001, long: -179.99998 };
    const sightings = HALL.map((beacon) => {
      const rssi = -59 - 20 * Math.log10(haversineM(beacon, truth));
      return { id: beacon.id, rssi };
    });
    const { position } = await observation(testApp, sightings);
    assert.ok(position);
    assert.ok(haversineM(position, truth) < 1.5, JSON.stringify(position));
    assert.equal(position.beacons, 4);
    assert.equal(position.ellipse.probability, 0.95);
    assert.ok(position.ellipse.semiMajorM > 2 && position.ellipse.semiMajorM < 60);
  }),
);

/** Beacons in a line. */
const LINE = [0, 1, 2].map((i) => ({ id: `line-${i}`, lat: 52, long: 5 + i / 10_000, txPower: -59 }));

test(
  'returns two candidate positions for beacons in a line',
  withTestApp(async (testApp) => {
    await testApp.add(...LINE);
    const inLine = await observation(
      testApp,
      LINE.map(({ id }) => ({ id, rssi: -80 })),
    );
    assert.deepEqual([inLine.position, inLine.reason, inLine.candidates?.length], [null, 'in-line', 2]);
  }),
);

test(
  'reports a registration error if beacons that are received together are too far apart',
  withTestApp(async (testApp) => {
    await testApp.add(...LINE, ...HALL);
    const apart = await observation(
      testApp,
      [...LINE, ...HALL].map(({ id }) => ({ id, rssi: -80 })),
    );
    assert.deepEqual([apart.position, apart.reason], [null, 'far-apart']);
    assert.match(apart.message ?? '', /at least one registered position is wrong/);
  }),
);

test(
  'returns 400 for invalid sightings',
  withTestApp(async (testApp) => {
    for (const body of [
      {},
      [{ id: 'beacon-1' }],
      [{ rssi: -60 }],
      [{ id: 'beacon-1', rssi: '-60' }],
      [{ id: 'beacon-1', rssi: -128 }],
      [{ id: 'beacon-1', rssi: 21 }],
      [{ id: 'beacon-1', rssi: 126.5 }],
      [{ id: 'beacon-1', rssi: -60, txPowerAt: '2m' }],
      [{ id: 'beacon-1', rssi: -60, colour: 'red' }],
      Array.from({ length: 1001 }, () => ({ id: 'beacon-1', rssi: -60 })),
    ]) {
      assertError(await observe(testApp, body), 400, 'INVALID_INPUT', JSON.stringify(body).slice(0, 80));
    }
    assert.deepEqual((await observation(testApp, [])).beacons, []);
  }),
);

test(
  'errors contain the field and the index of an invalid sighting',
  withTestApp(async (testApp) => {
    const valid = { id: 'beacon-1', rssi: -60 };
    for (const [entry, message] of [
      [{ ...valid, rssi: 21 }, /^rssi of entry 2 must be between -127 and 20 dBm/],
      [{ ...valid, '12': 1 }, /^12 of entry 2 is not a known field/],
      [5, /^entry 2 must be an object/],
    ] as const) {
      const answer = await observe(testApp, [valid, entry]);
      assert.match((answer.json as { message: string }).message, new RegExp(message, 'i'));
    }
  }),
);

test.run();
