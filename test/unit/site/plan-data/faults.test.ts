import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { GatewayError } from '../../../../src/shared/errors.js';
import { requireValidPlaces, requireValidZones } from '../../../../src/site/plan-data/faults.js';
import type { Place } from '../../../../src/site/plan-data/schema.js';
import type { PlanPoint, Zone } from '../../../../src/site/zones/zone.js';
import { CHARGER, DOOR, SLOW } from '../site-setup.js';

const test = suite('validation of zones and places');

const SIZE = { widthMm: 10_000, heightMm: 7500.4 };

async function faultOf(check: () => Promise<void>): Promise<GatewayError> {
  const error = await check().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof GatewayError && error.code === 'INVALID_INPUT', String(error));
  return error;
}

const bowTie: PlanPoint[] = [
  [0, 0],
  [1000, 1000],
  [1000, 0],
  [0, 1000],
];
/** A polygon with many corners along an arc. */
const round = (corners: number): PlanPoint[] =>
  Array.from({ length: corners }, (_, nth) => {
    const angle = (2 * Math.PI * nth) / corners;
    return [Math.round(3000 + 3000 * Math.cos(angle)), Math.round(3000 + 3000 * Math.sin(angle))];
  });
const zones = (count: number, polygon = DOOR.polygon): Zone[] =>
  Array.from({ length: count }, (_, nth) => ({ ...DOOR, id: `z${nth}`, polygon }));
const withPolygon = (polygon: PlanPoint[]): Zone[] => [SLOW, { ...DOOR, polygon }];

for (const [title, list, field, message, limit] of [
  [
    'with two corners',
    withPolygon([
      [0, 0],
      [1, 1],
    ]),
    'zones/1/polygon',
    /zone "door".*2 corners; the minimum is 3/,
    3,
  ],
  [
    'with 1,001 corners',
    withPolygon(round(1001)),
    'zones/1/polygon',
    /"door".*1001 corners; the maximum is 1000/,
    1000,
  ],
  [
    'that intersects itself',
    withPolygon(bowTie),
    'zones/1/polygon/0',
    /"door", corner 1: the edge/,
    undefined,
  ],
  [
    'that crosses the right edge of the floor plan',
    withPolygon([
      [0, 0],
      [10_001, 0],
      [0, 100],
    ]),
    'zones/1/polygon/1',
    /"door", corner 2: x must be between 0 and 10000 mm/,
    10_000,
  ],
  [
    'that crosses the bottom edge of the floor plan',
    withPolygon([
      [0, 0],
      [100, 0],
      [0, -1],
    ]),
    'zones/1/polygon/2',
    /"door", corner 3: y must be/,
    7500,
  ],
  [
    'with the ID of another zone',
    [SLOW, { ...DOOR, id: 'slow' }],
    'zones/1/id',
    /"slow": the same ID/,
    undefined,
  ],
  [
    'with a speed limit but no speed',
    [{ ...DOOR, kind: 'SPEED_LIMIT' }],
    'zones/0/maxSpeedMmps',
    /"door".*must have maxSpeedMmps/,
    undefined,
  ],
  [
    'that is blocked and has a speed',
    [{ ...DOOR, maxSpeedMmps: 100 }],
    'zones/0/maxSpeedMmps',
    /"door".*only a zone/,
    undefined,
  ],
  ['in a list of 201', zones(201), 'zones', /201 zones; the maximum is 200/, 200],
  [
    'in a list with 5,001 corners',
    [...zones(5, round(1000)), { ...SLOW, polygon: [...bowTie] }],
    'zones',
    /5004 corners in all; the maximum is 5000/,
    5000,
  ],
] as [string, Zone[], string, RegExp, number | undefined][]) {
  test(`rejects a zone ${title}`, async () => {
    const { info, message: text } = await faultOf(() => requireValidZones(list, SIZE));
    assert.deepEqual([info.field, info.limit], [field, limit], text);
    assert.match(text, message);
  });
}

test('reports every invalid zone', async () => {
  const far: PlanPoint[] = [
    [0, 0],
    [99_999, 0],
    [0, 9],
  ];
  const list: Zone[] = [{ ...DOOR, polygon: bowTie }, SLOW, { ...DOOR, id: 'far', polygon: far }];
  const { info } = await faultOf(() => requireValidZones(list, SIZE));
  assert.deepEqual(
    info.faults?.map(({ path }) => path),
    ['/zones/0/polygon/0', '/zones/2/polygon/1'],
  );
});

test('accepts 200 zones with 5,000 corners in all', () => requireValidZones(zones(200, round(25)), SIZE));

test('lets other work run between zones', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    if (turns < 100) setImmediate(count);
  };
  setImmediate(count);
  await requireValidZones(zones(20), SIZE);
  assert.ok(turns >= 19, String(turns));
});

for (const [title, list, field, message] of [
  [
    'above the floor plan',
    [{ ...CHARGER, yMm: 7501 }],
    'places/0/yMm',
    /"charger-1": y must be between 0 and 7500 mm/,
  ],
  ['with the ID of another place', [CHARGER, CHARGER], 'places/1/id', /"charger-1": the same ID/],
  [
    'in a list of 201',
    Array.from({ length: 201 }, (_, nth) => ({ ...CHARGER, id: `p${nth}` })),
    'places',
    /201 places/,
  ],
] as [string, Place[], string, RegExp][]) {
  test(`rejects a place ${title}`, async () => {
    const { info, message: text } = await faultOf(async () => requireValidPlaces(list, SIZE));
    assert.equal(info.field, field);
    assert.match(text, message);
  });
}

test.run();
