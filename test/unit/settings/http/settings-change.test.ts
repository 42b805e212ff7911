import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { Pages } from '../../../../src/console/layout/pages.js';
import { settingsChangeRoutes } from '../../../../src/console/settings/change-routes.js';
import { changesText } from '../../../../src/console/settings/change-rows.js';
import { settingsViews } from '../../../../src/console/settings/views.js';
import { errorHandler } from '../../../../src/http/errors.js';
import { Drawings, useDrawings } from '../../../../src/http/pages.js';
import { loadAssets } from '../../../../src/http/server/assets.js';
import { fastExpress } from '../../../../src/http/server/fast-express.js';
import { SettingsService } from '../../../../src/settings/document/settings.js';
import { settingsRoutes, settingsSavedPage } from '../../../../src/settings/http/routes.js';
import { settingsSchema } from '../../../../src/settings/schema/schema.js';
import { userActor } from '../../../../src/shared/actor.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { handlersOf } from '../../../helpers/handlers-of.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { validateResponses } from '../../../helpers/response-validation.js';
import { until } from '../../../helpers/until.js';
import { layout } from '../../app/api/samples.js';
import { FOOTPRINT } from '../../site/site-setup.js';

interface TestApp {
  settings: SettingsService;
  clock: FakeClock;
  move: () => void;
  drawZone: () => void;
  /** Replaces the broker test. */
  onBrokerTest: (test: () => Promise<{ ok: true; ms: number }>) => void;
  post: (
    path: string,
    fields: Record<string, string> | [string, string][],
  ) => Promise<{ status: number; text: string }>;
  /** Like `post`, but does not follow a redirect. */
  form: (path: string, fields: Record<string, string>) => Promise<Response>;
  send: (path: string, body: object) => Promise<Response>;
  get: (path: string) => Promise<Response>;
}

function withTestApp(run: (testApp: TestApp) => Promise<void>): () => Promise<void> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-settings-routes-'));
    const [clock, log] = [new FakeClock(), new RecordingLog()];
    const settings = await SettingsService.open({ dir, clock, log, env: {} });
    const { app, server } = fastExpress();
    app.use((req, _res, next) => {
      req.principal = {
        kind: 'user',
        userId: 1,
        username: 'anna',
        role: 'operator',
        sessionId: 'x',
      } as never;
      next();
    });
    const drawings = new Drawings();
    drawings.add(settingsSavedPage, () => 'index');
    useDrawings(app, drawings);
    const pages = new Pages({ viewsDir: join(packageRoot(), 'views'), assetUrls: loadAssets().urls });
    const shown = () => ({
      ...layout(),
      trial: settings.trial.view(),
      trialChanges: () => changesText(settingsSchema, settings.trial.changes()),
    });
    let isZoned = false;
    const hasZones = (): boolean => isZoned;
    const views = settingsViews(pages, shown, settings, { hasZones, restartCommand: 'sudo restart-it' });
    let moves = false;
    const isIdle = (): boolean => !moves;
    let brokerTest = async (): Promise<{ ok: true; ms: number }> => ({ ok: true, ms: 1 });
    const testBroker = () => brokerTest();
    app.use(handlersOf(settingsRoutes({ settings, isIdle, hasZones, testBroker })));
    app.use(handlersOf(settingsChangeRoutes({ settings, isIdle, hasZones, views })));
    app.use(errorHandler(log, (_req, { body }) => textOf(body.message)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const undocumented = validateResponses(server);
    try {
      await run({
        settings,
        clock,
        move: () => {
          moves = true;
        },
        drawZone: () => {
          isZoned = true;
        },
        onBrokerTest: (test) => {
          brokerTest = test;
        },
        post: async (path, fields) => {
          const body = new URLSearchParams(fields);
          const res = await fetch(url + path, { method: 'POST', body, headers: { accept: 'text/html' } });
          return { status: res.status, text: await res.text() };
        },
        form: (path, fields) => {
          const body = new URLSearchParams(fields);
          return fetch(url + path, {
            method: 'POST',
            body,
            headers: { accept: 'text/html' },
            redirect: 'manual',
          });
        },
        send: (path, body) => {
          const headers = { 'content-type': 'application/json' };
          return fetch(url + path, { method: 'POST', body: JSON.stringify(body), headers });
        },
        get: (path) => fetch(url + path),
      });
      assert.deepEqual(undocumented(), []);
    } finally {
      server.close();
      server.closeAllConnections();
      await settings.close();
      rmSync(dir, { recursive: true });
    }
  };
}

