import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { mapRoutes } from '../../../../src/beacons/http/map-routes.js';
import { Beacons } from '../../../../src/beacons/registry/beacons.js';
import { beaconsSchema } from '../../../../src/beacons/settings-schema.js';
import { Pages } from '../../../../src/console/layout/pages.js';
import { mapContext } from '../../../../src/console/map/context.js';
import { mapPage, mapPageRoutes } from '../../../../src/console/map/routes.js';
import { errorHandler } from '../../../../src/http/errors.js';
import { pageHeaders } from '../../../../src/http/guard/headers.js';
import { inLanguageOf } from '../../../../src/http/language.js';
import { Drawings, useDrawings } from '../../../../src/http/pages.js';
import { fastExpress } from '../../../../src/http/server/fast-express.js';
import { FloorPlan } from '../../../../src/plan/floor-plan/floor-plan.js';
import { MAX_PLAN_BYTES } from '../../../../src/plan/floor-plan/image.js';
import { siteOriginOf } from '../../../../src/plan/frame/site-frame.js';
import { planRoutes } from '../../../../src/plan/http/routes.js';
import { userActor } from '../../../../src/shared/actor.js';
import { systemClock } from '../../../../src/shared/clock.js';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { openStore } from '../../../../src/store/store.js';
import { handlersOf } from '../../../helpers/handlers-of.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { validateResponses } from '../../../helpers/response-validation.js';
import { layout } from '../../app/api/samples.js';
import { png } from '../../plan/images.js';
import { NO_ZONES } from '../../site/no-zones.js';

const test = suite('Beacons page and floor plan routes');

const WRITER = new URL('../../../../src/app/writer-worker.js', import.meta.url);
const pages = new Pages({ viewsDir: join(packageRoot(), 'views') });
const CUSTOMER = {
  name: 'carl',
  role: 'customer',
  isPerson: true,
  mayDrive: false,
  actor: userActor('carl'),
};

const RULES = {
  meaning: '0123456789ab',
  units: 'direct',
  drive: 'differential',
  mmPerUnit: 1,
  maxMm: 10_000,
  degPerUnit: 1,
  maxDeg: 360,
};

const CART = { footprint: [], decelMmps2: 500 };
const SITE_PLAN = {
  version: 0,
  planHash: null,
  needsReview: false,
  reviewReason: null,
  zones: [],
  places: [],
  routes: [],
  etag: '"0"',
};

interface TestApp {
  url: string;
  beacons: Beacons;
  tiles: { tileUrl: string; tileAttribution: string };
  /** The user who sends the requests; an operator by default. */
  as: { visitor?: typeof CUSTOMER };
  form(path: string, fields: Record<string, string>): Promise<Response>;
}

/** Runs a test against the map page's routes with a real server and store, but no access control. */
function withTestApp(run: (testApp: TestApp) => Promise<void>): () => Promise<void> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-map-'));
    const log = new RecordingLog();
    const store = await openStore({ dir, writer: WRITER, clock: systemClock, log });
    const beacons = new Beacons({ store, log, pathLoss: () => ({ exponent: 2, maxRangeM: 100 }) });
    const floorPlan = await FloorPlan.open({ dir: join(dir, 'plan'), log });
    const testApp = { beacons, tiles: { tileUrl: '', tileAttribution: '' }, as: {} };
    const { app, server } = fastExpress();
    app.use(pageHeaders);
    const drawings = new Drawings();
    drawings.add(mapPage, (req, page) =>
      inLanguageOf(req, () =>
        pages.render(
          'map/beacons',
          mapContext(layout(undefined, testApp.as), page, {
            driveTo: RULES,
            cart: CART,
            unsuitable: undefined,
            editRefusal: undefined,
          }),
        ),
      ),
    );
    useDrawings(app, drawings);
    const origin = () => siteOriginOf(floorPlan.current?.placement?.bottomLeft, beacons.southWest());
    app.use(handlersOf(mapRoutes({ beacons })));
    app.use(handlersOf(planRoutes({ floorPlan, guard: NO_ZONES, origin })));
    app.use(
      handlersOf(
        mapPageRoutes({
          beacons,
          markers: { list: () => [] },
          floorPlan,
          guard: NO_ZONES,
          sitePlan: { current: SITE_PLAN },
          origin,
          tiles: () => testApp.tiles,
        }),
      ),
    );
    app.use(errorHandler(log, ({ path }, { body }) => `<main>${path}: ${body.message}</main>`));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const form: TestApp['form'] = (path, fields) =>
      fetch(url + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
    const undocumented = validateResponses(server);
    try {
      await run(Object.assign(testApp, { url, form }));
      assert.deepEqual(undocumented(), []);
    } finally {
      server.close();
      server.closeAllConnections();
      beacons.close();
      await store.close();
      rmSync(dir, { recursive: true });
    }
  };
}

