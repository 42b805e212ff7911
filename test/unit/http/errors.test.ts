import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { test } from 'uvu';
import { drivePage } from '../../../src/carts/http/pages.js';
import { commandRoutes } from '../../../src/carts/index.js';
import { markersPageRoutes } from '../../../src/console/markers/routes.js';
import { errorHandler } from '../../../src/http/errors.js';
import { Drawings, useDrawings } from '../../../src/http/pages.js';
import { markersPage } from '../../../src/navigation/index.js';
import { GatewayError } from '../../../src/shared/errors.js';
import { handlersOf } from '../../helpers/handlers-of.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { NO_ZONES } from '../site/no-zones.js';

const FORMS = {
  '/': 'cartID=1&distanceID=500&angleID=0',
  '/markers/save': 'id=1',
};

/** Submits a form as a browser does, to routes whose services throw `error`. */
async function submit(path: keyof typeof FORMS, error: Error) {
  const fail = (): never => {
    throw error;
  };
  const dispatcher = { submit: fail, stopNevertheless: async () => undefined };
  const markers = { list: () => [], create: fail };
  const log = new RecordingLog();
  const app = express();
  const drawings = new Drawings();
  drawings.add(drivePage, () => 'the form again');
  drawings.add(markersPage, () => 'the form again');
  useDrawings(app, drawings);
  const commands = {
    dispatcher,
    drivers: { list: () => [] },
    originOf: () => ({}),
    authorityOf: () => ({}),
  } as unknown as Parameters<typeof commandRoutes>[0];
  app.use(handlersOf(commandRoutes(commands)));
  const page = { markers, localization: { suspicious: [] }, guard: NO_ZONES };
  app.use(handlersOf(markersPageRoutes(page as unknown as Parameters<typeof markersPageRoutes>[0])));
  app.use(errorHandler(log, () => 'the error page'));
  const server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    body: FORMS[path],
  });
  const { status, headers } = response;
  const text = await response.text();
  server.close();
  return { status, text, retryAfter: headers.get('retry-after'), log };
}

for (const path of Object.keys(FORMS) as (keyof typeof FORMS)[]) {
  test(`POST ${path} shows a failed form again with its status and Retry-After`, async () => {
    const busy = new GatewayError('RATE', 'at most 10 per second', { retryAfterS: 3 });
    const { status, text, retryAfter } = await submit(path, busy);
    assert.deepEqual([status, retryAfter, text], [429, '3', 'the form again']);
  });

  test(`POST ${path} logs an unexpected error and responds with the error page`, async () => {
    const { status, text, log } = await submit(path, new TypeError('undefined is not a function'));
    assert.deepEqual([status, text], [500, 'the error page']);
    assert.deepEqual(log.events(), ['request.failed']);
  });
}

test.run();
