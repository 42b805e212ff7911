import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { test } from 'uvu';
import { gatewayRestoreRoutes } from '../../../../src/system/http/gateway-restore-routes.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { handlersOf } from '../../../helpers/handlers-of.js';
import { until } from '../../../helpers/until.js';

interface Harness {
  clock: FakeClock;
  /** Reasons of the restarts. */
  restarts: string[];
  /** The responses of the server. */
  responses: ServerResponse[];
  post(path: string, signal?: AbortSignal): Promise<number>;
  /** Ends the action of a request to restore. */
  unpacked(): void;
  state: { isIdle: boolean; isUnpacking: boolean };
}

const RESTORE = '/gateway-backups/cartwright-test-20260101T000000Z.cwbackup/restore';
const CANCEL = '/gateway-backups/cancel-restore';

const unused = () => Promise.reject(new Error('unused'));

async function withRoutes(run: (harness: Harness) => Promise<void>): Promise<void> {
  const clock = new FakeClock();
  const restarts: string[] = [];
  const responses: ServerResponse[] = [];
  const state = { isIdle: true, isUnpacking: false };
  let unpacked = (): void => undefined;
  const isUnpacked = new Promise<void>((resolve) => {
    unpacked = resolve;
  });
  const router = gatewayRestoreRoutes({
    restore: {
      restore() {
        state.isUnpacking = true;
        return isUnpacked;
      },
      cancel: async () => false,
      confirm: unused,
      view: () => undefined,
      canRestart: () => state.isIdle,
    },
    clock,
    restart: (why) => void restarts.push(why),
    setup: {
      setup: { authorise: () => undefined },
      backups: { list: unused, upload: unused, inspect: unused },
      restore: { restore: unused },
      history: { recordSafety: () => undefined },
      cartID: 1,
    },
  });
  const app = express();
  app.use((_req, res, next) => {
    responses.push(res);
    next();
  });
  app.use(handlersOf(router));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await run({
      clock,
      restarts,
      responses,
      state,
      unpacked,
      async post(path, signal) {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(path === RESTORE ? { passphrase: 'correct horse battery' } : {}),
          ...(signal ? { signal } : {}),
        });
        await response.text();
        return response.status;
      },
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test('the gateway restarts even if the client disconnects while the backup is being unpacked', () =>
  withRoutes(async ({ clock, restarts, responses, state, post, unpacked }) => {
    const client = new AbortController();
    const request = post(RESTORE, client.signal);
    await until(() => state.isUnpacking);
    client.abort();
    await assert.rejects(request);
    await until(() => responses[0]?.closed === true);
    unpacked();
    await until(() => clock.timers === 1);
    clock.advance(2000);
    assert.deepEqual(restarts, ['restore of a backup']);
  }));

test('a cancelled restore cancels the restart', () =>
  withRoutes(async ({ clock, restarts, post, unpacked }) => {
    unpacked();
    assert.equal(await post(RESTORE), 202);
    await until(() => clock.timers === 1);
    assert.equal(await post(CANCEL), 202);
    assert.equal(clock.timers, 0);
    clock.advance(2000);
    assert.deepEqual(restarts, []);
  }));

test('the gateway does not restart if the cart is no longer idle', () =>
  withRoutes(async ({ clock, restarts, state, post, unpacked }) => {
    unpacked();
    assert.equal(await post(RESTORE), 202);
    await until(() => clock.timers === 1);
    state.isIdle = false;
    clock.advance(2000);
    assert.deepEqual(restarts, []);
  }));

test.run();