const proposalIn = (text: string) => /name="proposal" value="(\w+)"/.exec(text)?.[1] ?? '';
const range = (settings: SettingsService) => settings.current.beacons.maxRangeM;

test(
  'previews the changes in a form and applies them only after confirmation',
  withTestApp(async ({ settings, post }) => {
    const review = await post('/brokerSettings', { '/beacons/maxRangeM': '55', etag: settings.etag });
    assert.equal(review.status, 200);
    assert.match(review.text, /100 m<\/del>[\s\S]*55 m<\/ins>/);
    assert.equal(range(settings), 100);
    const done = await post('/brokerSettings/apply', { proposal: proposalIn(review.text) });
    assert.match(done.text, />Saved</);
    assert.equal(range(settings), 55);
    assert.deepEqual(settings.history.list()[0]?.by, userActor('anna'));
    const again = await post('/brokerSettings/apply', { proposal: proposalIn(review.text) });
    assert.deepEqual([again.status, settings.history.list().length], [409, 2]);
  }),
);

const tableFields = (name: string, rows: [string, string][], [first, second] = ['key', 'value']) =>
  rows.flatMap(([key, value]): [string, string][] => [
    [`${name}/${first}`, key],
    [`${name}/${second}`, value],
  ]);
const CART_COLUMNS: [string, string] = ['cartID', 'name'];

test(
  'removes and changes presets in the rows of the form',
  withTestApp(async ({ settings, post }) => {
    await settings.update(
      { presets: { distance: { 1: 500, 2: -500 } } },
      { isIdle: () => true, by: userActor('anna') },
    );
    const review = await post(
      '/brokerSettings',
      tableFields('/presets/distance', [
        ['1', '700'],
        ['', ''],
      ]),
    );
    const done = await post('/brokerSettings/apply', { proposal: proposalIn(review.text) });
    assert.match(done.text, />Saved</);
    assert.deepEqual(settings.current.presets.distance, { 1: 700 });
  }),
);

test(
  'lists other carts in the review by number and name',
  withTestApp(async ({ settings, post }) => {
    await settings.update(
      { carts: [{ cartID: 2, name: 'Cart 2' }] },
      { isIdle: () => true, by: userActor('anna') },
    );
    const rows: [string, string][] = [
      ['2', 'Cart 2'],
      ['4', 'North hall'],
    ];
    const review = await post('/brokerSettings', tableFields('/carts', rows, CART_COLUMNS));
    assert.match(review.text, /2 Cart 2<\/del>[\s\S]*2 Cart 2, 4 North hall<\/ins>/);
  }),
);

test(
  'shows an invalid row again with the error beside its cell',
  withTestApp(async ({ settings, post }) => {
    const rows: [string, string][] = [
      ['', ''],
      ['4', 'North'],
      ['70000', 'South'],
    ];
    const { status, text } = await post('/brokerSettings', tableFields('/carts', rows, CART_COLUMNS));
    assert.equal(status, 400);
    const cell = /<input [^>]*id="set-carts-1-cartID"[^>]*>(<small[^>]*>[^<]*)?/.exec(text)?.[0] ?? '';
    assert.match(cell, /value="70000"[^>]*aria-invalid="true"[^>]*><small[^>]*>Must be at most 65535$/);
    assert.deepEqual(settings.current.carts, []);
  }),
);

test(
  'the form accepts the largest list of carts',
  withTestApp(async ({ post }) => {
    const rows = Array.from({ length: 1000 }, (_, at): [string, string] => [
      String(at + 2),
      `Cart ${at + 2}`,
    ]);
    const { status } = await post('/brokerSettings', tableFields('/carts', rows, CART_COLUMNS));
    assert.equal(status, 200);
  }),
);

