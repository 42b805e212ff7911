import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { CommandView } from '../../../../src/carts/command/model.js';
import { GatewayProcess } from '../../../helpers/gateway.js';

const test = suite('units fingerprint in commands');

let gateway: GatewayProcess;

test.before(async () => {
  gateway = await GatewayProcess.start();
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
});
test.before.each(() => change({ units: { mode: 'direct', distance: 'mm' } }));
test.after(async () => {
  assert.equal(await gateway.close(), 0);
});

interface Failed extends CommandView {
  code: string;
  field: string;
  hint: string;
}

async function change(settings: object): Promise<void> {
  await gateway.untilCart(1, ({ moving }) => !moving);
  assert.equal((await gateway.call('POST', '/updateJson', settings)).status, 200);
}

async function loaded(): Promise<string> {
  const page = await (await fetch(gateway.url)).text();
  return /name="meaning" value="([0-9a-f]{12})"/.exec(page)?.[1] ?? assert.fail('the form says nothing');
}

const command = (body: object) => gateway.call<Failed>('POST', '/', { cartID: 1, angleID: 0, ...body });
const newest = async () => (await gateway.call<CommandView[]>('GET', '/commands')).body[0]?.commandId;

/** Sends a page's form as a browser with JavaScript disabled does. */
async function sendForm(fields: Record<string, string>): Promise<{ status: number; html: string }> {
  const headers = { accept: 'text/html' };
  const res = await fetch(gateway.url, { method: 'POST', headers, body: new URLSearchParams(fields) });
  return { status: res.status, html: await res.text() };
}

test('returns 409 for a command from a page loaded before a settings change, and does not move a cart', async () => {
  const meaning = await loaded();
  assert.equal((await command({ distanceID: 5, meaning })).body.distanceMm, 5);
  const before = await newest();
  await change({ units: { distance: 'cm' } });
  const { status, body } = await command({ distanceID: 5, meaning });
  assert.deepEqual(
    [status, body.code, body.field, body.hint],
    [409, 'SETTINGS_CHANGED', 'meaning', 'Reload the page.'],
  );
  assert.equal(await newest(), before);
  assert.equal((await command({ distanceID: 1, meaning: await loaded() })).body.distanceMm, 10);
});

test('rejects a command from a page that was loaded with different presets', async () => {
  await change({ units: { mode: 'table' }, presets: { distance: { 1: 10 }, angle: { 0: 0 } } });
  const meaning = await loaded();
  await change({ presets: { distance: { 1: 1000 } } });
  assert.equal((await command({ distanceID: 1, meaning })).body.code, 'SETTINGS_CHANGED');
});

test('accepts a command without a fingerprint, and accepts a stop with an outdated fingerprint', async () => {
  const meaning = await loaded();
  await change({ units: { distance: 'cm' } });
  const plain = await command({ distanceID: 1 });
  assert.deepEqual([plain.status, plain.body.distanceMm], [200, 10]);
  const stop = await command({ distanceID: 0, meaning });
  assert.deepEqual([stop.status, stop.body.kind], [200, 'stop']);
});

test('rejects an outdated form when JavaScript is off, and returns it with the old numbers removed', async () => {
  const meaning = await loaded();
  const before = await newest();
  await change({ units: { distance: 'cm' } });
  const form = { cartID: '1', distanceID: '5', angleID: '0', maxSpeed: '' };
  const { status, html } = await sendForm({ ...form, meaning });
  assert.equal(status, 409);
  assert.match(html, /The settings have changed since this page was loaded/);
  assert.match(html, /name="distanceID"[^>]* value="0"/);
  assert.equal(await newest(), before);
  const again = await sendForm({ ...form, meaning: await loaded() });
  assert.equal(again.status, 200);
});

test('sends the units fingerprint in the snapshot and whenever the fingerprint changes', async () => {
  const meaning = await loaded();
  const cut = new AbortController();
  const { body } = await fetch(`${gateway.url}/events`, { signal: cut.signal });
  let received = '';
  let isChanged = false;
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    received += chunk;
    if (/event: snapshot\n.*\n.*\n\n/.test(received) && !isChanged) {
      isChanged = true;
      await change({ units: { distance: 'cm' } });
    }
    if (/event: meaning\n.*\n.*\n\n/.test(received)) break;
  }
  assert.match(received, new RegExp(`event: snapshot\n.*\n.*"meaning":"${meaning}"`));
  assert.match(received, new RegExp(`event: meaning\n.*\n.*"meaning":"${await loaded()}"`));
  cut.abort();
});

test.run();
