import assert from 'node:assert/strict';
import type { Request, Response } from 'express';
import { suite } from 'uvu';
import { setSessionCookie } from '../../../../src/access/http/session-cookie.js';

const test = suite('session cookie');

function cookieFor(req: { secure: boolean; socket: { localPort: number; encrypted?: boolean } }): string {
  const set: string[] = [];
  const res = { append: (_name: string, value: string) => void set.push(value) };
  setSessionCookie(req as unknown as Request, res as unknown as Response, 'secret');
  return String(set);
}

test('the cookie is not Secure over plain HTTP, where browsers reject Secure cookies', () => {
  const cookie = cookieFor({ secure: false, socket: { localPort: 8080 } });
  assert.match(cookie, /^sessie_p8080=secret; Path=\/; Max-Age=604800; HttpOnly/);
  assert.doesNotMatch(cookie, /Secure/);
});

test('the cookie is Secure behind a trusted TLS proxy', () => {
  assert.match(cookieFor({ secure: true, socket: { localPort: 8080 } }), /^sessie_p8080=.*; Secure$/);
});

test('the cookie has the __Host- prefix over TLS', () => {
  const cookie = cookieFor({ secure: true, socket: { localPort: 8443, encrypted: true } });
  assert.match(cookie, /^__Host-sessie=.*; Secure$/);
});

test.run();
