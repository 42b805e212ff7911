import assert from 'node:assert/strict';
import { test } from 'uvu';
import { readCsv } from '../../../../src/beacons/formats/csv.js';
import { checkRows, type RowFault } from '../../../../src/beacons/formats/import.js';
import { readJsonImport } from '../../../../src/beacons/formats/json.js';
import type { Beacon } from '../../../../src/beacons/registry/schema.js';
import { placeAt } from '../../../../src/plan/frame/site-frame.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { type Answer, assertError, type TestApp, withTestApp } from '../test-app.js';

const TYPES = { csv: 'text/csv', json: 'application/json', geo: 'application/geo+json' } as const;
const HALL = { id: 'hall-a-01', description: 'Hall A', txPower: -59, lat: 52.0907, long: 5.1214 };
const HEADER = 'id,description,txPower,lat,long';
const ROW = 'hall-a-01,Hall A,-59,52.0907,5.1214';
const DUTCH_HEADER = HEADER.replaceAll(',', ';');
const DUTCH_ROW = 'hall-a-01;Hall A;-59;52,0907;5,1214';

const upload = (app: TestApp, type: keyof typeof TYPES, text: string): Promise<Answer> =>
  app.call('POST', '/beacons/import', { body: text, headers: { 'content-type': TYPES[type] } });

const stored = async (app: TestApp): Promise<unknown[]> =>
  ((await app.call('GET', '/beacons')).json as Record<string, unknown>[]).map(
    ({ longDescription: _, ...beacon }) => beacon,
  );

const ORIGIN = { lat: 0, long: 0 };

/** Reads a file as an import into an empty registry does. */
async function read(type: keyof typeof TYPES, text: string): Promise<Partial<Beacon>[]> {
  const rows =
    type === 'csv'
      ? await readCsv(text, { maxRows: 10, origin: ORIGIN })
      : await readJsonImport(text, { maxBytes: 10_000, origin: ORIGIN });
  const beacons = await checkRows(rows, () => false);
  return beacons.map(({ longDescription: _, ...beacon }) => beacon);
}

async function errorOf(type: keyof typeof TYPES, text: string): Promise<GatewayError> {
  try {
    assert.fail(`imported ${JSON.stringify(await read(type, text))}`);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    assert.equal(error.code, 'INVALID_INPUT');
    return error;
  }
}

const placesOf = ({ info }: GatewayError): unknown[] =>
  (info.faults as RowFault[]).map(({ row, line, path }) => [row, line, path]);

function faultsOf({ json }: Answer): RowFault[] {
  return (json as { faults: RowFault[] }).faults;
}

const csv = (...lines: readonly string[]): string => [...lines, ''].join('\r\n');

for (const [subject, text] of [
  ['semicolons and decimal commas', csv(DUTCH_HEADER, DUTCH_ROW)],
  ['semicolons and decimal points', csv(DUTCH_HEADER, ROW.replaceAll(',', ';'))],
  ['tabs', csv(HEADER.replaceAll(',', '\t'), ROW.replaceAll(',', '\t'))],
  ['tabs and decimal commas', csv(HEADER.replaceAll(',', '\t'), DUTCH_ROW.replaceAll(';', '\t'))],
  ['decimal commas in quotes', csv(HEADER, 'hall-a-01,"Hall A",-59,"52,0907","5,1214"')],
  ['a first line that specifies the semicolon as the separator', csv('sep=;', DUTCH_HEADER, DUTCH_ROW)],
  [
    'a byte order mark and a first line that specifies the comma as the separator',
    `\uFEFF${csv('sep=,', HEADER, ROW)}`,
  ],
  [
    'a quoted first line that specifies the tab as the separator',
    csv('"SEP=\t"', HEADER, ROW).replaceAll(',', '\t'),
  ],
  ['a byte order mark and semicolons', `\uFEFF${csv(DUTCH_HEADER, DUTCH_ROW)}`],
  ['a typographic minus sign', csv(HEADER, ROW.replace('-59', '−59'))],
  ['empty rows', csv(',,,,', HEADER, '', ' , ,,,', ROW, ',,,,', ',,,,')],
  ['empty columns at the end', csv(`${HEADER},,`, `${ROW},,`)],
  ['an empty column in the middle', csv(HEADER.replace('id,', 'id,,'), ROW.replace('01,', '01, ,'))],
  ['more separators than the header', csv(HEADER, `${ROW},,,`)],
  ['column names in different case', csv(' ID ,Description,TXPOWER,Lat,LONG', ROW)],
  ['longer column names', csv(HEADER.replace('lat,long', 'Latitude,Longitude'), ROW)],
  ['a column named lng', csv(HEADER.replace('long', 'lng'), ROW)],
  ['quoted column names with semicolons', csv('"id";"description";"txPower";"lat";"lon"', DUTCH_ROW)],
  ['spaces around values', csv(HEADER, ' hall-a-01 ,Hall A, -59 , 52.0907 , 5.1214 ')],
  ['carriage returns as line endings', csv(HEADER, ROW).replaceAll('\r\n', '\r')],
  ['a number in exponential notation', csv(HEADER, ROW.replace('52.0907', '5.20907E+01'))],
] as const) {
  test(`CSV import accepts ${subject}`, async () => {
    assert.deepEqual(await read('csv', text), [HALL]);
  });
}

