import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';

const test = suite("times in the gateway's time zone");

const BROWSER_ZONE = 'Asia/Tokyo';
const FORMAT = new URL('../../../src/i18n/format.js', import.meta.url).href;

interface Place {
  /** The zone that the page names; undefined on the server. */
  page?: string;
  /** The zone of the process. */
  own?: string;
  now?: string;
}

/** Evaluates expressions with the functions of `format.ts` in a process with this time zone. */
function evaluate({ page, own = BROWSER_ZONE, now }: Place, expressions: string): unknown {
  const root = { lang: 'en', dataset: { timeZone: page } };
  const code = `
    ${page === undefined ? '' : `globalThis.document = { documentElement: ${JSON.stringify(root)} };`}
    ${now === undefined ? '' : `Date.now = () => Date.parse('${now}');`}
    const { timeOfDay, isToday, isOtherZone, timeZone, dayAndTime, momentText, minuteText, dayText } = await import('${FORMAT}');
    process.stdout.write(JSON.stringify([${expressions}]));`;
  const env = { ...process.env, TZ: own };
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', code], { env }).toString());
}

for (const [page, times] of [
  [
    'Europe/Amsterdam',
    {
      '2026-03-29T00:59:59Z': '29 Mar 2026, 01:59:59',
      '2026-03-29T01:00:00Z': '29 Mar 2026, 03:00:00',
      '2026-10-25T00:59:59Z': '25 Oct 2026, 02:59:59',
      '2026-10-25T01:00:00Z': '25 Oct 2026, 02:00:00',
    },
  ],
  [
    'Asia/Kolkata',
    {
      '2026-05-04T18:29:59Z': '4 May 2026, 23:59:59',
      '2026-05-04T18:30:00Z': '5 May 2026, 00:00:00',
    },
  ],
  [
    'Australia/Lord_Howe',
    {
      '2026-04-04T14:59:59Z': '5 Apr 2026, 01:59:59',
      '2026-04-04T15:00:00Z': '5 Apr 2026, 01:30:00',
    },
  ],
  ['Pacific/Kiritimati', { '2026-12-31T10:00:00Z': '1 Jan 2027, 00:00:00' }],
] as const) {
  test(`a page of a gateway in ${page} shows every time in that zone`, () => {
    const texts = Object.keys(times)
      .map((utc) => `Date.parse('${utc}')`)
      .map(
        (ms) => `timeOfDay(${ms}), dayAndTime(${ms}), momentText(${ms}), minuteText(${ms}), dayText(${ms})`,
      );
    const expected = Object.values(times).flatMap((local) => {
      const [day = '', time = ''] = local.split(', ');
      return [time, `${day.slice(0, -5)}, ${time}`, local, `${day}, ${time.slice(0, 5)}`, day];
    });
    assert.deepEqual(evaluate({ page }, texts.join()), expected);
  });
}

test("isToday compares days in the page's time zone", () => {
  const place = { page: 'Asia/Kolkata', now: '2026-05-04T19:00:00Z' };
  const times = [
    '2026-05-04T18:29:59Z',
    '2026-05-04T18:30:00Z',
    '2026-05-05T18:29:59Z',
    '2026-05-05T18:30:00Z',
  ];
  assert.deepEqual(evaluate(place, times.map((time) => `isToday('${time}')`).join()), [
    false,
    true,
    true,
    false,
  ]);
});

test('an invalid time is shown as an empty text', () => {
  const times = "timeOfDay('x'), dayAndTime(NaN), isToday('x')";
  assert.deepEqual(evaluate({ page: 'Asia/Kolkata' }, times), ['', '', false]);
});

test("a browser that does not know the gateway's time zone shows times in its own time zone", () => {
  const texts =
    "timeOfDay('2026-05-04T12:02:11Z'), dayText(Date.parse('2026-05-04T16:00:00Z')), isOtherZone()";
  assert.deepEqual(evaluate({ page: 'Mars/Olympus' }, texts), ['21:02:11', '5 May 2026', false]);
});

test("the server shows times in the time zone of its process, which is also the page's time zone", () => {
  const texts = "timeOfDay('2026-05-04T12:02:11Z'), momentText('2026-05-04T12:02:11Z'), timeZone()";
  assert.deepEqual(evaluate({ own: 'America/St_Johns' }, texts), [
    '09:32:11',
    '4 May 2026, 09:32:11',
    'America/St_Johns',
  ]);
});

test("isOtherZone is true only if the browser's clock shows a different time", () => {
  const zones = ['Asia/Tokyo', 'Asia/Seoul', 'Europe/Amsterdam', 'Australia/Adelaide'];
  assert.deepEqual(
    zones.map((page) => evaluate({ page }, 'isOtherZone()')),
    [[false], [false], [true], [true]],
  );
});

test.run();
