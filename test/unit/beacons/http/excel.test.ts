import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { test } from 'uvu';
import { assertError, type TestApp, withTestApp } from '../test-app.js';

const CSV = { 'content-type': 'text/csv' };
const exported = (app: TestApp) => app.call('GET', '/beacons?format=excel');

/**
 * Opens and saves a CSV file in the same way as the Dutch version of Excel: numbers and words change, and
 * quotes remain only where they are needed.
 */
function resaved(text: string): string {
  const rows: string[][] = parse(text, { delimiter: ';', bom: true });
  const cells = rows.map((row) => [...row, '', ''].map(opened));
  return [...cells, Array(8).fill('')].map((row) => `${row.map(quoted).join(';')}\r\n`).join('');
}

function opened(cell: string): string {
  const text = cell.trim();
  if (/^[+-]?\d+(,\d+)?(e[+-]?\d+)?$/i.test(text))
    return String(Number(text.replace(',', '.'))).replace('.', ',');
  if (/^\d{1,2}[-/]\d{1,2}$/.test(text)) return `${text.replace(/[-/]/, '-')}-2026`;
  if (/^(waar|onwaar)$/i.test(text)) return text.toUpperCase();
  return cell;
}

function quoted(cell: string): string {
  return /[;"\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

for (const [subject, beacon] of [
  ['a position', { id: 'hal-e-01', description: 'Hal E', txPower: -59, lat: 52.0907, long: -5.12140001 }],
  ['an ID with leading zeros', { id: '00012345' }],
  ['an ID with more digits than a number can represent', { id: '1234567890123456789' }],
  ['an ID in exponential notation', { id: '12345E67' }],
  [
    'descriptions that look like a date and a word',
    { id: 'hal-e-01', description: '1-2', longDescription: 'waar' },
  ],
  ['a description with separators and quotes', { id: 'hal-e-01', description: 'a;b "c", d\r\ne' }],
  ['a formula', { id: '=1+1+1', description: '-2,5', longDescription: "'00012" }],
] as const) {
  test(
    `importing ${subject} from an export that was saved in Excel changes nothing`,
    withTestApp(async (app) => {
      await app.add(beacon);
      const { text } = await exported(app);
      for (const body of [text, resaved(text)]) {
        const answer = await app.call('POST', '/beacons/import', { body, headers: CSV });
        assert.deepEqual(answer.json, { created: 0, replaced: 0, unchanged: 1 }, body);
      }
    }),
  );
}

test(
  'an export for Excel has a byte order mark, semicolons and decimal commas',
  withTestApp(async (app) => {
    await app.add({ id: 'hal-e-01', description: 'a, b', txPower: -59, lat: 52.0907, long: 5.1214 });
    const { text, headers } = await exported(app);
    assert.equal(
      text,
      '\uFEFFid;description;longDescription;txPower;lat;long\r\nhal-e-01;a, b;;-59;52,0907;5,1214\r\n',
    );
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8; header=present');
  }),
);

test(
  'export rejects an unknown or repeated format',
  withTestApp(async (app) => {
    for (const query of ['format=xls', 'format=', 'format=excel&format=excel']) {
      assertError(await app.call('GET', `/beacons?${query}`), 400, 'INVALID_INPUT', query);
    }
  }),
);

test.run();
