import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import type { SafetyView } from '../../../../src/carts/command/model.js';
import { cameraContext } from '../../../../src/console/camera/routes.js';
import { indexContext } from '../../../../src/console/drive/drive-page.js';
import { errorContext } from '../../../../src/console/layout/context.js';
import { Pages } from '../../../../src/console/layout/pages.js';
import { settingsForm } from '../../../../src/console/settings/form.js';
import { brokerSettingsContext } from '../../../../src/console/settings/views.js';
import { withLanguage } from '../../../../src/i18n/language.js';
import { settingsSchema } from '../../../../src/settings/schema/schema.js';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { pageNames, partialsIn, TEMPLATES } from '../../../helpers/templates.js';
import { camera, cart, command, LATCHED, layout, maskedSettings, PHOTO } from '../../app/api/samples.js';

type Input = Parameters<typeof indexContext>[1];
const viewsDir = join(packageRoot(), 'views');
const pages = new Pages({ viewsDir });
const settings = maskedSettings();
const { limits, units } = settings as unknown as Pick<Input, 'limits' | 'units'>;
const input = { limits, units, meaning: '0f0f0f0f0f0f', commands: [command()] };

const rendered = {
  index: pages.render('drive/index', indexContext(layout([cart(1), cart(2)]), input)),
  brokerSettings: pages.render(
    'settings/brokerSettings',
    brokerSettingsContext(layout(), settingsForm(settingsSchema, settings)),
  ),
  cameraSettings: pages.render(
    'camera/cameraSettings',
    cameraContext(
      layout(),
      { state: camera(), photos: [PHOTO] },
      settingsForm(settingsSchema, settings, { sections: ['camera'] }),
    ),
  ),
  error: pages.render(
    'layout/error',
    errorContext(layout(), { status: 404, title: 'Not found', message: 'Nothing.' }),
  ),
};

test('pages contain no inline script, inline style, event attribute or external URL', () => {
  for (const [name, html] of Object.entries(rendered)) {
    assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)/, name);
    assert.doesNotMatch(html, /<style|\sstyle=|\son[a-z]+=/, name);
    assert.doesNotMatch(html, /(?:href|src|action)="(?:https?:)?\/\//, name);
  }
});

test('every page contains the Stop and Stop all buttons, the safety status and the navigation', () => {
  for (const [name, html] of Object.entries(rendered)) {
    for (const part of ['action="/carts/1/stop"', 'action="/estop"', 'brokerSettings"', '>Ready<']) {
      assert.ok(html.includes(part), `${name} lacks ${part}`);
    }
  }
});

test('pages contain no unresolved template tags and no duplicate IDs', () => {
  for (const [name, html] of Object.entries(rendered)) {
    assert.doesNotMatch(html, /\{\{|\}\}|\[object /, name);
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    assert.deepEqual(ids, [...new Set(ids)], name);
  }
});

test('the command form works with JavaScript disabled', () => {
  const form = /<form[^>]*data-command[^>]*>/.exec(rendered.index)?.[0] ?? '';
  assert.match(form, /method="post" action="\/"/);
  for (const name of ['cartID', 'distanceID', 'angleID', 'maxSpeed']) {
    assert.ok(rendered.index.includes(`name="${name}"`), name);
  }
});

test('pages escape user input', () => {
  const name = '<img src=x onerror=alert(1)>';
  const outcome = { ok: false, title: 'Invalid input', message: `"${name}" is no number`, hint: name };
  const html = pages.render('drive/index', indexContext(layout([cart(1, { name })]), { ...input, outcome }));
  assert.ok(!html.includes('<img src=x'));
  assert.ok(html.includes('&lt;img'));
});

test('the Reset button is visible only when a reset would be accepted', () => {
  const bands = (safety: SafetyView): string => {
    const html = pages.render('drive/index', indexContext(layout([cart(1, { safety })]), input));
    return html.slice(0, html.indexOf('<template'));
  };
  assert.match(bands({ ...LATCHED, resetNeeds: '' }), /data-band-cart="1" data-tone="stop".*data-reset>/s);
  assert.match(bands(LATCHED), /data-band-cart="1" data-tone="stop".*data-reset hidden>/s);
  assert.match(rendered.index.slice(0, rendered.index.indexOf('<template')), /data-reset hidden>/);
});

test('only simulated carts have the SIMULATED badge', () => {
  const badge = /<span data-sim><span class="sim">SIMULATED/g;
  assert.equal(rendered.index.match(badge), null);
  const html = pages.render(
    'drive/index',
    indexContext(layout([cart(1), cart(2, { simulated: true })]), input),
  );
  assert.equal(html.match(badge)?.length, 1);
  assert.match(html, /Cart 2<\/span> <span data-sim>/);
});

test('pages show a notice when anyone on the network can drive the cart', () => {
  const html = pages.render('drive/index', indexContext(layout([cart(1)], { trustedLan: true }), input));
  assert.match(html, /anyone on this network can drive this cart/);
});

test('the settings page contains every field and column, named after its JSON pointer', () => {
  const { sections } = settingsForm(settingsSchema, settings);
  const rows = sections.flatMap(({ groups }) => groups.flatMap((group) => group.rows));
  const names = rows.flatMap(({ name, table }) => table?.rows[0]?.cells.map((cell) => cell.name) ?? [name]);
  for (const name of names) {
    assert.ok(rendered.brokerSettings.includes(`name="${name.replaceAll('/', '&#x2F;')}"`), name);
  }
});

test('every template renders in every language', () => {
  const names = pageNames();
  assert.ok(names.length > 10);
  for (const name of names)
    for (const language of ['en', 'nl'] as const) {
      assert.match(
        withLanguage(language, () => pages.render(name, {})),
        /<\/html>/,
        name,
      );
    }
});

test('every included template exists', () => {
  for (const [name, template] of TEMPLATES) {
    assert.deepEqual(
      partialsIn(template).filter((partial) => !TEMPLATES.has(partial)),
      [],
      name,
    );
  }
});

test('rendering a page fails when a partial is missing', () => {
  const viewsDir = mkdtempSync(join(tmpdir(), 'views-'));
  writeFileSync(join(viewsDir, 'page.html'), '{{> drive/gone}}');
  assert.throws(() => new Pages({ viewsDir }).render('page', {}), /drive\/gone/);
  rmSync(viewsDir, { recursive: true });
});

test('an invalid template affects only its own page', () => {
  const viewsDir = mkdtempSync(join(tmpdir(), 'views-'));
  mkdirSync(join(viewsDir, 'drive'));
  writeFileSync(join(viewsDir, 'drive', 'index.html'), '{{#open}} never closed');
  writeFileSync(join(viewsDir, 'system.html'), 'sound');
  const damaged = new Pages({ viewsDir });
  assert.throws(() => damaged.render('drive/index', {}), /open/);
  assert.equal(damaged.render('system', {}), 'sound');
  rmSync(viewsDir, { recursive: true });
});

test.run();
