import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { suite } from 'uvu';
import { failureOf } from '../../../../src/http/errors.js';
import { formBody } from '../../../../src/http/openapi/schema-helpers.js';
import type { Body } from '../../../../src/http/openapi/types.js';
import { readBody } from '../../../../src/http/server/bodies.js';

const test = suite('request bodies');

/** Sends a form to a route with this body and returns the status. */
async function statusOf(body: Body, fields: number): Promise<number> {
  const app = express();
  app.post('/', readBody({ body }), (_req: express.Request, res: express.Response) => res.status(201).end());
  app.use((error: unknown, _req: express.Request, res: express.Response, _next: express.NextFunction) =>
    res.status(failureOf(error).status).end(),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const form = new URLSearchParams(
      Array.from({ length: fields }, (_, at): [string, string] => [`f${at}`, '1']),
    );
    const { port } = server.address() as AddressInfo;
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: form })).status;
  } finally {
    server.close();
  }
}

const form = formBody({ type: 'object' }, {}, 768);

test('rejects a form with more than 1,000 fields', async () => {
  assert.equal(await statusOf(form, 1000), 201);
  assert.equal(await statusOf(form, 1001), 413);
});

test('rejects a form with more fields than its route permits', async () => {
  assert.equal(await statusOf({ ...form, maxFields: 5000 }, 5000), 201);
  assert.equal(await statusOf({ ...form, maxFields: 5000 }, 5001), 413);
});

test.run();