const add = (beacons: Beacons, count: number): Promise<unknown> =>
  beacons.importMany(
    Array.from({ length: count }, (_, i) => ({ value: { id: `hall-${String(i).padStart(4, '0')}` } })),
    { upsert: false },
  );
const idsIn = (html: string): string[] =>
  [...html.matchAll(/data-beacon="([^"]*)"/g)].map(([, id = '']) => id);
const text = async (answer: Response | Promise<Response>): Promise<string> => await (await answer).text();

test(
  'the table shows 50 beacons per page and filters them by the first characters of the ID',
  withTestApp(async ({ url, beacons }) => {
    await add(beacons, 120);
    const first = await text(fetch(`${url}/map`));
    assert.deepEqual([idsIn(first).length, idsIn(first)[0]], [50, 'hall-0000']);
    const next = /href="([^"]*)" data-page-link>Next page/.exec(first)?.[1] ?? '';
    const second = await text(
      fetch(url + next.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=').replaceAll('&#x2F;', '/')),
    );
    assert.equal(idsIn(second)[0], 'hall-0050');
    const last = await text(fetch(`${url}/map?after=hall-0099`));
    assert.equal(idsIn(last).length, 20);
    assert.doesNotMatch(last, />Next page/);
    assert.equal(idsIn(await text(fetch(`${url}/map?find=hall-011`))).length, 10);
    const none = await text(fetch(`${url}/map?find=${encodeURIComponent('<b>_%')}`));
    assert.match(none, /No ID or description contains “&lt;b&gt;_%”/);
  }),
);

const nextIn = (html: string): string =>
  (/href="([^"]*)" data-page-link>Next page/.exec(html)?.[1] ?? '')
    .replaceAll('&amp;', '&')
    .replaceAll('&#x3D;', '=')
    .replaceAll('&#x2F;', '/');

test(
  'the table finds beacons by ID and description, ignoring case, page by page',
  withTestApp(async ({ url, beacons }) => {
    await beacons.importMany(
      Array.from({ length: 120 }, (_, i) => {
        const id = `${i % 2 === 0 ? 'hall' : 'yard'}-${String(i).padStart(4, '0')}`;
        return { value: { id, description: i < 60 ? 'Öffnung Süd' : 'Tor' } };
      }),
      { upsert: false },
    );
    const pages: string[][] = [];
    for (let path = `/map?find=${encodeURIComponent('HALL-00')}`; path !== ''; ) {
      const html = await text(fetch(url + path));
      pages.push(idsIn(html));
      path = nextIn(html);
    }
    assert.deepEqual(
      pages.map(({ length }) => length),
      [50],
    );
    const found = idsIn(await text(fetch(`${url}/map?find=${encodeURIComponent('öFFNUNG yard')}`)));
    assert.deepEqual([found.length, found[0], found.at(-1)], [30, 'yard-0001', 'yard-0059']);
    const first = await text(fetch(`${url}/map?find=${encodeURIComponent('öffnung')}`));
    const second = await text(fetch(url + nextIn(first)));
    assert.deepEqual([idsIn(first).length, idsIn(second).length, nextIn(second)], [50, 10, '']);
    assert.equal(new Set([...idsIn(first), ...idsIn(second)]).size, 60);
  }),
);