test(
  'announces a restart or a confirmation only for settings that require it',
  withTestApp(async ({ settings, post }) => {
    const shown = async (field: string, value: string) => {
      const { text } = await post('/brokerSettings', { [field]: value, etag: settings.etag });
      return [/after a gateway restart/.test(text), /Confirmation required/.test(text)];
    };
    assert.deepEqual(await shown('/gateway/name', 'Bo'), [false, false]);
    assert.deepEqual(await shown('/gateway/announce', 'false'), [false, true]);
    assert.deepEqual(await shown('/gateway/fleet', 'north'), [true, true]);
  }),
);

test(
  'never shows a secret in a preview',
  withTestApp(async ({ settings, post }) => {
    const { text } = await post('/brokerSettings', { '/mqtt/password': 'tulip', etag: settings.etag });
    assert.match(text, /\*\*\*<\/ins>/);
    assert.equal(text.includes('tulip'), false);
    const done = await post('/brokerSettings/apply', { proposal: proposalIn(text) });
    assert.equal(done.text.includes('tulip'), false);
    assert.equal(settings.current.mqtt.password, 'tulip');
  }),
);

test(
  "returns to the form with the user's input and the stored values",
  withTestApp(async ({ settings, post }) => {
    const review = await post('/brokerSettings', { '/beacons/maxRangeM': '55', etag: settings.etag });
    const { text } = await post('/brokerSettings/edit', { proposal: proposalIn(review.text) });
    assert.match(text, /data-stored="100"[\s\S]{0,300}name="&#x2F;beacons&#x2F;maxRangeM" value="55"/);
  }),
);

const isIdle = (): boolean => true;
/** Unescapes the parts of a page that the tests compare. */
const conflictsIn = (text: string): string[] =>
  [...text.matchAll(/data-conflict>([^<]*)</g)].map(([, conflict = '']) => conflict);

test(
  'shows a conflict in the review, and shows a new review when the settings change again',
  withTestApp(async ({ settings, post }) => {
    const { etag } = settings;
    await settings.update({ beacons: { maxRangeM: 30 } }, { isIdle });
    const review = await post('/brokerSettings', { '/beacons/maxRangeM': '55', etag });
    assert.match(review.text, /settings have changed since you opened the form/);
    assert.match(review.text, /30 m<\/del>[\s\S]*55 m<\/ins>/);
    assert.deepEqual(conflictsIn(review.text), ['Also changed elsewhere, previously 100 m']);
    await settings.update({ beacons: { maxRangeM: 31 } }, { isIdle });
    const again = await post('/brokerSettings/apply', { proposal: proposalIn(review.text) });
    assert.deepEqual([again.status, range(settings)], [412, 31]);
    assert.match(again.text, /31 m<\/del>[\s\S]*55 m<\/ins>/);
    await post('/brokerSettings/apply', { proposal: proposalIn(again.text) });
    assert.equal(range(settings), 55);
  }),
);

test(
  'keeps values that were changed elsewhere in the fields that the user has not changed',
  withTestApp(async ({ settings, post }) => {
    const form = { '/beacons/maxRangeM': '100', '/gateway/name': 'North', etag: settings.etag };
    await settings.update({ beacons: { maxRangeM: 30 } }, { isIdle });
    const review = await post('/brokerSettings', form);
    assert.match(review.text, /The settings that you have not changed keep their new values\./);
    assert.deepEqual(conflictsIn(review.text), []);
    await post('/brokerSettings/apply', { proposal: proposalIn(review.text) });
    assert.deepEqual([range(settings), settings.current.gateway.name], [30, 'North']);
  }),
);

