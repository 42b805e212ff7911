import assert from 'node:assert/strict';
import { test } from 'uvu';
import { csvCell, csvHead, csvLines, statisticsCsv } from '../../../../src/console/history/csv.js';
import { historyRow } from '../../../../src/console/history/rows.js';
import { withLanguage } from '../../../../src/i18n/language.js';
import { userActor } from '../../../../src/shared/actor.js';
import { EXCEL_CSV } from '../../../../src/shared/csv.js';

test('prefixes a cell that a spreadsheet program would execute, but not a number, with an apostrophe', () => {
  for (const text of ['=1+1', '+SUM(A1)', '-2+3', '@cmd', '\tx']) assert.equal(csvCell(text)[0], "'", text);
  assert.equal(csvCell('=HYPERLINK("http://x","y")'), `"'=HYPERLINK(""http://x"",""y"")"`);
  for (const text of ['-0.500', '+2', '12', 'anna']) assert.equal(csvCell(text), text);
  assert.equal(csvCell('a,b'), '"a,b"');
});

test('a cell for Excel is quoted if it contains a semicolon, and a number has a decimal comma', () => {
  assert.equal(csvCell('a;b', EXCEL_CSV), '"a;b"');
  assert.equal(csvCell('a,b', EXCEL_CSV), 'a,b');
  assert.equal(csvCell('-0,500', EXCEL_CSV), '-0,500');
  assert.equal(csvCell('-0.500', EXCEL_CSV), "'-0.500");
  assert.match(csvHead(EXCEL_CSV), /^\uFEFFtime;cart_id;/);
});

test('a row shows the distance of an interrupted command or a manual drive, but not of a finished move', () => {
  const command = (state: string, more: object) => ({
    id: 1,
    at: 0,
    cartID: 2,
    actor: userActor('anna'),
    person: 'anna',
    kind: 'move',
    distanceMm: 320,
    pressedCarts: [],
    reason: '',
    outcome: 'cancelled' as const,
    view: {
      kind: 'move',
      state,
      distanceMm: 500,
      angleDeg: 0,
      origin: { principal: 'anna' },
      timeline: [{ state, ms: 900 }],
      result: { distanceMm: 320, angleDeg: 0, estimated: false },
      ...more,
    },
  });
  const rowOf = (state: string, more = {}) => historyRow(command(state, more), String);
  assert.match(rowOf('CANCELLED', { reason: { code: 'STOPPED', text: 'stopped' } }).driven, /0\.32 m/);
  assert.equal(rowOf('FINISHED').driven, '');
  assert.match(rowOf('FINISHED', { kind: 'jog' }).driven, /0\.32 m/);
  const turned = { kind: 'jog', result: { distanceMm: 0, angleDeg: 20.3, estimated: false } };
  assert.equal(rowOf('FINISHED', turned).driven, 'turned 20.3° left');
  const dutch = withLanguage('nl', () => rowOf('FINISHED', turned).driven);
  assert.equal(dutch, '20,3° links gedraaid');
});

test('a row names the zones and places that a change added, changed or deleted', () => {
  const stairs = { id: 'stairs', name: 'Stairs' };
  const values = [
    { path: '/zones/stairs', to: stairs },
    { path: '/zones/door', from: { name: 'Door' } },
    { path: '/places/p1', from: { name: 'Bay' }, to: { name: 'Bay 1' } },
    { path: '/planHash', from: 'a', to: 'b' },
    { path: '/mmPerPixel', from: 20, to: 25 },
  ];
  const entry = {
    id: 1,
    at: 0,
    cartID: 2,
    actor: userActor('anna'),
    person: 'anna',
    kind: 'site.changed',
    distanceMm: 0,
    pressedCarts: [],
    reason: '',
    outcome: 'change' as const,
    view: { change: { version: '7', sha256: '', values } },
  };
  const { what, why } = historyRow(entry, String);
  assert.equal(what, 'Zones and places changed by anna (version 7)');
  assert.equal(
    why,
    'Zone Stairs added; Zone Door deleted; Place Bay 1 changed; Confirmed on a changed floor plan',
  );
});

