import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { suite } from 'uvu';
import { errorHandler } from '../../../../src/http/errors.js';
import { languageOf, languageRoutes } from '../../../../src/http/language.js';
import { quietLog } from '../../../helpers/cart-harness.js';
import { handlersOf } from '../../../helpers/handlers-of.js';

const test = suite('page language');

const app = express();
app.set('trust proxy', 'loopback');
app.use(handlersOf(languageRoutes()));
app.get('/', (req, res) => void res.send(languageOf(req)));
app.use(errorHandler(quietLog, () => ''));
const server = app.listen(0, '127.0.0.1');
let url = '';

test.before(async () => {
  if (!server.listening) await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.after(() => {
  server.close();
});

const languageFor = async (headers: Record<string, string>): Promise<string> =>
  (await fetch(url, { headers })).text();
const choose = (form: Record<string, string>): Promise<Response> =>
  fetch(`${url}/language`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

test("follows the browser's language preference, with English as the default", async () => {
  assert.equal(await languageFor({ 'accept-language': 'de, nl-NL;q=0.8, en;q=0.5' }), 'nl');
  assert.equal(await languageFor({ 'accept-language': 'en, nl;q=0.9' }), 'en');
  assert.equal(await languageFor({ 'accept-language': 'de' }), 'en');
  assert.equal(await languageFor({ 'accept-language': '' }), 'en');
});

test('sets a Secure cookie behind a trusted TLS proxy, but not over plain HTTP', async () => {
  const cookieFor = async (headers: Record<string, string>): Promise<string> => {
    const body = new URLSearchParams({ language: 'nl' });
    const response = await fetch(`${url}/language`, { method: 'POST', body, headers, redirect: 'manual' });
    return response.headers.get('set-cookie') ?? '';
  };
  assert.match(await cookieFor({ 'x-forwarded-proto': 'https' }), /; Secure$/);
  assert.doesNotMatch(await cookieFor({}), /Secure/);
});

test("a cookie that names a supported language takes precedence over the browser's preference", async () => {
  const english = { 'accept-language': 'en' };
  assert.equal(await languageFor({ ...english, cookie: 'theme=dark; language=nl' }), 'nl');
  assert.equal(await languageFor({ ...english, cookie: 'language=xx' }), 'en');
  assert.equal(await languageFor({ ...english, cookie: 'mylanguage=nl' }), 'en');
});

test('stores the chosen language in a cookie for a year and redirects to the referring page', async () => {
  const response = await choose({ language: 'nl', back: '/map?find=hall' });
  assert.equal(response.status, 303);
  assert.equal(response.headers.get('location'), '/map?find=hall');
  assert.match(
    response.headers.get('set-cookie') ?? '',
    /^language=nl; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
  );
});

test('choosing a language never redirects to a different site', async () => {
  for (const back of ['https://elsewhere.example/', '//elsewhere.example/', '']) {
    assert.equal((await choose({ language: 'nl', back })).headers.get('location'), '/');
  }
});

test('rejects an unsupported page language', async () => {
  const response = await choose({ language: 'xx', back: '/' });
  const body = (await response.json()) as Record<string, unknown>;
  assert.equal(response.status, 400);
  assert.equal(body.message, 'language must be one of en, nl');
  assert.equal(response.headers.get('set-cookie'), null);
});

test.run();