test(
  'forms add, edit and delete a beacon and redirect to the Beacons page',
  withTestApp(async ({ url, beacons, form }) => {
    const added = await form('/map', {
      id: ' door-01 ',
      description: 'Door',
      txPower: '-59',
      lat: '52,37',
      long: '4.9',
    });
    assert.deepEqual([added.status, added.headers.get('location')], [303, '/map?saved=door-01']);
    assert.deepEqual(beacons.find('door-01'), {
      id: 'door-01',
      description: 'Door',
      longDescription: '',
      txPower: -59,
      lat: 52.37,
      long: 4.9,
    });
    const saved = await text(fetch(`${url}/map?saved=door-01`));
    assert.match(saved, /Saved door-01/);
    assert.doesNotMatch(saved, /cannot estimate distances/);
    assert.match(await text(fetch(`${url}/map?edit=door-01`)), /name="editing" value="door-01"/);
    const edited = await form('/map', { id: 'door-01', editing: 'door-01', description: 'Gate' });
    assert.equal(edited.status, 303);
    const powerless = await text(fetch(`${url}/map?saved=door-01`));
    assert.match(powerless, /Saved door-01[\s\S]*cannot estimate distances/);
    assert.deepEqual(beacons.find('door-01'), { id: 'door-01', description: 'Gate', longDescription: '' });
    assert.equal(
      (await form('/map/delete', { id: 'door-01' })).headers.get('location'),
      '/map?deleted=door-01',
    );
    assert.equal(beacons.find('door-01'), undefined);
    assert.equal((await form('/map/delete', { id: 'door-01' })).status, 404);
  }),
);

test(
  'returns an invalid form with its input and an error for each invalid field',
  withTestApp(async ({ beacons, form }) => {
    const answer = await form('/map', { id: 'four', txPower: '21', lat: 'north', description: '<i>' });
    const html = await text(answer);
    assert.equal(answer.status, 400);
    for (const [field, message] of [
      ['id', 'Must have at least 6 characters'],
      ['txPower', 'Must be at most 20 dBm'],
      ['lat', 'Must be a number'],
      ['long', 'Is missing; lat and long must be given together'],
    ] as const) {
      assert.ok(html.includes(`<p id="beacon-${field}-error" class="error">${message}`), field);
    }
    assert.match(html, /value="north"/);
    assert.match(html, /value="&lt;i&gt;"/);
    await add(beacons, 1);
    const taken = await form('/map', { id: 'hall-0000', description: 'Another' });
    assert.equal(taken.status, 409);
    assert.match(await text(taken), /Find the beacon in the table and edit it there/);
    assert.equal(beacons.find('hall-0000')?.description, '');
  }),
);

test(
  'does not show forms or buttons to users without the operator role',
  withTestApp(async ({ url, beacons, as }) => {
    await add(beacons, 2);
    as.visitor = CUSTOMER;
    const html = await text(fetch(`${url}/map`));
    assert.equal(idsIn(html).length, 2);
    assert.doesNotMatch(
      html,
      /data-beacon-form|data-delete-beacon|data-import|data-plan-upload|data-edit|data-site-plan/,
    );
    assert.match(html, /Only operators and administrators can add and change beacons/);
  }),
);

test(
  'exports all beacons in each format',
  withTestApp(async ({ url, beacons }) => {
    await add(beacons, 3);
    const csv = await fetch(`${url}/map/export/beacons.csv`);
    assert.match(csv.headers.get('content-disposition') ?? '', /attachment; filename="beacons.csv"/);
    assert.equal((await csv.text()).split('\r\n')[3], 'hall-0002,,,,,');
    const json = await fetch(`${url}/map/export/beacons.json`);
    assert.equal(((await json.json()) as unknown[]).length, 3);
    assert.match(await text(fetch(`${url}/map/export/beacons.geojson`)), /"FeatureCollection"/);
    for (const name of ['beacons.xml', '__proto__', 'constructor']) {
      assert.equal((await fetch(`${url}/map/export/${name}`)).status, 404, name);
    }
  }),
);

test(
  'exports CSV for Excel, and templates that the import can read',
  withTestApp(async ({ url, beacons }) => {
    await beacons.create({ id: 'hall-0001', lat: 52.5, long: -5.25 }, { upsert: false });
    const excel = await fetch(`${url}/map/export/beacons.csv?format=excel`);
    assert.equal((await excel.text()).split('\r\n')[1], 'hall-0001;;;;52,5;-5,25');
    for (const [query, separator] of [
      ['', ','],
      ['?format=excel', ';'],
    ] as const) {
      const template = await fetch(`${url}/map/export/template.csv${query}`);
      assert.match(
        template.headers.get('content-disposition') ?? '',
        /attachment; filename="?template.csv"?$/,
      );
      const fields = (await template.text()).trim().split(separator);
      assert.deepEqual(fields, ['id', 'description', 'longDescription', 'txPower', 'lat', 'long', 'x', 'y']);
    }
    assert.equal((await fetch(`${url}/map/export/beacons.csv?format=xls`)).status, 400);
  }),
);