for (const [subject, text, expected] of [
  ['text instead of a number', csv(HEADER, ROW, ROW.replace('-59', 'loud')), [2, 3, '/txPower']],
  ['a row after the line that specifies the separator', csv('sep=,', HEADER, 'short'), [1, 3, '']],
  ['a row after empty rows', csv('', ',,', HEADER, '', ROW.replace('52.', '152.')), [1, 5, '/lat']],
  [
    'a row after a field of three lines',
    csv(HEADER, ROW.replace('Hall A', '"a\r\n\r\nb"'), 'x,,,,'),
    [2, 5, '/id'],
  ],
  [
    'the first line of a row of two lines',
    csv(HEADER, '', ROW.replace('Hall A', '"a\nb"'), ROW),
    [2, 5, '/id'],
  ],
  ['a decimal comma that is not in quotes', csv(HEADER, 'hall-a-01,Hall A,-59,52,0907,5,1214'), [1, 2, '']],
  ['a value in a column without a name', csv(`${HEADER},,`, `${ROW},,x`), [1, 2, '']],
  ['a thousands separator', csv(DUTCH_HEADER, 'hall-a-01;;;1.052,0907;5'), [1, 2, '/lat']],
  ['an ID that a spreadsheet program rounded', csv('id;lat;long', '1,23457E+11;52;5'), [1, 2, '/id']],
  ['a longitude beyond 180 degrees', csv(HEADER, ROW.replace('5.1214', '181')), [1, 2, '/long']],
  ['RD coordinates', csv('id,lat,long', 'hall-a-01,52,155000'), [1, 2, '/long']],
  ['RD coordinates as metres', csv('id,x,y', 'hall-a-01,9000,463000'), [1, 2, '/y']],
  ['only one metre column', csv('id,x,y', 'hall-a-01,1,2', 'hall-a-02,1,'), [2, 3, '/y']],
  ['metres and degrees in one row', csv('id,x,y,lat,long', 'hall-a-01,1,2,52,5'), [1, 2, '/x']],
  [
    'metres and degrees in two rows',
    csv('id,x,y,lat,long', 'hall-a-01,1,2,,', 'hall-a-02,,,52,5'),
    [1, 2, '/x'],
  ],
  ['metres that are text', csv('id,x,y', 'hall-a-01,1,2', 'hall-a-02,2 m,1'), [2, 3, '/x']],
  ['a point that could be a thousands separator', csv('id;x;y', 'hall-a-01;1.234;2,5'), [1, 2, '/x']],
  ['a quoted comma that could be a thousands separator', csv('id,x,y', 'hall-a-01,2,"1,234"'), [1, 2, '/y']],
] as const) {
  test(`CSV import reports the line of ${subject}`, async () => {
    assert.deepEqual(placesOf(await errorOf('csv', text)), [expected]);
  });
}

for (const [subject, text, pattern] of [
  ['an unsupported separator', csv(HEADER, ROW).replaceAll(',', '|'), /line 1 .*"id\|description.*" is not/],
  ['an unsupported separator in the first line', csv('sep=|', HEADER), /separator "\|" is not supported/],
  ['a header after an empty line', csv('', 'id,colour'), /line 2 .*"colour" is not a known column/],
  ['a header after the separator', csv('sep=;', 'id;lat;Latitude'), /line 2 .*the column lat occurs more/],
  ['a quote that is not closed', csv(HEADER, ROW, ROW.replace('Hall', '"Hall')), /the row on line 3 /],
  ['text after a quoted field of two lines', csv('id,description', 'x,"a\r\nb"', 'x,"a"b'), /on line 4 /],
] as const) {
  test(`CSV import reports the line of ${subject}`, async () => {
    assert.match((await errorOf('csv', text)).message, pattern);
  });
}