test(
  'keeps a preset that was changed elsewhere when the user changes another preset',
  withTestApp(async ({ settings, post }) => {
    await settings.update({ presets: { distance: { 1: 500, 2: 600 } } }, { isIdle });
    const rows = tableFields('/presets/distance', [
      ['1', '500'],
      ['2', '700'],
    ]);
    const form = [...rows, ['etag', settings.etag] as [string, string]];
    await settings.update({ presets: { distance: { 1: 550, 3: 900 } } }, { isIdle });
    const review = await post('/brokerSettings', form);
    await post('/brokerSettings/apply', { proposal: proposalIn(review.text) });
    assert.deepEqual(settings.current.presets.distance, { 1: 550, 2: 700, 3: 900 });
  }),
);

test(
  'marks a password that was changed elsewhere without showing it',
  withTestApp(async ({ settings, post }) => {
    await settings.update({ mqtt: { password: 'tulip' } }, { isIdle });
    const form = { '/mqtt/password': 'rose', etag: settings.etag };
    await settings.update({ mqtt: { password: 'orchid' } }, { isIdle });
    const { text } = await post('/brokerSettings', form);
    assert.deepEqual(conflictsIn(text), ['Also changed elsewhere, previously ***']);
    assert.doesNotMatch(text, /tulip|orchid|rose/);
  }),
);

test(
  'returns from the review of an outdated form to a form with the new values in the unchanged fields',
  withTestApp(async ({ settings, post }) => {
    const form = { '/beacons/maxRangeM': '100', '/gateway/name': 'North', etag: settings.etag };
    await settings.update({ beacons: { maxRangeM: 30 } }, { isIdle });
    const review = await post('/brokerSettings', form);
    const { text } = await post('/brokerSettings/edit', { proposal: proposalIn(review.text) });
    assert.match(text, /name="&#x2F;beacons&#x2F;maxRangeM" value="30"/);
    assert.match(text, /name="&#x2F;gateway&#x2F;name" value="North"/);
  }),
);

test(
  'shows the new values in the unchanged fields of an outdated form that contains an error',
  withTestApp(async ({ settings, post }) => {
    const form = { '/beacons/maxRangeM': '100', '/limits/maxSpeedMmps': '-5', etag: settings.etag };
    await settings.update({ beacons: { maxRangeM: 30 } }, { isIdle });
    const { status, text } = await post('/brokerSettings', form);
    assert.equal(status, 400);
    assert.match(text, /name="&#x2F;beacons&#x2F;maxRangeM" value="30"/);
    assert.match(text, /name="&#x2F;limits&#x2F;maxSpeedMmps" value="-5"/);
    assert.ok(
      text.includes(`name="etag" value="${form.etag.replaceAll('"', '&quot;')}"`),
      'the form stays outdated',
    );
  }),
);

test(
  'asks the user to check every line if the form was opened before a restart',
  withTestApp(async ({ post }) => {
    const { text } = await post('/brokerSettings', { '/beacons/maxRangeM': '55', etag: '"before-1"' });
    assert.match(text, /Check every line: saving may overwrite the newer settings\./);
  }),
);

test(
  'the button of a change that must be confirmed states the time limit',
  withTestApp(async ({ settings, post }) => {
    const button = async (field: string, value: string) => {
      const { text } = await post('/brokerSettings', { [field]: value, etag: settings.etag });
      return /data-apply>([^<]*)</.exec(text)?.[1];
    };
    assert.equal(await button('/limits/maxSpeedMmps', '400'), 'Try for 60 s');
    assert.equal(await button('/beacons/maxRangeM', '55'), 'Save');
  }),
);