for (const [language, query] of [
  ['en', ''],
  ['nl', '?format=excel'],
] as const) {
  test(
    `the CSV links of the page in ${language} return files in the format of that language's spreadsheet programs`,
    withTestApp(async ({ url }) => {
      const page = await text(fetch(`${url}/map`, { headers: { 'accept-language': language } }));
      for (const name of ['beacons', 'template']) {
        assert.ok(page.includes(`"/map/export/${name}.csv${query.replace('=', '&#x3D;')}"`), name);
      }
    }),
  );
}

test(
  'the content security policy allows external images only from the tile server',
  withTestApp(async ({ url, tiles }) => {
    const policy = async (): Promise<string> =>
      (await fetch(`${url}/map`)).headers.get('content-security-policy') ?? '';
    assert.match(await policy(), /img-src 'self' data: blob:;/);
    tiles.tileUrl = 'http://tiles.local:8080/{z}/{x}/{y}.png';
    assert.match(await policy(), /img-src 'self' data: blob: http:\/\/tiles\.local:8080;/);
    const others = (await fetch(`${url}/map/plan`)).headers.get('content-security-policy') ?? '';
    assert.doesNotMatch(others, /tiles/);
    tiles.tileUrl = 'http://tiles.local:99999/{z}/{x}/{y}.png';
    assert.match(await policy(), /img-src 'self' data: blob:;/);
  }),
);

test(
  'the form stores a position in metres as coordinates, and changed coordinates take precedence',
  withTestApp(async ({ beacons, form }) => {
    const at = '52.37,4.895';
    const metres = { id: 'in-metres', lat: '', long: '', origin: at, at: '' };
    assert.equal((await form('/map', { ...metres, east: '0', north: '−11,12' })).status, 303);
    const { lat = 0, long = 0 } = beacons.find('in-metres') ?? {};
    assert.deepEqual([lat.toFixed(6), long.toFixed(6)], ['52.369900', '4.895000']);

    const edit = { id: 'in-metres', editing: 'in-metres', origin: at, at: `${lat},${long}` };
    const shown = { east: '0.00', north: '-11.12', lat: String(lat), long: String(long) };
    assert.equal((await form('/map', { ...edit, ...shown, east: '5', lat: '52.38' })).status, 303);
    assert.equal(beacons.find('in-metres')?.lat, 52.38);
    assert.equal((await form('/map', { ...edit, ...shown })).status, 303);
    assert.equal(beacons.find('in-metres')?.lat, lat);
    assert.equal((await form('/map', { ...edit, ...shown, east: '', north: '' })).status, 303);
    assert.equal(beacons.find('in-metres')?.lat, undefined);
  }),
);

test(
  'the form rejects an incomplete position in metres and keeps the entered values',
  withTestApp(async ({ beacons, form }) => {
    const fields = {
      id: 'in-metres',
      east: '4',
      north: 'x',
      origin: '52.37,4.895',
      at: '',
      lat: '',
      long: '',
    };
    const answer = await form('/map', fields);
    assert.equal(answer.status, 400);
    const html = await answer.text();
    assert.match(html, /id="beacon-north-error"[^>]*>Must be a number, in metres/);
    assert.match(html, /id="beacon-east"[^>]*value="4"/);
    assert.match(html, /name="origin" value="52.37,4.895"/);
    assert.equal(beacons.find('in-metres'), undefined);
  }),
);

test('accepts only tile URLs with a fixed host and the placeholders x, y and z', () => {
  const isGood = (url: string): boolean => new RegExp(beaconsSchema.properties.tileUrl.pattern).test(url);
  for (const good of ['', 'http://tiles.local/{z}/{x}/{y}.png', 'https://10.0.0.2:8080/t/{z}/{y}/{x}?k=1']) {
    assert.ok(isGood(good), good);
  }
  for (const bad of [
    'http://{s}.tiles.local/{z}/{x}/{y}.png',
    'http://tiles.local/{z}/{x}.png',
    "http://tiles.local; script-src 'unsafe-inline'/{z}/{x}/{y}",
    'javascript:alert(1)//{z}{x}{y}',
    '/{z}/{x}/{y}.png',
  ]) {
    assert.ok(!isGood(bad), bad);
  }
});