test('a row contains the entered position and the previous one', () => {
  const value = {
    path: '/position',
    from: { xMm: 0.4, yMm: 7, headingDeg: -3 },
    to: { xMm: 2500, yMm: 1200, headingDeg: 90 },
  };
  const entry = {
    id: 1,
    at: 0,
    cartID: 2,
    actor: userActor('anna'),
    person: 'anna',
    kind: 'site.frame_changed',
    distanceMm: 0,
    pressedCarts: [],
    reason: '',
    outcome: 'change' as const,
    view: { kind: 'site.frame_changed', by: 'anna', change: { version: '7', sha256: '', values: [value] } },
  };
  const { what, why } = historyRow(entry, String);
  assert.deepEqual(
    [what, why],
    ['Position of the cart entered by anna', '0, 7 mm, -3° → 2500, 1200 mm, 90°'],
  );
});

test('a row names a fourth cart instead of showing "and 1 more"', () => {
  const cartsOf = (count: number) => {
    const pressedCarts = Array.from({ length: count }, (_each, at) => at + 1);
    const entry = {
      id: 1,
      at: 0,
      cartID: 1,
      actor: userActor('anna'),
      person: 'anna',
      kind: 'triggered',
      distanceMm: null,
      pressedCarts,
    };
    const view = { kind: 'triggered', by: 'anna' };
    return historyRow({ ...entry, reason: '', outcome: 'estop', view } as never, String).cart;
  };
  assert.deepEqual([3, 4, 5].map(cartsOf), ['1, 2, 3', '1, 2, 3, 4', '1, 2, 3 and 2 more']);
});

test('a line contains the event, its reason, distance and duration', () => {
  const at = Date.UTC(2026, 4, 4, 12);
  const view = {
    kind: 'move',
    state: 'FAILED',
    distanceMm: 500,
    angleDeg: 0,
    maxSpeed: 300,
    origin: { principal: '=evil' },
    timeline: [
      { state: 'ACCEPTED', ms: 0 },
      { state: 'FAILED', ms: 2210 },
    ],
    reason: { code: 'SERIAL_LOST', text: 'the line, lost' },
  };
  const entry = {
    id: 1,
    at,
    cartID: 2,
    actor: userActor('=evil'),
    person: '=evil',
    kind: 'move',
    reason: 'SERIAL_LOST',
    distanceMm: 320,
    view,
    pressedCarts: [],
    outcome: 'failed' as const,
  };
  assert.equal(
    csvLines([entry], (cartID) => `Cart ${cartID}`),
    `2026-05-04T12:00:00.000Z,2,Cart 2,'=evil,0.50 m forward,Failed,failed,"The line, lost",0.320,2.210,,\r\n`,
  );
  assert.match(csvLines([entry], String, EXCEL_CSV), /;The line, lost;0,320;2,210;;\r\n/);
});

test('a backup event contains the name of the backup', () => {
  const entry = {
    id: 1,
    at: 0,
    cartID: 1,
    actor: userActor('anna'),
    person: 'anna',
    kind: 'backup.made',
    reason: '',
    distanceMm: 0,
    pressedCarts: [],
    outcome: 'backup' as const,
    view: { kind: 'backup.made', cartID: 1, by: 'anna', backup: 'cartwright-gw-1.cwbackup' },
  };
  assert.equal(historyRow(entry, String).what, 'Gateway backup made by anna: cartwright-gw-1.cwbackup');
});

test('the statistics contain one line per person or per day', () => {
  const stops = { estop: 1, protective: 2, connection: 3, controller: 4, person: 5, other: 6 };
  const at = new Date(2026, 4, 4).getTime();
  const figures = {
    days: [{ at, commands: 7, distanceMm: 1500, stops }],
    people: [{ actor: userActor('=evil'), person: '=evil', commands: 7, distanceMm: 1500 }],
  };
  const lines = (by: 'person' | 'day') => statisticsCsv(figures, by).slice(1).split('\r\n');
  assert.deepEqual(lines('person'), ['person,distance_m,commands', "'=evil,1.500,7", '']);
  assert.match(statisticsCsv(figures, 'person', EXCEL_CSV), /;1,500;7\r\n/);
  assert.match(statisticsCsv(figures, 'day', EXCEL_CSV), /2026-05-04;1,500;7;1;2;/);
  assert.deepEqual(lines('day').slice(1), ['2026-05-04,1.500,7,1,2,3,4,5,6', '']);
});

test.run();