test(
  'states in the review that stricter limits are not put on trial, and that the default speed is above the maximum',
  withTestApp(async ({ settings, post }) => {
    const review = async (fields: Record<string, string>) => {
      const { text } = await post('/brokerSettings', { ...fields, etag: settings.etag });
      return [/without a trial/.test(text), /The default speed \(300 mm&#x2F;s\) is above/.test(text)];
    };
    await settings.update({ limits: { defaultSpeedMmps: 300 } }, { isIdle: () => true });
    assert.deepEqual(await review({ '/limits/maxSpeedMmps': '200' }), [true, true]);
    assert.deepEqual(await review({ '/limits/maxSpeedMmps': '400' }), [false, false]);
    assert.deepEqual(await review({ '/limits/maxDistanceMm': '100' }), [true, false]);
    assert.deepEqual(await review({ '/beacons/maxRangeM': '55' }), [false, false]);
  }),
);

test(
  'shows an error beside its field, and reports that an unchanged form contains no changes',
  withTestApp(async ({ settings, post }) => {
    const bad = await post('/brokerSettings', { '/limits/maxSpeedMmps': '-5', etag: settings.etag });
    assert.equal(bad.status, 400);
    assert.match(bad.text, /id="set-limits-maxSpeedMmps-error"[^>]*>Must be at least/);
    const same = await post('/brokerSettings', { '/beacons/maxRangeM': '100', etag: settings.etag });
    assert.match(same.text, /No changes/);
  }),
);

test(
  'shows a risky change on every page until the change is confirmed',
  withTestApp(async ({ settings, clock, post }) => {
    const review = await post('/brokerSettings', { '/limits/maxSpeedMmps': '400', etag: settings.etag });
    assert.match(review.text, /within 60 s/);
    await post('/brokerSettings/apply', { proposal: proposalIn(review.text) });
    clock.advance(20_000);
    const id = settings.trial.view()?.id ?? '';
    const form = await post('/brokerSettings', { etag: settings.etag });
    assert.match(form.text, /Limits changed by anna\. The change will be rolled back in 40 s/);
    assert.match(form.text, /data-trial-changes>Maximum speed: 300 mm&#x2F;s → 400 mm&#x2F;s</);
    assert.match((await post('/brokerSettings/confirm', { id })).text, /Changes kept/);
    assert.equal((await post('/brokerSettings/confirm', { id })).status, 409);
    clock.advance(60_000);
    assert.equal(settings.current.limits.maxSpeedMmps, 400);
  }),
);

test(
  'an operator cannot confirm or roll back a change in a section that only administrators can change',
  withTestApp(async ({ settings, clock, send }) => {
    const change = { limits: { maxSpeedMmps: 400 }, alarms: { mail: { sender: 'cart@example.org' } } };
    const before = settings.current;
    const onTrial = { isIdle: () => true, onTrial: true };
    const { trialId: id } = await settings.update(change, onTrial);
    for (const end of ['confirm', 'rollback']) {
      const refused = await send(`/brokerSettings/${end}`, { id });
      assert.deepEqual([refused.status, (await refused.json()).code], [403, 'FORBIDDEN'], end);
    }
    assert.equal((await send('/updateJson', change)).status, 403);
    assert.equal(settings.trial.view()?.id, id);
    clock.advance(60_000);
    await settings.update({}, { isIdle: () => true });
    assert.deepEqual([settings.current, settings.trial.view()], [before, undefined]);
    const { trialId: harmless } = await settings.update({ limits: change.limits }, onTrial);
    assert.equal((await send('/brokerSettings/rollback', { id: harmless })).status, 200);
  }),
);

test(
  'only administrators change the site plan settings and, while there are zones, the kinematics',
  withTestApp(async ({ settings, send, post, get, drawZone }) => {
    const refuses = async (change: object, hint: RegExp) => {
      const before = settings.current;
      const imported = { document: { ...settings.masked(), ...change } };
      for (const [path, body] of [
        ['/updateJson', change],
        ['/updateJson?trial=1', change],
        ['/brokerSettings/import', imported],
      ] as const) {
        const refused = await send(path, body);
        const text = await refused.text();
        assert.equal(settings.current, before, path);
        if (path === '/brokerSettings/import') assert.match(text, /only administrators/i);
        else {
          assert.deepEqual([refused.status, JSON.parse(text).code], [403, 'FORBIDDEN'], path);
          assert.match(JSON.parse(text).hint, hint);
        }
      }
    };
    for (const site of [{ planOwner: 2 }, { marginMm: 50 }]) await refuses({ site }, /^Log in as an admin/);
    assert.equal((await send('/updateJson', { kinematics: { trackMm: 500 } })).status, 200);
    assert.match(
      await (await get('/brokerSettings?section=kinematics&view=advanced')).text(),
      /name="&#x2F;kinematics&#x2F;trackMm"/,
    );
    const review = await post('/brokerSettings', { '/kinematics/trackMm': '450', etag: settings.etag });
    const proposal = proposalIn(review.text);
    drawZone();
    for (const kinematics of [{ trackMm: 400 }, { type: 'ackermann' }, { footprint: FOOTPRINT }])
      await refuses({ kinematics }, /^Zones depend/);
    assert.equal((await post('/brokerSettings/apply', { proposal })).status, 403);
    assert.equal(settings.current.kinematics.trackMm, 500);
    assert.doesNotMatch(
      await (await get('/brokerSettings?section=kinematics&view=advanced')).text(),
      /name="&#x2F;kinematics&#x2F;/,
    );
    assert.equal(
      (await send('/updateJson', { kinematics: { trackMm: 500 }, limits: { maxSpeedMmps: 200 } })).status,
      200,
    );
  }),
);

/** Returns the path to which the browser is redirected after the request. */
async function redirectOf(
  send: Parameters<Parameters<typeof withTestApp>[0]>[0]['form'],
  path: string,
  fields: Record<string, string>,
) {
  const res = await send(path, fields);
  assert.equal(res.status, 303);
  return res.headers.get('location') ?? '';
}

for (const [how, end, result] of [
  ['kept', '/brokerSettings/confirm', /Changes to Limits kept: confirmed by anna\./],
  ['rolled back', '/brokerSettings/rollback', /Changes to Limits rolled back by anna\./],
  ['expired', undefined, /Changes to Limits rolled back: not confirmed in time\./],
] as const) {
  test(
    `reports the result of a trial after a redirect when the changes were ${how}`,
    withTestApp(async ({ settings, clock, post, form, get }) => {
      const review = await post('/brokerSettings', { '/limits/maxSpeedMmps': '400', etag: settings.etag });
      const begun = await redirectOf(form, '/brokerSettings/apply', { proposal: proposalIn(review.text) });
      const shown = async (path: string) => (await get(path)).text();
      assert.match(await shown(begun), /<h2>Unconfirmed changes<\/h2>/);
      const id = settings.trial.view()?.id ?? '';
      if (end) assert.equal(await redirectOf(form, end, { id }), begun);
      else {
        clock.advance(60_000);
        await settings.update({}, { isIdle: () => true });
      }
      for (const _reload of [1, 2]) assert.match(await shown(begun), result);
      assert.equal(settings.history.list().length, how === 'kept' ? 2 : 3);
    }),
  );
}

test(
  'shows that changes were saved until the settings change again',
  withTestApp(async ({ settings, post, form, get }) => {
    const review = await post('/brokerSettings', { '/beacons/maxRangeM': '55', etag: settings.etag });
    const saved = await redirectOf(form, '/brokerSettings/apply', { proposal: proposalIn(review.text) });
    const isShown = async () => /<h2>Saved<\/h2>/.test(await (await get(saved)).text());
    assert.equal(await isShown(), true);
    await settings.update({ beacons: { maxRangeM: 56 } }, { isIdle: () => true });
    assert.equal(await isShown(), false);
  }),
);

test(
  'the review states that a change for the next start must be confirmed before the restart',
  withTestApp(async ({ settings, post }) => {
    const review = async (field: string, value: string) =>
      (await post('/brokerSettings', { [field]: value, etag: settings.etag })).text;
    const text = /confirm them before it: a restart rolls back unconfirmed changes\./;
    assert.match(await review('/gateway/fleet', 'north'), text);
    assert.match(await review('/mqtt/root', 'hall/v1'), text);
    assert.doesNotMatch(await review('/gateway/announce', 'false'), text);
    assert.doesNotMatch(await review('/gpio/estop/allowRemoteReset', 'true'), text);
  }),
);

test(
  'the page asks for a restart only after the changes for the next start are confirmed',
  withTestApp(async ({ settings, post, form, get }) => {
    const review = await post('/brokerSettings', { '/gateway/cartID': '7', etag: settings.etag });
    const begun = await redirectOf(form, '/brokerSettings/apply', { proposal: proposalIn(review.text) });
    const page = async () => (await get(begun)).text();
    const [confirm, restart] = [
      /then restart the gateway: a restart rolls back/,
      /<code>sudo restart-it<\/code>/,
    ];
    assert.match(await page(), confirm);
    assert.match(await page(), /data-restart-needed hidden>/);
    await form('/brokerSettings/confirm', { id: settings.trial.view()?.id ?? '' });
    assert.doesNotMatch(await page(), confirm);
    assert.match(await page(), restart);
    assert.match(await page(), /data-restart-needed>/);
  }),
);

test(
  'one panel states that changes were saved and need a restart',
  withTestApp(async ({ settings, post, form, get }) => {
    const review = await post('/brokerSettings', { '/simulation/carts': '', etag: settings.etag });
    const saved = await redirectOf(form, '/brokerSettings/apply', { proposal: proposalIn(review.text) });
    const text = await (await get(saved)).text();
    assert.match(text, /<h2>Saved\. Restart needed<\/h2>/);
    assert.doesNotMatch(text, /<h2>Saved<\/h2>/);
    assert.match(await (await get('/brokerSettings')).text(), /<h2>Restart needed<\/h2>/);
  }),
);

test(
  'shows that a restart is needed until the saved values match the values in use',
  withTestApp(async ({ settings, get }) => {
    const panel = async () =>
      /Takes effect after a restart: [^<]*/.exec(await (await get('/brokerSettings')).text())?.[0];
    const update = (patch: unknown) => settings.update(patch, { isIdle: () => true });
    const { fleet } = settings.current.gateway;
    assert.equal(await panel(), undefined);
    await update({ gateway: { fleet: 'north' } });
    await update({ beacons: { maxRangeM: 55 } });
    assert.equal(await panel(), 'Takes effect after a restart: This gateway.');
    await update({ gateway: { fleet } });
    assert.equal(await panel(), undefined);
  }),
);

test(
  'rejects a change to an idle-only setting while the cart moves, and keeps the form input',
  withTestApp(async ({ settings, post, move }) => {
    const review = await post('/brokerSettings', { '/limits/maxSpeedMmps': '222', etag: settings.etag });
    move();
    const { status, text } = await post('/brokerSettings/apply', { proposal: proposalIn(review.text) });
    assert.deepEqual([status, settings.trial.view()], [409, undefined]);
    assert.match(text, /Not saved[\s\S]*changed only while the cart is stationary/);
    assert.match(text, /name="&#x2F;limits&#x2F;maxSpeedMmps" value="222"/);
  }),
);

test(
  'saves a low-risk change permanently during a trial, and rejects a second risky change',
  withTestApp(async ({ settings, clock, post }) => {
    await settings.update({ limits: { ttlMs: 2900 } }, { isIdle: () => true, onTrial: true });
    const harmless = await post('/brokerSettings', { '/beacons/maxRangeM': '55', etag: settings.etag });
    const saved = await post('/brokerSettings/apply', { proposal: proposalIn(harmless.text) });
    assert.match(saved.text, /<h2>Saved<\/h2>/);
    const risky = await post('/brokerSettings', { '/limits/maxSpeedMmps': '322', etag: settings.etag });
    const refused = await post('/brokerSettings/apply', { proposal: proposalIn(risky.text) });
    assert.deepEqual(
      [refused.status, /Confirm or roll back those changes first/.test(refused.text)],
      [409, true],
    );
    clock.advance(60_000);
    await settings.update({}, { isIdle: () => true });
    assert.deepEqual([settings.current.limits.ttlMs, range(settings)], [2000, 55]);
  }),
);

test(
  'rolls back a change on request through the API',
  withTestApp(async ({ settings, send }) => {
    const res = await send('/updateJson?trial=1', { limits: { maxSpeedMmps: 400 } });
    const id = res.headers.get('x-trial');
    assert.equal(id, settings.trial.view()?.id);
    const undone = await send('/brokerSettings/rollback', { id });
    assert.deepEqual([undone.status, await undone.json()], [200, { ok: true }]);
    assert.equal(settings.current.limits.maxSpeedMmps, 300);
  }),
);

test(
  'POST /updateJson without a trial changes settings permanently',
  withTestApp(async ({ settings, clock, send }) => {
    const res = await send('/updateJson', { limits: { maxSpeedMmps: 200 }, mqtt: { port: 1999 } });
    assert.deepEqual([res.status, res.headers.get('x-trial'), await res.text()], [200, null, 'index']);
    assert.equal(settings.trial.view(), undefined);
    clock.advance(61_000);
    assert.equal(settings.current.limits.maxSpeedMmps, 200);
  }),
);

test(
  'restores an earlier version after a preview',
  withTestApp(async ({ settings, post, get }) => {
    await settings.update({ beacons: { maxRangeM: 30 } }, { isIdle: () => true, by: userActor('Bo') });
    const history = (await (await get('/brokerSettings/history')).json()) as Record<string, unknown>[];
    assert.deepEqual(
      [history[0]?.by, history[0]?.changes],
      ['Bo', [{ pointer: '/beacons/maxRangeM', from: 100, to: 30 }]],
    );
    const review = await post('/brokerSettings/history/1', {});
    assert.match(review.text, /Restore version 1/);
    await post('/brokerSettings/apply', { proposal: proposalIn(review.text) });
    assert.deepEqual([range(settings), settings.history.list()[0]?.why], [100, 'restore']);
    assert.equal((await post('/brokerSettings/history/99', {})).status, 404);
  }),
);

test(
  'imports an exported document after a preview, and masked passwords keep their stored values',
  withTestApp(async ({ settings, post, get }) => {
    await settings.update({ mqtt: { password: 'tulip' } }, { isIdle: () => true });
    const document = await (await get('/variables.json')).text();
    assert.equal(document.includes('tulip'), false);
    assert.match((await post('/brokerSettings/import', { document })).text, /No changes/);
    const changed = document.replace('"maxRangeM":100', '"maxRangeM":70');
    const review = await post('/brokerSettings/import', { document: changed });
    assert.deepEqual([range(settings), /70 m<\/ins>/.test(review.text)], [100, true]);
    await post('/brokerSettings/apply', { proposal: proposalIn(review.text) });
    assert.deepEqual([range(settings), settings.current.mqtt.password], [70, 'tulip']);
  }),
);

test(
  'lists all errors in an import with their paths and applies nothing',
  withTestApp(async ({ settings, post }) => {
    const { etag } = settings;
    const document = '{"limits": {"maxSpeedMmps": -4}, "beacons": {"maxRangeM": 5}, "colour": 1}';
    const { status, text } = await post('/brokerSettings/import', { document });
    assert.equal(status, 400);
    for (const path of ['/limits/maxSpeedMmps', '/colour'])
      assert.ok(text.includes(`<code>${path.replaceAll('/', '&#x2F;')}</code>`), path);
    for (const bad of ['', '{"limits": ', '[]'])
      assert.equal((await post('/brokerSettings/import', { document: bad })).status, 400, bad);
    assert.deepEqual([settings.etag, range(settings)], [etag, 100]);
  }),
);

test(
  'returns 429 with Retry-After for a ninth broker test while eight are running',
  withTestApp(async ({ send, onBrokerTest }) => {
    const ends: (() => void)[] = [];
    onBrokerTest(
      () =>
        new Promise((resolve) => {
          const end = () => resolve({ ok: true, ms: 1 });
          // A ninth test would end immediately.
          if (ends.push(end) > 8) end();
        }),
    );
    const start = () => send('/brokerSettings/test', { mqtt: { host: 'broker.local' } });
    const running = Array.from({ length: 8 }, start);
    await until(() => ends.length === 8);
    const { status, headers } = await start();
    assert.deepEqual([status, headers.get('retry-after'), ends.length], [429, '5', 8]);
    for (const end of ends) end();
    assert.deepEqual(
      (await Promise.all(running)).map((answer) => answer.status),
      Array(8).fill(200),
    );
  }),
);

test.run();