test(
  'CSV import reports conflicts and repeated IDs with their line numbers',
  withTestApp(async (app) => {
    await app.add({ id: 'hall-a-01', description: 'other' });
    const conflict = await upload(app, 'csv', csv('sep=;', DUTCH_HEADER, ';;;;', DUTCH_ROW));
    assertError(conflict, 409, 'CONFLICT');
    assert.deepEqual([faultsOf(conflict)[0]?.row, faultsOf(conflict)[0]?.line], [1, 4]);
    const repeated = await upload(app, 'csv', csv('id', 'hall-a-02', '', 'hall-a-02'));
    assert.equal(faultsOf(repeated)[0]?.message, 'is the same as on line 2');
  }),
);

test(
  'import accepts an ID that looks like a rounded number if the ID is registered',
  withTestApp(async (app) => {
    await app.add({ id: '1.23457E+11' });
    assert.equal((await upload(app, 'csv', csv('id', '1.23457E+11'))).status, 200);
  }),
);

for (const [subject, type, text] of [
  ['CSV columns', 'csv', csv('id,X,Y', 'hall-a-02,12.5,-3', 'hall-a-03,,')],
  ['CSV columns with decimal commas', 'csv', csv('id;x;y', 'hall-a-02;12,5;-3', 'hall-a-03;;')],
  ['JSON members', 'json', '[{"id":"hall-a-02","x":12.5,"y":"-3"},{"id":"hall-a-03"}]'],
] as const) {
  test(
    `import places ${subject} in metres relative to the origin`,
    withTestApp(async (app) => {
      await app.add({ id: 'hall-a-01', lat: 52.0905, long: 5.1215 });
      assert.equal((await upload(app, type, text)).status, 200);
      const place = placeAt({ lat: 52.09, long: 5.121 }, { eastM: 12.5, northM: -3 });
      assert.deepEqual((await stored(app)).slice(1), [
        { id: 'hall-a-02', description: '', ...place },
        { id: 'hall-a-03', description: '' },
      ]);
    }),
  );
}

const point = (coordinates: unknown, more: object = {}): string =>
  JSON.stringify({
    type: 'Feature',
    geometry: { type: 'Point', coordinates },
    id: 'hall-a-01',
    properties: { description: 'Hall A', txPower: -59 },
    ...more,
  });
const collection = (more: object, ...features: readonly string[]): string =>
  JSON.stringify({ type: 'FeatureCollection', features: features.map((text) => JSON.parse(text)), ...more });
const crs = (name: string) => ({ crs: { type: 'name', properties: { name } } });
const PLACE = [5.1214, 52.0907];

for (const [subject, type, text] of [
  ['a single beacon', 'json', JSON.stringify(HALL)],
  ['an object with a list of beacons', 'json', JSON.stringify({ beacons: [HALL] })],
  ['a byte order mark', 'json', `\uFEFF${JSON.stringify([HALL])}`],
  [
    'the names latitude and lng',
    'json',
    JSON.stringify(HALL).replace('lat', 'latitude').replace('long', 'lng'),
  ],
  ['names in different case', 'json', JSON.stringify([HALL]).replace('id', 'ID').replace('lat', 'Lat')],
  ['numbers as text', 'json', JSON.stringify([{ ...HALL, txPower: '−59', lat: '52.0907', long: '5,1214' }])],
  ['null for missing values', 'json', JSON.stringify([{ ...HALL, longDescription: null, x: null, y: null }])],
  ['a single feature', 'geo', point(PLACE)],
  ['altitudes', 'geo', collection({}, point([...PLACE, 3.5]))],
  ['coordinates as text', 'geo', collection({}, point(['5.1214', '52.0907']))],
  ['the old name of WGS 84', 'geo', collection(crs('urn:ogc:def:crs:OGC:1.3:CRS84'), point(PLACE))],
  ['the EPSG code of WGS 84', 'geo', collection(crs('EPSG:4326'), point(PLACE))],
  [
    'a MultiPoint with one point',
    'geo',
    collection({}, point(PLACE, { geometry: { type: 'MultiPoint', coordinates: [PLACE] } })),
  ],
] as const) {
  test(`${type === 'geo' ? 'GeoJSON' : 'JSON'} import accepts ${subject}`, async () => {
    assert.deepEqual(await read(type, text), [HALL]);
  });
}

