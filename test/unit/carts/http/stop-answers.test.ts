import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import { test } from 'uvu';
import type { StoppedCart } from '../../../../src/carts/command/model.js';
import {
  answerMalformedStop,
  answerStop,
  type StopAnswer,
  stopFailureTitle,
} from '../../../../src/carts/http/stop-answers.js';
import { errorHandler } from '../../../../src/http/errors.js';
import { type ErrorCode, GatewayError } from '../../../../src/shared/errors.js';
import { quietLog } from '../../../helpers/cart-harness.js';

const yes = (cartID: number): StoppedCart => ({ cartID, name: `Cart ${cartID}`, confirmed: true });
const no = (cartID: number, code: ErrorCode = 'CART_OFFLINE'): StoppedCart => ({
  cartID,
  name: `Cart ${cartID}`,
  confirmed: false,
  code,
  reason: 'it has been switched off',
});
const ALL = 'all';

async function answered(
  carts: StoppedCart[],
  target: StopAnswer['stopped'] = ALL,
  accept = 'application/json',
) {
  const app = express();
  app.post('/estop', (req, res) => answerStop(req, res, carts, target));
  app.use(errorHandler(quietLog, (_req, { body }) => `${body.message}. ${body.hint}`));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/estop`, {
    method: 'POST',
    headers: { accept },
    redirect: 'manual',
  });
  const text = await answer.text();
  server.close();
  const json = accept === 'application/json' ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: answer.status, text, json };
}

test('returns 200 when every cart has confirmed the stop', async () => {
  const { status, json } = await answered([yes(1), yes(2)]);
  assert.deepEqual([status, json], [200, { success: true, stopped: 'all', carts: [yes(1), yes(2)] }]);
});

test('returns 207 with all carts when only some carts have confirmed the stop', async () => {
  const carts = [yes(1), no(2), no(3, 'STOP_UNCONFIRMED')];
  const { status, json } = await answered(carts);
  assert.equal(status, 207);
  assert.deepEqual([json.success, json.stopped, json.carts], [false, [1], carts]);
  assert.equal(json.code, 'STOP_UNCONFIRMED');
  assert.match(String(json.message), /not confirmed by Cart 2, Cart 3$/);
});

test('does not list a cart number as stopped when one of two gateways with this number has not confirmed the stop', async () => {
  const carts = [yes(1), no(1, 'STOP_UNCONFIRMED'), yes(2)];
  const { status, json } = await answered(carts);
  assert.deepEqual([status, json.success, json.stopped, json.carts], [207, false, [2], carts]);
});

test('returns 503 when no cart has confirmed the stop', async () => {
  const { status, json } = await answered([no(2)], 2);
  assert.deepEqual([status, json.stopped, json.code], [503, [], 'CART_OFFLINE']);
  assert.match(String(json.message), /not confirmed by Cart 2: it has been switched off$/);
});

test('returns a page that lists the carts without a confirmed stop when JavaScript is off', async () => {
  const { status, text } = await answered([yes(1), no(2)], ALL, 'text/html');
  assert.equal(status, 503);
  assert.match(text, /Cart 2.*Use the button on the cart/);
  assert.equal((await answered([yes(1)], ALL, 'text/html')).status, 303);
});

test('returns 503 when the only cart has not confirmed the stop', async () => {
  const carts = [no(1, 'SERIAL_DOWN')];
  const { status, json } = await answered(carts, 'all');
  assert.deepEqual([status, json.success, json.carts], [503, false, carts]);
});

test('the title of a failed stop states whether the stop was not sent or not confirmed', () => {
  const html = { accepts: () => 'html' };
  const titleAfter = (answer: (req: Request) => void): string => {
    const req = { ...html, body: {} } as unknown as Request;
    try {
      answer(req);
    } catch {
      // The error handler renders the page.
    }
    return stopFailureTitle(req)?.text ?? '';
  };
  const res = { redirect: () => undefined } as unknown as Response;
  const fault = new GatewayError('INVALID_INPUT', 'cartID must be a whole number');
  const notSent = 'Stop NOT sent: use the button on the cart';
  const notConfirmed = 'Stop NOT confirmed: use the button on the cart';
  assert.equal(
    titleAfter(() => undefined),
    notSent,
  );
  assert.equal(
    titleAfter((req) => answerMalformedStop(req, res, { fault, carts: [], log: quietLog })),
    notSent,
  );
  for (const carts of [[no(1)], [yes(1), no(2)]]) {
    assert.equal(
      titleAfter((req) => answerStop(req, res, carts, ALL)),
      notConfirmed,
    );
    assert.equal(
      titleAfter((req) => answerMalformedStop(req, res, { fault, carts, log: quietLog })),
      notConfirmed,
    );
  }
  assert.equal(
    titleAfter((req) => answerMalformedStop(req, res, { fault, carts: [yes(1)], log: quietLog })),
    '',
  );
});

test.run();