test(
  'sets the scale of the floor plan from a line that is sent as JSON or by a form',
  withTestApp(async ({ url, form }) => {
    const line = { x1: 10, y1: 290, x2: 390, y2: 290, lengthM: 38 };
    const put = (body: unknown): Promise<Response> =>
      fetch(`${url}/map/plan/line`, {
        method: 'PUT',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    assert.equal((await put(line)).status, 404);
    await fetch(`${url}/map/plan`, { method: 'PUT', body: new Uint8Array(png(400, 300)) });
    const scale = async (): Promise<number | undefined> => {
      const { plan } = (await (await fetch(`${url}/map/plan`)).json()) as {
        plan: { placement?: { metresPerPixel: number } };
      };
      return plan.placement && Math.round(plan.placement.metresPerPixel * 1e6) / 1e6;
    };
    for (const [body, field] of [
      [{ ...line, lengthM: '38' }, 'lengthM'],
      [{ ...line, x1: undefined }, 'x1'],
      [{ ...line, x2: 401 }, 'x2'],
    ] as const) {
      const rejected = await put(body);
      assert.equal(rejected.status, 400);
      assert.equal(((await rejected.json()) as { field: string }).field, field);
    }
    assert.equal(await scale(), undefined);
    assert.equal((await put(line)).status, 200);
    assert.equal(await scale(), 0.1);

    const fields = { x1: '10', y1: '290', x2: '390', y2: '290', lengthM: '76,0' };
    const saved = await form('/map/plan/line', fields);
    assert.deepEqual([saved.status, saved.headers.get('location')], [303, '/map?scaled=yes']);
    assert.equal(await scale(), 0.2);
    const html = await text(fetch(`${url}/map?scaled=yes`));
    assert.match(html, /<h2>Scale set<\/h2>/);
    assert.match(html, /name="lengthM"[^>]*value="76"/);
    for (const [change, message] of [
      [{ lengthM: 'wide' }, 'Length must be a number'],
      [{ lengthM: '' }, 'Length is missing'],
      [{ lengthM: '1001' }, 'The length must be between 1 and 1000 m'],
      [{ x2: '60' }, 'The line is 50 px long; it must be at least 100 px long'],
      [{ x2: '500' }, 'Point 2: x must be between 0 and 400 px'],
    ] as const) {
      const rejected = await form('/map/plan/line', { ...fields, ...change });
      assert.equal(rejected.status, 400);
      const page = await text(rejected);
      assert.ok(page.includes(`role="alert">${message}.`), message);
      const [[name, value] = []] = Object.entries(change);
      assert.match(page, new RegExp(`name="${name}"[^>]*value="${value}"[^>]*aria-invalid="true"`));
    }
    assert.equal(await scale(), 0.2);
  }),
);

test(
  'uploads, positions, returns and deletes the floor plan',
  withTestApp(async ({ url }) => {
    const put = (
      body: Uint8Array<ArrayBuffer> | string,
      type = 'application/octet-stream',
    ): Promise<Response> =>
      fetch(`${url}/map/plan`, { method: 'PUT', body, headers: { 'content-type': type } });
    assert.deepEqual(await (await fetch(`${url}/map/plan`)).json(), { plan: null });
    assert.equal((await fetch(`${url}/map/plan/picture`)).status, 404);
    const image = new Uint8Array(png(400, 300));
    // The declared media type is ignored.
    assert.equal((await put(image, 'text/html')).status, 200);
    const shown = await fetch(`${url}/map/plan/picture`);
    assert.equal(shown.headers.get('content-type'), 'image/png');
    assert.equal(shown.headers.get('x-content-type-options'), 'nosniff');
    assert.deepEqual(new Uint8Array(await shown.arrayBuffer()), image);
    assert.equal((await put('<svg/>', 'image/svg+xml')).status, 415);
    assert.equal((await put('')).status, 400);
    assert.equal((await put(new Uint8Array(MAX_PLAN_BYTES + 1))).status, 413);

    const points = (body: unknown): Promise<Response> =>
      fetch(`${url}/map/plan/points`, {
        method: 'PUT',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    const [first, second] = [
      { x: 0, y: 0, lat: 52.37, long: 4.89 },
      { x: 400, y: 0, lat: 52.37, long: 4.8903 },
    ];
    const rejected = await points({ points: [first, { ...second, x: 401 }] });
    assert.equal(rejected.status, 400);
    const { field, limit, unit } = (await rejected.json()) as Record<string, unknown>;
    assert.deepEqual({ field, limit, unit }, { field: 'points/1/x', limit: 400, unit: 'px' });
    assert.equal((await points({ points: [first, second] })).status, 200);
    const { plan } = (await (await fetch(`${url}/map/plan`)).json()) as { plan: { placement: object } };
    assert.ok('metresPerPixel' in plan.placement);
    assert.equal((await fetch(`${url}/map/plan`, { method: 'DELETE' })).status, 200);
    assert.equal((await fetch(`${url}/map/plan`, { method: 'DELETE' })).status, 404);
    assert.equal((await points({ points: [first, second] })).status, 404);
  }),
);

/** The value of the hidden field that contains the values with which a form was opened. */
const openedIn = (html: string): string =>
  (/name="opened" value="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&#x2F;', '/');

test(
  'an older form replaces only the fields that its user has edited',
  withTestApp(async ({ url, beacons, form }) => {
    const stored = { id: 'door-01', description: 'Door', longDescription: 'One\nTwo', txPower: -59 };
    await beacons.create({ ...stored, lat: 52.37, long: 4.895 }, { upsert: false });
    const html = await text(fetch(`${url}/map?edit=door-01`));
    const fields = Object.fromEntries(
      [...html.matchAll(/<input[^>]* name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    const shown = { ...fields, longDescription: 'One\r\nTwo', opened: openedIn(html) };
    await beacons.create(
      { ...stored, txPower: -62, description: 'Gate', lat: 52.38, long: 4.9 },
      { upsert: true },
    );

    const saved = await form('/map', { ...shown, longDescription: 'One\r\nThree' });
    assert.equal(saved.status, 303, await saved.clone().text());
    const merged = { description: 'Gate', longDescription: 'One\r\nThree', txPower: -62 };
    assert.deepEqual(beacons.find('door-01'), { id: 'door-01', ...merged, lat: 52.38, long: 4.9 });

    const refused = await form('/map', {
      ...shown,
      longDescription: 'One\r\nThree',
      east: '3',
      txPower: '-70',
    });
    const again = await text(refused);
    assert.equal(refused.status, 412);
    assert.match(again, /<h2>The same fields were changed in the meantime\. Nothing was saved\.<\/h2>/);
    assert.match(
      again,
      /id="beacon-txPower-error" class="error">Was changed to &quot;-62&quot; in the meantime;/,
    );
    assert.match(again, /id="beacon-east-error" class="error">Was changed to &quot;[^&]* m east/);
    assert.match(again, /id="beacon-txPower"[^>]* value="-70"/);
    assert.match(again, /id="beacon-description"[^>]* value="Gate"/);
    assert.equal(beacons.find('door-01')?.txPower, -62);

    const { east, north, at, lat, long, origin } = shown as Record<string, string>;
    const place = { east: '3', north: north ?? '', at: at ?? '', lat: lat ?? '', long: long ?? '' };
    assert.notEqual(east, '3');
    const forced = await form('/map', {
      id: 'door-01',
      editing: 'door-01',
      opened: openedIn(again),
      description: 'Gate',
      longDescription: 'One\r\nThree',
      txPower: '-70',
      origin: origin ?? '',
      ...place,
    });
    assert.equal(forced.status, 303, await forced.clone().text());
    assert.equal(beacons.find('door-01')?.txPower, -70);
    assert.equal(beacons.find('door-01')?.description, 'Gate');
    assert.equal(beacons.find('door-01')?.lat?.toFixed(4), '52.3700');
  }),
);

test(
  'an older form does not silently restore a deleted beacon',
  withTestApp(async ({ url, beacons, form }) => {
    await beacons.create({ id: 'door-01', description: 'Door' }, { upsert: false });
    const opened = openedIn(await text(fetch(`${url}/map?edit=door-01`)));
    await beacons.remove('door-01');
    const refused = await form('/map', { id: 'door-01', editing: 'door-01', description: 'Gate', opened });
    assert.equal(refused.status, 412);
    const html = await text(refused);
    assert.match(html, /Beacon door-01 was deleted in the meantime\./);
    assert.match(html, /id="beacon-description"[^>]* value="Gate"/);
    assert.doesNotMatch(html, /name="editing"/);
    assert.equal(beacons.find('door-01'), undefined);
  }),
);

test(
  'a beacon that is changed while a form is being saved is not replaced',
  withTestApp(async ({ beacons }) => {
    const before = { id: 'door-01', description: 'Door', longDescription: '' };
    await beacons.create(before, { upsert: false });
    await beacons.create({ ...before, txPower: -59 }, { upsert: true });
    const replaced = beacons.replace(before, { ...before, description: 'Gate' });
    await assert.rejects(replaced, { code: 'ETAG_MISMATCH' });
    assert.deepEqual(beacons.find('door-01'), { ...before, txPower: -59 });
  }),
);

test.run();
