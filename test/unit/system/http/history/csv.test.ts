import assert from 'node:assert/strict';
import { test } from 'uvu';
import { csvCell, csvLines } from '../../../../../src/system/http/history/csv.js';

test('a cell that a spreadsheet program would execute is prefixed with an apostrophe; a number is not', () => {
  for (const text of ['=1+1', '+SUM(A1)', '-2+3', '@cmd', '\tx']) assert.equal(csvCell(text)[0], "'", text);
  assert.equal(csvCell('=HYPERLINK("http://x","y")'), `"'=HYPERLINK(""http://x"",""y"")"`);
  for (const text of ['-0.500', '+2', '12', 'anna']) assert.equal(csvCell(text), text);
  assert.equal(csvCell('a,b'), '"a,b"');
});

test('a line contains the event, its reason, distance and duration', () => {
  const at = Date.UTC(2026, 4, 4, 12);
  const view = {
    ...{ kind: 'move', state: 'FAILED', distanceMm: 500, angleDeg: 0, maxSpeed: 300 },
    ...{
      origin: { principal: '=evil' },
      timeline: [
        { state: 'ACCEPTED', ms: 0 },
        { state: 'FAILED', ms: 2210 },
      ],
    },
    reason: { code: 'SERIAL_LOST', text: 'the line, lost' },
  };
  const entry = {
    ...{ id: 1, at, cartID: 2, person: '=evil', kind: 'move', reason: 'SERIAL_LOST', distanceMm: 320, view },
    outcome: 'failed' as const,
  };
  assert.equal(
    csvLines([entry], (cartID) => `Cart ${cartID}`),
    `2026-05-04T12:00:00.000Z,2,Cart 2,'=evil,0.50 m forward,Failed,failed,"The line, lost",0.320,2.210\r\n`,
  );
});

test.run();