for (const [subject, type, text, path] of [
  [
    'a name and its synonym',
    'json',
    '[{"id":"hall-a-01","lat":1,"long":1},{"id":"hall-a-02","lat":1,"long":1,"lng":2}]',
    '/long',
  ],
  ['half a position', 'json', '[{"id":"hall-a-01"},{"id":"hall-a-02","lat":52.1,"lng":null}]', '/long'],
  [
    'text that is not a number',
    'json',
    '[{"id":"hall-a-01"},{"id":"hall-a-02","lat":"52.1 N","long":5}]',
    '/lat',
  ],
  ['a thousands separator', 'json', '[{"id":"hall-a-01"},{"id":"hall-a-02","x":"1,234","y":5}]', '/x'],
  ['an ID that is a number', 'json', '[{"id":"hall-a-01"},{"id":123456789}]', '/id'],
  ['RD coordinates', 'json', '[{"id":"hall-a-01"},{"id":"hall-a-02","lat":463000,"long":5}]', '/lat'],
  ['RD coordinates', 'geo', collection({}, point(PLACE), point([155000, 52], { id: 'hall-a-02' })), '/long'],
  [
    'a longitude beyond 180 degrees',
    'geo',
    collection({}, point(PLACE), point([184.5, -17], { id: 'hall-a-02' })),
    '/long',
  ],
  ['a point without a latitude', 'geo', collection({}, point(PLACE), point([5, null])), '/geometry'],
  [
    'a MultiPoint with two points',
    'geo',
    collection(
      {},
      point(PLACE),
      point([], { geometry: { type: 'MultiPoint', coordinates: [PLACE, PLACE] } }),
    ),
    '/geometry',
  ],
  [
    'metres in the properties',
    'geo',
    collection({}, point(PLACE), point(PLACE, { properties: { X: 1 } })),
    '/properties',
  ],
] as const) {
  test(`${type === 'geo' ? 'GeoJSON' : 'JSON'} import reports the entry with ${subject}`, async () => {
    assert.deepEqual(placesOf(await errorOf(type, text)), [[2, undefined, path]]);
  });
}

for (const [subject, type, text, pattern] of [
  [
    'a name that occurs twice',
    'json',
    '[\n{"id":"hall-a-01"},\n{"id":"hall-a-02","id":"hall-a-03"}]',
    /line 3: .*"id"/,
  ],
  [
    'an escaped name that occurs twice',
    'json',
    '[{"lat":1, "long":5,\n"l\\u0061t" :2,"id":"hall-a-01"}]',
    /line 2: .*"lat"/,
  ],
  [
    'coordinates that occur twice',
    'geo',
    `{"type":"Feature","id":"hall-a-01","geometry":{"type":"Point","coordinates":[1,2],\n"coordinates":[3,4]}}`,
    /line 2: .*"coordinates"/,
  ],
  ['one object per line', 'json', '{"id":"hall-a-01"}\n{"id":"hall-a-02"}\n', /line 2, column 1/],
  ['a trailing comma', 'json', '[{"id":"hall-a-01"},]', /line 1, column 21/],
  [
    'other members besides the beacons',
    'json',
    '{"beacons":[{"id":"hall-a-01"}],"carts":[]}',
    /must be an array of beacons/,
  ],
  [
    'RD',
    'geo',
    collection(crs('urn:ogc:def:crs:EPSG::28992'), point(PLACE)),
    /"urn:ogc:def:crs:EPSG::28992" is not/,
  ],
  [
    'RD in a feature',
    'geo',
    collection({}, point(PLACE, crs('EPSG:28992'))),
    /"EPSG:28992" is not supported/,
  ],
  ['an unknown reference system', 'geo', collection({ crs: null }, point(PLACE)), /"null" is not supported/],
] as const) {
  test(`${type === 'geo' ? 'GeoJSON' : 'JSON'} import rejects ${subject}`, async () => {
    assert.match((await errorOf(type, text)).message, pattern);
  });
}

test('JSON import accepts a member name that also occurs in other objects or in strings', async () => {
  const text = '[{"id":"hall-a-01","description":"\\"id\\": {"},{"id":"hall-a-02","description":"}\\\\"}]';
  assert.equal((await read('json', text)).length, 2);
});

test.run();
