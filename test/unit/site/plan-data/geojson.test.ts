import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { placementOf } from '../../../../src/plan/floor-plan/georeference.js';
import { pointsOfLine } from '../../../../src/plan/floor-plan/line.js';
import type { PlanView } from '../../../../src/plan/floor-plan/schema.js';
import {
  type FeatureCollection,
  placesOfGeoJson,
  placesToGeoJson,
  zonesOfGeoJson,
  zonesToGeoJson,
} from '../../../../src/site/plan-data/geojson.js';
import { hasCode } from '../../../helpers/has-code.js';
import { CHARGER, DOOR, LINE, SLOW } from '../site-setup.js';

const test = suite('zones and places as GeoJSON');

const SIZE = { width: 400, height: 300 };

const floorAt = (corner: { lat: number; long: number }, rotationDeg: number): PlanView => ({
  version: 'hash',
  type: 'image/png',
  bytes: 1,
  ...SIZE,
  placement: placementOf(pointsOfLine(LINE, SIZE, { corner, rotationDeg }), SIZE),
});
const FLOOR = floorAt({ lat: 52.37, long: 4.89 }, 0);

for (const floor of [FLOOR, floorAt({ lat: -33.9, long: 151.2 }, 137)]) {
  test(`an import of an export on a plan rotated by ${floor.placement?.rotationDeg.toFixed(0)} degrees changes nothing`, () => {
    const list = [DOOR, { ...SLOW, polygon: SLOW.polygon.map(([x, y]) => [x + 7, y + 13] as const) }];
    const imported = zonesOfGeoJson(JSON.parse(JSON.stringify(zonesToGeoJson(list, floor))), floor);
    assert.deepEqual(imported.zones, list);
    const places = [CHARGER, { ...CHARGER, id: 'p', headingDeg: -12.5 + 360 }];
    const again = placesOfGeoJson(JSON.parse(JSON.stringify(placesToGeoJson(places, floor))), floor);
    assert.deepEqual(again.places, places);
  });
}

test('exports polygons counterclockwise and closed, with degrees', () => {
  const clockwise = { ...DOOR, polygon: DOOR.polygon.toReversed() };
  const [feature] = zonesToGeoJson([clockwise], FLOOR).features;
  assert.ok(feature?.geometry.type === 'Polygon');
  const [ring = []] = feature.geometry.coordinates;
  assert.deepEqual([ring.length, ring[0]], [5, ring[4]]);
  const twice = ring.slice(1).reduce((sum, [x2, y2], nth) => {
    const [x1, y1] = ring[nth] ?? [0, 0];
    return sum + (x1 * y2 - x2 * y1);
  }, 0);
  assert.ok(twice > 0);
  assert.deepEqual(feature.properties, { id: 'door', kind: 'BLOCKED', name: 'Door' });
});

test('exports headings as bearings, clockwise from north', () => {
  const [feature] = placesToGeoJson([CHARGER], FLOOR).features;
  const { bearingDeg = Number.NaN }: { bearingDeg?: number } = feature?.properties ?? {};
  assert.ok(Math.abs(bearingDeg) < 0.01 || Math.abs(bearingDeg - 360) < 0.01, String(bearingDeg));
});

const exported = zonesToGeoJson([DOOR], FLOOR);
const [ring = []] =
  exported.features[0]?.geometry.type === 'Polygon' ? exported.features[0].geometry.coordinates : [];
const withGeometry = (geometry: object): object => ({
  type: 'FeatureCollection',
  features: [...exported.features, { type: 'Feature', properties: { id: 'b' }, geometry }],
});

for (const [title, body, field] of [
  ['a single feature', exported.features[0], 'type'],
  ['a point', withGeometry({ type: 'Point', coordinates: ring[0] }), 'features/1'],
  ['a polygon with a hole', withGeometry({ type: 'Polygon', coordinates: [ring, ring] }), 'features/1'],
  [
    'a ring that is not closed',
    withGeometry({ type: 'Polygon', coordinates: [ring.slice(1)] }),
    'features/1',
  ],
  ['an empty ring', withGeometry({ type: 'Polygon', coordinates: [[]] }), 'features/1'],
  [
    'coordinates that are strings',
    withGeometry({ type: 'Polygon', coordinates: [[['4', '52']]] }),
    'features/1',
  ],
  [
    'another coordinate reference system',
    { ...exported, crs: { properties: { name: 'EPSG:28992' } } },
    'crs',
  ],
] as [string, FeatureCollection, string][]) {
  test(`rejects ${title} as zones`, () => {
    assert.throws(
      () => zonesOfGeoJson(body, FLOOR),
      (error: Error & { info?: { field?: string } }) =>
        hasCode('INVALID_INPUT')(error) && error.info?.field === field,
    );
  });
}

test('rejects an export and an import when the floor plan has no position', () => {
  assert.throws(() => zonesToGeoJson([DOOR], undefined), hasCode('CONFLICT'));
  assert.throws(() => placesOfGeoJson(exported, undefined), hasCode('CONFLICT'));
});

test.run();
